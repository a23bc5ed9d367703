"""m-invariance on random tables and any set of overlapping marginals, judged by an oracle that shares no code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from tests.oracles import marginals as oracle

import tacit as tc
from tacit.adversaries import IntersectionAdversary, WorldAdversary
from tacit.kernels.lists import number_lists
from tacit.kernels.marginals.assign import SubTables, assign
from tacit.kernels.marginals.cost import MarginalRows
from tacit.kernels.marginals.decompose import BucketRows, decompose
from tacit.kernels.marginals.matching import match
from tacit.kernels.mondrian.space import Nominal, Numeric, space_of


def random_table(rng: np.random.Generator, n: int, values: int, skew: float = 1.0) -> tc.Table:
    weights = skew ** np.arange(values)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 12, n),
            "zip": rng.integers(0, 7, n).astype(float),
            "town": pl.Series(rng.choice(["a", "b", "c", None], n).tolist(), dtype=pl.String),
            "sex": rng.choice(["f", "m"], n),
            "ill": rng.choice([f"v{i}" for i in range(values)], n, p=weights / weights.sum()),
        }
    )
    return tc.Table(frame, quasi_identifiers=["age", "zip", "town", "sex"], sensitive="ill")


def eligible_m(table: tc.Table) -> int:
    counts = Counter(table.frame["ill"].to_list())
    return len(table) // max(counts.values())


columns = st.lists(st.sampled_from(["age", "zip", "town", "sex"]), min_size=1, max_size=4, unique=True)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(4, 120), schemas=st.lists(columns, min_size=1, max_size=4))
def test_any_marginals_are_invariant(seed: int, n: int, schemas: list[list[str]]) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, n, int(rng.integers(3, 8)))
    largest = eligible_m(table)
    if largest < 2:
        with pytest.raises(tc.Infeasible):
            tc.InvariantMarginals(m=2).protect(table)
        return
    m = int(rng.integers(2, largest + 1))
    marginals = {f"m{i}": schema for i, schema in enumerate(schemas)}
    release = tc.InvariantMarginals(m=m, marginals=marginals).protect(table)
    assert release.inside is not None
    assert release.inside.kept.all()
    groups = [release.inside.group[name].tolist() for name in marginals]
    values = table.frame["ill"].to_list()
    assert oracle.is_invariant(groups, values, m)
    assert tc.audit(release).holds is True
    frames = release.frames()
    for name, mine in zip(marginals, groups, strict=True):  # what is published is what is inside
        told = Counter(zip(frames[name]["group"].to_list(), frames[name]["ill"].to_list(), strict=True))
        assert told == Counter(zip(mine, values, strict=True))
        assert set(frames[name].columns) == {"group", "ill", *marginals[name]}
    found = IntersectionAdversary.of(release).attack(release)
    sizes = Counter(groups[0])
    assert found.candidates.tolist() == [sizes[g] for g in groups[0]]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_everybodys_exact_posterior_is_one_over_her_signature(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, int(rng.integers(4, 9)), 4)
    if eligible_m(table) < 2:
        return
    release = tc.InvariantMarginals(m=2, marginals=[["age"], ["zip", "sex"], ["town"]]).protect(table)
    assert release.inside is not None
    groups = [numbers.tolist() for numbers in release.inside.group.values()]
    values = table.frame["ill"].to_list()
    slow = oracle.posteriors(groups, values)
    fast = WorldAdversary.of(release).attack(release)
    assert list(fast.shares) == slow
    for person, posterior in enumerate(slow):
        size = groups[0].count(groups[0][person])
        assert set(posterior.values()) == {Fraction(1, size)}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_worlds_and_intersection_on_any_groups(seed: int) -> None:
    """Groups that nobody made invariant: both adversaries against enumeration."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    values = rng.choice(["a", "b", "c"], n).tolist()
    groups = [rng.integers(0, 3, n) for _ in range(2)]
    frames = {
        f"m{i}": pl.DataFrame({"group": mine, f"q{i}": ["*"] * n, "ill": values}) for i, mine in enumerate(groups)
    }
    release = tc.Release.foreign(frames, quasi_identifiers=["q0", "q1"], sensitive="ill")
    victims = {"q0": [0] * n, "q1": [0] * n}
    members = {f"m{i}": mine for i, mine in enumerate(groups)}
    count, _ = oracle.worlds([mine.tolist() for mine in groups], values)
    found = WorldAdversary(victims=victims, members=members).attack(release)
    assert found.worlds == count
    assert list(found.shares) == oracle.posteriors([mine.tolist() for mine in groups], values)
    plain = IntersectionAdversary(victims=victims, members=members).attack(release)
    for person in range(n):
        sets = [{values[j] for j in range(n) if mine[j] == mine[person]} for mine in groups]
        assert set(plain.possible(person)) == set.intersection(*sets)


