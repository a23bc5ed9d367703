from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import skew as oracle

from tacit.errors import Infeasible
from tacit.knowledge.skew import (
    expected_r_suppression,
    expected_safe_d,
    expected_shift,
    expected_suppress_all,
    expected_unsafe_d,
    largest_shift_l,
)

EXPECTED = {
    "unsafe-d": expected_unsafe_d,
    "r": expected_r_suppression,
    "safe-d": expected_safe_d,
    "shift": lambda frequencies, l: expected_shift(frequencies, l, "top"),
    "v-shift": expected_shift,
    "suppress-all": expected_suppress_all,
}


def zipf(alpha: float, values: int = 20) -> list[int]:
    return [round(1000 / i**alpha) for i in range(1, values + 1)]


def rates(frequencies: list[int], l: int, *methods: str) -> list[float]:
    return [round(float(EXPECTED[method](frequencies, l) / sum(frequencies)), 4) for method in methods]


def test_the_papers_example() -> None:
    table = (10, 4, 2, 1, 1)
    assert expected_unsafe_d(table, 3) == 6
    assert expected_safe_d(table, 3) == 10
    assert expected_r_suppression(table, 3) == Fraction(71, 9)
    assert expected_shift(table, 3) == 9
    assert expected_suppress_all(table, 3) == 18


@pytest.mark.parametrize(
    ("alpha", "expected"),
    [
        (1.0, [0.1445, 0.1893, 0.3566, 0.2223]),
        (1.5, [0.3744, 0.4306, 0.6063, 0.4790]),
        (2.0, [0.6412, 0.6747, 0.7923, 0.7146]),
    ],
)
def test_figure_8a(alpha: float, expected: list[float]) -> None:
    assert rates(zipf(alpha), 5, "unsafe-d", "r", "safe-d", "shift") == expected
    assert rates(zipf(alpha), 5, "v-shift") == expected[3:]  # one violating value: the same


@pytest.mark.parametrize(
    ("l", "expected"),
    [(3, [0, 0, 0]), (4, [0.1807, 0.1935, 0.3010]), (6, [0.1337, 0.2022, 0.4024]), (10, [0.2993, 0.3286, 0.5361])],
)
def test_figure_8b(l: int, expected: list[float]) -> None:
    assert rates(zipf(1.0), l, "unsafe-d", "r", "safe-d") == expected


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=2, max_size=7), st.integers(0, 40), st.integers(2, 6))
def test_closed_forms_equal_enumeration(others: list[int], more: int, l: int) -> None:
    table = tuple(sorted([max(others) + more, *others], reverse=True))
    for method, expected in EXPECTED.items():
        if oracle.eligible(table, l):
            assert expected(table, l) == 0
            continue
        law = oracle.law(method, table, l)
        if law is None:
            with pytest.raises(Infeasible):
                expected(table, l)
        else:
            assert expected(table, l) == sum(p * (sum(table) - sum(counts)) for p, counts in law)


def test_r_suppression_can_cost_more_than_shift() -> None:
    assert expected_r_suppression([3, 2, 2], 3) == Fraction(3, 2)
    assert expected_shift([3, 2, 2], 3) == 1


def test_nothing_is_below_unsafe_d() -> None:
    for n in range(3, 13):
        for table in oracle.partitions(n, 4):
            for l in range(2, sum(f > 0 for f in table) + 1):
                if not oracle.eligible(table, l):
                    least = expected_unsafe_d(table, l)
                    assert least <= min(expected_r_suppression(table, l), expected_shift(table, l, "top"))
                    assert expected_shift(table, l, "top") <= expected_safe_d(table, l)


@pytest.mark.parametrize("shape", ["one giant", "zipf", "several violate", "random"])
@pytest.mark.parametrize("method", sorted(EXPECTED))
def test_a_hundred_million_records_take_less_than_a_tenth_of_a_second(method: str, shape: str) -> None:
    values, n, l = 1000, 100_000_000, 10
    rank = np.arange(1, values + 1)
    weights = {
        "one giant": np.where(rank == 1, 5e5, 1),
        "zipf": 1 / rank**1.5,
        "several violate": np.where(rank <= 4, 500, 1),
        "random": np.random.default_rng(1).pareto(0.8, values),
    }[shape]
    frequencies = np.maximum(1, np.floor(weights / weights.sum() * n)).astype(np.int64)
    frequencies[np.argmax(frequencies)] += n - frequencies.sum()
    assert not oracle.eligible(tuple(frequencies.tolist()), l)
    assert largest_shift_l(frequencies, below=l + 1) == l
    expected: Callable[..., Fraction] = EXPECTED[method]
    expected(frequencies, l)
    best = min(_cpu_seconds(expected, frequencies, l) for _ in range(3))
    assert best < 0.1


def _cpu_seconds(expected: Callable[..., Fraction], frequencies: np.ndarray, l: int) -> float:
    start = time.process_time()
    expected(frequencies, l)
    return time.process_time() - start
