"""Sorting: as Python sorts, equal keys in their order."""

import numpy as np
import pytest

from tacit.kernels.sorting import stable_order


def test_keys_are_ordered_as_python_orders_them() -> None:
    generator = np.random.default_rng(0)
    for n in [*range(70), 1_000]:
        for keys in (generator.integers(-3, 4, n), generator.integers(-(2**62), 2**62, n), np.arange(n)[::-1].copy()):
            assert stable_order(keys).tolist() == sorted(range(n), key=keys.tolist().__getitem__)


@pytest.mark.parametrize("n", [1, 16, 17, 300])
def test_keys_may_be_fractions_and_infinite(n: int) -> None:
    keys = np.random.default_rng(n).choice([-np.inf, 0.0, 0.5, 1e300, np.inf], n)
    assert stable_order(keys).tolist() == sorted(range(n), key=keys.tolist().__getitem__)
