"""Grouping: from tuples and what the adversary knows of them to groups that hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator

from tacit.arrays import FloatGrid, Floats, Ints, offsets_of
from tacit.knowledge.distribution import Protected
from tacit.methods.distribution.nearness import linked
from tacit.progress import Progress

_FLOOR = 1e-3
_MOST_DIMENSIONS = 48
_PROJECTED = 24
_THRIFT = (0.5, 0.5, 1.0, 0.5)
_HOPELESS = 8
_PATIENCE = (40, 600)
_MANY = 32
_NEGLIGIBLE = (300, 5, 2_000)


@dataclass(frozen=True, eq=False)
class Case:
    """What the kernels work on.

    Attributes
    ----------
    cells, values
        Of each tuple, its cell (a row of `signatures`) and its value.
    signatures, chances, entry_chances
        Of each cell and attribute set a row; of each row the probability of each value, and of each entry.
    protected
        The entries.
    masks
        The attribute sets, each as bits, smaller sets first.
    r, bound
        The parameter, and what a posterior may not exceed.
    full
        Whether posteriors are those of the full view.
    bare
        Whether a group is accepted by the paper's bound.
    """

    cells: Ints
    values: Ints
    signatures: np.ndarray[tuple[int, int], np.dtype[np.int32]]
    chances: FloatGrid
    protected: Protected
    masks: Ints
    r: float
    bound: float
    full: bool
    bare: bool

    @cached_property
    def entry_chances(self) -> FloatGrid:
        """The probability of each entry."""
        return self.protected.sums(self.chances)

    @cached_property
    def entries(self) -> Ints:
        """The entry of each tuple, -1 for none."""
        return self.protected.entry_of[self.values]

    def knowledge(self) -> tuple[Any, ...]:
        """Return what every kernel is told of the adversary."""
        return self.signatures, self.chances, self.protected.entry_of, self.entry_chances

    def order(self, generator: Generator) -> Ints:
        """Order the tuples by nearness of their probabilities; tuples of one cell come in random order."""
        from tacit.kernels.distribution.nearness import nearness_order

        rank = np.empty(len(self.signatures), dtype=np.int64)
        rank[nearness_order(self._points(generator))] = np.arange(len(self.signatures))
        mixed = generator.permutation(len(self.cells))
        return mixed[np.argsort(rank[self.cells[mixed]], kind="stable")]

    def _points(self, generator: Generator) -> FloatGrid:
        """Place each cell by the logarithms of its odds; many dimensions are projected on a few random ones."""
        chances = self.entry_chances
        odds = np.log((chances + _FLOOR) / (1.0 - chances + _FLOOR))
        sets, entries = self.signatures.shape[1], odds.shape[1]
        if sets * entries <= _MOST_DIMENSIONS:
            return np.concatenate([odds[self.signatures[:, a]] for a in range(sets)], axis=1)
        points = np.zeros((len(self.signatures), _PROJECTED))
        for a in range(sets):
            points += (odds @ generator.standard_normal((entries, _PROJECTED)))[self.signatures[:, a]]
        return points

    def lists(self, order: Ints) -> tuple[Any, Any]:
        """Return, per attribute set, the cells by signature and then by nearness, and where each cell stands."""
        nearest = np.empty(len(self.signatures), dtype=np.int64)
        nearest[self.cells[order][::-1]] = np.arange(len(order))[::-1]
        by_nearness = np.argsort(nearest, kind="stable")
        sets = self.signatures.shape[1]
        lists = np.empty((sets, len(self.signatures)), dtype=np.int32)
        spots = np.empty_like(lists)
        for a in range(sets):
            lists[a] = by_nearness[np.argsort(self.signatures[by_nearness, a], kind="stable")]
            spots[a, lists[a]] = np.arange(len(self.signatures), dtype=np.int32)
        return lists, spots

    def ceiling(self) -> tuple[float, int]:
        """Return how many times the odds of all tuples exceed those of the holders, and the attribute set where least.

        In the paper's view, with one tuple of an entry per group, the odds of a group's tuples sum to at least r times
        those of the tuple that has the value; so do the odds of all tuples. With any groups it is r - 1 times.
        """
        sums = np.minimum(self.entry_chances, 1.0 - 1e-12)
        odds = sums / (1.0 - sums)
        best, where = np.inf, -1
        for a in range(self.signatures.shape[1]):
            rows = odds[self.signatures[self.cells, a]]
            for entry in range(self.protected.count):
                needed = float(rows[self.entries == entry, entry].sum())
                if needed > 0 and float(rows[:, entry].sum()) / needed < best:
                    best, where = float(rows[:, entry].sum()) / needed, a
        return best, where

    @cached_property
    def prices(self) -> Floats:
        """How likely the tuples of a cell are to have a protected value, on average over attribute sets."""
        total = self.entry_chances.sum(axis=1)
        out = np.zeros(len(self.signatures))
        for a in range(self.signatures.shape[1]):
            out += total[self.signatures[:, a]]
        return out / max(1, self.signatures.shape[1])

    def hardness(self) -> Floats:
        """Return of each tuple the largest probability, over attribute sets, of its own entry."""
        out = np.zeros(len(self.cells))
        rows = np.flatnonzero(self.entries >= 0)
        for a in range(self.signatures.shape[1]):
            out[rows] = np.maximum(
                out[rows], self.entry_chances[self.signatures[self.cells[rows], a], self.entries[rows]]
            )
        return out


def group_tuples(case: Case, order: Ints, progress: Progress) -> tuple[Ints, Ints]:
    """Return the group of each tuple (-1: alone), and the protected tuples that found none."""
    hard = case.hardness()
    group = np.full(len(case.cells), -1, dtype=np.int64)
    seeds = np.flatnonzero(case.entries >= 0)
    seeds = seeds[np.lexsort((seeds, -hard[seeds]))]
    number, hopeless = 0, False
    if len(case.cells) - len(seeds) >= (case.r - 1) * len(seeds):
        number, hopeless = _thriftily(case, order, seeds, group)
        progress("art", 0.6)
    for reach in (1,) if hopeless else (1, 4):
        seeds = seeds[group[seeds] < 0]
        if len(seeds):
            number = _mix(case, order, seeds, reach, group, number)
    progress("art", 0.8)
    seeds = seeds[group[seeds] < 0]
    if len(seeds) and number and not hopeless:
        _append(case, order, seeds, group, number)
    return group, seeds[group[seeds] < 0]


def _thriftily(case: Case, order: Ints, seeds: Ints, group: Ints) -> tuple[int, bool]:
    """Hide every seed; where that leaves some out, try again with those first, and spare what others need.

    Return the next group number, and whether so many were left out that the search was given up.
    """
    fewest, number = len(seeds) + 1, 0
    patience = int(np.clip(len(seeds) // _HOPELESS, *_PATIENCE))
    many = max(_PATIENCE[0], len(seeds) // _MANY)
    few = max(min(len(seeds) // _NEGLIGIBLE[0], _NEGLIGIBLE[1]), len(seeds) // _NEGLIGIBLE[2])
    for thrift in _THRIFT:
        tried = np.full(len(group), -1, dtype=np.int64)
        found = _hide(case, order, seeds, thrift, patience, True, tried, 0)
        rest = seeds[tried[seeds] < 0]
        if 0 < len(rest) <= patience and case.full:
            found = _hide(case, order, rest, thrift, patience, False, tried, found)
            rest = rest[tried[rest] < 0]
        better = len(rest) < fewest
        if better:
            group[:] = tried
            fewest, number = len(rest), found
        # So few of many can be withheld, and so many are not a matter of whose turn it is.
        if not better or len(rest) <= few or len(rest) > many:
            break
        late = np.isin(seeds, rest)
        seeds = np.concatenate([seeds[late], seeds[~late]])
    return number, fewest > patience


def _hide(
    case: Case, order: Ints, seeds: Ints, thrift: float, patience: int, countable: bool, group: Ints, number: int
) -> int:
    from tacit.kernels.distribution.hiding import hide

    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    free = order[(case.entries[order] < 0) & (group[order] < 0)]
    pool = np.concatenate([[-1], free]).astype(np.int64)
    rank = np.zeros(len(order), dtype=np.int64)
    rank[free] = np.arange(1, len(pool))
    places = np.searchsorted(place[free], place[seeds]) + 1
    after, before = np.arange(len(pool) + 1), np.arange(len(pool) + 1)
    cells = len(case.signatures)
    by_cell = free[np.argsort(case.cells[free], kind="stable")]
    left = np.bincount(case.cells[free], minlength=cells)
    starts = offsets_of(left)
    lists, spots = case.lists(order)
    return int(
        hide(
            seeds,
            places,
            pool,
            rank,
            after,
            before,
            case.masks,
            lists,
            spots,
            starts,
            by_cell,
            left,
            case.cells,
            case.values,
            *case.knowledge(),
            case.r,
            case.bound,
            case.full,
            case.bare,
            countable,
            case.prices,
            thrift,
            patience,
            group,
            number,
        )
    )


def _mix(case: Case, order: Ints, seeds: Ints, reach: int, group: Ints, number: int) -> int:
    from tacit.kernels.distribution.mixing import mix

    entries = case.protected.count
    free = order[group[order] < 0]
    lists = np.where(case.entries[free] >= 0, case.entries[free], entries)
    sorted_ = np.argsort(lists, kind="stable")
    pool = free[sorted_]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    starts = np.searchsorted(lists[sorted_], np.arange(entries + 2)).astype(np.int64)
    spread = max(1, 24 // max(1, int(np.count_nonzero(np.diff(starts))))) * reach
    after, before = np.arange(len(pool) + 2), np.arange(len(pool) + 2)
    roots = np.sqrt(case.chances if case.full else case.entry_chances)
    return int(
        mix(
            seeds,
            pool,
            place[pool],
            starts,
            after,
            before,
            case.cells,
            case.values,
            case.signatures,
            case.chances,
            roots,
            case.protected.entry_of,
            case.entry_chances,
            case.r,
            case.bound,
            case.full,
            case.bare,
            spread,
            group,
            number,
        )
    )


def _append(case: Case, order: Ints, seeds: Ints, group: Ints, number: int) -> None:
    from tacit.kernels.distribution.mixing import append

    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    heads, links = linked(group, number)
    append(
        seeds, order, rank, case.cells, case.values, *case.knowledge(), case.r, case.bound, case.full, case.bare,
        group, heads, links,
    )  # fmt: skip
