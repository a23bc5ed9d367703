"""The audit's verdict on r-robustness against brute force, on random small tables; and claims that match nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.distribution_verdicts import holds, own_distribution, possible

import tacit as tc
from tacit.kernels.distribution.certificate import is_possible
from tacit.shapes import Bucketized, Inside, Withheld

TABLES = 1_000
R = [Fraction(21, 20), Fraction(6, 5), Fraction(3, 2), Fraction(2), Fraction(3)]


class Trial:
    """A random table of up to 14 people in groups of up to 6, one of which may be withheld, and a random claim."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        sizes = rng.integers(1, 7, rng.integers(1, 4))
        n = int(sizes.sum())
        kinds = int(rng.integers(2, 5))
        columns = {"town": rng.choice(["t0", "t1"], n), "sex": rng.choice(["f", "m"], n)}
        self.frame = pl.DataFrame({**columns, "ill": rng.choice([f"v{i}" for i in range(kinds)], n)})
        self.table = tc.Table(self.frame, quasi_identifiers=["town", "sex"], sensitive="ill")
        self.group = np.repeat(np.arange(len(sizes)), sizes)
        hides = len(sizes) > 1 and rng.random() < 0.6
        self.kept = self.group != len(sizes) - 1 if hides else np.ones(n, dtype=bool)
        self.view = str(rng.choice(["exact", "paper"]))
        self.least = int(rng.choice([1, 3, 6]))
        self.r = R[int(rng.integers(len(R)))]
        there = sorted(self.frame["ill"].unique())
        self.protected: list[Any] | None = None
        if rng.random() < 0.7:
            chosen = [str(v) for v in rng.permutation(there)[: int(rng.integers(1, len(there) + 1))]]
            self.protected = [chosen] if rng.random() < 0.3 else chosen
        self.given = self._given(rng, there) if rng.random() < 0.4 else None

    def _given(self, rng: np.random.Generator, there: list[str]) -> dict[tuple[str, ...], list[int]]:
        """Tenths for every town and for every town and sex, zeros included; whole numbers for the oracle."""
        draw = [0, 1, 2, 2, 3]
        signatures = [*self.frame.select("town").unique().rows(), *self.frame.select("town", "sex").unique().rows()]
        rows = {}
        for signature in sorted(signatures):
            weights = rng.choice(draw, len(there))
            weights[rng.integers(len(there))] += 10 - min(10, int(weights.sum()))
            rows[signature] = [int(w) for w in (weights if weights.sum() == 10 else np.eye(len(there))[0] * 10)]
        return rows

    def claim(self) -> tc.RRobustness:
        common = {"r": float(self.r), "protected": self.protected, "view": self.view, "min_support": self.least}
        if self.given is None:
            return tc.RRobustness(**common)
        there = sorted(self.frame["ill"].unique())
        listed = [
            {"town": s[0], "sex": s[1] if len(s) > 1 else None, "ill": value, "probability": weight / 10}
            for s, weights in self.given.items()
            for value, weight in zip(there, weights, strict=True)
        ]
        schema = {"town": pl.String, "sex": pl.String, "ill": pl.String, "probability": pl.Float64}
        return tc.RRobustness(**common, distribution=pl.DataFrame(listed, schema=schema))

    def truth(self) -> bool:
        rows = self.frame.to_dicts()
        groups = [
            ([rows[i] for i in members], [rows[i]["ill"] for i in members])
            for members in (np.flatnonzero(self.group == g) for g in np.unique(self.group))
        ]
        there = sorted(self.frame["ill"].unique())
        known = own_distribution(rows, ["town", "sex"], "ill", self.least)
        if self.given is not None:
            given = self.given
            known = [
                lambda person: dict(zip(there, given[(person["town"],)], strict=True)),
                lambda person: dict(zip(there, given[(person["town"], person["sex"])], strict=True)),
            ]
        parts = there if self.protected is None else self.protected
        entries = [frozenset([part] if isinstance(part, str) else part) for part in parts]
        return holds(groups, known, entries, r=self.r, view=self.view)

    def release(self) -> tc.Release:
        """Publish the kept rows in their groups, with the private part."""
        numbers = np.where(self.kept, self.group, -1)
        shape = Bucketized.publish(self.table, self.kept, np.arange(int(self.kept.sum())), numbers)
        inside = Inside(
            self.kept,
            numbers,
            np.zeros((len(self.table), 3), dtype=bool),
            ("town", "sex", "ill"),
            (Withheld(0, ~self.kept, "group"),),
            table=self.table,
        )
        return tc.Release(shape, inside=inside, size=len(self.table))


