"""People with several rows: the cases that made the rule, through methods, audits, files and the command line."""

import dataclasses
import json
from math import comb

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.datasets import absences, clinic, pharmacy
from tacit.errors import AuditFailed, Infeasible, RoleError


def sixty(*, own_value: bool = False) -> pl.DataFrame:
    """60 patients with 6 visits each; three share age and sex."""
    draw = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 6)
    ill = draw.choice(["flu", "cold", "gout", "asthma", "angina"], 360)
    if own_value:
        ill = np.array(["flu", "cold", "gout", "asthma", "angina"])[patient % 5]
    return pl.DataFrame(
        {"pid": patient, "age": 20 + patient % 20, "sex": np.array(["F", "M"])[patient % 2], "ill": ill}
    )


def table(frame: pl.DataFrame, **more: object) -> tc.Table:
    return tc.Table(frame, quasi_identifiers=["age", "sex"], sensitive="ill", **more)


def test_sixty_patients_with_six_visits():
    frame = sixty()
    rows = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table(frame.drop("pid")), seed=1)
    finding = tc.audit(rows).findings[0]
    assert finding.holds is True
    assert "rows" in finding.sentence
    assert "people" not in finding.sentence
    people = {}  # which looks safe, and is not: groups of fewer than five patients
    for pid, kept in zip(frame["pid"], rows.inside.group, strict=True):
        people.setdefault(int(kept), set()).add(pid)
    assert min(len(group) for group in people.values()) < 5

    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table(frame, person="pid"), seed=1)
    finding = tc.audit(release).findings[0]
    assert finding.holds is True
    people = {}
    for pid, group in zip(frame["pid"], release.inside.group, strict=True):
        people.setdefault(int(group), set()).add(pid)
    smallest = min(len(group) for group in people.values())
    assert smallest >= 5
    assert f"the smallest of {smallest} people" in finding.sentence
    assert release.inside.kept.all()


def test_a_table_published_by_rows_fails_once_it_is_known_whose_they_are():
    frame = sixty()
    shown = frame.select("pid", "age", "ill")
    by_rows = tc.Release.foreign(shown, quasi_identifiers="age", sensitive="ill")
    by_people = tc.Release.foreign(shown, quasi_identifiers="age", sensitive="ill", person="pid")
    assert tc.audit(by_rows, claims=tc.KAnonymity(k=5)).holds is True  # 18 rows each
    finding = tc.audit(by_people, claims=tc.KAnonymity(k=5)).findings[0]
    assert finding.holds is False
    assert "the smallest of 3 people" in finding.sentence
    assert "pid" not in by_people.frames()["table"].columns


def test_how_sure_somebody_is_who_knows_the_number_of_rows():
    frame = pl.DataFrame({"pid": np.repeat(np.arange(5), 6), "age": [30] * 30, "ill": np.repeat(list("abcde"), 6)})
    release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="ill", person="pid")
    verdict = tc.audit(release, claims=tc.LDiversity(l=5, kind="frequency"))
    assert verdict.holds is True  # of any one row nobody is more than 1/5 sure
    notice = next(w for w in verdict.warnings if w.adversary == "several-rows")
    assert notice.posterior == pytest.approx(1 - comb(24, 6) / comb(30, 6))
    assert "0.77" in notice.sentence


@pytest.mark.parametrize(
    "guarantee",
    [tc.LDiversity(l=2), tc.LDiversity(l=2, kind="frequency"), tc.TCloseness(t=0.9), tc.AlphaK(alpha=0.6, k=2)],
)
def test_where_the_number_of_rows_makes_it_certain_a_promise_about_values_fails(guarantee):
    frame = pl.DataFrame(
        {"pid": ["a"] * 5 + ["b", "c", "d"], "age": [30] * 8, "ill": ["x", "x", "y", "z", "w", "y", "x", "x"]}
    )
    release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="ill", person="pid")
    verdict = tc.audit(release, claims=[guarantee, tc.KAnonymity(k=4)])
    assert verdict.findings[0].holds is False
    assert "is certain of a value" in verdict.findings[0].sentence
    assert verdict.findings[1].holds is True  # it says nothing of values


