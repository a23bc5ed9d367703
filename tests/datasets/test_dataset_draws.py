"""Draws and shares: exact where they promise to be exact, right on average elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.datasets import census, hospital, students
from tacit.datasets.draws import choose, quota
from tacit.datasets.shares import Shares
from tacit.errors import ParameterError


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=8), st.integers(0, 300), st.integers(0, 9))
def test_a_quota_is_within_one_row_of_its_share(shares: list[float], rows: int, seed: int) -> None:
    codes = quota(np.random.default_rng(seed), shares, rows)
    counts = np.bincount(codes, minlength=len(shares))
    assert len(codes) == rows
    assert (np.abs(counts - np.array(shares) / sum(shares) * rows) < 1).all()


def test_a_quota_is_not_sorted() -> None:
    codes = quota(np.random.default_rng(1), [1, 1], 1000)
    assert 400 < np.count_nonzero(np.diff(codes)) < 600


@pytest.mark.parametrize(("asked", "got"), [(-1, 0), (0, 0), (3, 3), (10, 10), (11, 10)])
def test_choose_takes_as_many_as_asked_or_all(asked: int, got: int) -> None:
    assert int(choose(np.random.default_rng(1), np.zeros(10), asked).sum()) == got


def test_choose_follows_the_weights() -> None:
    generator = np.random.default_rng(1)
    weights = np.log(np.array([8.0, 1.0, 1.0]))
    wins = sum(choose(generator, weights, 1) for _ in range(5000))
    assert np.abs(np.asarray(wins) / 5000 - [0.8, 0.1, 0.1]).max() < 0.02


def test_shares_draw_each_class_from_its_own_distribution() -> None:
    weights = np.random.default_rng(3).random((50, 7))
    weights[:, 6] = 0
    classes = np.repeat(np.arange(50), 4000)
    codes = Shares(tuple("abcdefg"), weights).draw(np.random.default_rng(1), classes)
    found = np.stack([np.bincount(codes[classes == c], minlength=7) for c in range(50)]) / 4000
    assert np.abs(found - weights / weights.sum(axis=1, keepdims=True)).max() < 0.04
    assert (codes < 6).all()


class _Last:
    """A generator whose every number is the largest below 1."""

    def random(self, rows: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.full(rows, np.nextafter(1.0, 0.0))


def test_a_draw_at_the_very_end_stays_in_its_class() -> None:
    shares = Shares(("a", "b", "c"), np.tile([1.0, 1.0, 0.0], (3000, 1)))
    codes = shares.draw(_Last(), np.arange(3000))
    assert (codes == 1).all()


@pytest.mark.parametrize("make", [hospital, census, students])
@pytest.mark.parametrize("rows", [0, -3, 2.0, True, "9"])
def test_a_number_of_rows_that_is_none(make, rows) -> None:
    with pytest.raises(ParameterError, match=r"rows = .* is not allowed. Give a whole number of at least 1."):
        make(rows)


@pytest.mark.parametrize("seed", [-1, 1.5, "x"])
def test_a_seed_that_is_none(seed) -> None:
    with pytest.raises(ParameterError, match=r"seed = .* is not allowed"):
        hospital(5, seed=seed)


def test_no_seed_is_a_new_table_each_time() -> None:
    assert not hospital(50, seed=None).frame.equals(hospital(50, seed=None).frame)