def test_verdicts_are_those_of_all_worlds() -> None:
    """With the private part, with the table alone, and without both: 1,000 tables, both views, withheld rows."""
    seen: dict[tuple[str, bool, bool, bool], int] = {}
    for seed in range(TABLES):
        trial = Trial(seed)
        release, claim, expected = trial.release(), trial.claim(), trial.truth()
        own = tc.audit(release, claims=[claim], adversaries=[]).findings[0]
        assert own.holds is expected, (seed, own)
        if seed % 2 == 0:
            alone = tc.audit(tc.Release(release.shape), trial.table, claims=[claim], adversaries=[]).findings[0]
            assert alone.holds is expected, (seed, alone)
        if seed % 4 == 0:
            blind = tc.audit(tc.Release(release.shape, size=len(trial.table)), claims=[claim], adversaries=[])
            assert blind.holds in {None, expected}, (seed, blind)
            assert blind.holds is not True or trial.kept.all()
        kind = (trial.view, bool(trial.kept.all()), trial.given is None, expected)
        seen[kind] = seen.get(kind, 0) + 1
    assert len(seen) == 16, seen
    assert min(seen.values()) >= 3, seen


def clinic(ills: list[str], towns: list[str] | None = None) -> tc.Table:
    return tc.Table(
        {"town": towns or ["a", "b"] * (len(ills) // 2), "ill": ills}, quasi_identifiers="town", sensitive="ill"
    )


TABLE = clinic(["HIV", "flu", "gout", "cold"] * 20)


@pytest.mark.parametrize("protected", [["hiv"], ["HIV", "hiv"], [["HIV", "hiv"]], ["plague"]])
def test_a_protected_value_that_nobody_has_is_an_error(protected: list[Any]) -> None:
    words = "protected names '(hiv|plague)', which is not a value of column 'ill'"
    release = tc.Anatomy(l=2).protect(TABLE, seed=1)
    bare = tc.Release(release.shape)
    claim = tc.RRobustness(r=2, protected=protected)
    for judged in (lambda: tc.audit(release, claims=[claim]), lambda: tc.audit(bare, TABLE, claims=[claim])):
        with pytest.raises(tc.ParameterError, match=words):
            judged()
    for method in (tc.ART(r=2, protected=protected), tc.Mask(k=4, l=2, protected=protected)):
        with pytest.raises(tc.ParameterError, match=words):
            method.protect(TABLE)
    with pytest.raises(tc.ParameterError, match=words):
        tc.DistributionAdversary(distribution=TABLE, protected=protected).attack(release)


def test_the_nearest_value_is_named() -> None:
    with pytest.raises(tc.ParameterError, match="HIV"):
        tc.ART(r=2, protected=["HIW"]).protect(TABLE)


@pytest.mark.parametrize("protected", [[], [[]], ["HIV", []]])
def test_protecting_nothing_is_an_error(protected: list[Any]) -> None:
    with pytest.raises(tc.ParameterError, match="protected"):
        tc.RRobustness(r=2, protected=protected)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"town": ["A", "B"], "ill": ["HIV", "HIV"], "probability": [0.1, 0.2]}, "column 'town'"),
        ({"town": ["a", "b"], "ill": ["hiv", "hiv"], "probability": [0.1, 0.2]}, "column 'ill'"),
    ],
)
def test_a_distribution_that_matches_nothing_is_an_error(given: dict[str, Any], words: str) -> None:
    release = tc.Anatomy(l=2).protect(TABLE, seed=1)
    with pytest.raises(tc.ParameterError, match=words):
        tc.ART(r=2, protected=["HIV"], distribution=given).protect(TABLE)
    with pytest.raises(tc.ParameterError, match=words):
        tc.audit(release, claims=[tc.RRobustness(r=2, protected=["HIV"], distribution=given)])


