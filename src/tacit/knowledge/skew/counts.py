"""Counts of a sensitive column: their rank order, and the two conditions that stop a suppression."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tacit.errors import Infeasible, ParameterError

Counts: TypeAlias = npt.NDArray[np.int64]
"""One non-negative integer per value code."""


def as_counts(frequencies: npt.ArrayLike) -> Counts:
    """Take frequencies as a one-dimensional array of non-negative integers, or say what is wrong with them."""
    given = np.asarray(frequencies)
    if given.ndim != 1:
        raise ParameterError(f"Frequencies are one number per value, not an array of {given.ndim} dimensions.")
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise ParameterError(f"Frequencies are whole numbers of records, not {given.dtype}.")
    counts = given.astype(np.int64)
    if counts.size and int(counts.min()) < 0:
        raise ParameterError(f"Frequencies cannot be negative, and one is {int(counts.min())}.")
    return counts


def as_l(l: int) -> int:
    """Take l as an integer of at least 1, or say what is wrong with it."""
    try:
        checked = index(l)
    except TypeError:
        raise ParameterError(f"l is a whole number, not {l!r}.") from None
    if checked < 1:
        raise ParameterError(f"l is {checked}, and must be at least 1.", hint="Protection starts at l = 2.")
    return checked


def rank_order(frequencies: npt.ArrayLike, rng: np.random.Generator | None = None) -> npt.NDArray[np.int64]:
    """Order value codes from most to least frequent.

    Parameters
    ----------
    frequencies
        One count per value code.
    rng
        Breaks ties at random. Without it tied values keep their given order. That is for calculations only: a release
        in which tied values follow the order of their codes would give information about the table.

    Examples
    --------
    >>> rank_order([1, 10, 4]).tolist()
    [1, 2, 0]
    """
    counts = as_counts(frequencies)
    ties = np.arange(counts.size) if rng is None else rng.permutation(counts.size)
    return np.lexsort((ties, -counts)).astype(np.int64)


def eligible(counts: npt.ArrayLike, l: int) -> bool:
    """Tell whether no value has more than 1/l of the records; the empty table is eligible.

    Examples
    --------
    >>> eligible([4, 4, 2, 1, 1], 3), eligible([10, 4, 2, 1, 1], 3)
    (True, False)
    """
    given = as_counts(counts)
    return not given.size or as_l(l) * int(given.max()) <= int(given.sum())


def candidacy(counts: npt.ArrayLike, n: int, l: int) -> bool:
    """Tell whether at least l values could have been in more than n/l of the n records of the table.

    A value could have been if it would be, were all n - sum(counts) withheld records its own.

    Examples
    --------
    >>> candidacy([5, 4, 2, 1, 1], 18, 3), candidacy([6, 4, 2, 1, 1], 18, 3)
    (True, False)
    """
    given = as_counts(counts)
    if as_l(l) > given.size:
        return False
    at_l = int(np.sort(given)[given.size - l])
    return l * (at_l + int(n) - int(given.sum())) > int(n)


def violating(frequencies: npt.ArrayLike, l: int) -> npt.NDArray[np.bool_]:
    """Mark the values that are in more than 1/l of the records; there are fewer than l of them.

    Examples
    --------
    >>> violating([1, 10, 9, 1], 3).tolist()
    [False, True, True, False]
    """
    given = as_counts(frequencies)
    return given > int(given.sum()) // as_l(l)


def largest_eligible_l(frequencies: npt.ArrayLike) -> int:
    """Find the largest l for which a table is eligible as it is (0 for an empty one).

    Examples
    --------
    >>> largest_eligible_l([10, 4, 2, 1, 1])
    1
    """
    given = as_counts(frequencies)
    return int(given.sum()) // int(given.max()) if given.any() else 0


def require_enough_values(present: int, l: int) -> None:
    """Refuse an l above the number of values: only the empty table would be eligible.

    Examples
    --------
    >>> require_enough_values(5, 6)
    Traceback (most recent call last):
    tacit.errors.Infeasible: l = 6 needs at least 6 different sensitive values, and there are 5. The largest l is 5.
    """
    if l > present:
        raise Infeasible(
            f"l = {l} needs at least {l} different sensitive values, and there are {present}.",
            hint=f"The largest l is {present}.",
        )


def scatter(ranked: Sequence[int], order: npt.NDArray[np.int64]) -> Counts:
    """Bring counts given by rank back to the order of the value codes; a rank without a given count gets 0."""
    counts = np.zeros(order.size, dtype=np.int64)
    counts[order[: len(ranked)]] = ranked
    return counts


def present_ranked(counts: Counts, order: npt.NDArray[np.int64]) -> list[int]:
    """List the frequencies of the present values, most frequent first, as Python integers (products never overflow)."""
    return [f for f in counts[order].tolist() if f > 0]
