"""Groups and their statistics: rows are grouped once, and the counts are handed to every guarantee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tacit.arrays import Flags, Ints, offsets_of, places_of
from tacit.hierarchies import Tree

if TYPE_CHECKING:
    from tacit.table.people_counts import PeopleCounts

Unit = Literal["people", "rows"]
_KEY_LIMIT = 2**62  # keys of several columns are made dense again before they could leave 64 bits


@dataclass(frozen=True, eq=False)
class Groups:
    """A number per row (-1: in no group) and how many groups there are.

    Examples
    --------
    >>> groups = Groups.of([np.array([0, 1, 0])], [2])
    >>> groups.ids.tolist(), groups.count, groups.sizes().tolist()
    ([0, 1, 0], 2, [2, 1])
    """

    ids: Ints
    count: int

    @classmethod
    def of(
        cls, codes: Sequence[np.ndarray[Any, Any]], cardinalities: Sequence[int], *, rows: int | None = None
    ) -> Groups:
        """Group rows that agree on every code; numbers follow the order of the codes, never that of the rows."""
        if not codes:
            return cls(np.zeros(rows or 0, dtype=np.int64), 1 if rows else 0)
        keys = codes[0].astype(np.int64)
        span = max(1, cardinalities[0])
        for column, cardinality in zip(codes[1:], cardinalities[1:], strict=True):
            size = max(1, cardinality)
            if span > _KEY_LIMIT // size:
                keys, span = _dense(keys, span)
            keys = keys * size + column
            span *= size
        ids, count = _dense(keys, span)
        return cls(ids, count)

    @classmethod
    def numbered(cls, ids: np.ndarray[Any, Any]) -> Groups:
        """Take numbers that were kept as they were, -1 for rows of no group."""
        return cls(ids.astype(np.int64), int(ids.max(initial=-1)) + 1)

    @classmethod
    def whole(cls, rows: int) -> Groups:
        """Put all rows into one group."""
        return cls(np.zeros(rows, dtype=np.int64), 1)

    def sizes(self, weights: Ints | None = None) -> Ints:
        """Return the number of rows of each group, each counted once or as often as its weight says."""
        inside = _inside(self.ids)
        return _added(self.ids[inside], None if weights is None else weights[inside], self.count)

    def first(self) -> Ints:
        """Return one row of each group."""
        first = np.empty(self.count, dtype=np.int64)
        inside = np.flatnonzero(self.ids >= 0)[::-1]
        first[self.ids[inside]] = inside
        return first


def _dense(keys: Ints, span: int) -> tuple[Ints, int]:
    """Number the distinct keys 0..k-1 in ascending order."""
    if span <= 4 * len(keys) + 1024:
        seen = np.zeros(span, dtype=bool)
        seen[keys] = True
        rank = np.cumsum(seen, dtype=np.int64) - 1
        return rank[keys], int(rank[-1]) + 1 if len(rank) else 0
    from tacit.kernels.grouping import number_keys

    ids, distinct = number_keys(keys)
    order = np.argsort(distinct)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[ids], len(distinct)


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each value of one sensitive column stands in each group; only what occurs is stored.

    Attributes
    ----------
    offsets
        Group g holds the entries `offsets[g]:offsets[g + 1]`.
    values, counts
        Code and number of rows of each entry.
    cardinality
        How many codes the column has.
    """

    offsets: Ints
    values: Ints
    counts: Ints
    cardinality: int

    @classmethod
    def of(
        cls,
        ids: Ints,
        groups: int,
        codes: np.ndarray[Any, Any],
        cardinality: int,
        *,
        weights: Ints | None = None,
    ) -> Histogram:
        """Count the codes of each group; rows of no group (-1) are left out.

        A row counts once, or as often as its weight says; what is counted 0 times is no entry.
        """
        inside = _inside(ids)
        keys = ids[inside] * cardinality + codes[inside]
        times = None if weights is None else weights[inside]
        if groups * cardinality <= 4 * len(keys) + 65536:
            table = _added(keys, times, groups * cardinality)
            distinct = np.flatnonzero(table)
            counts = table[distinct]
        elif times is None:
            distinct, counts = np.unique(keys, return_counts=True)
        else:
            distinct, at = np.unique(keys, return_inverse=True)
            counts = _added(at, times, len(distinct))
            distinct, counts = distinct[counts > 0], counts[counts > 0]
        return cls.from_entries(
            distinct // max(1, cardinality), distinct % max(1, cardinality), counts, groups, cardinality
        )

    @classmethod
    def from_entries(cls, group: Ints, value: Ints, count: Ints, groups: int, cardinality: int) -> Histogram:
        """Take entries in any order; those of one group and value are added up.

        Examples
        --------
        >>> twice = Histogram.from_entries(np.array([0, 0]), np.array([4, 4]), np.array([2, 1]), 1, 5)
        >>> twice.values.tolist(), twice.counts.tolist(), twice.largest().tolist()
        ([4], [3], [3])
        """
        group, value, count = (part.astype(np.int64) for part in (group, value, count))
        later, same = group[1:] > group[:-1], group[1:] == group[:-1]
        if not (later | (same & (value[1:] > value[:-1]))).all():
            order = np.lexsort((value, group))
            group, value, count = group[order], value[order], count[order]
            first = np.flatnonzero(np.diff(group, prepend=-1) | np.diff(value, prepend=-1))
            count = np.add.reduceat(count, first) if len(first) else count
            group, value = group[first], value[first]
        offsets = np.searchsorted(group, np.arange(groups + 1)).astype(np.int64)
        return cls(offsets, value, count, cardinality)

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.offsets) - 1

    @property
    def nbytes(self) -> int:
        """How many bytes it takes."""
        return self.offsets.nbytes + self.values.nbytes + self.counts.nbytes

    def without(self, parts: Histogram, chosen: Ints) -> Histogram:
        """Take each chosen group of `parts` away from the one group of this histogram; one group per part is left."""
        left = np.tile(self.totals(), (len(chosen), 1))
        lengths = parts.distinct()[chosen]
        row = np.repeat(np.arange(len(chosen)), lengths)
        entry = places_of(parts.offsets[chosen], lengths)
        left[row, parts.values[entry]] -= parts.counts[entry]
        group, value = np.nonzero(left)
        return Histogram.from_entries(group, value, left[group, value], len(chosen), self.cardinality)

    def grouped(self, group: Ints, count: int) -> Histogram:
        """Add up groups of these groups; `group` is the new number of each of them, -1 for none."""
        number = np.repeat(group, np.diff(self.offsets))
        return Histogram.of(number, count, self.values, self.cardinality, weights=self.counts)

    def recoded(self, codes: Ints, cardinality: int) -> Histogram:
        """Write the values in another dictionary: `codes` is the new code of each old one."""
        return Histogram(self.offsets, codes[self.values], self.counts, cardinality)

    @classmethod
    def stacked(cls, parts: Sequence[Histogram]) -> Histogram:
        """Put the groups of several histograms of one dictionary one after another."""
        return cls(
            offsets_of(np.concatenate([part.distinct() for part in parts])),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.counts for part in parts]),
            parts[0].cardinality,
        )

    def take(self, chosen: Ints) -> Histogram:
        """Return some of the groups, in the order given."""
        lengths = self.distinct()[chosen]
        entry = places_of(self.offsets[:-1][chosen], lengths)
        return Histogram(offsets_of(lengths), self.values[entry], self.counts[entry], self.cardinality)

    def entry_groups(self) -> Ints:
        """Return the group of each entry."""
        return np.repeat(np.arange(self.groups), np.diff(self.offsets))

    def largest(self) -> Ints:
        """Return the count of the most frequent value of each group, 0 for an empty one."""
        return _reduce(np.maximum, self.counts, self.offsets)

    def distinct(self) -> Ints:
        """Return the number of distinct values of each group."""
        return np.diff(self.offsets)

    def sizes(self) -> Ints:
        """Return the number of rows of each group."""
        return _reduce(np.add, self.counts, self.offsets)

    def totals(self) -> Ints:
        """Return the number of rows of each value over all groups."""
        return np.bincount(self.values, weights=self.counts, minlength=self.cardinality).astype(np.int64)


