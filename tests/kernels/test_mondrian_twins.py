"""The kernels that move cells between groups do what their slow twins do, on random crowds.

Widths are multiples of a power of two, so that losses are exact and ties are ties on both sides.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numba.core.runtime import _nrt_python, rtsys
from tests.oracles import mondrian as book
from tests.oracles import mondrian_groups as oracle

from tacit.kernels.mondrian.balanced_cuts import deal
from tacit.kernels.mondrian.exchange import exchange
from tacit.kernels.mondrian.leftovers import settle
from tacit.kernels.mondrian.partition import partition
from tacit.kernels.mondrian.pooling import node_keys, pool
from tacit.kernels.mondrian.rules import DISTINCT, EQUAL, FREQUENCY, SIZE, Rule, rules_of
from tacit.kernels.mondrian.space import Hierarchical, Nominal, Numeric, space_of
from tacit.kernels.mondrian.top_down import allowed, divide
from tacit.kernels.mondrian.workspace import Arrangement, traits_of, workspace_for

# Five leaves, two inner nodes and a root: {0, 1} and {2, 3, 4}.
LEVELS = np.array([[0, 1, 2, 3, 4], [5, 5, 6, 6, 6], [7] * 5])
LEAVES = np.array([1] * 5 + [2, 3, 5])
NUMBERS = np.array([0.0, 1.0, 2.0, 6.0, 8.0])
ATTRIBUTES = {
    "sets": [Numeric(NUMBERS, 8.0), Nominal(5, 5), Nominal(5, 9)],
    "tree": [Numeric(NUMBERS, 8.0), Hierarchical(LEVELS, LEAVES, 5), Hierarchical(LEVELS, LEAVES, 5)],
}
VALUES = [3, 2]


def width(attribute):
    def of(positions):
        return book._blur(attribute, np.array(sorted(positions)))

    return of


def histogram(rows, column):
    return [sum(row[column] == value for row in rows) for value in range(VALUES[column])]


def guarded(name, everybody):
    """A table of rules, and the same as a predicate on rows."""
    reference = histogram(everybody, 0)
    fair = Fraction(2, 5)
    return {
        "k": ([Rule(SIZE, count=3)], lambda rows: len(rows) >= 3, 3),
        "distinct": (
            [Rule(SIZE, count=2), Rule(DISTINCT, count=2), Rule(DISTINCT, column=1, count=2)],
            lambda rows: book.distinct(histogram(rows, 0), 2) and book.distinct(histogram(rows, 1), 2),
            2,
        ),
        "frequency": (
            [Rule(FREQUENCY, fraction=Fraction(2, 3))],
            lambda rows: book.frequency(histogram(rows, 0), Fraction(2, 3)),
            2,
        ),
        "both": (
            [Rule(FREQUENCY, fraction=Fraction(2, 3)), Rule(FREQUENCY, column=1, fraction=Fraction(3, 4))],
            lambda rows: (
                book.frequency(histogram(rows, 0), Fraction(2, 3))
                and book.frequency(histogram(rows, 1), Fraction(3, 4))
            ),
            2,
        ),
        "equal": (
            [Rule(EQUAL, fraction=fair, reference=reference)],
            lambda rows: book.equal_distance(histogram(rows, 0), reference) <= fair,
            1,
        ),
    }[name]


def crowded(seed, m, recode, name, *, single=False):
    """A random arrangement of cells and its twin."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 5, (m, 3)).astype(np.int32)
    weight = (np.ones(m) if single else rng.integers(1, 4, m)).astype(np.int32)
    start = np.concatenate([[0], np.cumsum(weight, dtype=np.int64)])
    sensitive = np.column_stack([rng.integers(0, v, start[-1]) for v in VALUES]).astype(np.int32)
    sensitive[: int(rng.choice([0.0, 0.3, 0.5]) * start[-1]), 0] = 0  # neighbours whom others hesitate to take
    return rng, *both_sides(points, weight, sensitive, recode, name)


