from __future__ import annotations

import time
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from benchmarks.figures.worst_posterior import outputs, worst
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import skew as oracle

from tacit.errors import ParameterError
from tacit.knowledge.skew import Algorithm, expected_shift, proved_bound, shift_ranked
from tacit.knowledge.skew.posterior import Prior, posterior
from tacit.knowledge.skew.posterior.exact_sums import KeyedSums
from tacit.knowledge.skew.posterior.symmetric_tables import (
    assignments,
    labellings,
    sorted_tables,
    tables_bound,
    tables_bound_up_to,
)

PRIORS: tuple[Prior, ...] = ("frequencies", "assignments")
ORACLE: dict[Algorithm, str] = {
    "unsafe-d": "unsafe-d",
    "safe-d": "safe-d",
    "r-suppression": "r",
    "shift": "shift",
    "v-shift": "v-shift",
    "suppress-all": "suppress-all",
}


# The spec's numbers


def test_check_values_of_r_suppression() -> None:
    seen = posterior([3, 3, 2, 1, 1], 18, 3, algorithm="r-suppression")
    assert seen.most_frequent == (Fraction(71, 212), Fraction(71, 212), Fraction(35, 106), 0, 0)


def test_r_suppression_is_worse_than_its_theorem() -> None:
    frequencies = worst(18, 5, 3, algorithm="r-suppression", prior="frequencies")
    records = worst(18, 5, 3, algorithm="r-suppression", prior="assignments")
    assert frequencies is not None
    assert records is not None
    assert frequencies.posterior == Fraction(28, 53)  # .528
    assert records.posterior == Fraction(13860, 19091)  # .726
    assert records.counts == (3, 3, 2, 1, 1)  # the paper's own example 5


def test_it_grows_with_the_number_of_records() -> None:
    frequencies = worst(100, 5, 3, algorithm="r-suppression", prior="frequencies")
    records = worst(100, 5, 3, algorithm="r-suppression", prior="assignments")
    assert frequencies is not None
    assert records is not None
    assert round(float(frequencies.posterior), 2) == 0.80
    assert 1 - 1e-9 < records.posterior < 1


def test_unsafe_d_gives_s1_away() -> None:
    for prior in PRIORS:
        surest = worst(18, 5, 3, algorithm="unsafe-d", prior=prior)
        assert surest is not None
        assert surest.posterior == 1


# Inversion and enumeration against brute force over all tables and all draws


@pytest.mark.parametrize(("n", "values"), [(9, 3), (11, 4), (13, 5), (12, 6), (25, 3)])
@pytest.mark.parametrize("algorithm", sorted(ORACLE))
def test_inversion_equals_brute_force(algorithm: Algorithm, n: int, values: int) -> None:
    for l, prior in product(range(2, values + 1), PRIORS):
        expected = oracle.posteriors(ORACLE[algorithm], n, values, l, prior)
        assert outputs(n, values, l, algorithm=algorithm) == sorted(expected)
        for counts, (first, violating, withheld) in expected.items():
            seen = posterior(counts, n, l, algorithm=algorithm, prior=prior)
            assert list(seen.most_frequent or ()) == first
            assert list(seen.violating or ()) == violating
            assert list(seen.withheld or ()) == withheld


@pytest.mark.parametrize(("n", "values"), [(9, 3), (14, 4), (15, 5)])
@pytest.mark.parametrize("algorithm", sorted(ORACLE))
def test_worst_equals_brute_force(algorithm: Algorithm, n: int, values: int) -> None:
    for l, prior in product(range(2, values + 1), PRIORS):
        expected = oracle.posteriors(ORACLE[algorithm], n, values, l, prior)
        surest = worst(n, values, l, algorithm=algorithm, prior=prior)
        if not expected:
            assert surest is None
            continue
        assert surest is not None
        assert surest.posterior == max(max(first) for first, _, _ in expected.values())
        assert max(expected[surest.counts][0]) == surest.posterior


