"""Stand-ins: made-up people who fit the cells of a release, where nobody says who the people are.

A reader of two blurred tables knows the people she looks for. An auditor without a list of them puts one made-up person
into every row of a table, at a place drawn from its cells: intervals evenly, sets among their members.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.random import Generator

from tacit.shapes import PublishedColumn, Shape, extents
from tacit.shapes.cells import members
from tacit.table import Kind, as_text, encode


def published_people(shape: Shape) -> pl.DataFrame | None:
    """Return everybody whose quasi-identifiers are published as they are; None where cells are blurred."""
    names = shape.quasi_identifiers
    if not names or any(shape.column(name).blurred or shape.column(name).suppressed for name in names):
        return None
    return shape.people.select(names)


def stand_ins(shape: Shape, rng: Generator) -> pl.DataFrame:
    """Draw one made-up person per row of a table; a column whose cells name no values is left out."""
    frame = shape.people
    drawn = {name: _drawn(frame[name], shape.column(name), rng) for name in shape.quasi_identifiers}
    return pl.DataFrame({name: values for name, values in drawn.items() if values is not None})


def _drawn(cells: pl.Series, column: PublishedColumn, rng: Generator) -> pl.Series | None:
    if not column.blurred or cells.dtype != pl.String:
        return cells
    encoded = encode(cells)
    texts = as_text(encoded.values)
    if column.kind in {Kind.NUMERIC, Kind.DATE}:
        ends = extents(texts, column.kind)
        if np.isfinite(ends.low).all() and np.isfinite(ends.high).all():
            low, high = ends.low[encoded.codes], ends.high[encoded.codes]
            whole = bool((np.rint(ends.low) == ends.low).all() and (np.rint(ends.high) == ends.high).all())
            at = low + (high - low) * rng.random(len(low))
            values = pl.Series(cells.name, np.rint(at).astype(np.int64) if whole else at)
            return values.cast(pl.Int32).cast(pl.Date) if column.kind is Kind.DATE else values
    sets = [members(text) if text is not None and text.startswith("{") else [text] for text in texts.to_list()]
    if any(text is None or text == "*" or text.endswith("*") for each in sets for text in each):
        return None
    sizes = np.array([len(each) for each in sets])
    begins = np.cumsum(sizes) - sizes
    flat = pl.Series(cells.name, [text for each in sets for text in each], dtype=pl.String)
    pick = (rng.random(cells.len()) * sizes[encoded.codes]).astype(np.int64)
    return flat.gather(begins[encoded.codes] + pick)
