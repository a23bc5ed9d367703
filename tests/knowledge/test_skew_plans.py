from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import skew as oracle

from tacit.errors import Infeasible, ParameterError
from tacit.knowledge.skew import (
    RDraw,
    ShiftDraw,
    candidacy,
    cut_level,
    draw_r,
    draw_shift,
    eligible,
    largest_eligible_l,
    largest_shift_l,
    r_ranked,
    r_suppression,
    r_suppression_of,
    rank_order,
    safe_d,
    safe_ranked,
    shift,
    shift_of,
    shift_ranked,
    suppress_all,
    unsafe_d,
    unsafe_ranked,
    violating,
)

PAPER = (10, 4, 2, 1, 1)


@st.composite
def ineligible(draw: st.DrawFn, absent: int = 0) -> tuple[tuple[int, ...], int]:
    """A table in rank order, perhaps with absent values at the end, and an l for which it is not eligible."""
    others = draw(st.lists(st.integers(1, draw(st.sampled_from([2, 5, 25]))), min_size=1, max_size=7))
    l = draw(st.integers(2, len(others) + 1))
    least = max(*others, sum(others) // (l - 1) + 1)
    first = draw(st.integers(least, least + draw(st.sampled_from([0, 3, 60]))))
    zeros = draw(st.integers(0, absent))
    return (first, *sorted(others, reverse=True), *(0,) * zeros), l


# The worked values of the paper's example, F = 10, 4, 2, 1, 1 and l = 3


def test_unsafe_d_of_the_paper_reaches_candidacy_at_5_and_eligibility_at_6() -> None:
    assert candidacy([5, 4, 2, 1, 1], 18, 3)
    assert not candidacy([6, 4, 2, 1, 1], 18, 3)
    assert not eligible([5, 4, 2, 1, 1], 3)
    assert unsafe_d(PAPER, 3).tolist() == [4, 4, 2, 1, 1]


def test_safe_d_of_the_paper() -> None:
    assert safe_d(PAPER, 3).tolist() == [2, 2, 2, 1, 1]


def test_r_suppression_of_the_paper() -> None:
    assert r_ranked(PAPER, 3, 2, 3) == [3, 3, 2, 1, 1]


def test_shift_of_the_paper() -> None:
    assert [shift_ranked(PAPER, 3, [h]) for h in (1, 2, 3)] == [[3, 2, 2, 1, 1], [2, 3, 2, 1, 1], [2, 3, 2, 1, 1]]


# Closed forms against single steps


@settings(deadline=None)
@given(ineligible())
def test_d_steps_in_closed_form(case: tuple[tuple[int, ...], int]) -> None:
    table, l = case
    assert tuple(unsafe_ranked(table, l)) == oracle.unsafe_d(table, l)
    assert tuple(safe_ranked(table, l)) == oracle.safe_d(table, l)


@settings(max_examples=60, deadline=None)
@given(ineligible())
def test_r_suppression_in_closed_form_for_every_draw(case: tuple[tuple[int, ...], int]) -> None:
    table, l = case
    for _, h, level in oracle.r_draws(table, l):
        assert tuple(r_ranked(table, l, h, level)) == oracle.r_suppression(table, l, h, level)


@settings(deadline=None)
@given(ineligible(absent=9))
def test_shift_in_closed_form_for_every_draw(case: tuple[tuple[int, ...], int]) -> None:
    table, l = case
    for name, k in (("shift", 1), ("v-shift", oracle.violating(table, l))):
        law = oracle.law(name, table, l)
        if law is None:
            with pytest.raises(Infeasible):
                shift_ranked(table, l, [1] * k)
            continue
        for (_, expected), places in zip(law, product(range(1, l + 1), repeat=k), strict=True):
            assert tuple(shift_ranked(table, l, places)) == expected


@settings(deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(1, 9))
def test_cut_level_is_the_highest_eligible_one(target: list[int], l: int) -> None:
    target.sort(reverse=True)
    # Above the largest count nothing is cut any more: any level from there on says the same.
    assert min(cut_level(target, l), max(target)) == oracle.cut_level(tuple(target), l)


# What every plan keeps, for frequencies in any order


@settings(deadline=None)
@given(ineligible(absent=3), st.randoms(use_true_random=False), st.integers(0, 2**32 - 1))
def test_plans_publish_an_eligible_part_in_the_given_order(
    case: tuple[tuple[int, ...], int], order: object, seed: int
) -> None:
    table, l = case
    frequencies = list(table)
    order.shuffle(frequencies)  # type: ignore[attr-defined]
    rng = np.random.default_rng(seed)
    plans = [
        unsafe_d(frequencies, l, rng),
        safe_d(frequencies, l),
        r_suppression(frequencies, l, rng),
        shift(frequencies, l, rng, hide="top"),
        suppress_all(frequencies, l),
    ]
    for counts in plans:
        assert counts.dtype == np.int64
        assert np.all(counts >= 0)
        assert np.all(counts <= frequencies)
        assert eligible(counts, l)
    for counts in plans[:4]:
        assert np.array_equal(counts > 0, np.array(frequencies) > 0)
        assert candidacy(counts, sum(frequencies), l)


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), max_size=6), st.integers(1, 6))
def test_an_eligible_table_is_published_whole(frequencies: list[int], l: int) -> None:
    if eligible(frequencies, l):
        rng = np.random.default_rng(0)
        plans = [
            unsafe_d(frequencies, l),
            safe_d(frequencies, l),
            r_suppression(frequencies, l, rng),
            shift(frequencies, l, rng),
            suppress_all(frequencies, l),
        ]
        assert all(counts.tolist() == frequencies for counts in plans)


