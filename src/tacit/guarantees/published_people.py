"""Whose rows the published rows are, where a person may have several.

The column of persons never leaves. So the frames alone do not tell how many people are in a group; the private part
says which row of the table each published row is, and the table says whose that is. Both are compared with the frames.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.arrays import Ints
from tacit.guarantees.origin import alike
from tacit.shapes import Inside, Shape
from tacit.table import Groups, GroupStats, Histogram, People, PeopleCounts, Table, encode, positions


@dataclass(frozen=True, eq=False)
class PublishedPeople:
    """The person of each published row, and the codes of her sensitive values in the dictionaries of the shape.

    Values are missing where another tool published them apart from the people.
    """

    people: People
    values: dict[str, Ints]

    @classmethod
    def of(cls, shape: Shape, source: Table | None, inside: Inside | None) -> PublishedPeople | None:
        """Find out whose the published rows are; None where nothing tells, or what tells is not about these frames."""
        if shape.several:
            return None
        shown = {name: codes for name in shape.sensitive if (codes := shape.row_values(name)) is not None}
        if shape.persons is not None:
            return cls(shape.persons, shown)
        if source is None or inside is None or inside.place is None or source.person is None:
            return None
        rows = _rows(inside, shape.rows)
        if rows is None or len(source) != len(inside.place) or not _fits(shape, source, inside, rows):
            return None
        values = {}
        for name in shape.sensitive:
            behind = _recoded(shape, source, name, rows)
            if behind is None:
                return None
            if name in shown:
                if (behind != shown[name]).any():
                    return None
            elif not _same(shape, name, behind):
                return None
            values[name] = behind
        persons = np.arange(len(source)) if source.people is None else source.people.ids
        return cls(People.among(persons[rows]), values)

    def counts(self, shape: Shape, groups: Groups) -> PeopleCounts:
        """Count the people of groups of published rows."""
        sizes = {name: len(shape.dictionary(name)) for name in self.values}
        return PeopleCounts.of(groups, self.people, {name: (v, sizes[name]) for name, v in self.values.items()})


def _rows(inside: Inside, published: int) -> Ints | None:
    """Return the row of the table behind each published row; None where the places are not those of all of them."""
    place = inside.place
    if place is None or ((place >= 0) != inside.kept).any() or place.max(initial=-1) >= published:
        return None
    rows = np.full(published, -1, dtype=np.int64)
    rows[place[inside.kept]] = np.flatnonzero(inside.kept)
    return None if (rows < 0).any() else rows


def _fits(shape: Shape, source: Table, inside: Inside, rows: Ints) -> bool:
    """Whether the cells that are shown as they are, and the groups, are those of the rows behind."""
    for name in shape.quasi_identifiers:
        column = shape.column(name)
        if column.blurred or column.suppressed or name not in source.quasi_identifiers:
            continue
        shown, there = encode(shape.people[name]), source.codes(name)
        words, known = alike(shown.values, there.values)
        if (positions(words, known)[shown.codes] != there.codes[rows]).any():
            return False
    if not isinstance(inside.group, np.ndarray):
        return False
    # Every group of the private part lies within one group of the frames.
    numbers, of_frame = inside.group[rows], shape.membership.ids
    if numbers.min(initial=0) < 0:
        return False
    one = np.full(int(numbers.max(initial=0)) + 1, -1, dtype=np.int64)
    one[numbers] = of_frame
    return bool((one[numbers] == of_frame).all())


def _recoded(shape: Shape, source: Table, name: str, rows: Ints) -> Ints | None:
    """Return the table's values of the published rows, in the dictionary of the shape; None where one is not in it."""
    if name not in source.sensitive:
        return None
    encoded = source.codes(name)
    words, known = alike(encoded.values, shape.dictionary(name))
    codes: Ints = positions(words, known)[encoded.codes[rows]]
    return None if (codes < 0).any() else codes


def _same(shape: Shape, name: str, values: Ints) -> bool:
    """Whether values that are published apart are, group by group, those of the rows behind."""
    groups, published = shape.membership, shape.statistics.histograms[name]
    counted = Histogram.of(groups.ids, groups.count, values, published.cardinality)
    return (
        np.array_equal(counted.offsets, published.offsets)
        and np.array_equal(counted.values, published.values)
        and np.array_equal(counted.counts, published.counts)
    )


def with_people(stats: GroupStats, shape: Shape, groups: Groups, known: PublishedPeople | None) -> GroupStats:
    """Return statistics of published rows with their people counted, where these are known."""
    if known is None:
        return stats
    return GroupStats(stats.sizes, stats.histograms, stats.trees, known.counts(shape, groups), stats.unit)