def test_people_in_two_groups_break_every_promise():
    frame = pl.DataFrame({"pid": list("aabbccdd"), "age": [1, 2] * 4, "ill": list("xyxyxyxy")})
    release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="ill", person="pid")
    finding = tc.audit(release, claims=tc.KAnonymity(k=2)).findings[0]
    assert finding.holds is False
    assert "rows of one person are in several groups" in finding.sentence


@pytest.mark.parametrize("dataset", [clinic, pharmacy, absences])
def test_visit_tables_are_protected_by_people(dataset):
    visits = dataset(1_500)
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(visits, seed=2)
    assert tc.audit(release, visits).holds is True
    group = release.inside.group
    whose = visits.frame[visits.person].to_list()
    members: dict[int, set[object]] = {}
    for number, person in zip(group.tolist(), whose, strict=True):
        members.setdefault(number, set()).add(person)
    assert min(len(each) for each in members.values()) >= 5
    assert sum(len(each) for each in members.values()) == visits.people.count  # nobody is in two
    cost = tc.utility(release, visits)
    assert cost.unit == "people"
    assert cost.average_group_size == pytest.approx(visits.people.count / len(members))


def test_heavy_visitors_of_the_clinic_are_not_given_away():
    visits = clinic(3_000)
    frame = visits.frame
    made = tc.Mondrian(guarantees=[tc.KAnonymity(k=5), tc.LDiversity(l=2, kind="frequency")])
    release = made.protect(visits, seed=2)
    assert tc.audit(release).holds is True
    plain = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(visits, seed=2)
    notice = next(w for w in tc.audit(plain).warnings if w.adversary == "several-rows")
    assert notice.posterior == 1.0
    assert notice.people >= 1
    groups = frame.with_columns(pl.Series("group", release.inside.group))
    for name in ("patient-dialysis", "patient-infusion", "patient-methadone"):
        hers = groups.filter(pl.col("patient") == name)
        rest = groups.filter(pl.col("group") == hers["group"][0])
        top = rest["diagnosis"].value_counts()["count"].max()
        assert hers.height <= rest.height - top


@pytest.mark.parametrize(
    "method",
    [
        tc.Mondrian(guarantees=[tc.KAnonymity(k=4), tc.LDiversity(l=2, kind="frequency")]),
        tc.Mondrian(guarantees=[tc.TCloseness(t=0.4)], allow_withheld=0.2),
        tc.SmallGroups(guarantee=tc.KAnonymity(k=3)),
        tc.Anatomy(l=2),
        tc.ShiftSuppression(l=3),
        tc.ART(r=2),
    ],
    ids=lambda method: str(method)[:40],
)
def test_where_everybody_has_one_row_nothing_changes(method):
    frame = sixty().with_columns(pl.Series("pid", np.random.default_rng(1).permutation(360)))
    frame = frame.with_columns(pl.col("age") // 5)
    plain = method.protect(table(frame.drop("pid")), seed=7)
    named = method.protect(table(frame, person="pid"), seed=7)
    for name, public in plain.frames().items():
        assert public.equals(named.frames()[name])
    one, other = tc.audit(plain), tc.audit(named)
    assert [f.holds for f in one.findings] == [f.holds for f in other.findings]
    assert [f.posterior for f in one.findings] == [f.posterior for f in other.findings]


def test_the_public_part_of_a_release_holds_no_figure_about_people(tmp_path):
    visits = table(sixty(), person="pid")
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(visits)
    release.write(tmp_path / "out")
    about = json.loads((tmp_path / "out" / "release.json").read_text())
    assert about["persons"] == "several rows"
    finding = about["audit"]["findings"][0]
    assert finding["holds"] is True
    assert finding["posterior"] is None
    assert "people" not in finding["sentence"]
    assert not [w for w in about["audit"]["warnings"] if w["adversary"] == "several-rows"]
    assert "pid" not in (tmp_path / "out" / "table.parquet").read_bytes().decode("latin-1")


def test_who_cannot_tell_whose_rows_are_whose_cannot_check(tmp_path):
    visits = table(sixty(), person="pid")
    tc.Mondrian(guarantees=[tc.KAnonymity(k=5), tc.LDiversity(l=2)]).protect(visits).write(tmp_path / "out")
    back = tc.Release.read(tmp_path / "out")
    assert tc.audit(back, visits).holds is True
    assert tc.audit(back).holds is None
    without = dataclasses.replace(back, inside=None)
    assert tc.audit(without, visits).holds is None
    assert "whose rows are whose" in tc.audit(without, visits).findings[0].needed
    with pytest.raises(AuditFailed):
        without.write(tmp_path / "again")


def test_a_private_part_that_tells_other_people_is_not_believed():
    visits = table(sixty(), person="pid")
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(visits)
    swapped = release.inside.place.copy()
    swapped[[0, 359]] = swapped[[359, 0]]
    for place in (swapped, np.zeros(360, np.int64), None):
        forged = dataclasses.replace(release, inside=dataclasses.replace(release.inside, place=place))
        assert tc.audit(forged).holds is not True


def test_a_release_made_without_the_role_is_not_taken_for_one_of_people():
    frame = sixty()
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table(frame.drop("pid")))
    assert tc.audit(release).holds is True
    assert tc.audit(release, table(frame, person="pid")).holds is None