def both_sides(points, weight, sensitive, recode, name):
    """What the kernels are given, and the crowd that their twins are given."""
    m = len(points)
    start = np.concatenate([[0], np.cumsum(weight, dtype=np.int64)])
    rows = [tuple(row) for row in sensitive.tolist()]
    cells = [(tuple(points[i].tolist()), rows[start[i] : start[i + 1]]) for i in range(m)]
    given_rules, predicate, smallest = guarded(name, rows)
    rules = rules_of(given_rules, VALUES)
    assert rules.smallest == smallest
    traits = np.zeros(m, dtype=np.uint32)
    traits_of(rules, start, sensitive, traits)
    arrangement = Arrangement(points, np.arange(m, dtype=np.int32), weight, traits, start, sensitive)
    crowd = oracle.Crowd(cells, [width(attribute) for attribute in ATTRIBUTES[recode]], predicate, smallest)
    return space_of(ATTRIBUTES[recode]), rules, arrangement, crowd


def groups_of(labels):
    members = {}
    for i, label in enumerate(labels):
        members.setdefault(int(label), set()).add(i)
    return set(map(frozenset, members.values()))


cases = st.integers(0, 10**6), st.integers(1, 24)
recodes = pytest.mark.parametrize("recode", ["sets", "tree"])
guards = pytest.mark.parametrize("name", ["k", "distinct", "frequency", "equal", "both"])


def accepted_start(rng, crowd, m):
    """Groups of neighbours that are accepted, and the rest: -1."""
    labels, count, i = [-1] * m, 0, 0
    while i < m:
        size = int(rng.integers(1, 6))
        members = list(range(i, min(m, i + size)))
        if crowd.accepts(members) and rng.random() < 0.7:
            for member in members:
                labels[member] = count
            count += 1
        i += size
    return labels, count


@recodes
@guards
@given(*cases)
@settings(max_examples=25, deadline=None)
def test_settling(recode, name, seed, m):
    rng, space, rules, arrangement, crowd = crowded(seed, m, recode, name)
    labels, count = accepted_start(rng, crowd, m)
    expected, groups = oracle.settle(crowd, labels, count)
    found = np.array(labels, dtype=np.int32)
    assert settle(space, rules, arrangement, 0, m, count, found) == groups
    assert found.tolist() == expected
    if crowd.accepts(range(m)):
        assert all(crowd.accepts(group) for group in groups_of(found))


def settled(cells, labels, count):
    """Settle cells, each a place on the first number and the first sensitive values of its rows; ask the twin too."""
    points = np.array([[place, 0, 0] for place, _ in cells], dtype=np.int32)
    weight = np.array([len(values) for _, values in cells], dtype=np.int32)
    sensitive = np.array([(value, 0) for _, values in cells for value in values], dtype=np.int32)
    space, rules, arrangement, crowd = both_sides(points, weight, sensitive, "sets", "frequency")
    out = np.array(labels, dtype=np.int32)
    groups = settle(space, rules, arrangement, 0, len(cells), count, out)
    assert (out.tolist(), groups) == oracle.settle(crowd, labels, count)
    return out.tolist(), groups


@pytest.mark.parametrize("refusing", [15, 16])
def test_a_leftover_cell_asks_the_sixteen_nearest_groups(refusing):
    # One value may be in two of three rows: a group of 0, 0, 1 has no room for one more 0, a group of 0, 1 has.
    near, far = [(0, [0, 0, 1])] * refusing, [(4, [0, 1])]
    labels, groups = settled([(0, [0]), *near, *far], [-1, *range(refusing + 1)], refusing + 1)
    if refusing < 16:
        assert (labels[0], groups) == (refusing, refusing + 1)  # the far group is the sixteenth
    else:
        assert set(labels) == {refusing + 1}  # nobody who was asked took it, so all groups were merged


def test_groups_are_merged_that_are_near_the_cell_that_waited_last():
    # A group of 0, 1 has room for one more 0: none takes two, but four of them together take both leftover cells.
    left, right = [(0, [0, 1])] * 5, [(4, [0, 1])] * 5
    labels, groups = settled([(0, [0, 0]), *left, *right, (4, [0, 0])], [-1, *range(10), -1], 10)
    assert groups == 11
    assert [label == 10 for label in labels] == [True] + [False] * 5 + [True] * 4 + [False, True]


