"""Groups drawn from boxes: every row is in one, and every group has the proportions of the table."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels.test_mondrian_twins import ATTRIBUTES, width
from tests.oracles import mondrian as book

import tacit as tc
from tacit.datasets import hospital
from tacit.kernels.mondrian import partition as kernel
from tacit.kernels.mondrian.hulls import loss
from tacit.kernels.mondrian.proportions import draw, levels_to_visit
from tacit.kernels.mondrian.rules import EQUAL, SIZE, Rule, rules_of
from tacit.kernels.mondrian.space import Hierarchical, space_of
from tacit.kernels.mondrian.workspace import Arrangement


def singles(points, values):
    """An arrangement of single rows."""
    n = len(points)
    number = np.arange(n, dtype=np.int32)
    nothing = np.zeros(n, dtype=np.uint32)
    start = np.arange(n + 1, dtype=np.int64)
    return Arrangement(points, number, np.ones(n, dtype=np.int32), nothing, start, values[:, None].astype(np.int32))


@given(
    st.integers(0, 10**6),
    st.integers(2, 80),
    st.integers(2, 7),
    st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1)]),
    st.integers(1, 4),
    st.sampled_from(["sets", "tree"]),
    st.integers(1, 60),
)
@settings(max_examples=150, deadline=None)
def test_every_group_has_the_proportions(seed, n, kinds, distance, k, recode, visits):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 5, (n, 3)).astype(np.int32)
    values = np.minimum(points[:, 0] + rng.integers(0, 2, n), kinds - 1)  # they go with an attribute
    values[:kinds] = np.arange(kinds)[: len(values)]
    counts = np.bincount(values, minlength=kinds)
    rules = rules_of([Rule(SIZE, count=min(k, n)), Rule(EQUAL, fraction=distance, reference=counts)], [kinds])
    space = space_of(ATTRIBUTES[recode])
    label = np.empty(n, dtype=np.int32)
    many = draw(space, rules, singles(points, values), levels_to_visit(space, points, visits), label)
    assert label.min() >= 0
    assert sorted(set(label.tolist())) == list(range(many))
    for g in range(many):
        rows = np.flatnonzero(label == g)
        assert len(rows) >= min(k, n)
        histogram = np.bincount(values[rows], minlength=kinds).tolist()
        assert book.equal_distance(histogram, counts.tolist()) <= distance


def test_a_value_that_goes_with_an_attribute():
    """No cut of the first attribute has the proportions; but pairs across it lose nothing of the second."""
    flat = Hierarchical(np.array([[1, 2], [0, 0]]), np.array([2, 1, 1]), 2)
    space = space_of([flat, flat])
    points = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=np.int32)
    values = points[:, 0].copy()
    rules = rules_of([Rule(EQUAL, fraction=Fraction(0), reference=[2, 2])], [2])
    levels = levels_to_visit(space, points, 4)
    assert levels[0].tolist() == [0, 0]
    assert levels[-1].tolist() == [1, 1]
    label = np.empty(4, dtype=np.int32)
    assert draw(space, rules, singles(points, values), levels, label) == 2
    assert label[0] == label[1] != label[2] == label[3]


@pytest.mark.parametrize("recode", ["sets", "tree"])
@pytest.mark.parametrize("seed", range(4))
def test_the_loss_of_groups(seed, recode):
    rng = np.random.default_rng(seed)
    points, weight = rng.integers(0, 5, (20, 3)).astype(np.int32), rng.integers(1, 4, 20).astype(np.int32)
    groups = np.array([0, 3, 4, 11, 20])
    widths = [width(attribute) for attribute in ATTRIBUTES[recode]]
    expected = sum(
        int(weight[a:b].sum()) * sum(one(set(points[a:b, j].tolist())) for j, one in enumerate(widths))
        for a, b in pairwise(groups)
    )
    assert loss(space_of(ATTRIBUTES[recode]), points, weight, groups) == pytest.approx(expected)


def test_levels_come_from_the_cheapest_to_the_root():
    space = space_of(ATTRIBUTES["tree"])
    points = np.zeros((1, 3), dtype=np.int32)
    every = int(np.prod(space.depth))
    levels = levels_to_visit(space, points, every)
    assert len({tuple(level) for level in levels.tolist()}) == len(levels) == every
    cost = [sum(space.share[h, space.start[a]] for a, h in enumerate(level)) for level in levels.tolist()]
    assert cost == sorted(cost)
    assert levels[-1].tolist() == (space.depth - 1).tolist()
    some = levels_to_visit(space, points, 3)
    assert len(some) <= 3
    assert some[-1].tolist() == (space.depth - 1).tolist()


def test_more_attributes_than_can_be_listed():
    """Of 4**14 choices only some are looked at, all different."""
    flat = Hierarchical(
        np.array([[3, 4, 5, 6], [1, 1, 2, 2], [7, 7, 7, 7], [0, 0, 0, 0]]), np.array([4, 2, 2, 1, 1, 1, 1, 4]), 4
    )
    space = space_of([flat] * 14)
    levels = levels_to_visit(space, np.zeros((2, 14), dtype=np.int32), 500)
    assert len({tuple(level) for level in levels.tolist()}) == len(levels) == 500


def test_the_better_groups_are_taken(monkeypatch):
    """Where values go with several attributes, the groups that are drawn lose less than those that are cut."""
    table = hospital(3_000)
    method = tc.Mondrian(guarantees=[tc.TCloseness(t=0.2)])
    drawn = method.protect(table, seed=1)
    assert tc.audit(drawn, table).holds
    monkeypatch.setattr(kernel, "_FEW_VISITS", 1_000_000)
    cut = method.protect(table, seed=1)
    assert tc.utility(drawn, table).ncp < 0.95 * tc.utility(cut, table).ncp
