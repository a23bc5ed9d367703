"""Verdicts on several tables together, against oracles that share no code: 1,400 random small tables, all worlds."""

from __future__ import annotations

import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.oracles import marginals as oracle

import tacit as tc
from tacit.errors import LedgerConflict
from tacit.shapes import Inside, Marginal, Marginals, Published, PublishedColumn
from tacit.table import Kind, Role

CASES = 700
LETTERS = "abcd"


def random_groups(rng: np.random.Generator) -> tuple[list[str], list[list[int]]]:
    """Draw people, their values and who is together in two or three marginals; half of the draws are invariant."""
    if rng.random() < 0.5:
        n = int(rng.integers(2, 8))
        values = [str(v) for v in rng.choice(list(LETTERS[: int(rng.integers(2, 5))]), n)]
        return values, [rng.integers(0, max(1, n // 2), n).tolist() for _ in range(int(rng.integers(2, 4)))]
    values: list[str] = []
    groups: list[list[int]] = [[] for _ in range(int(rng.integers(2, 4)))]
    for signature in ("ab", "bcd") if rng.random() < 0.5 else ("abc",):
        times = int(rng.integers(1, 3))
        values += list(signature) * times
        for mine in groups:  # one person of each value in every group, whoever it is
            start, block = max(mine, default=-1) + 1, np.zeros(len(signature) * times, dtype=int)
            for place in range(len(signature)):
                block[place :: len(signature)] = rng.permutation(times)
            mine.extend((block + start).tolist())
    return values, groups


def published(values: list[str], groups: list[list[int]]) -> Published:
    """Publish marginals that show nothing but the number of the group and the values."""
    n = len(values)
    table = tc.Table({"id": list(range(n)), "ill": values}, quasi_identifiers="id", sensitive="ill", allow=["id"])
    column = PublishedColumn("ill", Role.SENSITIVE, Kind.CATEGORICAL)
    numbers = {f"m{i}": np.array(mine, dtype=np.int64) for i, mine in enumerate(groups)}
    parts = {name: Marginal(pl.DataFrame({"group": mine, "ill": values}), (column,)) for name, mine in numbers.items()}
    inside = Inside(np.ones(n, bool), numbers, np.zeros((n, 2), bool), ("id", "ill"), table=table)
    return Published(Marginals(parts), inside=inside, size=n)


def test_m_invariance_is_judged_as_all_worlds_say() -> None:
    tried = Counter[bool]()
    for seed in range(CASES):
        rng = np.random.default_rng(seed)
        values, groups = random_groups(rng)
        m = int(rng.integers(2, 4))
        release = published(values, groups)
        truth = oracle.is_invariant(groups, values, m)
        tried[truth] += 1
        assert tc.audit(release, claims=[tc.MInvariance(m=m)], adversaries=[]).holds is truth, seed
        exact = oracle.posteriors(groups, values)
        if truth:
            assert max(max(each.values()) for each in exact) <= Fraction(1, m), seed
        bare = tc.audit(Published(release.shape), claims=[tc.MInvariance(m=m, of="published")], adversaries=[])
        assert bare.holds is (None if truth else bare.holds), seed
        assert bare.holds is not True, seed
        counted = tc.WorldAdversary.of(release).attack(release)
        assert list(counted.shares) == exact, seed
    assert min(tried.values()) > CASES // 10  # of both kinds there are enough


@pytest.mark.parametrize("shape", ["bucketized", "angel"])
def test_foreign_counts_are_judged_however_they_are_split(shape: str) -> None:
    for seed in range(CASES // 2):
        rng = np.random.default_rng(seed)
        groups = [Counter(str(v) for v in rng.choice(list(LETTERS), int(rng.integers(1, 7)))) for _ in range(3)]
        rows = [
            (number, value, drug)
            for number, group in enumerate(groups)
            for value in group.elements()
            for drug in [str(rng.choice(list("xyz")))]
        ]
        order = rng.permutation(len(rows))
        counted = Counter(rows) if rng.random() < 0.5 else None  # a joint table of two sensitive columns, or row by row
        listed = [(*key, many) for key, many in counted.items()] if counted else [(*rows[i], 1) for i in order]
        frame = pl.DataFrame(listed, schema=["group", "ill", "drug", "count"], orient="row")
        members = [number for number, group in enumerate(groups) for _ in group.elements()]
        people = pl.DataFrame({"group": members, "age": rng.integers(0, 3, len(members))})
        frames = {"quasi_identifiers" if shape == "bucketized" else "by_age": people, "sensitive": frame}
        release = tc.Release.foreign(frames, quasi_identifiers="age", sensitive="ill")
        l, k = int(rng.integers(1, 4)), int(rng.integers(1, 5))
        truth = oracle.bucket_verdicts(groups, l, Fraction(2), Fraction(1, 2), k)
        claims = {
            "distinct": tc.LDiversity(l=l),
            "frequency": tc.LDiversity(l=l, kind="frequency"),
            "entropy": tc.LDiversity(l=l, kind="entropy"),
            "recursive": tc.LDiversity(l=l, kind="recursive", c=2.0),
            "alpha-k": tc.AlphaK(alpha=0.5, k=k),
            "k-anonymity": tc.KAnonymity(k=k),
            **({"m-invariance": tc.MInvariance(m=l)} if l > 1 else {}),
        }
        findings = tc.audit(release, claims=list(claims.values()), adversaries=[]).findings
        verdicts = {name: finding.holds for name, finding in zip(claims, findings, strict=True)}
        assert verdicts == {name: truth[name] for name in claims}, seed


METHODS = {
    "rows": tc.ShiftSuppression(l=2),
    "marginals by age": tc.Pipeline([tc.ShiftSuppression(l=2), tc.InvariantMarginals(m=2, marginals={"a": ["age"]})]),
    "marginals by zip": tc.Pipeline([tc.ShiftSuppression(l=2), tc.InvariantMarginals(m=2, marginals={"z": ["zip"]})]),
    # Buckets of similar rows are at times the very groups of another method, and then both may be published.
    "buckets": tc.Pipeline([tc.ShiftSuppression(l=2), tc.Anatomy(l=2, buckets="random")]),
    "generalized": tc.Pipeline(
        [tc.ShiftSuppression(l=2), tc.Mondrian(guarantees=[tc.LDiversity(l=2, kind="frequency")])]
    ),
}


def accepted(folder: Path, names: tuple[str, str], table: tc.Table) -> list[tc.Release] | None:
    ledger = tc.Ledger(folder / "ledger")
    releases = []
    for place, name in enumerate(names):
        release = METHODS[name].protect(table, ledger=ledger, seed=place)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # a seed is for tests
                release.write(folder / str(place))
        except LedgerConflict:
            return None
        releases.append(release)
    return releases


def test_a_ledger_takes_two_releases_in_both_orders_or_in_none(tmp_path: Path) -> None:
    """Whatever is accepted together tells, over all worlds, no more than 1/2 of anybody's value."""
    together = set()
    for seed in range(1):
        rng = np.random.default_rng(seed)
        table = tc.Table(
            {"age": rng.integers(20, 60, 9), "zip": rng.integers(0, 5, 9), "ill": list("aaaaabbcd")},
            quasi_identifiers=["age", "zip"],
            sensitive="ill",
        )
        verdicts = {}
        for one in METHODS:
            for other in METHODS:
                folder = tmp_path / f"{seed} {one} {other}"
                folder.mkdir()
                releases = accepted(folder, (one, other), table)
                verdicts[one, other] = releases is not None
                if releases is None or one == "rows":
                    continue
                kept = releases[0].inside.kept
                values = table.frame["ill"].filter(pl.Series(kept)).to_list()
                numbers = [release.inside.group for release in releases]
                groups = [next(iter(each.values())) if isinstance(each, dict) else each for each in numbers]
                exact = oracle.posteriors([mine[kept].tolist() for mine in groups], values)
                assert max(max(each.values()) for each in exact) <= Fraction(1, 2), (seed, one, other)
        assert all(verdicts[one, other] == verdicts[other, one] for one, other in verdicts)
        together |= {pair for pair, taken in verdicts.items() if taken and pair[0] != pair[1]}
    assert together == {("marginals by age", "marginals by zip"), ("marginals by zip", "marginals by age")}
