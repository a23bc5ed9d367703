"""The problem laid out for the kernels: the groups that break the guarantee, their rows and their items."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.arrays import Ints, by_hash, offsets_of, places_of
from tacit.knowledge.quasi_sensitive import Linking

if TYPE_CHECKING:
    from tacit.kernels.quasi_sensitive.measure import BeliefRule
    from tacit.kernels.quasi_sensitive.search_state import RemovalProblem

_ROOM = 2**61
"""What a sum of beliefs, times c, must stay below so that nothing overflows 63 bits."""
_PRICES = 2**40
"""The largest common denominator of prices; with it a million cells of price 1 stay below 63 bits."""


@dataclass(frozen=True, eq=False)
class Layout:
    """A problem, which groups of the table are in it, and where its cells are among the items of the table."""

    problem: RemovalProblem
    groups: Ints
    source: Ints

    @property
    def unit(self) -> int:
        """What the last item of a row costs."""
        return int(self.problem.price[1])


def lay_out(linking: Linking, groups: Ints, rule: BeliefRule) -> Layout:
    """Lay out some of the groups; in each, rows with the same items stand together, whatever their order was."""
    from tacit.kernels.quasi_sensitive.search_state import RemovalProblem, mark_repeats

    sets = linking.sets
    sizes = np.diff(linking.starts)[groups]
    first_row = offsets_of(sizes)
    rows = linking.order[places_of(linking.starts[groups], sizes)]
    rows = rows[by_hash(sizes, _hashes(sets.offsets, sets.codes)[rows])]
    widths = np.diff(sets.offsets)[rows]
    first_cell = offsets_of(widths)
    source = places_of(sets.offsets[rows], widths)
    item = sets.codes[source].astype(np.int32)
    repeats = np.zeros(len(rows), dtype=np.bool_)
    mark_repeats(item, first_cell, first_row, repeats)
    weight, exact = _weights(len(linking.labels), _ROOM // (max(1, int(sizes.max(initial=1))) * max(rule.a, rule.b)))
    problem = RemovalProblem(
        bits=linking.bits,
        full=linking.labels.full,
        labels=len(linking.labels),
        item_of_cell=item,
        row_of_cell=np.repeat(np.arange(len(rows), dtype=np.int32), widths),
        first_cell=first_cell,
        first_row=first_row,
        repeats=repeats,
        weight=weight,
        exact=exact,
        price=_prices(int(widths.max(initial=1))),
    )
    return Layout(problem, groups, source)


def _hashes(offsets: Ints, codes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a number per row that is the same for the same set."""
    mixed = (codes.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed ^ (mixed >> np.uint64(32)), dtype=np.uint64)])
    return np.asarray(sums[offsets[1:]] - sums[offsets[:-1]])


def _weights(labels: int, most: int) -> tuple[Ints, bool]:
    """Return what a row that links to s labels gives each of them, for every s, and whether no weight is rounded.

    Sums of weights stay below `most` times the number of rows: beyond it the common denominator is a power of 2.
    """
    scale, exact = 1, True
    for size in range(2, labels + 1):
        scale = lcm(scale, size)
        if scale > most:
            scale, exact = 1 << (max(2, most).bit_length() - 1), False
            break
    sizes = np.arange(1, labels + 1, dtype=np.int64)
    return np.concatenate([[0], scale // sizes]).astype(np.int64), exact


def _prices(most: int) -> Ints:
    """Return what it costs to take an item from a row that has w left, for every w, in whole numbers.

    They are exact as long as the common multiple of all w is small enough, otherwise rounded to one part in 2**40.
    """
    scale = 1
    for width in range(2, most + 1):
        scale = lcm(scale, width)
        if scale > _PRICES:
            scale = _PRICES
            break
    widths = np.arange(1, most + 1, dtype=np.int64)
    return np.concatenate([[0], (scale + widths // 2) // widths]).astype(np.int64)
