"""Who was left out of a published table of items, as far as the table that it was made from tells.

Nobody can see which row of the table stands behind a published row: cells may be blurred, and items may be removed
without a mark. But three things can be decided. A release with more rows, more of an item or more of a value than the
table is no part of the table. If every published row is, as a whole, a row of the table, the rest was left out, unless
somebody of the rest may stand behind a published row as well, with items removed. In all other cases nothing tells.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.knowledge.quasi_sensitive import PublishedSets
from tacit.table import ItemSets, Table, as_text

_MOST_PAIRS = 2_000_000
"""Pairs of a published set and a set left out that are compared with each other at most; a pair takes some 100 bytes.
Above it the answer is "unknown", which is always right. Chosen so that the comparison takes about a second."""


def left_out(part: PublishedSets, table: Table, attribute: str) -> Flags | Literal["no part", "unknown"]:
    """Return which rows of the table were left out of a published table, if that can be told.

    Parameters
    ----------
    part
        The published table.
    table
        What it is said to be made from.
    attribute
        The items column of the table.
    """
    sets = table.item_sets(attribute)
    if len(part.sets) > len(table) or _has_more(part, table, sets):
        return "no part"
    if len(part.sets) == len(table):
        return np.zeros(len(table), dtype=bool)
    names = [name for name in part.shape.quasi_identifiers if name in table.quasi_identifiers]
    texts = [as_text(part.people[name]) for name in names]
    published = _numbered(_rows(texts, part.sets, *_codes_in_common(part.sets, sets)))
    texts = [table.codes(name).texts.gather(table.codes(name).codes) for name in names]
    people = _numbered(_rows(texts, sets, *_codes_in_common(sets, part.sets))).with_row_index("row")
    by = [name for name in published.columns if name != "items"]
    if published.join(people, on=by, how="anti", nulls_equal=True).height:
        return "unknown"
    rest = people.join(published, on=by, how="anti", nulls_equal=True)
    if _interchangeable(published, rest):
        return "unknown"
    flags = np.zeros(len(table), dtype=bool)
    flags[rest["row"].to_numpy()] = True
    return flags


def has_more_items(part: PublishedSets, sets: ItemSets) -> bool:
    """Tell whether an item is published more often than it occurs in some rows of a table."""
    published, there = (
        pl.DataFrame(
            {"item": each.vocabulary.cast(pl.String), "n": np.bincount(each.codes, minlength=len(each.vocabulary))}
        )
        for each in (part.sets, sets)
    )
    return _more(published, there, "item")


def _has_more(part: PublishedSets, table: Table, sets: ItemSets) -> bool:
    """Tell whether an item, or a value that is published as it is, is published more often than it occurs."""
    if has_more_items(part, sets):
        return True
    for name in part.shape.quasi_identifiers:
        column = part.shape.column(name)
        if name not in table.quasi_identifiers or column.blurred or column.suppressed:
            continue
        published = pl.DataFrame({"value": as_text(part.people[name])}).group_by("value").len("n")
        there = pl.DataFrame({"value": table.codes(name).texts, "n": table.counts(name)})
        if _more(published, there, "value"):
            return True
    return False


def _more(published: pl.DataFrame, there: pl.DataFrame, key: str) -> bool:
    both = published.join(there, on=key, how="left", nulls_equal=True, suffix="_there")
    return bool((both["n"] > both["n_there"].fill_null(0)).any())


def _codes_in_common(sets: ItemSets, others: ItemSets) -> tuple[Ints, Ints]:
    """Return the row and the code of every item of the sets; a code means the same item in both."""
    vocabularies = [each.vocabulary.cast(pl.String) for each in (sets, others)]
    codes = pl.DataFrame({"item": pl.concat(vocabularies).unique().sort()}).with_row_index("code")
    mine = pl.DataFrame({"item": vocabularies[0]}).join(codes, on="item", how="left", maintain_order="left")["code"]
    rows = np.repeat(np.arange(len(sets)), np.diff(sets.offsets))
    return rows, mine.to_numpy()[sets.codes].astype(np.int64)


def _rows(texts: list[pl.Series], sets: ItemSets, rows: Ints, codes: Ints) -> pl.DataFrame:
    """Lay out the cells of every row as text, its items as a list of codes, and the same list as text, for joins."""
    flat = pl.DataFrame({"row": rows, "items": codes}).group_by("row").agg(pl.col("items").sort())
    every = pl.DataFrame({"row": np.arange(len(sets))}).join(flat, on="row", how="left", maintain_order="left")
    items = every["items"].fill_null([])
    cells = [text.alias(f"cell {i}") for i, text in enumerate(texts)]
    return pl.DataFrame([*cells, items, items.cast(pl.List(pl.String)).list.join(",").alias("set")])


def _numbered(rows: pl.DataFrame) -> pl.DataFrame:
    """Number rows that are equal, so that each published row takes one row of the table away."""
    return rows.with_columns(pl.int_range(pl.len()).over(pl.exclude("items")).alias("nth"))


def _interchangeable(published: pl.DataFrame, rest: pl.DataFrame) -> bool:
    """Tell whether somebody left out may stand behind a published row: the same cells, and more items than it shows."""
    cells = [name for name in published.columns if name.startswith("cell ")]
    shown, hidden = (
        frame.unique([*cells, "set"]).select(*cells, "items", pl.lit(0).alias("all rows"))
        for frame in (published, rest)
    )
    by = [*cells, "all rows"]  # something to join by where there are no quasi-identifiers
    counts = [frame.group_by(by).len() for frame in (shown, hidden)]
    pairs = counts[0].join(counts[1], on=by, nulls_equal=True)
    if int((pairs["len"].cast(pl.Int64) * pairs["len_right"]).sum()) > _MOST_PAIRS:
        return True
    both = shown.join(hidden, on=by, nulls_equal=True, suffix=" hidden")
    subset = pl.col("items").list.set_difference("items hidden").list.len() == 0
    return bool(both.select((subset & (pl.col("items").list.len() < pl.col("items hidden").list.len())).any()).item())
