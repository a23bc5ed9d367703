"""Posteriors and certificates against the enumeration of worlds."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.distribution_group import posteriors, swap_bounds
from tests.oracles.distribution import enumerated, remembered

from tacit.kernels.distribution.arguments import CERTIFIED, UNDECIDED, Knowledge
from tacit.kernels.distribution.judging import judge


@st.composite
def groups(draw: st.DrawFn, most: int = 6) -> tuple[list[list[int]], list[int]]:
    """Tuples with integer weights (0 included, all on one value included), and how often each value occurs."""
    values = draw(st.integers(1, 4))
    counts = draw(st.lists(st.integers(0, 3), min_size=values, max_size=values).filter(lambda c: 0 < sum(c) <= most))
    weight = st.one_of(st.integers(0, 9), st.just(0))
    rows = [
        draw(st.lists(weight, min_size=values, max_size=values).filter(lambda row: sum(row) > 0))
        for _ in range(sum(counts))
    ]
    return rows, counts


def _fractions(rows: list[list[int]]) -> list[dict[int, Fraction]]:
    return [{v: Fraction(w, sum(row)) for v, w in enumerate(row)} for row in rows]


@settings(max_examples=150, deadline=None)
@given(groups())
def test_posteriors_of_the_exact_view_are_those_of_the_worlds(case: tuple[list[list[int]], list[int]]) -> None:
    rows, counts = case
    values = [v for v, k in enumerate(counts) for _ in range(k)]
    expected = enumerated(_fractions(rows), values)
    chances = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    if expected is None:
        assert posteriors(chances, counts) is None
        return
    found = posteriors(chances, counts)
    for j, mine in enumerate(expected):
        for v in range(len(counts)):
            assert found[j, v] == pytest.approx(float(mine.get(v, 0)), abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(groups())
def test_posteriors_of_the_paper_view_are_those_of_the_worlds(case: tuple[list[list[int]], list[int]]) -> None:
    rows, counts = case
    chances = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    expected = [
        enumerated(
            [{True: f[v], False: 1 - f[v]} for f in _fractions(rows)],
            [True] * k + [False] * (len(rows) - k),
        )
        for v, k in enumerate(counts)
    ]
    if any(each is None for each in expected):
        assert posteriors(chances, counts, view="paper") is None
        return
    found = posteriors(chances, counts, view="paper")
    for v, each in enumerate(expected):
        for j, mine in enumerate(each or []):
            assert found[j, v] == pytest.approx(float(mine.get(True, 0)), abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(groups())
def test_certificates_are_above_the_posteriors(case: tuple[list[list[int]], list[int]]) -> None:
    rows, counts = case
    values = [v for v, k in enumerate(counts) for _ in range(k)]
    expected = enumerated(_fractions(rows), values)
    if expected is None:
        return
    chances = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    bounds = swap_bounds(chances, counts)
    for v, k in enumerate(counts):
        if k:
            assert bounds[v] >= max(float(mine.get(v, 0)) for mine in expected) - 1e-12


def test_both_programmes_agree_whichever_side_has_fewer_states() -> None:
    rng = np.random.default_rng(3)
    kinds = rng.dirichlet(np.ones(6), 2)
    of = np.array([0] * 9 + [1] * 7)
    counts = [4, 3, 3, 2, 2, 2]
    values = [v for v, k in enumerate(counts) for _ in range(k)]
    expected = remembered([{v: Fraction(p) for v, p in enumerate(kinds[c])} for c in of], values)
    assert expected is not None
    signatures = np.array([[1], [2]], dtype=np.int32)
    chances = np.vstack([np.full(6, 1 / 6), kinds])
    worst = max(float(p) for mine in expected for p in mine.values())
    known = Knowledge(signatures, chances, np.arange(6), chances)
    posterior, _status, _where = judge(of, np.arange(6), np.array(counts), known, True, 0.5, False)
    assert posterior == pytest.approx(worst, abs=1e-12)  # by classes: 80 states instead of 2,160


def test_large_groups_are_decided_by_the_certificate() -> None:
    rng = np.random.default_rng(5)
    n, m = 60, 20
    chances = np.vstack([np.full(m, 1 / m), 1 / m + rng.uniform(-0.002, 0.002, (n, m))])
    signatures = np.arange(1, n + 1, dtype=np.int32)[:, None]
    group = (np.arange(n), np.arange(m), np.full(m, 3), Knowledge(signatures, chances, np.arange(m), chances), True)
    assert judge(*group, 0.2, False)[1] == CERTIFIED
    chances[1:, 0] = rng.uniform(0, 1, n)
    assert judge(*group, 0.051, False)[1] == UNDECIDED


def test_thousands_of_tuples_do_not_underflow() -> None:
    rng = np.random.default_rng(7)
    chances = rng.uniform(0.001, 0.999, 4000)
    found = posteriors(np.stack([chances, 1 - chances], axis=1), [900, 3100], view="paper")[:, 0]
    assert found.sum() == pytest.approx(900, rel=1e-9)
    assert (np.diff(found[np.argsort(chances)]) >= -1e-12).all()


@given(st.lists(st.floats(0.01, 0.95), min_size=2, max_size=8), st.data())
def test_the_odds_of_a_group_leave_room_for_so_much_and_no_more(chances, data):
    """The bound of docs/threats/distribution.md, 'How large can r be?', by enumeration."""
    k = data.draw(st.integers(1, len(chances) - 1))
    odds = [p / (1 - p) for p in chances]
    worlds = {held: math.prod(odds[i] for i in held) for held in combinations(range(len(odds)), k)}
    total = sum(worlds.values())
    r = 1 / max(sum(w for held, w in worlds.items() if i in held) / total for i in range(len(odds)))
    for holders in worlds:
        assert sum(odds) >= (r - 1 + 1 / k) * sum(odds[i] for i in holders) * (1 - 1e-9)
