"""Those who are not published speak too: with the private part, with the table alone, with neither; and forgeries."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.errors import AuditFailed, RoleError
from tacit.guarantees import Eligibility, Evidence, KAnonymity, TCloseness
from tacit.shapes import EVERY_STEP, Bucketized, Claim, Generalized, Inside, Marginals, Microdata, Published, Withheld
from tacit.table import Table


def people(ages, ills, **more):
    return Table({"age": ages, "ill": ills}, quasi_identifiers="age", sensitive="ill", **more)


TABLE = people([1, 1, 2, 2, 3, 4, 5, 5], ["flu", "cold", "flu", "gout", "flu", "flu", "cold", "gout"])


def release(table, kept, claims, *, judged="group", steps=None, **changes):
    """Publish the kept rows as they are; `steps` says which step withheld each of the others."""
    kept = np.array(kept, dtype=bool)
    steps = np.where(kept, -1, 0) if steps is None else np.array(steps)
    judgments = judged if isinstance(judged, tuple) else (judged,)
    withheld = tuple(Withheld(step, steps == step, how) for step, how in enumerate(judgments))
    inside = Inside(
        kept,
        None,
        np.zeros((len(table), 2), bool),
        ("age", "ill"),
        withheld=withheld,
        table=changes.pop("inside_table", table),
    )
    shape = Generalized.publish(table, kept, np.arange(int(kept.sum())))
    return Published(
        **{
            "shape": shape,
            "claims": tuple(c if isinstance(c, Claim) else Claim(c) for c in claims),
            "inside": inside,
            "size": len(table),
            **changes,
        }
    )


ALL_BUT_3_AND_4 = [1, 1, 1, 1, 0, 0, 1, 1]
ALL_BUT_3 = [1, 1, 1, 1, 0, 1, 1, 1]
LONELY = [1, 1, 1, 1, 0, 0, 1, 1]


def finding(published, table=None, **more):
    (found,) = tc.audit(published, table, adversaries=[], **more).findings
    return found


@pytest.mark.parametrize(
    ("guarantee", "expected"),
    [(KAnonymity(k=2), "holds"), (KAnonymity(k=3), "fails"), (Eligibility(l=1), "holds"), (Eligibility(l=2), "fails")],
)
def test_the_withheld_are_judged_as_one_more_group(guarantee, expected):
    """The rows of ages 3 and 4 are two people with the same illness."""
    published = release(TABLE, ALL_BUT_3_AND_4, [guarantee])
    bare = replace(published, inside=None)
    found = {
        "private part": finding(published),
        "table beside a private part without one": finding(
            release(TABLE, LONELY, [guarantee], inside_table=None), TABLE
        ),
        "table alone": finding(bare, TABLE),
    }
    assert {how: each.withheld for how, each in found.items()} == dict.fromkeys(found, expected)
    published_alone = {KAnonymity(k=3): False}.get(guarantee, True)
    for each in found.values():
        assert each.holds is (published_alone and expected == "holds")
        assert ("it fails for the rows that were withheld" in each.sentence) == (expected == "fails")


def test_without_the_private_part_and_the_table_nothing_is_said_of_them():
    for published in (
        replace(release(TABLE, ALL_BUT_3_AND_4, [Eligibility(l=2)]), inside=None),
        release(TABLE, ALL_BUT_3_AND_4, [Eligibility(l=2)], inside_table=None),
        replace(release(TABLE, ALL_BUT_3_AND_4, [Eligibility(l=2)]), inside=None, size=None),
    ):
        found = finding(published)
        assert (found.withheld, found.holds) == ("not checked", None)
        assert found.sentence.endswith("the rows that were withheld were not checked")


def test_nobody_is_missing():
    everyone = release(TABLE, [1] * 8, [KAnonymity(k=1)])
    assert finding(everyone).withheld == "none"
    assert finding(replace(everyone, inside=None)).withheld == "none"
    assert finding(replace(everyone, inside=None, size=None), TABLE).withheld == "none"
    assert finding(replace(everyone, inside=None, size=None)).withheld == "not checked"


def test_the_table_counts_more_than_what_the_release_says_of_its_size():
    boast = replace(release(TABLE, ALL_BUT_3, [KAnonymity(k=2)]), inside=None, size=7)
    assert finding(boast).withheld == "none"
    assert finding(boast, TABLE).withheld == "fails"


def test_a_table_that_the_release_is_not_a_part_of():
    other = people([1, 1, 2, 2, 3, 4, 5, 5], ["gout"] * 8)
    smaller = people([1, 2], ["flu", "cold"])
    bare = replace(release(TABLE, ALL_BUT_3_AND_4, [Eligibility(l=1)]), inside=None)
    assert finding(bare, other).withheld == "not checked"
    assert finding(bare, smaller).withheld == "not checked"


def test_values_of_every_type_are_found_again_in_the_table():
    import datetime as dt

    values = {
        "moment": [dt.datetime(2024, 1, 1, h) for h in (1, 1, 2, 2)],
        "day": [dt.date(2024, 1, d) for d in (1, 1, 2, 2)],
        "pay": [1.5, 1.5, float("nan"), float("nan")],
        "yes": [True, True, False, False],
        "code": [1, 1, 2, 2],
    }
    for column in values.values():
        table = people([1, 1, 2, 2], column)
        bare = replace(release(table, [1, 1, 1, 0], [KAnonymity(k=1)]), inside=None)
        assert finding(bare, table).withheld == "holds"
        assert finding(replace(bare, claims=(Claim(KAnonymity(k=2)),)), table).withheld == "fails"


def test_a_step_answers_for_what_it_withheld():
    """Step 0 withheld one person, step 1 two with different illnesses."""
    table = people([1, 1, 2, 3, 4, 4], ["flu", "cold", "flu", "flu", "gout", "flu"])
    kept, steps = [1, 1, 0, 1, 0, 0], [-1, -1, 0, -1, 1, 1]
    claims = [
        Claim(KAnonymity(k=1), 0),
        Claim(Eligibility(l=1), 1),
        Claim(KAnonymity(k=2), 0),
        Claim(Eligibility(l=2), 1),
    ]
    published = release(table, kept, claims, judged=("group", "group"), steps=steps)
    verdicts = [each.withheld for each in tc.audit(published, adversaries=[]).findings]
    assert verdicts == ["holds", "holds", "fails", "holds"]


def test_an_auditor_asks_about_every_step():
    table = people([1, 1, 2, 3, 4, 4], ["flu", "cold", "flu", "flu", "gout", "flu"])
    published = release(table, [1, 1, 0, 1, 0, 0], [], judged=("group", "group"), steps=[-1, -1, 0, -1, 1, 1])
    asked = [KAnonymity(k=3), KAnonymity(k=4), Eligibility(l=2)]
    verdicts = [each.withheld for each in tc.audit(published, claims=asked, adversaries=[]).findings]
    assert verdicts == ["holds", "fails", "fails"]
    assert Evidence(published).withheld(Claim(KAnonymity(k=1), EVERY_STEP)).sizes.tolist() == [3]


def test_rows_that_another_adversary_judges():
    published = release(TABLE, ALL_BUT_3, [Eligibility(l=2)], judged="apart")
    found = finding(published)
    assert (found.withheld, found.holds) == ("apart", True)
    table = people([1, 1, 2, 3, 4, 4], ["flu", "cold", "flu", "flu", "gout", "flu"])
    mixed = release(table, [1, 1, 0, 1, 0, 0], [], judged=("apart", "group"), steps=[-1, -1, 0, -1, 1, 1])
    assert finding(mixed, claims=[KAnonymity(k=2)]).withheld == "holds"


def test_the_surplus_of_a_frequent_value_is_not_a_group_to_whoever_has_only_the_table():
    table = people(list(range(8)), ["flu"] * 6 + ["cold", "gout"])
    made = tc.UnsafeDSuppression(l=2).protect(table, seed=1)
    assert made.shape.rows < 8
    assert tc.audit(made, adversaries=[]).holds is True
    bare = replace(made, inside=None)
    assert tc.audit(bare, table, adversaries=[]).findings[0].withheld == "apart"
    assert tc.audit(bare, table, adversaries=[]).holds is True
    two = tc.Pipeline([tc.UnsafeDSuppression(l=2), tc.SmallGroups(guarantee=KAnonymity(k=1))]).protect(table, seed=1)
    verdicts = tc.audit(replace(two, inside=None), table, adversaries=[]).findings
    assert [each.withheld for each in verdicts] == ["apart", "not checked"]


def small(guarantee):
    rng = np.random.default_rng(0)
    table = people(np.append(rng.integers(0, 4, 20), [50, 51]), rng.choice(["flu", "cold", "gout"], 22))
    return table, tc.SmallGroups(guarantee=guarantee).protect(table, seed=1)


@pytest.mark.parametrize("forge", ["nobody withheld", "all kept", "other rows", "one row more"])
def test_a_private_part_that_is_not_about_these_frames_is_not_believed(forge):
    """One lonely row is missing from the frames; the private part says otherwise."""
    table = people([1, 1, 2, 2, 3], ["flu", "cold", "flu", "cold", "gout"])
    honest = release(table, [1, 1, 1, 1, 0], [KAnonymity(k=2), Eligibility(l=2)])
    inside = honest.inside
    forged = {
        "nobody withheld": replace(inside, withheld=()),
        "all kept": replace(inside, kept=np.ones(5, bool), withheld=(Withheld(0, np.zeros(5, bool), "group"),)),
        "other rows": replace(
            inside,
            kept=np.array([1, 1, 0, 1, 1], bool),
            withheld=(Withheld(0, np.array([0, 0, 1, 0, 0], bool), "group"),),
        ),
        "one row more": replace(
            inside,
            kept=np.array([1, 1, 1, 0, 0], bool),
            withheld=(Withheld(0, np.array([0, 0, 0, 1, 1], bool), "group"),),
        ),
    }[forge]
    verdict = tc.audit(replace(honest, inside=forged), adversaries=[])
    assert verdict.holds is False
    assert [each.withheld for each in verdict.findings] == ["fails", "fails"]
    without_table = tc.audit(replace(honest, inside=replace(forged, table=None)), adversaries=[])
    assert without_table.holds is False  # one row is missing, which is public
    assert {each.withheld for each in without_table.findings} <= {"not checked", "fails"}


def test_frames_that_were_altered_are_caught():
    table, honest = small(KAnonymity(k=2))
    assert tc.audit(honest, adversaries=[]).holds is True
    frame = honest.frames()["table"]
    alone = frame.with_columns(age=pl.when(pl.int_range(pl.len()) == 0).then(99).otherwise("age"))
    forged = replace(honest, shape=Generalized(alone, honest.shape.columns))
    verdict = tc.audit(forged, table, adversaries=[])
    assert verdict.holds is False
    assert "1 of" in verdict.findings[0].sentence
    assert verdict.findings[0].posterior == 1.0
    assert verdict.findings[0].where == "age 99"
    with pytest.raises(AuditFailed, match=r"Nothing was written: k-anonymity \(k=2\) does not hold \("):
        verdict.require()


def test_values_that_were_altered_are_caught():
    _, honest = small(Eligibility(l=2))
    frame = honest.frames()["table"].with_columns(ill=pl.lit("flu"))
    verdict = tc.audit(replace(honest, shape=Generalized(frame, honest.shape.columns)), adversaries=[])
    assert verdict.holds is False
    assert "the most frequent value is in 100.0% of the rows" in verdict.findings[0].sentence


def test_every_marginal_must_hold():
    table = Table(
        {"age": [1, 1, 2, 2], "sex": list("fmfm"), "ill": list("abab")},
        quasi_identifiers=["age", "sex"],
        sensitive="ill",
    )
    everyone, order = np.ones(4, bool), np.arange(4)
    good = Generalized.publish(
        Table({"age": [1, 1, 2, 2], "ill": list("abab")}, quasi_identifiers="age", sensitive="ill"), everyone, order
    )
    bad = Generalized.publish(table, everyone, order)
    for parts in ({"x": good, "y": bad}, {"y": bad, "x": good}):
        found = finding(Published(Marginals(parts), size=4), claims=[KAnonymity(k=2)])
        assert found.holds is False
        assert found.where == "age 1, sex 'f'"
    assert finding(Published(Marginals({"x": good}), size=4), claims=[KAnonymity(k=2)]).holds is True


def test_a_marginal_that_fails_counts_more_than_one_with_a_larger_posterior():
    """All have the same illness in the first; in the second, each group has its own half of the illnesses."""

    def part(ages, ills):
        return Generalized.publish(people(ages, ills), np.ones(len(ages), bool), np.arange(len(ages)))

    same, apart = part([1, 1, 2, 2], ["a"] * 4), part([1, 1, 2, 2], list("abcd"))
    found = finding(Published(Marginals({"same": same, "apart": apart}), size=4), claims=[TCloseness(t=0.3)])
    assert (found.holds, found.posterior) == (False, 0.5)


def test_nothing_is_published():
    found = finding(release(TABLE, [0] * 8, [KAnonymity(k=2)]))
    assert (found.sentence, found.posterior, found.withheld) == ("nothing is published", None, "holds")


def test_microdata_with_a_suppressed_sensitive_cell_still_tells_who_is_missing():
    cells = np.zeros((8, 2), bool)
    cells[0, 1] = True
    kept = np.array(ALL_BUT_3_AND_4, bool)
    published = release(TABLE, kept, [KAnonymity(k=2)])
    shape = Microdata.publish(TABLE, kept, np.arange(6), cells)
    assert finding(replace(published, shape=shape)).withheld == "holds"
    # How many are missing is enough for k-anonymity; which values they have cannot be told from a column with blanks.
    assert finding(replace(published, shape=shape, inside=None), TABLE).withheld == "holds"
    diverse = replace(published, shape=shape, inside=None, claims=(Claim(Eligibility(l=2)),))
    assert finding(diverse, TABLE).withheld == "not checked"


def test_bucketized_releases_are_judged_by_group():
    group = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    shape = Bucketized.publish(TABLE, np.ones(8, bool), np.arange(8), group)
    for claim, holds in {
        KAnonymity(k=4): True,
        KAnonymity(k=5): False,
        Eligibility(l=2): True,
        Eligibility(l=3): False,
    }.items():
        assert finding(Published(shape, size=8), claims=[claim]).holds is holds


def test_verdicts_together():
    fails, holds = KAnonymity(k=9), KAnonymity(k=1)
    assert tc.audit(release(TABLE, [1] * 8, [holds, fails])).holds is False
    assert tc.audit(release(TABLE, [1] * 8, [holds])).holds is True
    nothing_claimed = tc.audit(release(TABLE, [1] * 8, []))
    assert nothing_claimed.holds is None
    assert nothing_claimed.passes
    told = repr(tc.audit(release(TABLE, [1] * 8, [fails])))
    assert told.startswith("k-anonymity (k=9)  does not hold  5 groups, the smallest of 1 row; 5 of 5 groups break it")
    assert "also found  somebody who knows the quasi-identifiers learns 'ill' for sure: 2 rows" in told


def test_what_is_no_guarantee():
    with pytest.raises(AuditFailed, match="which is not a guarantee"):
        tc.audit(release(TABLE, [1] * 8, [Claim(tc.LinkageAdversary())]))


def test_what_is_no_release_and_no_table():
    with pytest.raises(RoleError, match=r"A release is audited, not a DataFrame\. Say tacit\.Release\.foreign"):
        tc.audit(TABLE.frame)
    with pytest.raises(RoleError, match="is a Table, not a DataFrame"):
        tc.audit(release(TABLE, [1] * 8, []), TABLE.frame)
