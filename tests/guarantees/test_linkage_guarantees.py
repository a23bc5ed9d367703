"""Every classical guarantee equals its definition on random tables."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import diversity as oracle

import tacit as tc
from tacit.table import Groups, GroupStats

tables = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def counted(rows, trees=None):
    ids = np.array([row[0] for row in rows])
    codes = np.array([row[1] for row in rows])
    groups = Groups.of([ids], [4])
    return GroupStats.of(groups, {"ill": (codes, 4)}, trees)


def split(rows):
    """The groups in the order of their numbers, everybody, and the domain."""
    groups = {}
    for number, value in sorted(rows):
        groups.setdefault(number, []).append(value)
    return list(groups.values()), [value for _, value in rows], [0, 1, 2, 3]


def agree(guarantee, rows, by_the_book):
    groups, everybody, domain = split(rows)
    found = guarantee.satisfied(counted(rows)).tolist()
    assert found == [by_the_book(group, everybody, domain) for group in groups]


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(1, 5))
def test_distinct(rows, l):
    agree(tc.LDiversity(l=l), rows, lambda g, e, d: oracle.distinct(g, l))


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(1, 5))
def test_frequency(rows, l):
    agree(tc.LDiversity(l=l, kind="frequency"), rows, lambda g, e, d: oracle.frequency(g, l))


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from([1, 1.5, 2, 2.5, 3, 4]))
def test_entropy(rows, l):
    agree(tc.LDiversity(l=l, kind="entropy"), rows, lambda g, e, d: oracle.entropy(g, l))


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(1, 4), st.sampled_from([0.5, 1, 2, 3]))
def test_recursive(rows, l, c):
    agree(tc.LDiversity(l=l, kind="recursive", c=c), rows, lambda g, e, d: oracle.recursive(g, l, c))


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from([0, 0.1, 0.25, 0.5, 1]))
def test_t_closeness(rows, t):
    limit = Fraction(str(t))
    agree(tc.TCloseness(t=t), rows, lambda g, e, d: oracle.equal_distance(g, e, d) <= limit)
    ordered = tc.TCloseness(t=t, distance="ordered")
    agree(ordered, rows, lambda g, e, d: oracle.ordered_distance(g, e, d) <= limit)


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from([0.3, 1.0, 2.5]), st.booleans())
def test_beta_likeness(rows, beta, enhanced):
    guarantee = tc.BetaLikeness(beta=beta, kind="enhanced" if enhanced else "basic")
    agree(guarantee, rows, lambda g, e, d: oracle.beta_likeness(g, e, d, beta, enhanced))


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from([0.3, 1.0, 2.5]))
def test_delta_disclosure(rows, delta):
    agree(tc.DeltaDisclosure(delta=delta), rows, lambda g, e, d: oracle.delta_disclosure(g, e, d, delta))


@settings(max_examples=60, deadline=None)
@given(tables, st.sampled_from([0.3, 0.5, 0.75]), st.integers(1, 5))
def test_alpha_k(rows, alpha, k):
    share = Fraction(str(alpha))
    agree(
        tc.AlphaK(alpha=alpha, k=k), rows,
        lambda g, e, d: len(g) >= k and max(oracle.shares(g, d)) <= share,
    )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(tables)
def test_what_is_measured_is_what_holds(rows):
    stats = counted(rows)
    groups, everybody, domain = split(rows)
    assert tc.LDiversity(l=1).measure(stats) == min(len(set(group)) for group in groups)
    assert tc.TCloseness(t=1).measure(stats) == pytest.approx(
        float(max(oracle.equal_distance(g, everybody, domain) for g in groups))
    )
    assert tc.BetaLikeness(beta=1).measure(stats) == pytest.approx(
        max(0.0, float(max(oracle.gain(g, everybody, domain) for g in groups)))
    )
    recursive = tc.LDiversity(l=1, kind="recursive", c=2)
    best = recursive.measure(stats)
    assert all(oracle.recursive(g, best, 2) for g in groups) if best else True
    assert not all(oracle.recursive(g, best + 1, 2) for g in groups)


def test_uniform_groups_have_whole_entropies():
    """The values that truncation gets wrong: 2, 3 and 4 equally frequent values."""
    for m in (2, 3, 4, 7, 10):
        stats = GroupStats.of(Groups.of([np.zeros(m, int)], [1]), {"ill": (np.arange(m), m)})
        assert tc.LDiversity(l=m, kind="entropy").satisfied(stats).all()
        assert not tc.LDiversity(l=m + 1e-6, kind="entropy").satisfied(stats).any()
        assert tc.LDiversity(l=1, kind="entropy").measure(stats) == pytest.approx(m)


def test_hierarchical_distance_of_the_t_closeness_paper():
    """Two leaves under one of two parents: moving within costs 1/2, across 1."""
    frame = {"age": [1, 1, 2, 2], "ill": ["a1", "a2", "b1", "b2"]}
    tree = {"tree": {"a1": ["a"], "a2": ["a"], "b1": ["b"], "b2": ["b"]}}
    table = tc.Table(frame, quasi_identifiers="age", sensitive="ill", hierarchies={"ill": tree})
    stats = table.statistics(table.groups())
    guarantee = tc.TCloseness(t=0.5, distance="hierarchical")
    assert guarantee.measure(stats) == pytest.approx(0.5)
    assert guarantee.satisfied(stats).all()
    assert not tc.TCloseness(t=0.49, distance="hierarchical").satisfied(stats).any()
    bare = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    counts = bare.statistics(bare.groups())
    with pytest.raises(tc.RoleError, match="hierarchy"):
        guarantee.satisfied(counts)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"l": 2.5}, "whole number"),
        ({"l": 2, "kind": "recursive"}, "c goes with recursive"),
        ({"l": 2, "c": 1.0}, "c goes with recursive"),
        ({"l": 0}, "greater than or equal to 1"),
        ({"l": 2, "kind": "fancy"}, "distinct"),
    ],
)
def test_parameters_out_of_range(given, words):
    with pytest.raises(tc.ParameterError, match=words):
        tc.LDiversity(**given)
