"""Recognition and sorting by counting, beside dictionaries and sorted lists."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.kernels.counting_order import counted_order
from tacit.kernels.marginals.filling import entries
from tacit.kernels.marginals.halving import _bits
from tacit.kernels.recognition import noted_last


@pytest.mark.parametrize("seed", range(30))
def test_the_last_note_of_each_person_counts(seed: int) -> None:
    """Few different words, so that people share their lowest bits and one of two words."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 6, 8).astype(np.uint64) << np.uint64(rng.integers(0, 60))
    asked = words[rng.integers(0, 8, (int(rng.integers(0, 40)), 2))]
    noted = words[rng.integers(0, 8, (int(rng.integers(0, 80)), 2))]
    what = rng.integers(-4, 9, len(noted)).astype(np.int32)
    last = dict(zip(map(tuple, noted.tolist()), what.tolist(), strict=True))
    found = noted_last(asked, noted, what, -99)
    assert found.tolist() == [last.get(tuple(person), -99) for person in asked.tolist()]


@pytest.mark.parametrize("seed", range(30))
def test_rows_are_sorted_by_key_and_equal_ones_stay_as_they_came(seed: int) -> None:
    rng = np.random.default_rng(seed)
    keys = int(rng.integers(1, 9))
    key = rng.integers(-1, keys, int(rng.integers(0, 60)))
    rows = rng.permutation(len(key))
    order, start = counted_order(key, keys, rows)
    assert order.tolist() == sorted((row for row in rows.tolist() if key[row] >= 0), key=lambda row: key[row])
    assert np.diff(start).tolist() == [int((key == k).sum()) for k in range(keys)]


@pytest.mark.parametrize("seed", range(30))
def test_a_value_stands_where_its_signature_has_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sets = [np.sort(rng.permutation(7)[: int(rng.integers(1, 6))]) for _ in range(5)]
    offsets = np.cumsum([0, *map(len, sets)])
    signature, value = rng.integers(-1, 5, 40), rng.integers(0, 7, 40)
    found = entries(signature, value, offsets, np.concatenate(sets))
    for mine, has, at in zip(signature.tolist(), value.tolist(), found.tolist(), strict=True):
        held = [] if mine < 0 else sets[mine].tolist()
        assert at == (offsets[mine] + held.index(has) if has in held else -1)


def test_the_bits_of_a_word_are_counted() -> None:
    rng = np.random.default_rng(0)
    words = [0, 1, 2, 3, 5, 2**63, 2**64 - 1, *rng.integers(0, 2**64, 300, dtype=np.uint64).tolist()]
    assert [_bits(np.uint64(word)) for word in words] == [word.bit_count() for word in words]
