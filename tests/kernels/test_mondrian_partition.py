import gzip
import math
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import mondrian as oracle
from tests.oracles.mondrian_ncp import grouping_ncp

from tacit.kernels.mondrian.cells import rows_by_cell
from tacit.kernels.mondrian.partition import partition as partition_cells
from tacit.kernels.mondrian.rules import DISTINCT, ENTROPY, EQUAL, FREQUENCY, SIZE, Rule, accepts, rules_of
from tacit.kernels.mondrian.space import Hierarchical, Nominal, Numeric, space_of

# Six leaves, three pairs, two halves, a root: nodes 0-5, 6-8, 9-10, 11.
LEVELS = np.array([[0, 1, 2, 3, 4, 5], [6, 6, 7, 7, 8, 8], [9, 9, 9, 9, 10, 10], [11] * 6])
LEAVES = np.array([1] * 6 + [2, 2, 2, 4, 2, 6])
ATTRIBUTES = {
    "sets": [Numeric(np.array([5.0, 1.0, math.nan, 9.0, 2.0, 7.0]), 8.0), Nominal(6, 6), Nominal(6, 100)],
    "tree": [
        Numeric(np.array([5.0, 1.0, 3.0, 9.0, 2.0, 7.0]), 8.0),
        Hierarchical(LEVELS, LEAVES, 6),
        Hierarchical(LEVELS, LEAVES, 6),
    ],
}
RULES = {
    "k": [Rule(SIZE, count=3)],
    "distinct": [Rule(SIZE, count=2), Rule(DISTINCT, count=2), Rule(DISTINCT, column=1, count=2)],
    "entropy": [Rule(ENTROPY, real=2.0)],
    "frequency": [Rule(FREQUENCY, fraction=Fraction(1, 2))],
    "equal": "equal",
}


def partition(space, rules, codes, sensitive, **how):
    """Group rows, given the codes and the sensitive values of each."""
    distinct, ids = np.unique(codes, axis=0, return_inverse=True)
    cells = rows_by_cell(space, distinct.astype(np.int32), ids.astype(np.int64))
    group = np.empty(len(codes), dtype=np.int64)
    group[cells.rows] = partition_cells(space, rules, cells.points, cells.start, sensitive[cells.rows], **how)
    return group


def table(seed, n, a_values=6, sensitive_values=4):
    rng = np.random.default_rng(seed)
    codes = np.minimum(rng.geometric(0.35, (n, 3)) - 1, a_values - 1).astype(np.int32)
    sensitive = rng.integers(0, sensitive_values, (n, 2)).astype(np.int32)
    return codes, sensitive


def rules_for(name, sensitive):
    given_rules = RULES[name]
    if given_rules == "equal":
        given_rules = [Rule(EQUAL, fraction=Fraction(1, 4), reference=np.bincount(sensitive[:, 0], minlength=4))]
    return rules_of(given_rules, [4, 4])


def all_accepted(rules, sensitive, group):
    scratch = np.zeros(rules.scratch, np.int64)
    for columns in oracle.histograms(sensitive, [4, 4], group).values():
        if not accepts(rules, sum(columns[0]), np.concatenate(columns).astype(np.int64), scratch):
            return False
    return True


@pytest.mark.parametrize("recode", ["sets", "tree"])
@pytest.mark.parametrize("name", list(RULES))
@given(seed=st.integers(0, 10**6), n=st.integers(12, 160), effort=st.sampled_from([0.0, 1.0]))
@settings(max_examples=12, deadline=None)
def test_every_group_is_accepted_if_the_whole_table_is(recode, name, seed, n, effort):
    codes, sensitive = table(seed, n)
    space, rules = space_of(ATTRIBUTES[recode]), rules_for(name, sensitive)
    group = partition(space, rules, codes, sensitive, effort=effort)
    assert len(group) == n
    whole = np.zeros(n, np.int64)
    if all_accepted(rules, sensitive, whole):
        assert all_accepted(rules, sensitive, group)
    else:
        assert len(set(group.tolist())) == 1


