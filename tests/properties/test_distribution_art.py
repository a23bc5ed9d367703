"""ART's output on random tables, attacked by an oracle that shares no code with it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.oracles.distribution import distribution, worst

import tacit as tc


def people(seed: int, rows: int, *, values: int = 5, strength: float = 1.0) -> pl.DataFrame:
    """People whose illness follows town and age, more or less."""
    rng = np.random.default_rng(seed)
    town, age = rng.integers(0, 3, rows), rng.integers(0, 4, rows)
    base = rng.dirichlet(np.full(values, 3.0))
    lean = np.exp(strength * rng.standard_normal((3, 4, values)) / 2)
    shares = base * lean[town, age]
    shares /= shares.sum(axis=1, keepdims=True)
    ill = (shares.cumsum(axis=1) < rng.random(rows)[:, None]).sum(axis=1)
    return pl.DataFrame({"town": [f"t{i}" for i in town], "age": age, "ill": [f"v{min(i, values - 1)}" for i in ill]})


def groups_of(release: tc.Release, frame: pl.DataFrame) -> list[tuple[list[dict[str, Any]], list[str]]]:
    """Every published group from the public frames, and the withheld rows as one more."""
    who, what = defaultdict(list), defaultdict(list)
    for row in release.frames()["quasi_identifiers"].iter_rows(named=True):
        who[row["group"]].append(row)
    for row in release.frames()["sensitive"].iter_rows(named=True):
        what[row["group"]] += [row["ill"]] * row["count"]
    assert {g: len(members) for g, members in who.items()} == {g: len(values) for g, values in what.items()}
    found = [(who[g], what[g]) for g in who]
    assert release.inside is not None
    hidden = frame.filter(~pl.Series(release.inside.kept))
    return [*found, (hidden.to_dicts(), hidden["ill"].to_list())] if hidden.height else found


def entries_of(protected: list[Any] | None, frame: pl.DataFrame) -> list[frozenset[str]]:
    parts = frame["ill"].unique().to_list() if protected is None else protected
    return [frozenset([part] if isinstance(part, str) else part) for part in parts]


CASES = [
    (view, protected, support, r)
    for view in ("exact", "paper")
    for protected in (None, ["v0"], ["v0", "v3"], [["v0", "v1"]], [["v0", "v1"], "v2"])
    for support, r in ((30, 2), (1, 2), (30, 3), (5, 1.5))
]


@pytest.mark.parametrize(("view", "protected", "support", "r"), CASES)
def test_nobody_is_above_one_in_r(view: str, protected: list[Any] | None, support: int, r: float) -> None:
    released = 0
    for seed in range(4):
        frame = people(seed, 80 if seed % 2 else 150, strength=0.4 + 0.3 * seed)
        table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
        method = tc.ART(r=r, protected=protected, view=view, min_support=support)
        try:
            release = method.protect(table, seed=seed)
        except tc.Infeasible:
            continue
        released += 1
        known = distribution(frame.to_dicts(), ["town", "age"], "ill", support)
        entries = entries_of(protected, frame)
        for members, values in groups_of(release, frame):
            largest = worst(members, values, known, entries, view=view)
            assert float(largest) <= (1 + 1e-8) / r, (seed, len(members))
        for _, values in groups_of(release, frame)[: len(release.shape.statistics.sizes)]:
            for entry in entries:
                assert sum(value in entry for value in values) <= 1, "two of an entry in one group"
        verdict = tc.audit(release, adversaries=[])
        assert verdict.holds is True
        assert tc.audit(tc.Release(release.shape), table, claims=[method.guarantee], adversaries=[]).holds is True
        assert release.shape.rows + int((~release.inside.kept).sum()) == len(table)
        if not release.inside.kept.all():
            assert any("withheld" in remark.sentence for remark in release.inside.remarks)
    assert released or support == 1 or r == 3 or protected is None, "none of the tables could be published"


def test_a_given_distribution_is_respected() -> None:
    frame = people(3, 120, strength=0.5)
    towns = sorted(frame["town"].unique())
    chances = {"t0": 0.3, "t1": 0.1, "t2": 0.05}
    given = {"town": towns, "ill": ["v0"] * 3, "probability": [chances[town] for town in towns]}
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    method = tc.ART(r=2, protected=["v0"], distribution=given)
    release = method.protect(table, seed=1)
    counts = frame["ill"].value_counts()
    rest = {row["ill"]: row["count"] for row in counts.iter_rows(named=True) if row["ill"] != "v0"}

    def known(person: dict[str, Any], chosen: tuple[str, ...]) -> dict[str, Fraction]:
        left = 1 - Fraction(str(chances[person["town"]]))
        return {"v0": 1 - left} | {v: left * Fraction(n, sum(rest.values())) for v, n in rest.items()}

    known.sets = [("town",)]  # type: ignore[attr-defined]
    for members, values in groups_of(release, frame):
        assert float(worst(members, values, known, [frozenset(["v0"])], view="exact")) <= 0.5 + 1e-8
    assert tc.audit(release, adversaries=[]).holds is True
    assert "distribution" not in release.guarantees[0].public()


def test_the_cases_meet_every_kind() -> None:
    """With and without withheld rows, support 1 and 30, all values and some: each is published somewhere above."""
    seen: set[tuple[str, bool, int, bool]] = set()
    for view, protected, support, r in CASES:
        if r != 2:
            continue
        for seed in (0, 1, 2):
            frame = people(seed, 80 if seed % 2 else 150, strength=0.4 + 0.3 * seed)
            table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
            try:
                release = tc.ART(r=r, protected=protected, view=view, min_support=support).protect(table, seed=seed)
            except tc.Infeasible:
                continue
            assert release.inside is not None
            seen.add((view, protected is None, support, bool(release.inside.kept.all())))
    assert {(view, every, support) for view, every, support, _ in seen} == {
        (view, every, support) for view in ("exact", "paper") for every in (True, False) for support in (1, 30)
    }
    # What the exact view leaves over here is repaired, so that nobody is withheld.
    assert {(view, whole) for view, _, _, whole in seen} >= {("exact", True), ("paper", True), ("paper", False)}


@pytest.mark.parametrize("view", ["exact", "paper"])
@pytest.mark.parametrize("protected", [None, ["v0", "v3"], [["v0", "v1"], "v2"]])
def test_given_distributions_of_every_set(view: str, protected: list[Any] | None) -> None:
    """Probabilities that somebody gives for towns, ages and both, whatever the table says itself."""
    released = 0
    for seed in range(4):
        frame = people(seed, 90, strength=0.5)
        rng = np.random.default_rng(100 + seed)
        columns, tables = ["town", "age"], {}
        values = sorted(frame["ill"].unique())
        base = np.array([frame.filter(pl.col("ill") == value).height for value in values], dtype=float)
        listed = []
        for chosen in (("town",), ("age",), ("town", "age")):
            for signature in sorted(set(frame.select(chosen).rows())):
                weights = rng.integers(8, 14, len(values)) * base
                shares = [Fraction(int(w), int(weights.sum())) for w in weights]
                tables[chosen, signature] = dict(zip(values, shares, strict=True))
                place = dict(zip(chosen, signature, strict=True))
                listed += [
                    {**{c: place.get(c) for c in columns}, "ill": v, "probability": float(p)}
                    for v, p in zip(values, shares, strict=True)
                ]

        def known(
            person: dict[str, Any], chosen: tuple[str, ...], tables: dict[Any, Any] = tables
        ) -> dict[str, Fraction]:
            return tables[chosen, tuple(person[c] for c in chosen)]

        known.sets = [("town",), ("age",), ("town", "age")]  # type: ignore[attr-defined]
        method = tc.ART(r=2, protected=protected, view=view, distribution=pl.DataFrame(listed))
        table = tc.Table(frame, quasi_identifiers=columns, sensitive="ill")
        try:
            release = method.protect(table, seed=seed)
        except tc.Infeasible:
            continue
        released += 1
        for members, held in groups_of(release, frame):
            assert float(worst(members, held, known, entries_of(protected, frame), view=view)) <= 0.5 + 1e-8
        assert tc.audit(release, adversaries=[]).holds is True
    assert released


def test_a_forged_private_part_places_nobody() -> None:
    """Who is together is believed only of a private part that is about these frames."""
    frame = people(1, 120, strength=0.5)
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    honest = tc.Mondrian(guarantees=[tc.KAnonymity(k=10)]).protect(table, seed=1)
    claim = tc.RRobustness(r=1.5, protected=["v0"])
    inside = honest.inside
    assert inside is not None
    kept = np.ones(len(table), dtype=bool)
    kept[:5] = False
    forged = tc.Release(honest.shape, inside=replace(inside, kept=kept), size=len(table))
    true, false = (tc.audit(r, table, claims=[claim], adversaries=[]).findings[-1] for r in (honest, forged))
    assert true.holds is not None
    assert false.holds is None or false.posterior == true.posterior


def test_a_distribution_that_contradicts_the_table_is_refused() -> None:
    table = tc.Table({"town": ["a", "b"] * 10, "ill": ["x", "y"] * 10}, quasi_identifiers="town", sensitive="ill")
    never = {"town": ["a", "a"], "ill": ["x", "y"], "probability": [0.0, 1.0]}
    with pytest.raises(tc.Infeasible):
        tc.ART(r=2, distribution=never, protected=["x"]).protect(table)
    sure = {"town": ["a", "a"], "ill": ["x", "y"], "probability": [1.0, 0.0]}
    with pytest.raises(tc.Infeasible):
        tc.ART(r=2, distribution=sure, protected=["x"]).protect(table)


def test_groups_are_small_where_everybody_is_alike() -> None:
    frame = {"town": ["a"] * 60, "ill": ["x"] * 20 + ["y"] * 20 + ["z"] * 20}
    table = tc.Table(frame, quasi_identifiers="town", sensitive="ill")
    release = tc.ART(r=3).protect(table, seed=1)
    assert release.shape.statistics.sizes.tolist() == [3] * 20
    some = tc.ART(r=3, protected=["x"]).protect(table, seed=1)
    assert np.bincount(some.shape.statistics.sizes).tolist() == [0, 0, 0, 20]


def test_the_audit_sees_a_group_that_was_tampered_with() -> None:
    frame = people(1, 300, strength=0.6)
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    release = tc.ART(r=2, protected=["v0"]).protect(table, seed=1)
    alone = frame.with_columns(pl.int_range(pl.len()).alias("group"))
    naive = tc.Release.foreign(
        {"quasi_identifiers": alone.drop("ill"), "sensitive": alone.select("group", "ill")},
        quasi_identifiers=["town", "age"],
        sensitive="ill",
    )
    finding = tc.audit(naive, table, claims=[release.guarantees[0]], adversaries=[]).findings[0]
    assert finding.holds is False
    assert finding.posterior == 1.0
    assert finding.where is not None


def test_the_audit_says_how_each_group_is_known() -> None:
    frame = people(2, 400, strength=0.6)
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    release = tc.ART(r=2, protected=["v0"]).protect(table, seed=1)
    found = release.guarantees[0].groups(release, table)
    assert found.height == frame.filter(pl.col("ill") == "v0").height
    assert set(found["known"]) <= {"exact", "certified"}
    assert float(found["posterior"].max()) <= 0.5 + 1e-8


def test_without_the_table_nothing_is_said() -> None:
    table = tc.Table(people(1, 200), quasi_identifiers=["town", "age"], sensitive="ill")
    release = tc.ART(r=2, protected=["v0"]).protect(table, seed=1)
    finding = tc.audit(tc.Release(release.shape), claims=[tc.RRobustness(r=2)], adversaries=[]).findings[0]
    assert finding.holds is None
    assert "give the table" in finding.sentence


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"r": 1}, "greater than 1"),
        ({"r": 2, "view": "other"}, "exact"),
        ({"r": 2, "min_support": 0}, "greater than or equal to 1"),
        ({"r": 2, "distribution": {"town": ["a"], "ill": ["x"]}}, "probability"),
        ({"r": 2, "distribution": {"town": ["a"], "ill": ["x"], "probability": [1.5]}}, "between 0 and 1"),
    ],
)
def test_bad_parameters(given: dict[str, Any], words: str) -> None:
    with pytest.raises(tc.ParameterError, match=words):
        tc.ART(**given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"protected": ["v9"]}, "not a value of column 'ill'"),
        ({"protected": ["v0", ["v0", "v1"]]}, "twice"),
        ({"distribution": {"village": ["a"], "ill": ["v0"], "probability": [0.1]}}, "not a quasi-identifier"),
        ({"distribution": {"town": ["t0"], "sick": ["v0"], "probability": [0.1]}}, "no column 'ill'"),
        ({"distribution": {"town": ["t0"] * 2, "ill": ["v0", "v1"], "probability": [0.9, 0.9]}}, "sum to 1.8"),
        ({"distribution": {"town": ["t0"] * 2, "ill": ["v0", "v0"], "probability": [0.1, 0.1]}}, "twice"),
    ],
)
def test_bad_values(given: dict[str, Any], words: str) -> None:
    table = tc.Table(people(1, 100), quasi_identifiers=["town", "age"], sensitive="ill")
    with pytest.raises(tc.ParameterError, match=words):
        tc.ART(r=2, **given).protect(table)


def test_two_sensitive_columns_are_refused() -> None:
    table = tc.Table({"a": [1, 2], "x": ["u", "v"], "y": ["u", "v"]}, quasi_identifiers="a", sensitive=["x", "y"])
    with pytest.raises(tc.RoleError, match="one sensitive column"):
        tc.ART(r=2).protect(table)


def test_what_no_groups_can_reach_is_refused_at_once():
    """Of the people from the far land most are ill: odds of 4 against odds of 1/99 leave room for r below 1 + 1.33."""
    land = ["far"] * 50 + ["near"] * 1_000
    ill = ["x"] * 40 + ["y"] * 10 + ["x"] * 10 + ["y"] * 990
    table = tc.Table({"land": land, "ill": ill}, quasi_identifiers="land", sensitive="ill")
    everybody, holders = 50 * 4 + 1_000 / 99, 40 * 4 + 10 / 99
    most = 1 + everybody / holders
    with pytest.raises(tc.Infeasible, match=f"cannot be met by any groups.*below {most:.4g}"):
        tc.ART(r=most * 1.001, protected=["x"], view="paper").protect(table)