def test_the_order_of_the_values_is_kept() -> None:
    sorted_, mixed = (3, 3, 2, 1, 1, 0), (1, 3, 0, 2, 3, 1)
    by_count = dict(zip(sorted_, posterior(sorted_, 18, 3, algorithm="r-suppression").most_frequent or (), strict=True))
    assert posterior(mixed, 18, 3, algorithm="r-suppression").most_frequent == tuple(by_count[c] for c in mixed)


# Never above 1/l: Shift, V-Shift for every violating value, Safe-D also for the withheld


def test_shift_and_safe_d_never_exceed_their_bound_for_any_table_up_to_14_records_and_5_values() -> None:
    for n, l, prior in product(range(2, 15), range(2, 6), PRIORS):
        # Tables with absent values are included, so five values stand for two, three and four as well.
        for counts in outputs(n, 5, l, algorithm="shift"):
            seen = posterior(counts, n, l, algorithm="shift", prior=prior)
            assert max(seen.most_frequent or (2,)) <= Fraction(1, l)
        for counts in outputs(n, 5, l, algorithm="safe-d"):
            seen = posterior(counts, n, l, algorithm="safe-d", prior=prior)
            assert max(seen.most_frequent or (2,)) <= Fraction(1, l)
            assert max(seen.withheld or (2,)) <= Fraction(1, l)


def test_v_shift_never_exceeds_its_bound_for_any_table_up_to_14_records_and_5_values() -> None:
    for n, values, l, prior in product(range(2, 15), range(2, 6), range(2, 6), PRIORS):
        for counts in outputs(n, values, l, algorithm="v-shift"):
            seen = posterior(counts, n, l, algorithm="v-shift", prior=prior)
            assert max(seen.most_frequent or (2,)) <= Fraction(1, l)
            assert max(seen.violating or (2,)) <= Fraction(1, l)


def test_v_shift_hides_two_violating_values_up_to_20_records() -> None:
    two = 0
    for n, prior in product(range(3, 21), PRIORS):
        for counts in outputs(n, 6, 3, algorithm="v-shift"):
            seen = posterior(counts, n, 3, algorithm="v-shift", prior=prior)
            assert max(seen.most_frequent or (2,)) <= Fraction(1, 3)
            assert max(seen.violating or (2,)) <= Fraction(1, 3)
            two += sum(seen.violating or ()) > 1
    assert two > 50  # where more than one value violates in the mean, two may


def test_every_exchangeable_prior_is_covered_table_by_table() -> None:
    """A prior that treats values alike is a mixture of 'all relabellings of one table': check each table alone."""
    for n, values, l in product(range(3, 15), range(2, 6), range(2, 6)):
        for table in oracle.partitions(n, values):
            if oracle.eligible(table, l):
                continue
            for algorithm in ("shift", "v-shift", "safe-d"):
                law = oracle.law(algorithm, table, l) or []
                hidden = oracle.violating(table, l) if algorithm == "v-shift" else 1
                seen: dict[tuple[int, ...], Fraction] = {}
                named: dict[tuple[tuple[int, ...], int], Fraction] = {}
                for p, counts in law:
                    output = tuple(sorted(counts, reverse=True))
                    seen[output] = seen.get(output, Fraction(0)) + p
                    for count in counts[:hidden]:
                        named[output, count] = named.get((output, count), Fraction(0)) + p / output.count(count)
                assert all(mass / seen[output] <= Fraction(1, l) for (output, _), mass in named.items())


def test_what_is_not_promised_does_not_hold() -> None:
    shift = posterior([2, 1, 1, 1, 1], 18, 3, algorithm="shift", prior="assignments")
    safe = posterior([1, 1, 1], 18, 3, algorithm="safe-d", prior="assignments")
    assert max(shift.violating or ()) > Fraction(1, 2)  # two values may violate, and one of them is hidden
    assert max(shift.withheld or ()) > Fraction(2, 5)
    assert max(safe.violating or ()) > Fraction(1, 2)


def test_proved_bounds() -> None:
    third = Fraction(1, 3)
    assert [proved_bound(a, 3, "most_frequent") for a in ("shift", "v-shift", "safe-d")] == [third] * 3
    assert proved_bound("v-shift", 3, "violating") == proved_bound("safe-d", 3, "withheld") == third
    assert proved_bound("shift", 3, "violating") is proved_bound("shift", 3, "withheld") is None
    assert proved_bound("r-suppression", 3, "most_frequent") is proved_bound("unsafe-d", 3, "most_frequent") is None


