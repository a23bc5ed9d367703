"""Linking: rows bound to a label table, in groups, and what is believed of each group."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tacit.arrays import Flags, Floats, Ints, offsets_of
from tacit.knowledge.quasi_sensitive.belief import Belief
from tacit.knowledge.quasi_sensitive.table import LabelTable, Words
from tacit.table import Groups, ItemSets

_PIECE = 2048


@dataclass(frozen=True, eq=False)
class Verdicts:
    """What is believed of each group, and whether it may be.

    Attributes
    ----------
    verdict
        `HOLDS`, `VIOLATED` or `UNSURE` (see the kernel): too near to tell without exact arithmetic.
    linked
        How many rows link to a label at all.
    label, posterior
        The label believed most (-1: none) and how much.
    reach
        The largest l that holds, for diversity.
    distance
        The distance from the prior, for closeness.
    """

    verdict: np.ndarray[tuple[int], np.dtype[np.int8]]
    linked: Ints
    label: Ints
    posterior: Floats
    reach: Ints
    distance: Floats


@dataclass(frozen=True, eq=False)
class Linking:
    """Rows with items, a label table, and a group for every row (-1: none).

    Examples
    --------
    >>> import polars as pl
    >>> from tacit.table.items import from_lists
    >>> sets = from_lists(pl.Series("symptoms", [["cough"], ["cough", "dark urine"], []]))
    >>> linking = Linking.of(LabelTable({"flu": ["cough"], "hepatitis B": ["dark urine"]}), sets)
    >>> linking.sizes.tolist()
    [1, 0, 2]
    >>> linking.belief(0)
    Belief(numerators=(3, 1), denominator=6)
    """

    labels: LabelTable
    sets: ItemSets
    groups: Groups
    bits: Words

    @classmethod
    def of(cls, labels: LabelTable, sets: ItemSets, groups: Groups | None = None) -> Linking:
        """Bind rows to a label table; without groups all rows are one."""
        whole = Groups(np.zeros(len(sets), dtype=np.int64), 1) if groups is None else groups
        return cls(labels, sets, whole, labels.bits_of(sets.vocabulary))

    def within(self, groups: Groups) -> Linking:
        """Return the same rows in other groups."""
        return Linking(self.labels, self.sets, groups, self.bits)

    @cached_property
    def order(self) -> Ints:
        """The rows, group by group; those of no group are left out."""
        order = np.argsort(self.groups.ids, kind="stable")
        return order[np.searchsorted(self.groups.ids[order], 0) :].astype(np.int64)

    @cached_property
    def starts(self) -> Ints:
        """Group g has the rows `order[starts[g]:starts[g + 1]]`."""
        return offsets_of(self.groups.sizes())

    @cached_property
    def sizes(self) -> Ints:
        """How many labels each row links to."""
        from tacit.kernels.quasi_sensitive.judging import link_sizes

        out = np.zeros(len(self.sets), dtype=np.int64)
        given = (self.bits, self.labels.full, self.sets.offsets, self.sets.codes)
        _in_pieces(len(out), lambda begin, end: link_sizes(*given, begin, end, out))
        return out

    def judge(self, rule: Any) -> Verdicts:
        """Judge every group by a rule of the kernels."""
        from tacit.kernels.quasi_sensitive.judging import judge

        n = self.groups.count
        found = Verdicts(
            np.zeros(n, np.int8), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64),
            np.zeros(n),
        )  # fmt: skip
        given = (
            self.bits, self.labels.full, self.sets.offsets, self.sets.codes, self.order, self.starts, self.sizes,
            len(self.labels), rule,
        )  # fmt: skip
        out = (found.verdict, found.linked, found.label, found.posterior, found.reach, found.distance)
        _in_pieces(n, lambda begin, end: judge(*given, begin, end, *out))
        return found

    def counts(self, rows: Ints) -> tuple[list[int], np.ndarray[Any, Any]]:
        """Count, of some rows, those that link to so many labels (ascending) and to each label."""
        from tacit.kernels.quasi_sensitive.judging import tally

        sizes = np.unique(self.sizes[rows])
        sizes = sizes[sizes > 0]
        rank = np.zeros(len(self.labels) + 1, dtype=np.int64)
        rank[sizes] = np.arange(len(sizes))
        counts = np.zeros((len(sizes), len(self.labels)), dtype=np.int64)
        linking = np.ascontiguousarray(rows[self.sizes[rows] > 0])
        tally(self.bits, self.labels.full, self.sets.offsets, self.sets.codes, linking, rank, counts)
        return [int(size) for size in sizes], counts

    def members(self, group: int) -> Ints:
        """Return the rows of a group."""
        return self.order[self.starts[group] : self.starts[group + 1]]

    def belief(self, group: int) -> Belief:
        """Return what is believed of a group, exactly."""
        rows = self.members(group)
        return Belief.of(*self.counts(rows), len(rows))

    def probabilities(self, group: int) -> Floats:
        """Return what is believed of a group."""
        rows = self.members(group)
        sizes, counts = self.counts(rows)
        return np.asarray((counts / np.array(sizes, dtype=np.float64)[:, None]).sum(axis=0) / max(1, len(rows)))

    def lean(self, vector: Floats) -> Floats:
        """Return the mean of a vector over the labels that each row links to; 0 for a row that links to none."""
        from tacit.kernels.quasi_sensitive.label_means import lean

        out = np.zeros(len(self.sets))
        given = (self.bits, self.labels.full, self.sets.offsets, self.sets.codes, vector)
        _in_pieces(len(out), lambda begin, end: lean(*given, begin, end, out))
        return out

    def chosen(self, rows: Flags) -> Linking:
        """Return the same rows with those of a mask as the only group."""
        return self.within(Groups(np.where(rows, 0, -1), 1))


def _in_pieces(length: int, work: Callable[[int, int], None]) -> None:
    """Work on stretches in parallel; they write to different places, so the number of threads changes nothing."""
    pieces = [(begin, min(length, begin + _PIECE)) for begin in range(0, length, _PIECE)]
    workers = min(len(pieces), os.cpu_count() or 1)
    if workers <= 1:
        for piece in pieces:
            work(*piece)
        return
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda piece: work(*piece), pieces))