def test_an_exchange_that_breaks_a_signature_is_found() -> None:
    """Two people of different signatures change places in one marginal: the audit says so."""
    from dataclasses import replace

    table = random_table(np.random.default_rng(3), 60, 6)
    release = tc.InvariantMarginals(m=2, marginals={"a": ["age"], "z": ["zip"]}).protect(table, seed=1)
    assert release.inside is not None
    group = {name: numbers.copy() for name, numbers in release.inside.group.items()}
    values = np.array(table.frame["ill"].to_list())
    bucket = release.inside.bucket
    i, j = next(
        (i, j)
        for i in range(60)
        for j in range(60)
        if values[i] == values[j] and bucket is not None and bucket[i] != bucket[j]
    )
    group["z"][i], group["z"][j] = group["z"][j], group["z"][i]
    forged = replace(release, inside=replace(release.inside, group=group))
    verdict = tc.audit(forged)
    assert verdict.holds is False
    assert "signature" in verdict.findings[0].sentence


def test_without_the_inside_signatures_cannot_be_checked(tmp_path) -> None:
    table = random_table(np.random.default_rng(3), 60, 6)
    release = tc.InvariantMarginals(m=2, marginals={"a": ["age"], "z": ["zip"]}).protect(table)
    release.write(tmp_path / "out", private=tmp_path / "elsewhere")
    assert tc.audit(tc.Release.read(tmp_path / "out")).holds is None
    read = tc.Release.read(tmp_path / "out", private=tmp_path / "elsewhere")
    assert tc.audit(read).holds is True
    assert tc.audit(read, table).holds is True


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 60), m=st.integers(2, 5))
def test_assign_makes_equal_counts_and_loses_nobody(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 8, n).astype(np.int32)
    if not oracle.is_eligible(values.tolist(), m):
        return
    for cells, alike in product((np.zeros(n, np.int64), np.sort(rng.integers(0, 4, n))), (False, True)):
        bucket, count = assign(SubTables(np.array([0, n]), np.arange(n), cells, values, 8, alike), m)
        assert bucket.min() >= 0
        assert set(bucket.tolist()) == set(range(count))
        for b in range(count):
            counts = Counter(values[bucket == b].tolist())
            assert len(set(counts.values())) == 1
            assert m <= len(counts) <= 2 * m - 1
        if not cells.any() and not alike:
            slow = oracle.assign(values.tolist(), m)
            shapes = sorted((len(set(values[each])), len(each)) for each in slow)
            assert sorted((len(set(values[bucket == b])), int((bucket == b).sum())) for b in range(count)) == shapes


def cost_of(points: np.ndarray, spans: list[float]):
    def cost(rows: tuple[int, ...]) -> float:
        part = points[list(rows)]
        numeric = sum((part[:, a].max() - part[:, a].min()) / span for a, span in enumerate(spans) if span)
        return float(numeric + sum((len(set(part[:, a].tolist())) - 1) / 3 for a, span in enumerate(spans) if not span))

    return cost


def decomposed(points: np.ndarray, a: int, b: int) -> list[list[int]]:
    spaces = [Numeric(np.arange(10.0), 9.0), Numeric(np.arange(10.0), 9.0), Nominal(4, 4)]
    cells = np.unique(points, axis=0, return_inverse=True)[1].astype(np.int64)
    rows, width = np.arange(a * b), np.array([b])
    marginal = MarginalRows(space_of(spaces), points.astype(np.int32), cells)
    group = decompose(marginal, BucketRows(rows, np.array([0, a * b]), width))
    return [np.flatnonzero(group == g).tolist() for g in range(a)]