def test_zeros_are_no_values() -> None:
    assert unsafe_d([0, 10, 0, 4, 2, 1, 1], 3).tolist() == [0, 4, 0, 4, 2, 1, 1]
    assert violating([0, 10, 4, 2, 1, 1], 3).tolist() == [False, True, False, False, False, False]
    assert largest_eligible_l([4, 4, 2, 1, 1]) == 3
    assert largest_eligible_l([]) == largest_eligible_l([0, 0]) == 0


# Draws


def test_draws_are_uniform_and_independent_of_the_order_of_the_codes() -> None:
    rng = np.random.default_rng(11)
    runs = 6000
    places = np.bincount([draw_shift([4, 10, 2, 1, 1], 3, rng).places[0] for _ in range(runs)], minlength=4)
    assert places[0] == 0
    assert np.all(np.abs(places[1:] - runs / 3) < 5 * np.sqrt(runs * 2 / 9))
    drawn = [draw_r([1, 2, 4, 10, 1], 3, rng) for _ in range(runs)]
    assert {d.order[:3] for d in drawn} == {(3, 2, 1)}
    first = [d.level for d in drawn if d.h == 1]
    assert abs(len(first) - runs / 3) < 5 * np.sqrt(runs * 2 / 9)
    levels = np.bincount(first, minlength=11)[4:]
    assert np.all(np.abs(levels - len(first) / 7) < 5 * np.sqrt(len(first) * 6 / 49))
    assert {(d.h, d.level) for d in drawn} == {(h, level) for _, h, level in oracle.r_draws(PAPER, 3)}


def test_ties_are_broken_at_random() -> None:
    rng = np.random.default_rng(5)
    firsts = np.bincount([rank_order([7, 7, 1], rng)[0] for _ in range(2000)], minlength=3)
    assert firsts[2] == 0
    assert abs(firsts[0] - 1000) < 5 * np.sqrt(500)
    assert rank_order([7, 7, 1]).tolist() == [0, 1, 2]


def test_v_shift_draws_a_place_for_every_violating_value() -> None:
    draw = draw_shift([9, 1, 8, 1, 1, 0], 3, np.random.default_rng(1))
    assert len(draw.places) == 2
    assert draw.order[:2] == (0, 2)
    assert len(draw_shift([9, 1, 8, 1, 1, 0], 3, np.random.default_rng(1), "top").places) == 1


def test_a_stored_draw_gives_the_same_counts_again() -> None:
    frequencies = [1, 10, 4, 2, 1]
    rng = np.random.default_rng(3)
    shifted, sent = draw_shift(frequencies, 3, rng), draw_r(frequencies, 3, rng)
    assert np.array_equal(shift_of(frequencies, 3, shifted), shift_of(frequencies, 3, shifted))
    assert np.array_equal(r_suppression_of(frequencies, 3, sent), r_suppression_of(frequencies, 3, sent))
    assert np.array_equal(
        shift(frequencies, 3, np.random.default_rng(3)),
        shift_of(frequencies, 3, draw_shift(frequencies, 3, np.random.default_rng(3))),
    )


