"""Shift and V-Shift: give each value to be hidden a random one of l places, and the others the places that are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from tacit.errors import Infeasible, ParameterError
from tacit.knowledge.skew.counts import (
    Counts,
    as_counts,
    as_l,
    eligible,
    rank_order,
    require_enough_values,
    scatter,
    violating,
)
from tacit.knowledge.skew.levels import cut_level

Hide: TypeAlias = Literal["violating", "top"]


@dataclass(frozen=True, kw_only=True)
class ShiftDraw:
    """What Shift drew for one table: a secret, kept so that the table is never drawn for twice.

    Parameters
    ----------
    order
        Value codes in rank order, ties broken.
    places
        For each hidden value, most frequent first, its place in its block, from 1 to l.
    """

    order: tuple[int, ...]
    places: tuple[int, ...]


def shift(frequencies: npt.ArrayLike, l: int, rng: np.random.Generator, hide: Hide = "violating") -> Counts:
    """Publish what Shift leaves for a fresh draw.

    To somebody who knows how often values occur, but not which value occurs how often, each of l values is equally
    likely to be the most frequent one. V-Shift hides every violating value in this way, each in a block of l places of
    its own. No other suppression with this property publishes more of any rank.

    Parameters
    ----------
    frequencies
        One count per value code of the declared domain, zero for absent values.
    l
        Eligibility asked for.
    rng
        Draws the places, and breaks ties.
    hide
        ``"violating"``: every value in more than 1/l of the records; ``"top"``: the most frequent value only.

    Examples
    --------
    >>> sorted(shift([10, 4, 2, 1, 1], 3, np.random.default_rng(7)).tolist())
    [1, 1, 2, 2, 3]
    """
    counts, l = as_counts(frequencies), as_l(l)
    return counts if eligible(counts, l) else shift_of(counts, l, draw_shift(counts, l, rng, hide))


def draw_shift(frequencies: npt.ArrayLike, l: int, rng: np.random.Generator, hide: Hide = "violating") -> ShiftDraw:
    """Draw a uniform place in its block for each value to be hidden in an ineligible table."""
    counts = as_counts(frequencies)
    k = hidden_values(counts, l, hide)
    order = rank_order(counts, rng)
    shift_level(counts[order].tolist(), l, k)
    return ShiftDraw(order=tuple(order.tolist()), places=tuple(rng.integers(1, l, size=k, endpoint=True).tolist()))


def shift_of(frequencies: npt.ArrayLike, l: int, draw: ShiftDraw) -> Counts:
    """Publish what Shift leaves of an ineligible table for a given draw.

    Examples
    --------
    >>> shift_of([1, 10, 4, 2, 1], 3, ShiftDraw(order=(1, 2, 3, 0, 4), places=(2,))).tolist()
    [1, 2, 3, 2, 1]
    """
    counts = as_counts(frequencies)
    order = np.array(draw.order, dtype=np.int64)
    if sorted(draw.order) != list(range(counts.size)) or np.any(np.diff(counts[order]) > 0):
        raise ParameterError("The draw was made for other frequencies.", hint="Draw again for this table.")
    return scatter(shift_ranked(counts[order].tolist(), l, draw.places), order)


def hidden_values(frequencies: npt.ArrayLike, l: int, hide: Hide) -> int:
    """Count the values that are to be hidden: all that violate eligibility, or the most frequent one."""
    if hide not in get_args(Hide):
        raise ParameterError(f"hide is {hide!r}; it is one of 'violating' and 'top'.")
    broken = int(violating(frequencies, l).sum())
    return min(broken, 1) if hide == "top" else broken


def shift_target(ranked: Sequence[int], l: int, k: int) -> list[int]:
    """Give the counts by place before the cut: k blocks of l places, then what is left.

    Parameters
    ----------
    ranked
        Frequencies, most frequent first, absent values as zeros at the end.
    l
        Places in a block.
    k
        Number of hidden values, the first k ranks; k l values at most.

    Examples
    --------
    >>> shift_target([10, 4, 2, 1, 1], 3, 1)
    [4, 2, 2, 1, 1]
    """
    rest = list(ranked[k:])
    target: list[int] = []
    for block in range(k):
        own = rest[block * (l - 1) : (block + 1) * (l - 1)]
        target += [*own, own[-1]]
    return target + rest[k * (l - 1) :]


def shift_level(ranked: Sequence[int], l: int, k: int) -> tuple[list[int], int]:
    """Give the counts by place before the cut, and the level of the cut, or say why there is none."""
    require_enough_values(sum(f > 0 for f in ranked), l)
    if k * l > len(ranked):
        raise Infeasible(
            f"{k} values are in more than 1/{l} of the records; hiding them all needs {k * l} values in the domain, "
            f"and there are {len(ranked)}.",
            hint=_way_out(ranked, l),
        )
    target = shift_target(ranked, l, k)
    level = cut_level(target, l)
    if not level:
        raise Infeasible(
            f"{k} values are in more than 1/{l} of the records; hiding them all would leave nothing to publish.",
            hint=_way_out(ranked, l),
        )
    return target, level


def shift_ranked(ranked: Sequence[int], l: int, places: Sequence[int]) -> list[int]:
    """Give the counts by rank for given places of the hidden values.

    Parameters
    ----------
    ranked
        Frequencies of an ineligible table, most frequent first, absent values as zeros at the end.
    l
        Eligibility asked for.
    places
        For each of the first ranks its place, from 1 to l, in a block of its own.

    Examples
    --------
    >>> [shift_ranked([10, 4, 2, 1, 1], 3, [h]) for h in (1, 2, 3)]
    [[3, 2, 2, 1, 1], [2, 3, 2, 1, 1], [2, 3, 2, 1, 1]]
    """
    if not all(1 <= place <= l for place in places):
        raise ParameterError(f"Places are from 1 to {l}, not {tuple(places)}.")
    target, level = shift_level(ranked, l, len(places))
    cut = [min(g, level) for g in target]
    taken = [block * l + place - 1 for block, place in enumerate(places)]
    hidden = [cut[i] for i in taken]
    for i in reversed(taken):
        del cut[i]
    return hidden + cut


def largest_shift_l(frequencies: npt.ArrayLike, hide: Hide = "violating", *, below: int | None = None) -> int:
    """Find the largest l (up to ``below``, exclusive) that Shift can give these frequencies, 1 if there is none.

    Parameters
    ----------
    frequencies
        One count per value code of the declared domain, zero for absent values.
    hide
        As in :func:`shift`.
    below
        Look only at smaller l; by default all up to the number of values.

    Examples
    --------
    >>> largest_shift_l([10, 9, 1, 1, 1]), largest_shift_l([10, 9, 1, 1, 1], "top")
    (2, 5)
    """
    counts = as_counts(frequencies)
    ranked = np.sort(counts)[::-1].tolist()
    present = int((counts > 0).sum())
    for l in range(present if below is None else min(below - 1, present), 1, -1):
        k = hidden_values(counts, l, hide)
        if k * l <= len(ranked) and (not k or cut_level(shift_target(ranked, l, k), l)):
            return l
    return 1


def _way_out(ranked: Sequence[int], l: int) -> str:
    smaller = largest_shift_l(ranked, below=l)
    nearest = f"; hide='violating' works up to l = {smaller}" if smaller > 1 else ""
    return f"Use hide='top' (hides the most frequent value only) or Safe-D{nearest}."