@pytest.mark.parametrize(("a", "b", "tries"), [(2, 4, 60), (3, 3, 60), (3, 4, 30), (4, 3, 30), (2, 7, 20)])
def test_decompose_is_optimal_where_everything_can_be_tried(a: int, b: int, tries: int) -> None:
    rng = np.random.default_rng(a * 10 + b)
    cost = cost_of(np.zeros((1, 3)), [9.0, 9.0, 0.0])
    for _ in range(tries):
        points = np.stack([rng.integers(0, 10, a * b), rng.integers(0, 10, a * b), rng.integers(0, 4, a * b)], axis=1)
        cost = cost_of(points, [9.0, 9.0, 0.0])
        groups = decomposed(points, a, b)
        assert sorted(i for g in groups for i in g) == list(range(a * b))
        assert all(sorted(i // a for i in g) == list(range(b)) for g in groups)
        best = oracle.best_groups([list(range(v * a, v * a + a)) for v in range(b)], cost)
        assert sum(cost(tuple(g)) for g in groups) <= best * 1.05 + 1e-9


@pytest.mark.parametrize("a", [5, 40, 150])
def test_two_values_are_matched_exactly(a: int) -> None:
    rng = np.random.default_rng(a)
    points = np.stack([rng.integers(0, 10, 2 * a), rng.integers(0, 10, 2 * a), rng.integers(0, 4, 2 * a)], axis=1)
    cost = cost_of(points, [9.0, 9.0, 0.0])
    matrix = np.array([[cost((i, a + j)) for j in range(a)] for i in range(a)])
    best = matrix[linear_sum_assignment(matrix)].sum()
    assert sum(cost(tuple(g)) for g in decomposed(points, a, 2)) == pytest.approx(best)


def test_match_against_scipy() -> None:
    rng = np.random.default_rng(0)
    for n, columns in ((1, 1), (2, 2), (7, 7), (30, 30), (1, 5), (4, 9), (20, 33)):
        cost = rng.random((n, columns))
        found = match(cost, n, columns)
        assert len(set(found.tolist())) == n
        assert set(found.tolist()) <= set(range(columns))
        assert cost[np.arange(n), found].sum() == pytest.approx(cost[linear_sum_assignment(cost)].sum())


@given(lists=st.lists(st.lists(st.integers(0, 3), max_size=3), max_size=30))
@settings(max_examples=50, deadline=None)
def test_equal_lists_get_equal_numbers(lists: list[list[int]]) -> None:
    offsets = np.concatenate([[0], np.cumsum([len(each) for each in lists])]).astype(np.int64)
    ids, first = number_lists(offsets, np.array([v for each in lists for v in each], dtype=np.int64))
    assert len(set(zip(ids.tolist(), map(tuple, lists), strict=True))) == len(set(map(tuple, lists))) == len(first)


def test_the_partition_is_no_worse_than_the_literal_one() -> None:
    """NCP of the groups of our sub-tables against those of the slides' partition step, same assign and decompose."""
    from tacit.datasets import census
    from tacit.methods.marginals.buckets import Buckets

    names = ["age", "sex", "race"]
    table = census(1_500, quasi_identifiers=names, sensitive="industry")
    plain = tc.Table(table.frame.select(*names, "industry"), quasi_identifiers=names, sensitive="industry")
    codes = np.stack([plain.codes(n).codes for n in names], axis=1)
    sensitive = plain.codes("industry")
    rng = np.random.default_rng(0)
    parts = oracle.literal_partition(codes.astype(float), sensitive.codes, [1.0, 0.0, 0.0], 4, 3, rng)
    bucket = np.full(len(plain), -1, dtype=np.int64)
    for part in parts:
        for members in oracle.assign(sensitive.codes[part].tolist(), 4):
            bucket[part[members]] = bucket.max() + 1
    laid = Buckets.of(bucket, sensitive.codes.astype(np.int64), sensitive.cardinality)
    from tacit.methods.linkage.mondrian import Attribute
    from tacit.methods.marginals.invariant import _cut

    attributes = [Attribute.of(plain.column(n), plain.codes(n), "sets") for n in names]
    literal = _total(plain, _cut(plain, laid, attributes).ids)
    release = tc.InvariantMarginals(m=4).protect(plain, seed=1)
    assert release.inside is not None
    assert _total(plain, release.inside.group["all"]) <= literal


def _total(table: tc.Table, group: np.ndarray) -> float:
    total = 0.0
    for name in table.quasi_identifiers:
        codes = table.codes(name)
        for g in np.unique(group):
            mine = codes.codes[group == g]
            if name == "age":
                ages = codes.values.to_numpy()
                total += len(mine) * (ages[mine].max() - ages[mine].min()) / (ages.max() - ages.min())
            else:
                total += len(mine) * (len(set(mine.tolist())) - 1) / (codes.cardinality - 1)
    return total