def test_shift_in_closed_form_by_ties() -> None:
    """A value in a tie group of s published counts, a of them at places up to l, is S1 with probability a / (s l)."""
    counts = shift_ranked((12, 5, 3, 3, 3, 1), 3, [1])
    assert sorted(counts, reverse=True) == [5, 3, 3, 3, 3, 1]
    seen = posterior(counts, 27, 3, algorithm="shift", prior="assignments").most_frequent
    assert seen is not None
    by_count = dict(zip(counts, seen, strict=True))
    assert by_count == {5: Fraction(1, 3), 3: Fraction(2, 4 * 3), 1: 0}


# The withheld


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 15), min_size=2, max_size=8),
    st.integers(0, 40),
    st.integers(2, 6),
    st.sampled_from(["shift", "v-shift"]),
)
def test_the_withheld_in_closed_form(others: list[int], more: int, l: int, algorithm: str) -> None:
    table = tuple(sorted([max(others) + more, *others], reverse=True))
    law = None if oracle.eligible(table, l) else oracle.law(algorithm, table, l)
    if law is None:
        return
    withheld = sum(table) - sum(law[0][1])
    expected: dict[int, Fraction] = {}
    for p, counts in law:
        for f, c in zip(table, counts, strict=True):
            expected[c] = expected.get(c, Fraction(0)) + p * Fraction(f - c, withheld * counts.count(c))
    assert oracle.withheld_formula(table, l, oracle.violating(table, l) if algorithm == "v-shift" else 1) == expected
    assert sum(p * law[0][1].count(count) for count, p in expected.items()) == 1


def test_the_formula_of_the_spec_place_by_place() -> None:
    F, l = (12, 6, 4, 2, 1), 3
    c = (5, 4, 4, 2, 1)
    X = expected_shift(F, l)
    assert sum(F) - sum(c) == X
    at = [Fraction(F[0] + (l - i) * F[i] + (i - 1) * F[i - 1] - l * c[i - 1], l * int(X)) for i in (1, 2, 3)]
    assert oracle.withheld_formula(F, l, 1) == {5: at[0], 4: (at[1] + at[2]) / 2, 2: 0, 1: 0}


def test_no_constant_bounds_the_withheld() -> None:
    frequencies = (24, *[20] * 5, 2, *[1] * 60)
    assert max(oracle.withheld_formula(frequencies, 8, 1).values()) == Fraction(14, 23)


# Batches


def test_fresh_draws_for_the_same_values_expose_s1() -> None:
    table = (12, 6, 4, 2, 1)
    assert [oracle.worst_after(table, 3, days) for days in (1, 2, 3, 4)] == [
        Fraction(1, 3),
        Fraction(1, 2),
        Fraction(2, 3),
        Fraction(4, 5),
    ]


# What can be computed, and what cannot


def test_an_eligible_table_hides_nothing() -> None:
    seen = posterior([2, 2, 1, 1], 6, 3, algorithm="shift")
    assert seen.most_frequent == (Fraction(1, 2), Fraction(1, 2), 0, 0)
    assert seen.violating == seen.withheld == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("counts", "n", "l"),
    [
        ((5000, 4000, 3500, 2000, 1500), 45_000, 3),
        ((220, 220, 120, 100, 50), 2_000, 3),
        ((50, 50, 50, 30, 20, 10), 450, 4),
    ],
)
def test_one_published_table_of_r_suppression_takes_seconds(counts: tuple[int, ...], n: int, l: int) -> None:
    for prior in PRIORS:
        start = time.process_time()
        seen = posterior(counts, n, l, algorithm="r-suppression", prior=prior)
        assert time.process_time() - start < 10
        assert seen.complete
        assert sum(seen.most_frequent or ()) == sum(seen.withheld or ()) == 1
        assert max(seen.most_frequent or ()) > Fraction(1, l)