def _inside(ids: Ints) -> Flags | slice:
    """Return which rows are in a group; where all are, a slice of all, which copies nothing."""
    return ids >= 0 if int(ids.min(initial=0)) < 0 else slice(None)


def _added(keys: Ints, weights: Ints | None, length: int) -> Ints:
    """Count each key, or add up its weights; sums below 2**53 are exact."""
    return np.bincount(keys, weights=weights, minlength=length).astype(np.int64)


def _reduce(ufunc: np.ufunc, data: Ints, offsets: Ints) -> Ints:
    out = np.zeros(len(offsets) - 1, dtype=np.int64)
    filled = np.flatnonzero(np.diff(offsets))
    if len(filled):
        out[filled] = ufunc.reduceat(data, offsets[:-1][filled])
    return out


@dataclass(frozen=True, eq=False)
class GroupStats:
    """What a group guarantee may look at: sizes, and a histogram per sensitive column.

    One group that holds all rows is the statistics of a table.
    """

    sizes: Ints
    histograms: Mapping[str, Histogram]
    trees: Mapping[str, Tree] = field(default_factory=dict)
    """Hierarchies of sensitive columns, bound to their codes, where declared."""
    people: PeopleCounts | None = None
    """How many people there are, where a person may have several rows; None where rows are what is counted."""
    unit: Unit = "rows"
    """What is counted: people where it is known that each has one row, else rows."""
    stands_for: int | None = None
    """How many groups these are of, where only those were sent that decide something; None: all of them."""

    @property
    def many(self) -> int:
        """How many groups there are, those included that these stand for."""
        return self.count if self.stands_for is None else self.stands_for

    @property
    def of_people(self) -> GroupStats | None:
        """The same groups, counted in people: who is in a group, and how many of them have a value."""
        if self.people is None:
            return None
        return GroupStats(self.people.sizes, self.people.histograms, self.trees, unit="people")

    @property
    def units(self) -> Ints:
        """The number of people of each group where people are known, else of rows."""
        return self.sizes if self.people is None else self.people.sizes

    @classmethod
    def of(
        cls,
        groups: Groups,
        sensitive: Mapping[str, tuple[np.ndarray[Any, Any], int]],
        trees: Mapping[str, Tree] | None = None,
        people: PeopleCounts | None = None,
        unit: Unit = "rows",
    ) -> GroupStats:
        """Count each sensitive column, given as codes and cardinality, in each group."""
        histograms = {
            name: Histogram.of(groups.ids, groups.count, codes, cardinality)
            for name, (codes, cardinality) in sensitive.items()
        }
        return cls(groups.sizes(), histograms, trees or {}, people, unit)

    def without(self, parts: GroupStats, chosen: Ints) -> GroupStats:
        """Return, for each chosen group of `parts`, what is left of this one group when it is taken away."""
        histograms = {name: whole.without(parts.histograms[name], chosen) for name, whole in self.histograms.items()}
        people = None if self.people is None or parts.people is None else self.people.without(parts.people, chosen)
        return GroupStats(self.sizes[0] - parts.sizes[chosen], histograms, self.trees, people, self.unit)

    def take(self, chosen: Ints) -> GroupStats:
        """Return the statistics of some of the groups, in the order given."""
        histograms = {name: histogram.take(chosen) for name, histogram in self.histograms.items()}
        people = None if self.people is None else self.people.take(chosen)
        return GroupStats(self.sizes[chosen], histograms, self.trees, people, self.unit)

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(self.sizes)