def test_promises_about_single_records_are_not_judged_of_people_with_several():
    release = tc.Release.foreign(sixty(), quasi_identifiers=["age", "sex"], sensitive="ill", person="pid")
    finding = tc.audit(release, claims=tc.RRobustness(r=2)).findings[0]
    assert finding.holds is None
    assert "single records" in finding.sentence


@pytest.mark.parametrize("method", [tc.SmallGroups(guarantee=tc.KAnonymity(k=2)), tc.Anatomy(l=2)])
def test_quasi_identifiers_that_vary_are_refused_where_they_are_published_as_they_are(method):
    moved = sixty(own_value=True).with_columns(pl.when(pl.int_range(360) == 3).then(99).otherwise("age").alias("age"))
    with pytest.raises(RoleError, match="'age' varies between rows of one person"):
        method.protect(table(moved, person="pid"))
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table(moved, person="pid"), seed=1)
    hers = release.inside.group[:6]
    assert len(set(hers.tolist())) == 1


def test_anatomy_unites_buckets_until_people_are_safe_or_says_that_it_cannot():
    release = tc.Anatomy(l=2).protect(table(sixty(own_value=True), person="pid"), seed=1)
    assert tc.audit(release).holds is True
    assert release.shape.statistics.count > 1
    with pytest.raises(Infeasible, match="people have"):
        tc.Anatomy(l=2).protect(table(sixty(), person="pid"))


def test_foreign_files_on_the_command_line(tmp_path, capsys):
    from tacit import cli

    sixty().write_csv(tmp_path / "visits.csv")
    roles = ["--qi", "age", "--sensitive", "ill", "--claim", "k-anonymity:k=5"]
    assert cli.run(["audit", str(tmp_path / "visits.csv"), *roles]) == 0
    assert "rows" in capsys.readouterr().out
    assert cli.run(["audit", str(tmp_path / "visits.csv"), *roles, "--person", "pid"]) == 1
    assert "the smallest of 3 people" in capsys.readouterr().out
    assert cli.run(["audit", str(tmp_path / "visits.csv"), *roles, "--person", "pidd"]) == 2
    assert "Did you mean 'pid'?" in capsys.readouterr().err


def test_people_of_a_bucketized_file_are_counted_and_their_values_are_not():
    release = tc.Anatomy(l=2).protect(table(sixty(own_value=True), person="pid"), seed=1)
    frames = release.frames()
    rows = np.flatnonzero(release.inside.kept)[np.argsort(release.inside.place)]
    people = frames["quasi_identifiers"].with_columns(sixty()["pid"][rows])
    foreign = tc.Release.foreign(
        {"quasi_identifiers": people, "sensitive": frames["sensitive"]},
        quasi_identifiers=["age", "sex"],
        sensitive="ill",
        person="pid",
    )
    assert tc.audit(foreign, claims=tc.KAnonymity(k=2)).holds is True
    assert tc.audit(foreign, claims=tc.LDiversity(l=2)).holds is None


def test_two_people_may_have_more_values_than_they_are():
    frame = pl.DataFrame({"pid": list("aaaabb"), "age": [30] * 6, "ill": list("acebda")})
    release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="ill", person="pid")
    assert tc.audit(release, claims=tc.LDiversity(l=4)).holds is True
    assert tc.audit(release, claims=tc.LDiversity(l=6)).holds is False