@pytest.mark.parametrize("recode", ["sets", "tree"])
@given(seed=st.integers(0, 10**6), n=st.integers(1, 60))
@settings(max_examples=40, deadline=None)
def test_ncp_is_that_of_the_definition(recode, seed, n):
    codes, _ = table(seed, n)
    group = np.random.default_rng(seed).integers(0, 1 + n // 3, n)
    value = grouping_ncp(space_of(ATTRIBUTES[recode]), codes, group)
    assert value == pytest.approx(oracle.ncp(ATTRIBUTES[recode], codes, group), abs=1e-12)


@cache
def nominal_space(size):
    return space_of([Nominal(size, 6)] * 3)


@pytest.mark.parametrize("exact", [True, False])
@given(seed=st.integers(0, 10**6), n=st.integers(1, 300), missing=st.sampled_from([0.0, 0.3]))
@settings(max_examples=30, deadline=None)
def test_cells_are_laid_out_with_the_rows_they_have(exact, seed, n, missing):
    codes, _ = table(seed, n)
    # Domains whose product exceeds 64 bits have keys that may be equal for different cells.
    space = nominal_space(6 if exact else 3_000_000)
    distinct, ids = np.unique(codes, axis=0, return_inverse=True)
    left_out = np.random.default_rng(seed).random(n) < missing
    cells = rows_by_cell(space, distinct.astype(np.int32), np.where(left_out, -1, ids))
    assert sorted(np.diff(cells.start).tolist()) == oracle.cells(codes[~left_out])
    assert sorted(cells.rows.tolist()) == np.flatnonzero(~left_out).tolist()
    for c in range(len(cells.points)):
        assert (codes[cells.rows[cells.start[c] : cells.start[c + 1]]] == cells.points[c]).all()


@pytest.mark.parametrize("recode", ["sets", "tree"])
@pytest.mark.parametrize("name", ["k", "equal"])
def test_neither_threads_nor_memory_order_change_the_groups(recode, name):
    rng = np.random.default_rng(5)
    n = 250_000
    wide = [Numeric(np.arange(2000.0), 1999.0), *ATTRIBUTES[recode][1:]]
    codes = np.column_stack([rng.integers(0, 2000, n), rng.integers(0, 6, n), rng.integers(0, 6, n)]).astype(np.int32)
    sensitive = rng.integers(0, 4, (n, 2)).astype(np.int32)
    space, rules = space_of(wide), rules_for(name, sensitive)
    one = partition(space, rules, codes, sensitive, threads=1)
    three = partition(space, rules, np.asfortranarray(codes), sensitive, threads=3)
    assert (one == three).all()


def test_two_clusters_are_found():
    space = space_of([Numeric(np.array([1.0, 2.0, 50.0, 51.0]), 50.0), Nominal(2, 2)])
    codes = np.array([[0, 0], [2, 1], [1, 0], [3, 1]], dtype=np.int32)
    group = partition(space, rules_of([Rule(SIZE, count=2)]), codes, np.zeros((4, 0), np.int32))
    assert group[0] == group[2] != group[1] == group[3]


def test_a_large_domain_and_an_empty_table():
    rng = np.random.default_rng(1)
    space = space_of([Numeric(rng.normal(size=50_000), 9.0), Nominal(20_000, 20_000)])
    codes = np.column_stack([rng.integers(0, 50_000, 3000), rng.integers(0, 20_000, 3000)]).astype(np.int32)
    group = partition(space, rules_of([Rule(SIZE, count=4)]), codes, np.zeros((3000, 0), np.int32))
    assert np.bincount(group)[np.unique(group)].min() >= 4
    empty = partition(space, rules_of([Rule(SIZE, count=4)]), codes[:0], np.zeros((0, 0), np.int32))
    assert len(empty) == 0


def test_improvement_never_costs_more_than_the_plain_cuts():
    codes, sensitive = table(3, 4000)
    space = space_of(ATTRIBUTES["sets"])
    rules = rules_of([Rule(SIZE, count=7)], [4, 4])
    plain, improved = (grouping_ncp(space, codes, partition(space, rules, codes, sensitive, effort=e)) for e in (0, 1))
    assert improved <= plain


DATA = Path(__file__).parents[3] / "shared" / "data"
QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]


def adult(columns):
    with gzip.open(DATA / "adult.csv.gz", "rt") as file:
        lines = [line.rstrip("\n").split(",") for line in file]
    head = lines[0]
    rows = [row for row in lines[1:32562] if "?" not in row]
    return {c: [row[head.index(c)] for row in rows] for c in columns}


def hierarchy(name):
    lines = (DATA / f"adult_hierarchy_{name}.csv").read_text().split("\n")
    return [line.strip().split(";") for line in lines if line.strip()]


def as_tree(rows):
    nodes: dict[tuple[int, str], int] = {}
    levels = [[nodes.setdefault((h, "/".join(row[h:])), len(nodes)) for row in rows] for h in range(len(rows[0]))]
    leaves = np.bincount(np.array(levels).ravel(), minlength=len(nodes))
    return Hierarchical(np.array(levels), leaves, len(rows))


@pytest.mark.skipif(not DATA.exists(), reason="the shared benchmark data is not here")
@pytest.mark.parametrize("recode", ["sets", "tree"])
@pytest.mark.parametrize(
    ("extra", "guarantee", "elsewhere"),
    [
        ("occupation", "k5", 0.0501),
        ("occupation", "k10", 0.0736),
        ("salary-class", "distinct 5", 0.0510),
        ("salary-class", "entropy 3", 0.0637),
        ("salary-class", "equal 0.2", 0.4559),
    ],
)
def test_adult_costs_less_than_local_recoding_elsewhere(recode, extra, guarantee, elsewhere):
    columns = [*QI, extra]
    frame = adult([*columns, "occupation"])
    trees = {c: hierarchy(c) for c in columns}
    codes = np.column_stack(
        [np.array([{r[0]: i for i, r in enumerate(trees[c])}[v] for v in frame[c]]) for c in columns]
    ).astype(np.int32)
    assert len(codes) == 30_162
    attributes = [
        as_tree(trees[c])
        if recode == "tree"
        else (Numeric(np.arange(1.0, 101.0), 99.0) if c == "age" else Nominal(len(trees[c]), len(trees[c])))
        for c in columns
    ]
    _, occupation = np.unique(frame["occupation"], return_inverse=True)
    reference = np.bincount(occupation)
    rules = rules_of(
        {
            "k5": [Rule(SIZE, count=5)],
            "k10": [Rule(SIZE, count=10)],
            "distinct 5": [Rule(DISTINCT, count=5)],
            "entropy 3": [Rule(ENTROPY, real=3.0)],
            "equal 0.2": [Rule(EQUAL, fraction=Fraction(1, 5), reference=reference)],
        }[guarantee],
        [14],
    )
    space = space_of(attributes)
    sensitive = occupation.astype(np.int32)[:, None]
    group = partition(space, rules, codes, sensitive)
    histogram = np.zeros((int(group.max()) + 1, 14), np.int64)
    np.add.at(histogram, (group, occupation), 1)
    scratch = np.zeros(rules.scratch, np.int64)
    assert all(accepts(rules, int(row.sum()), row, scratch) for row in histogram if row.any())
    assert grouping_ncp(space, codes, group) <= elsewhere * (0.65 if recode == "sets" else 1.0)
