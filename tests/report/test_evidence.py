"""Headings, baselines and profiles: figures against counting, and nothing said that was not measured."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.audits import audit
from tacit.datasets import hospital
from tacit.recipes.sections import ProfileName
from tacit.report.evidence.gather import BoardOptions, internal_evidence, public_evidence
from tacit.report.evidence.holdout import HoldOut
from tacit.report.evidence.linkability import OutsideTable
from tacit.report.evidence.two_releases import matched
from tacit.report.figures import ReleaseFigures
from tacit.report.profiles import NAMES, judged, profiles
from tacit.report.public import public_view


def people(rows=900, seed=0):
    """Make people whose illness has nothing to do with anything else."""
    draw = np.random.default_rng(seed)
    return tc.Table(
        {
            "name": [f"P{i}" for i in range(rows)],
            "age": draw.integers(20, 80, rows),
            "zip": draw.integers(100, 120, rows),
            "sex": draw.choice(["f", "m"], rows),
            "ill": draw.choice(["a", "b", "c", "d"], rows),
        },
        identifiers="name",
        quasi_identifiers=["age", "zip", "sex"],
        sensitive="ill",
    )


def evidence_of(table, method, **options):
    release = method.protect(table, seed=1)
    verdict = audit(release)
    figures = ReleaseFigures(release.shape, release.unit)
    asked = BoardOptions(**options)
    return (
        release,
        public_evidence(release, verdict, figures, asked),
        internal_evidence(release, verdict, figures, table, asked),
    )


def figure(evidence, heading, name):
    [found] = [f for h in evidence.headings if h.name == heading for f in h.figures if f.name.startswith(name)]
    return found


def test_headings_count_what_is_published():
    table = people()
    release, public, _ = evidence_of(table, tc.Mondrian([tc.KAnonymity(3)]))
    frame = release.frames()["table"]
    sizes = frame.group_by("age", "zip", "sex").len()["len"]
    alone = figure(public, "singling out", "alone by all")
    assert (alone.rate.right, alone.rate.people) == (int((sizes == 1).sum()), frame.height)
    rightly = figure(public, "linkability", "matched rightly with an outside table of everybody")
    assert rightly.rate.share == pytest.approx(len(sizes) / frame.height)
    top = frame.group_by("age", "zip", "sex", "ill").len().group_by("age", "zip", "sex").agg(pl.col("len").max())["len"]
    guessed = figure(public, "inference", "ill guessed right by looking up")
    assert guessed.rate.right == pytest.approx(top.sum())
    for size in (1, 2, 3):
        found = figure(public, "singling out", f"alone by some {size} ")
        unique = np.zeros(frame.height, bool)
        from itertools import combinations

        for names in combinations(["age", "zip", "sex"], size):
            unique |= (frame.select(pl.len().over(names)).to_series() == 1).to_numpy()
        assert found.rate.right == unique.sum()


def test_what_was_not_measured_is_not_assessed():
    _, public, internal = evidence_of(people(200), tc.Mondrian([tc.KAnonymity(3)]))
    for evidence in (public, internal):
        for name in ("matched rightly with an outside table", "matched rightly with another release"):
            found = [f for f in evidence.headings[1].figures if f.name.startswith(name) and not f.assessed]
            assert found
            assert found[0].written == "not assessed"
            assert found[0].sentence
    said = str(public.to_json()).lower()
    assert "anonymous" not in said


def test_people_left_out_are_guessed_as_well_where_groups_tell_nothing():
    """One group of everybody: whoever is in it is told nothing that people outside are not told."""
    table = people(2000, seed=3)
    holdout = HoldOut.make(tc.Mondrian([tc.KAnonymity(1000)]), table, seed=5)
    assert abs(holdout.guessed("ill").gain) < 0.05
    assert not holdout.guessed("ill").telling
    assert holdout.singled_out().gain == 0


@pytest.mark.parametrize("seed", range(4))
def test_the_gain_is_about_being_in_it(seed):
    """Two parts that are both outside differ by chance alone; rows as they are give everything away."""
    table = people(1500, seed=seed)
    method = tc.Mondrian([tc.KAnonymity(5)])
    holdout = HoldOut.make(method, table, seed=seed)
    strangers = people(1500, seed=100 + seed)
    first, second = np.arange(0, 750), np.arange(750, 1500)
    nobody = HoldOut(strangers, holdout.release, first, second, np.zeros(1500, bool))
    assert abs(nobody.guessed("ill").gain) < 0.09
    assert not nobody.guessed("ill").telling
    # Groups of five hold the person's own value: who is in one is guessed better, although nothing can be learned.
    assert holdout.guessed("ill").telling


def test_holdout_halves_people_not_rows():
    rows = 400
    table = tc.Table(
        {"pid": np.arange(rows) // 4, "age": np.arange(rows) // 4 % 7, "ill": ["a", "b"] * (rows // 2)},
        person="pid",
        quasi_identifiers="age",
        sensitive="ill",
    )
    holdout = HoldOut.make(tc.Mondrian([tc.KAnonymity(2)]), table, seed=2)
    inside = set(table.frame["pid"].filter(holdout.part))
    assert not inside & set(table.frame["pid"].filter(~holdout.part))
    assert len(inside) == 50


def test_matched_rows_by_trying_every_match():
    draw = np.random.default_rng(4)
    for _ in range(40):
        n = int(draw.integers(2, 7))
        first, second = draw.integers(0, 3, n), draw.integers(0, 3, n)
        # Whoever sees a row of class a picks a row of some class b; the row that is hers is in one of them.
        expected = 0.0
        for a in range(3):
            mine = [i for i in range(n) if first[i] == a]
            if mine:
                best = max(
                    sum(second[i] == b for i in mine) / max(1, sum(second == b)) / len(mine) for b in set(second)
                )
                expected += best * len(mine)
        assert matched(first, second).right == pytest.approx(expected)


def test_an_outside_table_is_matched_with_the_truth():
    table = people(300)
    release = tc.Mondrian([tc.KAnonymity(4)]).protect(table, seed=1)
    strangers = pl.DataFrame({"name": ["X"] * 50, "age": [200] * 50, "zip": [1] * 50, "sex": ["f"] * 50})
    some = table.frame.select("name", "age", "zip", "sex")[:100]
    outside = OutsideTable("voters.csv", pl.concat([some, strangers.select(some.columns).cast(some.schema)]))
    _, _, internal = evidence_of(table, tc.Mondrian([tc.KAnonymity(4)]), outside=outside)
    found = figure(internal, "linkability", "matched rightly with voters.csv")
    fits = tc.LinkageAdversary(victims=some).attack(release).candidates
    assert found.rate.people == 150
    assert found.rate.right == pytest.approx((1 / fits).sum())
    assert "100 of its 150 people are published" in found.sentence
    assert "agrees in name" in found.sentence


def test_two_releases_of_the_same_people():
    table = people(600)
    method = tc.Mondrian([tc.KAnonymity(5)])
    holdout = HoldOut.make(method, table, seed=3)
    _, _, internal = evidence_of(table, method, holdout=holdout)
    found = figure(internal, "linkability", "matched rightly between this release and a second one")
    assert 0 < found.rate.share < 1
    assert found.rate.people == holdout.part.sum()


def test_every_profile_judges_and_names_its_source():
    assert set(NAMES) == set(profiles()) == set(ProfileName.__args__)
    table = people(300)
    for name in NAMES:
        _, public, internal = evidence_of(table, tc.Mondrian([tc.KAnonymity(4)]), profile=name)
        for evidence in (public, internal):
            result = evidence.profile
            assert result.requirements
            assert result.is_not
            assert "anonymous" not in str(result.to_json()).lower()
            for each in result.requirements:
                assert any(sign.isdigit() for sign in each.source), each
                assert each.figure


@pytest.mark.parametrize(("k", "met"), [(2, False), (11, False), (12, True)])
def test_ema_and_health_canada_compare_exactly(k, met):
    """A group of 11 has a risk of 0.0909, which is above 0.09."""
    table = people(600)
    _, public, _ = evidence_of(table, tc.Mondrian([tc.KAnonymity(k)]), profile="ema-0070")
    largest = public.profile.requirements[0]
    smallest = round(1 / float(largest.figure))
    assert largest.met is (smallest >= 12)
    if met:
        assert largest.met
        assert public.profile.met is None  # the mean is shown, and nobody names a number for it


def test_cms_wants_eleven():
    table = people(600)
    _, small, _ = evidence_of(table, tc.Mondrian([tc.KAnonymity(5)]), profile="cms")
    _, large, _ = evidence_of(table, tc.Mondrian([tc.KAnonymity(11)]), profile="cms")
    assert small.profile.met is False
    assert large.profile.met is True
    _, buckets, _ = evidence_of(table, tc.Anatomy(2), profile="cms")
    assert [each.name for each in buckets.profile.requirements if each.met is False][
        -1
    ] == "counts in the published files"


def harbor(columns, **more):
    frame = pl.DataFrame(columns)
    release = tc.Release.foreign(frame, quasi_identifiers=list(columns), sensitive=[], **more)
    figures = ReleaseFigures(release.shape, release.unit)
    found = public_evidence(release, audit(release), figures, BoardOptions("hipaa-safe-harbor")).profile
    return {each.name[1]: each.met for each in found.requirements[:-1]}


@pytest.mark.parametrize(
    ("columns", "letter"),
    [
        ({"last_name": ["Wu", "Poe"]}, "A"),
        ({"zip": ["13053", "13068"]}, "B"),
        ({"zip": ["036", "130"]}, "B"),
        ({"city": ["Bern", "Basel"]}, "B"),
        ({"admission": ["2024-05-01", "2024-06-02"]}, "C"),
        ({"age": [91, 95]}, "C"),
        ({"contact": ["+1 555 123 4567", "555-123-9999"]}, "D"),
        ({"fax": ["1", "2"]}, "E"),
        ({"contact": ["a@b.org", "c@d.org"]}, "F"),
        ({"x": ["123-45-6789", "987-65-4321"]}, "G"),
        ({"mrn": ["1", "2"]}, "H"),
        ({"beneficiary": ["1", "2"]}, "I"),
        ({"account": ["1", "2"]}, "J"),
        ({"license": ["1", "2"]}, "K"),
        ({"vin": ["1", "2"]}, "L"),
        ({"serial": ["1", "2"]}, "M"),
        ({"page": ["https://a.org/b", "www.c.org"]}, "N"),
        ({"x": ["10.0.0.1", "192.168.1.1"]}, "O"),
        ({"fingerprint": ["1", "2"]}, "P"),
        ({"photo": ["1", "2"]}, "Q"),
        ({"patient_code": ["a1", "b2"]}, "R"),
    ],
)
def test_safe_harbor_finds_each_kind(columns, letter):
    found = harbor(columns)
    assert len(found) == 18
    assert found[letter] is False
    assert [each for each, met in found.items() if met is False] == [letter]


def test_safe_harbor_lets_pass_what_the_rule_allows():
    found = harbor(
        {
            "zip": ["130**", "940**"],
            "age": ["[80, 89]", "[90, 120]"],
            "admitted": ["2023", "2024"],
            "sex": ["f", "m"],
            "diagnosis": ["flu", "cold"],
        }
    )
    assert all(found.values())


def test_the_hospital_report_holds_the_evidence():
    frame = hospital(rows=800)
    frame = getattr(frame, "frame", frame)
    table = tc.Table(
        frame.drop("symptoms"),
        identifiers="name",
        quasi_identifiers=["age", "postcode", "sex", "nationality"],
        sensitive="diagnosis",
    )
    release = tc.Mondrian([tc.KAnonymity(5)]).protect(table, seed=1)
    view = public_view(release, audit(release).public(), options=BoardOptions("wp216"))
    titles = [section.title for section in view.sections]
    assert {"Profile wp216", "Singling out", "Linkability", "Inference", "Special uniques"} <= set(titles)
    assert view.as_dict()["evidence"]["profile"]["met"] is None
    assert judged("wp216", _measured(view)).met is None


def _measured(view):
    from tacit.report.profiles import Measured

    return Measured({}, {}, view.evidence.headings, (), {})


def test_in_python_a_release_is_published_with_its_evidence(tmp_path):
    table = people(400)
    method = tc.Mondrian([tc.KAnonymity(4)])
    population = pl.concat([table.frame, people(400, seed=9).frame])
    done = tc.publish(
        method.protect(table),
        tmp_path / "out",
        certificate=False,
        profile="wp216",
        method=method,
        outside=table.frame.select("age", "zip", "sex"),
        population=population,
    )
    found = done.evidence
    assert found.profile.profile == "wp216"
    assert found.population.fraction == 0.5
    assert figure(found, "singling out", "alone by all").baseline is not None
    assert figure(found, "linkability", "matched rightly with the outside table").assessed
    assert "evidence" in (tmp_path / "out" / "report.json").read_text()
