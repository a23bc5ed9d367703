"""Entropy of a group against log l, never accepted by a rounding error.

H >= log l means sum(c log c) <= n log(n / l). Both sides are computed in floating point; within a margin far above
their rounding error the answer is no, unless the two sides are equal as integers (n^n = l^n * prod c^c), which
happens for uniform groups and must be yes. Equality is decided by the exponents of the primes.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["entropy_at_least"]


@compiled(borrows=True)
def _exponent(number: int, prime: int) -> int:
    count = 0
    while number % prime == 0:
        number //= prime
        count += 1
    return count


@compiled(borrows=True)
def _ties(histogram: NDArray[np.int64], begin: int, end: int, size: int, l: int) -> bool:
    # Only primes of size, l and the counts can differ; each is met as the smallest factor of what is left.
    for source in range(begin - 2, end):
        rest = size if source == begin - 2 else (l if source == begin - 1 else histogram[source])
        factor = 2
        while rest > 1:
            if factor * factor > rest:
                factor = rest
            if rest % factor:
                factor += 1
                continue
            while rest % factor == 0:
                rest //= factor
            balance = size * (_exponent(size, factor) - _exponent(l, factor))
            for v in range(begin, end):
                if histogram[v] > 1:
                    balance -= histogram[v] * _exponent(histogram[v], factor)
            if balance != 0:
                return False
            factor += 1
    return True


@compiled(borrows=True)
def entropy_at_least(histogram: NDArray[np.int64], begin: int, end: int, size: int, l: float) -> bool:
    """Say whether the entropy of `histogram[begin:end]` (sum `size` > 0) is at least log l, for certain.

    Examples
    --------
    >>> entropy_at_least(np.array([3, 3, 3]), 0, 3, 9, 3.0), entropy_at_least(np.array([4, 3, 2]), 0, 3, 9, 3.0)
    (True, False)
    >>> entropy_at_least(np.array([4, 1, 1, 1, 1]), 0, 5, 8, 4.0)
    True
    """
    total = 0.0
    for v in range(begin, end):
        c = histogram[v]
        if c > 1:
            total += c * math.log(c)
    bound = size * (math.log(size) - math.log(l))
    margin = 1e-15 * (end - begin + 8) * (size * math.log(size + 1.0) + abs(bound))
    if total + margin <= bound:
        return True
    if total - margin > bound or l != math.floor(l):
        return False
    return _ties(histogram, begin, end, size, int(l))