@recodes
@guards
@example(seed=11, m=24, block=100, rounds=3)  # a group that could not be dissolved at first is dissolved later
# A host of members of a dissolved group is dissolved itself: their order in it decides who leaves first.
@example(seed=413021, m=23, block=100, rounds=3)  # by the tree, k
@example(seed=662303, m=16, block=100, rounds=3)  # by the tree, distinct values
@example(seed=932460, m=20, block=100, rounds=3)  # by the tree, frequency
@given(seed=cases[0], m=cases[1], block=st.sampled_from([6, 100]), rounds=st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_exchange(recode, name, seed, m, block, rounds):
    rng, space, rules, arrangement, crowd = crowded(seed, m, recode, name)
    sizes, start = [], 0
    while start < m:  # neighbours, as many as it takes to be accepted and perhaps some more
        end = start + 1
        while end < m and not (crowd.accepts(range(start, end)) and rng.random() < 0.7):
            end += 1
        sizes.append(end - start)
        start = end
    ends = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    before = [list(range(ends[g], ends[g + 1])) for g in range(len(sizes))]
    found = np.full(m, -1, dtype=np.int32)
    exchange(space, rules, arrangement, ends, 0, len(sizes), block, rounds, found)
    assert found.tolist() == oracle.exchange(crowd, sizes, block, rounds)
    after = groups_of(found)
    assert sum(map(crowd.loss, after)) <= sum(map(crowd.loss, before))
    if all(map(crowd.accepts, before)):
        assert all(map(crowd.accepts, after))


def layers(attribute):
    """Nodes per level and what they cost, for a numeric, a nominal or a tree attribute: as the space describes them."""
    space = space_of([attribute])
    depth = int(space.depth[0])
    return space.path[:depth].tolist(), space.share[:depth].tolist()


@recodes
@guards
@given(*cases, st.sampled_from([3, 1000]))
@settings(max_examples=20, deadline=None)
def test_pooling(recode, name, seed, m, visits):
    _, space, rules, arrangement, crowd = crowded(seed, m, recode, name)
    levels, shares = zip(*map(layers, ATTRIBUTES[recode]), strict=True)
    expected, groups = oracle.pool(crowd, levels, shares, visits)
    found = np.empty(m, dtype=np.int32)
    assert pool(space, rules, arrangement, node_keys(space), 0, m, visits, found) == groups
    assert groups_of(found) == groups_of(expected)
    assert {i for i in range(m) if found[i] < 0} == {i for i in range(m) if expected[i] < 0}
    assert all(crowd.accepts(group) for group in groups_of(found) if found[min(group)] >= 0)


def test_levels_of_a_tree_cost_what_the_definition_says():
    levels, shares = layers(ATTRIBUTES["tree"][1])
    for nodes, share in zip(levels, shares, strict=True):
        for position in range(5):
            alike = {other for other in range(5) if nodes[other] == nodes[position]}
            assert share[position] == width(ATTRIBUTES["tree"][1])(alike)


def ranker(attribute):
    """Put positions in the order of a cut: numbers ascending, others with those first that most rows have."""

    def ranked(positions):
        present = sorted(set(positions))
        if isinstance(attribute, Numeric):
            return present
        if isinstance(attribute, Nominal):
            return sorted(present, key=lambda p: (-positions.count(p), p))
        # Children of the lowest node above all.
        level = next(h for h in range(len(LEVELS)) if len({LEVELS[h][p] for p in present}) == 1)
        child = LEVELS[max(0, level - 1)]
        return sorted(present, key=lambda p: (-sum(child[other] == child[p] for other in positions), p))

    return ranked


@recodes
@guards
@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from([0, 4]))
@settings(max_examples=25, deadline=None)
def test_dealing(recode, name, seed, n, bends):
    rng, space, rules, arrangement, crowd = crowded(seed, n, recode, name, single=True)
    cut = int(rng.integers(0, n + 1))
    ends = np.unique([0, cut, n]).astype(np.int64)
    groups = [list(range(a, b)) for a, b in pairwise(ends)]
    guarded = sorted({int(column) for column, kind in zip(rules.column, rules.kind, strict=True) if kind != SIZE})
    ranked = [ranker(attribute) for attribute in ATTRIBUTES[recode]]
    expected = oracle.deal(crowd, groups, ranked, bends, guarded)
    begins = deal(space, rules, arrangement, ends, bends=bends, threads=1)
    found = {frozenset(arrangement.cell[a:b].tolist()) for a, b in pairwise(begins)}
    assert found == expected
    assert all(crowd.accepts(part) for part in found if part not in set(map(frozenset, groups)))