def test_where_there_are_too_many_tables_only_symmetry_is_left() -> None:
    counts, n = [9000] * 5 + [7000, 5000, 3000], 1_000_000
    unknown = posterior(counts, n, 5, algorithm="r-suppression")
    assert unknown.most_frequent is unknown.violating is unknown.withheld is None
    assert not unknown.complete
    shifted = posterior(counts, n, 5, algorithm="shift")
    assert shifted.most_frequent == (*[Fraction(1, 5)] * 5, 0, 0, 0)
    assert shifted.violating is shifted.withheld is None
    safe = posterior(counts, n, 5, algorithm="safe-d")
    assert safe.most_frequent == safe.withheld == (*[Fraction(1, 5)] * 5, 0, 0, 0)
    assert posterior(counts, n, 5, algorithm="unsafe-d").most_frequent == safe.most_frequent
    nothing = posterior([0] * 8, n, 5, algorithm="suppress-all")
    assert nothing.most_frequent == nothing.withheld == (Fraction(1, 8),) * 8
    assert worst(10_000, 12, 5, algorithm="r-suppression") is None


@pytest.mark.parametrize(
    ("counts", "n", "l", "algorithm"),
    [
        ([10, 4, 2, 1, 1], 20, 3, "shift"),  # not eligible
        ([5, 4, 3, 2, 1], 20, 3, "shift"),  # places l - 1 and l always show the same
        ([5, 4, 3, 2, 1], 20, 3, "safe-d"),  # fewer than l at the top
        ([3, 3, 2, 1, 1], 11, 3, "r-suppression"),  # too few are withheld
        ([10, 4, 2, 1, 1], 18, 3, "r-suppression"),  # everything, and not eligible
        ([1, 1], 5, 3, "unsafe-d"),
        ([1, 0, 0], 5, 3, "suppress-all"),
    ],
)
def test_counts_that_no_table_leads_to(counts: list[int], n: int, l: int, algorithm: Algorithm) -> None:
    with pytest.raises(ParameterError, match=f"No table of {n} records leads to"):
        posterior(counts, n, l, algorithm=algorithm)


def test_bad_questions() -> None:
    with pytest.raises(ParameterError, match="more than the 3"):
        posterior([2, 2], 3, 2, algorithm="shift")
    with pytest.raises(ParameterError, match="algorithm is 'r'"):
        posterior([2, 2], 9, 2, algorithm="r")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="prior is 'flat'"):
        posterior([2, 2], 9, 2, algorithm="shift", prior="flat")  # type: ignore[arg-type]


# The parts


@settings(deadline=None)
@given(st.integers(0, 25), st.integers(1, 5))
def test_sorted_tables_are_all_partitions(n: int, values: int) -> None:
    rows = sorted_tables(n, [0] * values)
    assert sorted(map(tuple, rows.tolist())) == sorted(oracle.partitions(n, values))
    assert len(rows) <= tables_bound(n, values)
    assert sum(len(sorted_tables(k, [0] * values)) for k in range(n + 1)) <= tables_bound_up_to(n, values)
    assert labellings(rows).tolist() == [oracle.labellings(tuple(row)) for row in rows.tolist()]
    weights = (labellings(rows).astype(object) * assignments(rows)).tolist()
    assert weights == [oracle.weight(tuple(row), "assignments") for row in rows.tolist()]
    assert sum(weights) == values**n


def test_many_tied_values_have_more_labellings_than_64_bits() -> None:
    assert labellings(np.arange(25)[None, ::-1]).tolist() == [15511210043330985984000000]
    assert labellings(np.zeros((1, 30), dtype=np.int64)).tolist() == [1]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 2**62)), max_size=60), st.integers(1, 8))
def test_sums_are_exact(terms: list[tuple[int, int]], pending: int) -> None:
    sums: KeyedSums[str] = KeyedSums(pending=pending)
    for i in range(0, len(terms), 7):
        part = terms[i : i + 7]
        sums.add(np.array([d for d, _ in part]), {"x": np.array([v for _, v in part])})
    sums.add(3, {"x": np.array([1, 1])})
    total = sums.total()
    expected = sum((Fraction(v, d) for d, v in terms), start=Fraction(2, 3))
    assert Fraction(total.numerators["x"], total.denominator) == expected
