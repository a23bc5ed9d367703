"""People of a large table: whose row a row is, where a person may have several.

Coded rows carry a keyed hash of their person, of 128 bits, and the place at which she stands: column by column the
middle of her rows. All rows of a person have the same place, so that cuts never tear her. People are counted where all
rows of a person are together: rows are routed by the hash first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints, offsets_of
from tacit.engines.base import FRAGMENT
from tacit.engines.cuts import Cuts
from tacit.engines.keyed import hashed_widely
from tacit.errors import RoleError
from tacit.table import Groups, GroupStats, Histogram, Layout, PeopleCounts
from tacit.table.layout import MORE, PERSON, people_of
from tacit.table.people import check_persons

_SIZES, _LENGTHS, _FIRST = 0, 1, 2
"""What a line of counted people is about: how many there are, how many rows they have, and then column by column who
has which value."""
COUNTED = pa.schema(
    [
        pa.field("about", pa.int32()),
        pa.field(FRAGMENT, pa.int32()),
        pa.field("code", pa.int64()),
        pa.field("count", pa.int64()),
    ]
)
"""Counted people."""
OWNED = pa.schema([pa.field(PERSON, pa.int64()), pa.field(MORE, pa.int64())])
"""The hash of the person of a row, in two halves."""


def owners(key: bytes, column: pa.ChunkedArray, name: str) -> list[pa.Array]:
    """Hash the persons of a batch; all must be named."""
    made = pl.from_arrow(column)
    assert isinstance(made, pl.Series)  # noqa: S101 - a column is a series
    check_persons(made.alias(name))
    if made.dtype.is_float():
        raise RoleError(
            f"The person column {name!r} holds numbers with decimals.", hint="Name a column of keys or texts."
        )
    high, low = hashed_widely(key, made)
    return [pa.array(high.view(np.int64)), pa.array(low.view(np.int64))]


@dataclass(frozen=True, eq=False)
class Represented:
    """Adds to whole people the place at which each stands: the middle of her rows, column by column."""

    layout: Layout

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Return the rows with their places."""
        people = people_of(rows)
        ends = offsets_of(people.rows)
        arrays = {name: rows.column(name) for name in rows.column_names if name != FRAGMENT}
        for name in self.layout.quasi_identifiers:
            codes = rows.column(self.layout.coded(name)).to_numpy()
            ordered = np.lexsort((codes, people.ids))
            middle = codes[ordered[ends[:-1] + (people.rows - 1) // 2]]
            arrays[self.layout.represented(name)] = pa.array(middle[people.ids], pa.int32())
        return pa.table(arrays).select(self.layout.schema.names)


@dataclass(frozen=True, eq=False)
class CountPeople:
    """Counts whole people by fragment: how many there are, how many rows they have, and who has which value."""

    layout: Layout
    cuts: Cuts | None = None

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Count the people of one batch of whole people."""
        people = people_of(rows)
        place = np.zeros(rows.num_rows, np.int64) if self.cuts is None else self.cuts(rows).astype(np.int64)
        mine, ones = place[people.first], np.ones(people.count, dtype=np.int64)
        lines = [_lines(_SIZES, mine, np.zeros_like(mine), ones), _lines(_LENGTHS, mine, people.rows, ones)]
        for j, name in enumerate(self.layout.sensitive):
            codes = rows.column(self.layout.coded(name)).to_numpy().astype(np.int64)
            pairs = Groups.of([people.ids, codes], [people.count, self.layout.codes[name].cardinality]).first()
            lines.append(_lines(_FIRST + j, place[pairs], codes[pairs], np.ones(len(pairs), dtype=np.int64)))
        return _arrow(pl.concat(lines))


def _lines(about: int, fragment: Ints, code: Ints, count: Ints) -> pl.DataFrame:
    frame = pl.DataFrame({FRAGMENT: fragment, "code": code, "count": count})
    added = frame.group_by(FRAGMENT, "code").agg(pl.col("count").sum())
    return added.select(pl.lit(about, dtype=pl.Int32).alias("about"), pl.col(FRAGMENT).cast(pl.Int32), "code", "count")


def _arrow(frame: pl.DataFrame) -> pa.Table:
    return frame.to_arrow().cast(COUNTED)


def counted_people(layout: Layout, told: pa.Table, fragments: int) -> PeopleCounts:
    """Add up counted people; everybody is in one fragment."""
    whole = pl.from_arrow(told)
    assert isinstance(whole, pl.DataFrame)  # noqa: S101 - a table is a frame
    added = whole.group_by("about", FRAGMENT, "code").agg(pl.col("count").sum())

    def of(about: int) -> tuple[Ints, Ints, Ints]:
        mine = added.filter(pl.col("about") == about)
        columns = [mine[name].to_numpy().astype(np.int64) for name in (FRAGMENT, "code", "count")]
        return columns[0], columns[1], columns[2]

    place, rows, many = of(_LENGTHS)
    lengths = np.unique(rows)
    sizes = np.zeros(fragments, dtype=np.int64)
    np.add.at(sizes, of(_SIZES)[0], of(_SIZES)[2])
    histograms = {
        name: Histogram.from_entries(*of(_FIRST + j), fragments, layout.codes[name].cardinality)
        for j, name in enumerate(layout.sensitive)
    }
    visits = Histogram.from_entries(place, np.searchsorted(lengths, rows), many, fragments, max(1, len(lengths)))
    return PeopleCounts(sizes, histograms, visits, lengths, np.zeros(fragments, dtype=np.int64))


def with_lengths(counts: PeopleCounts, lengths: Ints) -> PeopleCounts:
    """Say how many rows people have by places among other numbers of rows, which hold all of these."""
    place = np.searchsorted(lengths, counts.lengths)
    return replace(counts, visits=counts.visits.recoded(place, max(1, len(lengths))), lengths=lengths)


def all_together(counts: Sequence[PeopleCounts]) -> PeopleCounts:
    """Add up groups in which nobody is twice, as one group."""
    lengths = np.unique(np.concatenate([each.lengths for each in counts]))
    same = stacked([with_lengths(each, lengths) for each in counts])
    zeros = np.zeros(len(same.sizes), dtype=np.int64)
    return replace(
        same,
        sizes=np.array([int(same.sizes.sum())]),
        histograms={name: histogram.grouped(zeros, 1) for name, histogram in same.histograms.items()},
        visits=same.visits.grouped(zeros, 1),
        torn=np.array([int(same.torn.sum())]),
    )


def stacked(counts: Sequence[PeopleCounts]) -> PeopleCounts:
    """Put the groups of several counts, which have the same numbers of rows, one after another."""
    return PeopleCounts(
        np.concatenate([each.sizes for each in counts]),
        {name: Histogram.stacked([each.histograms[name] for each in counts]) for name in counts[0].histograms},
        Histogram.stacked([each.visits for each in counts]),
        counts[0].lengths,
        np.concatenate([each.torn for each in counts]),
    )


def left_over(whole: PeopleCounts, groups: PeopleCounts) -> PeopleCounts:
    """Return who is in the whole and in none of some groups, as one group."""
    part = all_together([replace(groups, torn=np.zeros_like(groups.torn))]) if len(groups.sizes) else None
    if part is None:
        return whole
    return whole.without(with_lengths(part, whole.lengths), np.zeros(1, dtype=np.int64))


def same_people(before: PeopleCounts | None, after: PeopleCounts | None) -> bool:
    """Whether as many people are published as there are, with as many rows each, and the same values.

    Those of every file were counted apart, so somebody who is in two of them would be counted twice.
    """
    if before is None or after is None or not np.array_equal(before.lengths, after.lengths):
        return False
    pairs = [(before.visits, after.visits), *((h, after.histograms[n]) for n, h in before.histograms.items())]
    return bool((before.sizes == after.sizes).all()) and all(
        np.array_equal(one.totals(), two.totals()) for one, two in pairs
    )


def recoded(counts: PeopleCounts, codes: Ints, cardinality: int, name: str) -> PeopleCounts:
    """Write the values of a sensitive column in another dictionary, which has all that are there."""
    return replace(counts, histograms={**counts.histograms, name: counts.histograms[name].recoded(codes, cardinality)})


@dataclass(frozen=True)
class CountPersons:
    """Counts the different persons among rows of whole people."""

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Return how many there are."""
        many = people_of(rows).count if rows.num_rows else 0
        return pa.Table.from_arrays([pa.array([many], pa.int64())], schema=PERSONS)


PERSONS = pa.schema([pa.field("count", pa.int64())])
"""How many persons a worker counted."""


def with_known_people(stats: GroupStats, counts: PeopleCounts | None) -> GroupStats:
    """Return statistics with their people, where these are counted."""
    return stats if counts is None else replace(stats, people=counts)