@given(st.integers(0, 10**6), st.integers(0, 900), st.sampled_from([0.0, 0.02, 0.5, 0.98, 1.0]))
@settings(max_examples=100, deadline=None)
def test_dividing(seed, n, share):
    """The first cell too far left changes places with the last one too far right; cells outside stay where they are."""
    rng, space, rules, arrangement, _ = crowded(seed, n + 7, "sets", "distinct")
    sides = (rng.random(n) < share).astype(np.uint8)
    order = list(range(n + 7))
    i, j = 0, n - 1
    while i < j:
        if sides[i] == 0:
            i += 1
        elif sides[j] == 1:
            j -= 1
        else:
            order[3 + i], order[3 + j] = order[3 + j], order[3 + i]
            i, j = i + 1, j - 1
    points, weight, traits = (part[order] for part in (arrangement.points, arrangement.weight, arrangement.traits))
    assert divide(arrangement, 3, 3 + n, sides, workspace_for(space, rules)) == 3 + n - sides.sum()
    assert arrangement.cell.tolist() == order
    assert np.array_equal(arrangement.points, points)
    assert np.array_equal(arrangement.weight, weight)
    assert np.array_equal(arrangement.traits, traits)


@given(
    st.integers(0, 10**6),
    st.integers(2, 60),
    st.sampled_from([3, 31, 32, 33, 64, 200]),
    st.lists(st.tuples(st.integers(0, 1), st.integers(1, 40)), min_size=1, max_size=3),
    st.integers(1, 200),
)
@settings(max_examples=200, deadline=None)
def test_both_sides_have_enough_values(seed, m, many, asked, kinds):
    """Traits never change a verdict: with more than 32 values two of them share a bit."""
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 3, m).astype(np.int32)
    start = np.concatenate([[0], np.cumsum(weight, dtype=np.int64)])
    codes = rng.integers(0, many, min(kinds, many))  # few of the values, which may share their bits
    sensitive = np.column_stack([rng.choice(codes, start[-1]), rng.integers(0, 4, start[-1])]).astype(np.int32)
    rules = rules_of([Rule(DISTINCT, column=column, count=count) for column, count in asked], [many, 4])
    traits = np.zeros(m, dtype=np.uint32)
    traits_of(rules, start, sensitive, traits)
    points = np.zeros((m, 1), dtype=np.int32)
    arrangement = Arrangement(points, np.arange(m, dtype=np.int32), weight, traits, start, sensitive)
    sides = rng.integers(0, 2, m).astype(np.uint8)
    begin = int(rng.integers(0, 2))

    def enough(side, column, count):
        rows = [r for i in range(begin, m) if sides[i - begin] == side for r in range(start[i], start[i + 1])]
        return len({sensitive[r, column] for r in rows}) >= count

    expected = all(enough(side, column, count) for side in (0, 1) for column, count in asked)
    workspace = workspace_for(space_of([Nominal(2, 2)]), rules)
    assert allowed(rules, arrangement, begin, m, sides, workspace) == expected
    assert not workspace.part.any()  # as it was


@recodes
@guards
def test_nothing_is_left_in_memory(recode, name):
    """Functions that count no references leave no array behind, whatever they call."""
    _, space, rules, arrangement, _ = crowded(3, 600, recode, name)
    given = space, rules, arrangement.points, arrangement.start, arrangement.sensitive
    partition(*given, threads=1)  # compiles
    enabled = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        partition(*given, threads=1)
        after = rtsys.get_allocation_stats()
    finally:
        if not enabled:
            _nrt_python.memsys_disable_stats()
    assert after.mi_alloc > before.mi_alloc
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free