def test_a_draw_for_another_table_is_refused() -> None:
    with pytest.raises(ParameterError, match="other frequencies"):
        shift_of([10, 4, 2, 1, 1], 3, ShiftDraw(order=(1, 0, 2, 3, 4), places=(1,)))
    with pytest.raises(ParameterError, match="other frequencies"):
        r_suppression_of([10, 4, 2, 1], 3, RDraw(order=(0, 1, 2, 3, 4), h=1, level=5))


# Large numbers


def test_no_overflow_at_a_hundred_million_records_and_a_thousand_values() -> None:
    frequencies = np.full(1000, 10_000, dtype=np.int64)
    frequencies[0] = 100_000_000 - int(frequencies[1:].sum())
    rng = np.random.default_rng(0)
    for l in (2, 10, 1000):
        for counts in (
            unsafe_d(frequencies, l, rng),
            safe_d(frequencies, l),
            r_suppression(frequencies, l, rng),
            shift(frequencies, l, rng),
        ):
            assert eligible(counts, l)
            assert np.all((counts > 0) & (counts <= frequencies))
    huge = [2**61, 2**60, 2**59, 5]
    assert eligible(shift(huge, 3, rng), 3)
    assert eligible(r_suppression(huge, 3, rng), 3)


# Bad input


@pytest.mark.parametrize("plan", [unsafe_d, safe_d])
def test_l_above_the_number_of_values_names_the_largest_l(plan: object) -> None:
    with pytest.raises(Infeasible, match=r"l = 6 needs at least 6 different sensitive values.*largest l is 5"):
        plan([10, 4, 2, 1, 1, 0], 6)  # type: ignore[operator]
    for drawn in (r_suppression, shift):
        with pytest.raises(Infeasible, match="largest l is 5"):
            drawn(PAPER, 6, np.random.default_rng(0))
    assert suppress_all(PAPER, 6).tolist() == [0] * 5


def test_v_shift_with_too_few_values_points_to_top_and_safe_d() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(Infeasible, match=r"needs 6 values in the domain, and there are 5.*hide='top'.*Safe-D.*l = 2"):
        shift([10, 9, 1, 1, 1], 3, rng)
    assert eligible(shift([10, 9, 1, 1, 1], 3, rng, hide="top"), 3)
    assert eligible(shift([10, 9, 1, 1, 1, 0], 3, rng), 3)


def test_v_shift_that_would_publish_nothing_says_so() -> None:
    with pytest.raises(Infeasible, match=r"leave nothing to publish.*hide='top'.*Safe-D"):
        shift([10, 9, 1, 0, 0, 0], 3, np.random.default_rng(0))


def test_largest_l_of_shift() -> None:
    assert largest_shift_l([10, 9, 1, 1, 1]) == 2
    assert largest_shift_l([10, 9, 1, 1, 1], "top") == 5
    assert largest_shift_l([10, 9, 1, 1, 1, 0]) == 3
    assert largest_shift_l([10]) == 1


@pytest.mark.parametrize(
    ("frequencies", "l", "says"),
    [
        ([1, -1], 2, "negative"),
        ([1.5, 2.0], 2, "whole numbers"),
        ([[1, 2]], 2, "2 dimensions"),
        ([3, 1], 0, "at least 1"),
        ([3, 1], 2.5, "whole number"),
    ],
)
def test_bad_frequencies_and_bad_l(frequencies: object, l: object, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        safe_d(frequencies, l)  # type: ignore[arg-type]


def test_bad_draws_and_bad_hide() -> None:
    with pytest.raises(ParameterError, match="'violating' and 'top'"):
        shift(PAPER, 3, np.random.default_rng(0), hide="both")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="Place 4"):
        r_ranked(PAPER, 3, 4, 1)
    with pytest.raises(ParameterError, match=r"interval 4\.\.10 of place 1"):
        r_ranked(PAPER, 3, 1, 3)
    with pytest.raises(ParameterError, match="from 1 to 3"):
        shift_ranked(PAPER, 3, [4])
