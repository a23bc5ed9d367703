"""Grouping: from tuples, and what the adversary knows of them, to groups that hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from tacit.arrays import FloatGrid, Floats, Ints, offsets_of
from tacit.kernels.distribution.arguments import (
    CellLists,
    EntryLists,
    FreeTuples,
    HidingEffort,
    Knowledge,
    Signatures,
    Standard,
    Tuples,
)
from tacit.knowledge.distribution import ProtectedEntries
from tacit.methods.distribution.nearness import linked, ranks_of
from tacit.progress import Progress, part

_FLOOR = 1e-3
"""A probability that is added to either side of the odds, so that their logarithm is finite. It decides how far a cell
without the value lies from one with a little; chosen by trial."""

_MOST_DIMENSIONS = 48
"""Attribute sets times entries. Up to so many, cells are placed by all of them; beyond, by random projections, because
the k-d tree looks at every dimension. Chosen by trial."""

_PROJECTED = 24
"""Dimensions after the projection: more keep distances better and take longer. Chosen by trial."""

_THRIFT = (0.5, 0.5, 1.0, 0.5)
"""Exponents of the price in successive attempts: 0 makes the smallest groups, 1 spares most for those who come later.
Chosen by trial: one half leaves few out, and where it does, 1 is tried as well."""

SPARING = 5.0
"""How much further values cost a group whose worlds are to be counted, for those who found no group without that: few
values in many tuples have fewer worlds than many values, so a group of them may be larger. Chosen by trial."""

_HOPELESS = 8
"""An attempt is given up when one in so many seeds has found no group: then groups of their own are not the way."""

_PATIENCE = (40, 600)
"""Seeds without a group, at least and at most, at which an attempt is given up. The first keeps small tables from
giving up too early, the second bounds the time on large ones. Chosen by trial."""

_MANY = 32
"""If more than one in so many seeds is left out, another order of the seeds is not tried: it would not help."""

_NEGLIGIBLE = (300, 5, 2_000)
"""When so few seeds are left out that they are withheld without another attempt, which takes as long as the first: one
in 300 seeds but at most five, or one in 2,000. Chosen by trial."""

MOST_REOPENED = 120
"""Stuck tuples up to which groups are reopened for them, in the exact view. More are a sign that r is too large for the
table."""

_MIXED_WIDTH = 24
"""Tuples on each side, shared out over the entries, that a group of several protected tuples is chosen from. More find
nearer tuples and take longer. Chosen by trial."""

_REACHES = (1, 4)
"""Multiples of `_MIXED_WIDTH` in the first and in the second attempt. Chosen by trial."""


@dataclass(frozen=True, eq=False)
class GroupingProblem:
    """The tuples of a table, what the adversary knows of them, and what a group must meet.

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
    exact_view
        Whether a group is accepted by its posterior in the exact view, or by the paper's bound.
    """

    cells: Ints
    values: Ints
    signatures: Signatures
    chances: FloatGrid
    protected: ProtectedEntries
    masks: Ints
    r: float
    bound: float
    exact_view: bool

    @cached_property
    def entry_chances(self) -> FloatGrid:
        """The probability of each entry."""
        return self.protected.sums(self.chances)

    @cached_property
    def entries(self) -> Ints:
        """The entry of each tuple, -1 for none."""
        return self.protected.entry_of[self.values]

    @cached_property
    def knowledge(self) -> Knowledge:
        """What every kernel is told of the adversary."""
        return Knowledge(self.signatures, self.chances, self.protected.entry_of, self.entry_chances)

    @property
    def tuples(self) -> Tuples:
        """The tuples, as kernels take them."""
        return Tuples(self.cells, self.values)

    @property
    def standard(self) -> Standard:
        """When a group is accepted, as kernels take it."""
        return Standard(self.r, self.bound, self.exact_view)

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

    def lists(self, order: Ints) -> tuple[Signatures, Signatures]:
        """Return, per attribute set, the cells by signature and then by nearness, and where each cell stands.

        The lists of the last order are kept: a search asks for them again and again.
        """
        if self._listed and self._listed[0][0] is order:
            return self._listed[0][1]
        nearest = np.empty(len(self.signatures), dtype=np.int64)
        nearest[self.cells[order][::-1]] = np.arange(len(order))[::-1]
        by_nearness = np.argsort(nearest, kind="stable")
        sets = self.signatures.shape[1]
        lists = np.empty((sets, len(self.signatures)), dtype=np.int32)
        spots = np.empty_like(lists)
        for a in range(sets):
            lists[a] = by_nearness[np.argsort(self.signatures[by_nearness, a], kind="stable")]
            spots[a, lists[a]] = np.arange(len(self.signatures), dtype=np.int32)
        self._listed[:] = [(order, (lists, spots))]
        return lists, spots

    @cached_property
    def _listed(self) -> list[tuple[Ints, tuple[Signatures, Signatures]]]:
        return []

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

    def ruled_out(self, rows: Ints) -> tuple[int, int] | None:
        """Return one of some tuples and an attribute set that gives its own entry no chance; None if there is none."""
        for a in range(self.signatures.shape[1]):
            never = self.entry_chances[self.signatures[self.cells[rows], a], self.entries[rows]] <= 0.0
            if never.any():
                return int(rows[np.argmax(never)]), a
        return None

    def rarity(self) -> Floats:
        """Return of each tuple the share of its own value in its entry; 1 in the paper's view, which sees only entries.

        Whoever has the rarest value of an entry chooses first: the fewest others may have that value, however likely
        the entry as a whole is.
        """
        out = np.ones(len(self.cells))
        rows = np.flatnonzero(self.entries >= 0)
        if self.exact_view:
            held = np.bincount(self.values, minlength=len(self.protected.entry_of))[self.values[rows]]
            out[rows] = held / np.bincount(self.entries[rows], minlength=self.protected.count)[self.entries[rows]]
        return out

    def hardness(self) -> Floats:
        """Return of each tuple the largest probability, over attribute sets, of its own entry."""
        out = np.zeros(len(self.cells))
        rows = np.flatnonzero(self.entries >= 0)
        for a in range(self.signatures.shape[1]):
            out[rows] = np.maximum(
                out[rows], self.entry_chances[self.signatures[self.cells[rows], a], self.entries[rows]]
            )
        return out


def group_tuples(problem: GroupingProblem, order: Ints, secret: Generator, progress: Progress) -> tuple[Ints, Ints]:
    """Return the group of each tuple (-1: alone), and the protected tuples that no group could hide."""
    hard = problem.hardness()
    group = np.full(len(problem.cells), -1, dtype=np.int64)
    seeds = np.flatnonzero(problem.entries >= 0)
    seeds = seeds[np.lexsort((seeds, -hard[seeds], problem.rarity()[seeds]))]
    number, hopeless = 0, False
    if len(problem.cells) - len(seeds) >= (problem.r - 1) * len(seeds):
        number, hopeless = _hide_all(problem, order, seeds, group, secret, part(progress, 0.3, 0.6))
        progress("art", 0.6)
        number = _hide_the_rest(problem, order, seeds, group, number, secret)
    for reach in _REACHES[:1] if hopeless else _REACHES:
        seeds = seeds[group[seeds] < 0]
        if len(seeds):
            number = _mix(problem, order, seeds, reach, group, number)
    progress("art", 0.8)
    seeds = seeds[group[seeds] < 0]
    if len(seeds) and number and not hopeless:
        _append(problem, order, seeds, group, number)
    return group, seeds[group[seeds] < 0]


def _hide_all(
    problem: GroupingProblem, order: Ints, seeds: Ints, group: Ints, secret: Generator, progress: Progress
) -> tuple[int, bool]:
    """Hide every seed among unprotected tuples; `group` is filled with the attempt that leaves fewest out.

    In the exact view the first attempt, if it leaves some out, is followed by one in which all seeds share out the
    others together: so that groups hold in both views, and if that leaves some out, in the exact view alone. Where that
    leaves some out as well, the next attempt begins with those and spares what others need.
    Return the next group number, and whether so many were left out that the search was given up.
    """
    from tacit.methods.distribution.art.sharing import shared_out

    fewest, number = len(seeds) + 1, 0
    patience = int(np.clip(len(seeds) // _HOPELESS, *_PATIENCE))
    many = max(_PATIENCE[0], len(seeds) // _MANY)
    few = max(min(len(seeds) // _NEGLIGIBLE[0], _NEGLIGIBLE[1]), len(seeds) // _NEGLIGIBLE[2])
    for thrift in _THRIFT:
        attempt = np.full(len(group), -1, dtype=np.int64)
        effort = HidingEffort(problem.prices, thrift, countable=True, patience=patience)
        shares = problem.exact_view and fewest > len(seeds)  # the first attempt of the exact view
        effort = effort._replace(patience=min(patience, many)) if shares else effort
        groups = hide_seeds(problem, order, seeds, effort, attempt, 0)
        left_out = seeds[attempt[seeds] < 0]
        if 0 < len(left_out) <= patience and problem.exact_view:
            groups = hide_seeds(problem, order, left_out, effort._replace(sparing=SPARING), attempt, groups)
            left_out = left_out[attempt[left_out] < 0]
        for at, both in enumerate((True, False) if shares else ()):
            if not len(left_out):
                break
            told = part(progress, at / 2, (at + 1) / 2)
            shared = shared_out(problem, order, secret, both=both, progress=told)
            if np.count_nonzero(shared[seeds] < 0) < len(left_out):
                attempt, groups = shared, int(shared.max()) + 1
                left_out = seeds[attempt[seeds] < 0]
        reopens = problem.exact_view and len(left_out) <= MOST_REOPENED
        if 0 < len(left_out) <= patience and problem.exact_view and not reopens:
            groups = hide_seeds(problem, order, left_out, effort._replace(countable=False), attempt, groups)
            left_out = left_out[attempt[left_out] < 0]
        better = len(left_out) < fewest
        if better:
            group[:] = attempt
            fewest, number = len(left_out), groups
        # A few of many can be withheld, for some more groups are reopened, and for very many another order would not
        # help.
        if not better or reopens or len(left_out) <= few or len(left_out) > many:
            break
        late = np.isin(seeds, left_out)
        seeds = np.concatenate([seeds[late], seeds[~late]])
    return number, fewest > patience


def _hide_the_rest(
    problem: GroupingProblem, order: Ints, seeds: Ints, group: Ints, number: int, secret: Generator
) -> int:
    """Reopen groups for the few seeds that are left, and give those who are still left groups that need a certificate.

    `group` is changed; return the next group number.
    """
    from tacit.methods.distribution.art.reopening import reopened

    left = seeds[group[seeds] < 0]
    if not 0 < len(left) <= MOST_REOPENED or not problem.exact_view or not number:
        return number
    group[:], left = reopened(problem, order, group, left, secret)
    number = int(group.max()) + 1
    effort = HidingEffort(problem.prices, _THRIFT[0], countable=False, patience=len(left))
    return hide_seeds(problem, order, left, effort, group, number)


def hide_seeds(
    problem: GroupingProblem, order: Ints, seeds: Ints, effort: HidingEffort, group: Ints, number: int
) -> int:
    """Give each seed a group of its own, of unprotected tuples that are free; return the next group number."""
    from tacit.kernels.distribution.hiding import hide

    rank = ranks_of(order)
    unused = order[(problem.entries[order] < 0) & (group[order] < 0)]
    pool = np.concatenate([[-1], unused]).astype(np.int64)
    place = np.zeros(len(order), dtype=np.int64)
    place[unused] = np.arange(1, len(pool))
    free = FreeTuples(pool, place, np.arange(len(pool) + 1), np.arange(len(pool) + 1))
    left = np.bincount(problem.cells[unused], minlength=len(problem.signatures))
    by_cell = unused[np.argsort(problem.cells[unused], kind="stable")]
    lists = CellLists(problem.masks, *problem.lists(order), offsets_of(left), by_cell, left)
    places = np.searchsorted(rank[unused], rank[seeds]) + 1
    return int(
        hide(seeds, places, free, lists, problem.tuples, problem.knowledge, problem.standard, effort, group, number)
    )


def _mix(problem: GroupingProblem, order: Ints, seeds: Ints, reach: int, group: Ints, number: int) -> int:
    """Give each seed a group in which other protected tuples may be, one per entry; return the next group number."""
    from tacit.kernels.distribution.mixing import mix

    entries = problem.protected.count
    unused = order[group[order] < 0]
    list_of = np.where(problem.entries[unused] >= 0, problem.entries[unused], entries)
    by_list = np.argsort(list_of, kind="stable")
    pool = unused[by_list]
    starts = np.searchsorted(list_of[by_list], np.arange(entries + 2)).astype(np.int64)
    width = max(1, _MIXED_WIDTH // max(1, int(np.count_nonzero(np.diff(starts))))) * reach
    skips = np.arange(len(pool) + 2)
    lists = EntryLists(pool, ranks_of(order)[pool], starts, skips, skips.copy(), width)
    roots = np.sqrt(problem.chances if problem.exact_view else problem.entry_chances)
    return int(mix(seeds, lists, problem.tuples, problem.knowledge, roots, problem.standard, group, number))


def _append(problem: GroupingProblem, order: Ints, seeds: Ints, group: Ints, number: int) -> None:
    """Put seeds into groups that are there already, where these still hold."""
    from tacit.kernels.distribution.mixing import append

    groups = linked(group, number)
    append(seeds, order, ranks_of(order), problem.tuples, problem.knowledge, problem.standard, groups)
