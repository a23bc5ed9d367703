"""Origin: whether a release is a part of a table, as far as its frames show.

Rows are shuffled and cells may be blurred, so nobody can point to the row behind a published one. What can be counted
is whether the table has enough rows for what is published: of every sensitive value, of every combination of cells that
are shown as they are, and, for blurred cells, of every cell by itself. Too few of any is a proof that the release does
not come from the table; enough of all is no proof that it does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.arrays import Flags
from tacit.shapes import PublishedColumn, Shape, cover, extents
from tacit.table import Groups, Kind, Table, as_text, encode, positions

_MOST_CELLS = 20_000_000
"""Pairs of a published cell and a value of the table that are compared for one blurred column, one byte each: the limit
keeps the comparison at about 20 MB. Chosen by trial; a column above it is named among what was not compared."""


@dataclass(frozen=True)
class Origin:
    """What a comparison of the frames with a table gives.

    Attributes
    ----------
    contradiction
        Why the release cannot be a part of the table; None where nothing speaks against it.
    not_compared
        Columns that could not be compared, each with the reason.
    """

    contradiction: str | None = None
    not_compared: tuple[str, ...] = ()


def compare(shape: Shape, source: Table, kept: Flags | None = None) -> Origin:
    """Compare one published table with the rows that it should come from: those `kept`, or any of the table.

    Examples
    --------
    >>> import tacit as tc
    >>> table = tc.Table({"age": [30, 41], "ill": ["flu", "cold"]}, quasi_identifiers="age", sensitive="ill")
    >>> other = tc.Release.foreign({"age": [30, 30], "ill": ["flu", "cold"]}, quasi_identifiers="age", sensitive="ill")
    >>> compare(other.shape, table).contradiction
    '1 published row is not in the table'
    """
    rows = source.frame if kept is None else source.frame.filter(pl.Series(kept))
    if shape.rows > rows.height:
        return Origin(f"{shape.rows:,} rows are published, and the table has {rows.height:,}")
    known = [name for name in shape.quasi_identifiers if name in rows.columns]
    unknown = [f"{name!r} is not in the table" for name in shape.quasi_identifiers if name not in rows.columns]
    exact = [name for name in known if not (shape.column(name).blurred or shape.column(name).suppressed)]
    beside = [name for name in shape.sensitive if shape.flat and shape.column(name).whole]
    missing = _not_found(shape.people, source, kept, [*exact, *(name for name in beside if name in rows.columns)])
    if missing > shape.counterfeits:  # which rows are nobody's is not published; no more of them may be without a row
        are = "row is" if missing == 1 else "rows are"
        return Origin(f"{missing:,} published {are} not in the table", tuple(unknown))
    for name in shape.sensitive:
        if shape.column(name).suppressed and name in rows.columns and _too_often(shape, name, rows[name]):
            return Origin(f"a value of {name!r} is published more often than the table has it", tuple(unknown))
    for name in known:
        if name not in exact:
            contradiction, reason = _blurred(shape, shape.column(name), rows[name])
            if contradiction is not None:
                return Origin(contradiction, tuple(unknown))
            unknown += [] if reason is None else [reason]
    return Origin(None, tuple(unknown))


def _not_found(people: pl.DataFrame, source: Table, kept: Flags | None, names: list[str]) -> int:
    """Count the published rows for which the table has no row left with the same cells in these columns."""
    if not names:
        return 0
    published, held, sizes = [], [], []
    for name in names:
        shown, there = encode(people[name]), source.codes(name)
        words, known = alike(shown.values, there.values)
        place = positions(words, known)
        published.append(np.where(place < 0, there.cardinality, place)[shown.codes])
        held.append(there.codes if kept is None else there.codes[kept])
        sizes.append(there.cardinality + 1)
    both = [np.concatenate(pair) for pair in zip(published, held, strict=True)]
    groups = Groups.of(both, sizes, rows=len(both[0]))
    wanted = np.bincount(groups.ids[: people.height], minlength=groups.count)
    offered = np.bincount(groups.ids[people.height :], minlength=groups.count)
    return int(np.maximum(0, wanted - offered).sum())


def _too_often(shape: Shape, name: str, values: pl.Series) -> bool:
    """Whether a value that is not suppressed is published more often than the table has it."""
    counted = values.alias("value").value_counts(sort=False, name="held")  # whatever the column is called
    one, other = alike(shape.dictionary(name), counted["value"])
    shown = pl.DataFrame({"value": one, "published": shape.totals.histograms[name].totals()}).drop_nulls("value")
    both = shown.join(pl.DataFrame({"value": other, "held": counted["held"]}), on="value", how="left")
    return bool((both["published"] > both["held"].fill_null(0)).any())


def alike(one: pl.Series, other: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Write two columns so that equal values are equal, whatever read them: numbers as numbers, else as text.

    Examples
    --------
    >>> [part.to_list() for part in alike(pl.Series([1, 2]), pl.Series([1.0, 2.5]))]
    [['1.0', '2.0'], ['1.0', '2.5']]
    """
    if one.dtype.is_numeric() and other.dtype.is_numeric() and one.dtype != other.dtype:
        one, other = one.cast(pl.Float64), other.cast(pl.Float64)
    return as_text(one), as_text(other)


def _blurred(shape: Shape, column: PublishedColumn, values: pl.Series) -> tuple[str | None, str | None]:
    """Say why a blurred column contradicts the table, or else why it could not be compared."""
    place = shape.quasi_identifiers.index(column.name)
    labels, codes = shape.classes.labels[column.name], shape.classes.codes[:, place]
    published = np.bincount(codes, weights=shape.classes.weights, minlength=len(labels))
    distinct = values.alias("value").value_counts(sort=False, name="held")  # whatever the column is called
    if len(labels) * distinct.height > _MOST_CELLS:
        return None, f"{column.name!r} has too many different cells and values"
    numeric = column.kind in {Kind.NUMERIC, Kind.DATE}
    matches = cover(labels, column, distinct["value"] if numeric else as_text(distinct["value"])).matches()
    held = matches.astype(np.float64) @ distinct["held"].to_numpy().astype(np.float64)
    read = held > 0
    if numeric:  # an interval that can be read covers what it says, be it nothing
        read |= ~np.isnan(extents(as_text(labels), column.kind).low)
    if (read & (published > held + shape.counterfeits)).any():
        return f"more rows are published in a cell of {column.name!r} than the table has for it", None
    if not read.all():
        return None, f"{column.name!r} has cells that no value of the table matches; give its hierarchy"
    return None, None
