"""The algorithms that suppress skewed values, by the word under which everybody may know them, and what is proved."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias, TypeGuard, get_args

Algorithm: TypeAlias = Literal["unsafe-d", "safe-d", "r-suppression", "shift", "v-shift", "suppress-all"]
"""Which suppression was used: ``"shift"`` hides the most frequent value, ``"v-shift"`` every violating one."""

Question: TypeAlias = Literal["most_frequent", "violating", "withheld"]
"""What an adversary asks of a value: whether it was the most frequent one, whether it was in more than n/l records,
whether a withheld person has it."""

_PROVED: dict[Question, tuple[str, ...]] = {
    "most_frequent": ("shift", "v-shift", "safe-d"),
    "violating": ("v-shift",),
    "withheld": ("safe-d",),
}


def is_invertible(algorithm: str) -> TypeGuard[Algorithm]:
    """Tell whether this tool can compute from which tables an algorithm leads to given published counts."""
    return algorithm in get_args(Algorithm)


def proved_bound(algorithm: str, l: int, about: Question) -> Fraction | None:
    """Give the bound that is proved for every prior that treats the values alike, or None where nothing is proved.

    The proofs are in `docs/threats/skew.md#why-it-holds`.

    Parameters
    ----------
    algorithm
        The word of an algorithm; for a word that is not known here nothing is proved.
    l
        The parameter of the suppression.
    about
        What the adversary asks.

    Examples
    --------
    >>> proved_bound("v-shift", 3, "violating"), proved_bound("r-suppression", 3, "most_frequent")
    (Fraction(1, 3), None)
    """
    return Fraction(1, l) if algorithm in _PROVED[about] else None
