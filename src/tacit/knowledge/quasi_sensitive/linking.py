"""Linking: rows bound to a label table, in groups, and what is believed of each group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.arrays import Flags, Floats, Ints, offsets_of
from tacit.kernels.threads import in_parallel
from tacit.knowledge.quasi_sensitive.belief import ExactBelief
from tacit.knowledge.quasi_sensitive.table import LabelTable, Words
from tacit.table import Groups, ItemSets

if TYPE_CHECKING:
    from tacit.kernels.quasi_sensitive.measure import BeliefRule
    from tacit.kernels.quasi_sensitive.rows import RowItems

_STRETCH = 2048
"""Rows or groups that one task takes. With fewer, starting tasks takes longer than the tasks; with more, some threads
have nothing to do. Chosen by trial."""


@dataclass(frozen=True, eq=False)
class LabelVerdicts:
    """What is believed of each group, and whether that is allowed.

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
    ExactBelief(numerators=(3, 1), denominator=6)
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
    def _rows(self) -> RowItems:
        """The rows, for the kernels."""
        from tacit.kernels.quasi_sensitive.rows import RowItems

        return RowItems(self.bits, self.labels.full, len(self.labels), self.sets.offsets, self.sets.codes)

    @cached_property
    def sizes(self) -> Ints:
        """How many labels each row links to."""
        from tacit.kernels.quasi_sensitive.rows import link_sizes

        out = np.zeros(len(self.sets), dtype=np.int64)
        _by_stretches(len(out), lambda begin, end: link_sizes(self._rows, begin, end, out))
        return out

    def judge(self, rule: BeliefRule) -> LabelVerdicts:
        """Judge every group by a rule of the kernels."""
        from tacit.kernels.quasi_sensitive.judging import VerdictArrays, judge
        from tacit.kernels.quasi_sensitive.rows import GroupedRows

        n = self.groups.count
        groups = GroupedRows(self.order, self.starts, self.sizes)
        out = VerdictArrays(
            verdict=np.zeros(n, np.int8),
            linked=np.zeros(n, np.int64),
            label=np.zeros(n, np.int64),
            posterior=np.zeros(n),
            reach=np.zeros(n, np.int64),
            distance=np.zeros(n),
        )
        _by_stretches(n, lambda begin, end: judge(self._rows, groups, rule, begin, end, out))
        return LabelVerdicts(**out._asdict())

    def counts(self, rows: Ints) -> tuple[list[int], np.ndarray[Any, Any]]:
        """Count some rows by how many labels they link to and by label; see `ExactBelief.of`.

        Returned are the numbers of labels, ascending, and a line of counts for each.
        """
        from tacit.kernels.quasi_sensitive.rows import count_links

        sizes = np.unique(self.sizes[rows])
        sizes = sizes[sizes > 0]
        rank = np.zeros(len(self.labels) + 1, dtype=np.int64)
        rank[sizes] = np.arange(len(sizes))
        counts = np.zeros((len(sizes), len(self.labels)), dtype=np.int64)
        count_links(self._rows, np.ascontiguousarray(rows[self.sizes[rows] > 0]), rank, counts)
        return [int(size) for size in sizes], counts

    def members(self, group: int) -> Ints:
        """Return the rows of a group."""
        return self.order[self.starts[group] : self.starts[group + 1]]

    def belief(self, group: int) -> ExactBelief:
        """Return what is believed of a group, exactly."""
        rows = self.members(group)
        return ExactBelief.of(*self.counts(rows), len(rows))

    def probabilities(self, group: int) -> Floats:
        """Return what is believed of a group, rounded to floating-point numbers."""
        rows = self.members(group)
        sizes, counts = self.counts(rows)
        return np.asarray((counts / np.array(sizes, dtype=np.float64)[:, None]).sum(axis=0) / max(1, len(rows)))

    def label_means(self, vector: Floats) -> Floats:
        """Return the mean of a vector over the labels that each row links to; 0 for a row that links to none."""
        from tacit.kernels.quasi_sensitive.label_means import label_means

        out = np.zeros(len(self.sets))
        _by_stretches(len(out), lambda begin, end: label_means(self._rows, vector, begin, end, out))
        return out

    def only(self, rows: Flags) -> Linking:
        """Return the same rows with those of a mask as the only group."""
        return self.within(Groups(np.where(rows, 0, -1), 1))


def _by_stretches(length: int, task: Callable[[int, int], None]) -> None:
    """Call a task for stretches of fixed length, in parallel; they write to different places."""
    in_parallel(task, [(begin, min(length, begin + _STRETCH)) for begin in range(0, length, _STRETCH)])
