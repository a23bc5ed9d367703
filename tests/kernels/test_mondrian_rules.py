from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import mondrian as oracle

from tacit.kernels.mondrian.comparison import product_at_most, product_below
from tacit.kernels.mondrian.rules import (
    CAPS,
    DISTINCT,
    ENTROPY,
    EQUAL,
    FLOORS,
    FREQUENCY,
    ORDERED,
    RECURSIVE,
    SIZE,
    TREE_DISTANCE,
    Rule,
    accepts,
    rules_of,
)

COUNTS = st.lists(st.integers(0, 12), min_size=5, max_size=5).filter(any)
REFERENCE = st.lists(st.integers(1, 9), min_size=5, max_size=5)
SHARE = st.fractions(0, 1, max_denominator=12)
# Leaves 0..4; node 5 over 0, 1, 2; node 6 over 3, 4; root 7.
PARENT, HEIGHT = [5, 5, 5, 6, 6, 7, 7, 7], [0, 0, 0, 0, 0, 1, 1, 2]


def verdict(rule, histogram):
    rules = rules_of([rule], [len(histogram)])
    return accepts(rules, sum(histogram), np.array(histogram, np.int64), np.zeros(rules.scratch, np.int64))


@given(COUNTS, st.integers(1, 6), SHARE, REFERENCE)
@settings(max_examples=150, deadline=None)
def test_every_rule_agrees_with_its_definition(histogram, l, share, reference):
    assert verdict(Rule(SIZE, count=l), histogram) == (sum(histogram) >= l)
    assert verdict(Rule(DISTINCT, count=l), histogram) == oracle.distinct(histogram, l)
    assert verdict(Rule(ENTROPY, real=float(l)), histogram) == oracle.entropy(histogram, l)
    c = share * 4
    assert verdict(Rule(RECURSIVE, count=l, fraction=c), histogram) == oracle.recursive(histogram, c, l)
    assert verdict(Rule(FREQUENCY, fraction=share), histogram) == oracle.frequency(histogram, share)
    equal = oracle.equal_distance(histogram, reference) <= share
    assert verdict(Rule(EQUAL, fraction=share, reference=reference), histogram) == equal
    ordered = oracle.ordered_distance(histogram, reference) <= share
    assert verdict(Rule(ORDERED, fraction=share, reference=reference), histogram) == ordered
    tree = Rule(TREE_DISTANCE, fraction=share, reference=reference, parent=PARENT, height=HEIGHT)
    assert verdict(tree, histogram) == (oracle.tree_distance(histogram, reference, PARENT, HEIGHT) <= share)


@given(COUNTS, st.lists(SHARE, min_size=5, max_size=5))
@settings(max_examples=200, deadline=None)
def test_shares_are_held_between_floors_and_caps(histogram, limits):
    assert verdict(Rule(CAPS, limits=limits), histogram) == oracle.shares_within(histogram, limits, caps=True)
    assert verdict(Rule(FLOORS, limits=limits), histogram) == oracle.shares_within(histogram, limits, caps=False)


@given(COUNTS, REFERENCE, st.fractions(0, 1, max_denominator=10))
@settings(max_examples=150, deadline=None)
def test_distance_of_the_union_is_no_larger(histogram, reference, share):
    rule = Rule(EQUAL, fraction=share, reference=reference)
    if verdict(rule, histogram) and verdict(rule, reference):
        assert verdict(rule, [a + b for a, b in zip(histogram, reference, strict=True)])


@pytest.mark.parametrize("values", range(2, 40))
def test_uniform_groups_have_exactly_their_entropy(values):
    assert verdict(Rule(ENTROPY, real=float(values)), [7] * values)
    assert not verdict(Rule(ENTROPY, real=float(values)), [7] * (values - 1) + [6])


def test_a_limit_with_a_huge_denominator_is_rounded_to_the_safe_side():
    below_half = Fraction(1, 2) - Fraction(1, 3**50)
    assert not verdict(Rule(CAPS, limits=[below_half, Fraction(1)]), [1, 1])
    assert not verdict(Rule(FLOORS, limits=[Fraction(1, 2) + Fraction(1, 3**50), Fraction(0)]), [1, 1])


def test_several_columns_are_judged_each_by_its_own_rule():
    rules = rules_of([Rule(DISTINCT, column=0, count=2), Rule(FREQUENCY, column=1, fraction=Fraction(1, 2))], [2, 3])
    scratch = np.zeros(rules.scratch, np.int64)
    assert accepts(rules, 4, np.array([3, 1, 2, 2, 0]), scratch)
    assert not accepts(rules, 4, np.array([4, 0, 2, 2, 0]), scratch)
    assert not accepts(rules, 4, np.array([3, 1, 3, 1, 0]), scratch)


@given(*[st.integers(0, 2**63 - 1)] * 4)
@settings(max_examples=150, deadline=None)
def test_products_are_compared_without_overflow(a, b, c, d):
    assert product_at_most(a, b, c, d) == (a * b <= c * d)
    assert product_below(a, b, c, d) == (a * b < c * d)