def test_without_the_table_a_strange_value_is_not_judged() -> None:
    shape = tc.Anatomy(l=2).protect(TABLE, seed=1).shape
    given = {"town": ["a", "b"], "ill": ["flu", "flu"], "probability": [0.1, 0.2]}
    claim = tc.RRobustness(r=2, protected=["hiv"], distribution=given)
    finding = tc.audit(tc.Release(shape), claims=[claim], adversaries=[]).findings[0]
    assert finding.holds is None
    assert finding.needed is not None
    assert "hiv" in finding.sentence
    assert "hiv" not in finding.public().sentence
    listed = {**given, "ill": ["hiv", "flu"]}
    known = tc.RRobustness(r=2, protected=["hiv"], distribution=listed)
    assert tc.audit(tc.Release(shape, size=len(TABLE)), claims=[known], adversaries=[]).holds is True


def test_a_generalized_release_without_its_people_is_not_called_robust() -> None:
    """Everybody in a group looks alike, but whoever knows the people tells them apart."""
    frame = {"town": ["[a, b]"] * 4, "ill": ["HIV", "flu", "flu", "cold"]}
    release = tc.Release.foreign(frame, quasi_identifiers="town", sensitive="ill")
    given = {"town": ["a", "b"], "ill": ["HIV", "HIV"], "probability": [0.9, 0.001]}
    claim = tc.RRobustness(r=2, protected=["HIV"], distribution=given)
    assert tc.audit(release, claims=[claim], adversaries=[]).holds is None
    assert tc.audit(release, claims=[claim.model_copy(update={"r": 5.0})], adversaries=[]).holds is False


@pytest.mark.parametrize("view", ["exact", "paper"])
@pytest.mark.parametrize("protected", [["HIV"], ["gout"], ["HIV", "gout"], [["HIV", "gout"]]])
def test_zeros_in_a_given_distribution_never_fail_the_own_audit(view: str, protected: list[Any]) -> None:
    published = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        towns = [f"t{i}" for i in rng.integers(0, 3, 120)]
        ills = np.where(rng.random(120) < 0.7, "flu", rng.choice(["HIV", "gout"], 120)).tolist()
        given = {
            "town": ["t0", "t1", "t2", "t0", "t1"],
            "ill": ["HIV", "HIV", "HIV", "gout", "gout"],
            "probability": [0.1, 0.0 if seed % 2 else 0.2, 0.1, 0.0, 0.1],
        }
        try:
            release = tc.ART(r=2, view=view, protected=protected, distribution=given).protect(
                clinic(ills, towns), seed=1
            )
        except tc.Infeasible:
            continue
        published += 1
        assert tc.audit(release, adversaries=[]).holds is True
    assert published


def test_what_a_distribution_rules_out_for_everybody_is_infeasible() -> None:
    never = {"town": ["a", "b"], "ill": ["HIV", "HIV"], "probability": [0.0, 0.0]}
    for view in ("exact", "paper"):
        with pytest.raises(tc.Infeasible, match="probability 0"):
            tc.ART(r=2, view=view, protected=["HIV"], distribution=never).protect(TABLE)


@pytest.mark.parametrize("given", [None, {"town": ["t0", "t1"], "ill": ["HIV", "flu"], "probability": [0.1, 0.5]}])
def test_art_after_shift_is_judged_by_the_first_table(given: dict[str, Any] | None) -> None:
    """What a distribution does not list is shared out by the first table, which an outsider knows, in both rooms."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        ills = np.where(rng.random(300) < 0.7, "flu", rng.choice(["HIV", "gout", "cold"], 300)).tolist()
        table = clinic(ills, [f"t{i}" for i in rng.integers(0, 3, 300)])
        steps = [tc.ShiftSuppression(l=2), tc.ART(r=2, protected=["HIV"], distribution=given)]
        release = tc.Pipeline(steps).protect(table, seed=1)
        assert tc.audit(release, adversaries=[]).holds is True
        assert tc.audit(release, table, adversaries=[]).holds is True


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_group_is_possible_where_a_world_is(data: st.DataObject) -> None:
    """A certificate is believed only of a group that has a world at all."""
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3).filter(lambda s: sum(s) <= 6))
    values = data.draw(st.lists(st.integers(0, 3), min_size=sum(sizes), max_size=sum(sizes)))
    rows = data.draw(st.lists(st.lists(st.sampled_from([0, 0, 1]), min_size=4, max_size=4), min_size=3, max_size=3))
    people = [dict(enumerate(rows[c])) for c, size in enumerate(sizes) for _ in range(size)]
    chances = np.array(rows[: len(sizes)], dtype=float)
    counts = np.bincount(values, minlength=4)
    assert is_possible(chances, np.array(sizes), counts) == possible(people, values)
