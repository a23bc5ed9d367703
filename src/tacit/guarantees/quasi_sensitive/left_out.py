"""Who was left out of a published table of items, as far as a comparison with the original table can tell.

Nobody can see which row of the table is behind a published row: cells may be blurred, and items may be removed without
a mark. But a row of the table *may* be behind a published row only if the published cells may stand for its values, and
it has at least the published items. The release is a part of the table if a different row of the table can be assigned
to every published row; rows that are not assigned were left out. If several assignments leave out different items, it
is not known which one is true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.knowledge.quasi_sensitive import PublishedSets
from tacit.shapes import cover, extents
from tacit.table import ItemSets, Kind, Table, as_text, positions

_MOST_PAIRS = 2_000_000
"""Pairs of a published row and a row of the table that are compared at most; a pair takes some 100 bytes. Above it
the answer is "unknown", which is always right. Chosen so that memory stays below some hundred megabytes."""


def left_out(part: PublishedSets, table: Table, attribute: str) -> Flags | Literal["no part", "unknown"]:
    """Return which rows of the table were left out of a published table, if that can be told.

    Among rows with equal items any may be marked: only the items of the rows that were left out are used.

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
    if len(part.sets) > len(table) or has_more_items(part, sets):
        return "no part"
    published, people = _items_in_common(part.sets, sets)
    pairs = _pairs(part, table, published, people)
    if pairs is None:
        return "unknown"
    assignment = _Assignment.of(pairs, len(part.sets), len(table))
    if (assignment.row_behind < 0).any():
        return "no part"
    rest = np.ones(len(table), dtype=bool)
    rest[assignment.row_behind] = False
    kinds = people.rank("dense").to_numpy().astype(np.int64)
    return "unknown" if assignment.is_open(rest, kinds) else rest


def has_more_items(part: PublishedSets, sets: ItemSets) -> bool:
    """Tell whether an item is published more often than it occurs in some rows of a table."""
    published, there = (
        pl.DataFrame(
            {"item": each.vocabulary.cast(pl.String), "n": np.bincount(each.codes, minlength=len(each.vocabulary))}
        )
        for each in (part.sets, sets)
    )
    both = published.join(there, on="item", how="left", suffix="_there")
    return bool((both["n"] > both["n_there"].fill_null(0)).any())


def _items_in_common(*several: ItemSets) -> tuple[pl.Series, ...]:
    """Write the sets of several tables as text, from codes that mean the same item in all of them."""
    vocabularies = [sets.vocabulary.cast(pl.String).alias("item") for sets in several]
    codes = pl.DataFrame({"item": pl.concat(vocabularies).unique().sort()}).with_row_index("code")
    texts = []
    for sets, vocabulary in zip(several, vocabularies, strict=True):
        own = pl.DataFrame({"item": vocabulary}).join(codes, on="item", how="left", maintain_order="left")["code"]
        rows = np.repeat(np.arange(len(sets)), np.diff(sets.offsets))
        flat = pl.DataFrame({"row": rows, "code": own.gather(sets.codes)}).group_by("row").agg(pl.col("code").sort())
        every = pl.DataFrame({"row": np.arange(len(sets))}).join(flat, on="row", how="left", maintain_order="left")
        texts.append(every["code"].fill_null([]).cast(pl.List(pl.String)).list.join(",").alias("set"))
    return tuple(texts)


def _pairs(part: PublishedSets, table: Table, published: pl.Series, people: pl.Series) -> pl.DataFrame | None:
    """Return the pairs of a published row and a row of the table that may be behind it; None if they are too many."""
    names = [name for name in part.shape.quasi_identifiers if name in table.quasi_identifiers]
    cells = pl.DataFrame([as_text(part.people[name]).alias(f"{i}") for i, name in enumerate(names)])
    texts = [table.codes(name).texts.gather(table.codes(name).codes).alias(f"{i}") for i, name in enumerate(names)]
    values = pl.DataFrame(texts)
    left = _numbered(cells, published).rename({"row": "published"})
    right = _numbered(values, people).rename({"row": "behind", "set": "set behind"})
    classes = _compatible(part, table, names, cells, values)
    if classes is None:
        return None
    counts = classes.join(left.group_by("class").len("n"), on="class").join(
        right.group_by("class").len("m").rename({"class": "class behind"}), on="class behind"
    )
    if int((counts["n"].cast(pl.Int64) * counts["m"].cast(pl.Int64)).sum()) > _MOST_PAIRS:
        return None
    pairs = left.join(classes, on="class").join(right.rename({"class": "class behind"}), on="class behind")
    shown, had = (pl.col(name).str.split(",") for name in ("set", "set behind"))
    subset = (pl.col("set") == "") | (shown.list.set_difference(had).list.len() == 0)
    return pairs.filter(subset).select("published", "behind")


def _numbered(cells: pl.DataFrame, sets: pl.Series) -> pl.DataFrame:
    """Return for every row the number of its combination of cells, and its set."""
    if not cells.width:
        return pl.DataFrame({"class": np.zeros(len(sets), dtype=np.int64), "set": sets}).with_row_index("row")
    numbers = _classes(cells)
    joined = cells.join(numbers, on=cells.columns, how="left", nulls_equal=True, maintain_order="left")
    return pl.DataFrame({"class": joined["class"].cast(pl.Int64), "set": sets}).with_row_index("row")


def _classes(cells: pl.DataFrame) -> pl.DataFrame:
    return cells.unique(maintain_order=True).with_row_index("class").with_columns(pl.col("class").cast(pl.Int64))


def _compatible(
    part: PublishedSets, table: Table, names: list[str], cells: pl.DataFrame, values: pl.DataFrame
) -> pl.DataFrame | None:
    """Return which combinations of cells may stand for which combinations of values; None if they are too many."""
    if not names:
        return pl.DataFrame({"class": [0], "class behind": [0]})
    published, behind = _classes(cells), _classes(values)
    if all(cells[name].is_in(values[name].implode(), nulls_equal=True).all() for name in cells.columns):
        # Every cell is a value of the table, so nothing is blurred.
        return published.join(behind.rename({"class": "class behind"}), on=cells.columns, nulls_equal=True).select(
            "class", "class behind"
        )
    if published.height * behind.height > _MOST_PAIRS:
        return None
    fits = np.ones((published.height, behind.height), dtype=bool)
    for key, name in zip(cells.columns, names, strict=True):
        column, codes = part.shape.column(name), table.codes(name)
        distinct = part.people[name].unique(maintain_order=True)
        matches = cover(distinct, column, codes.values).matches()
        if column.blurred:  # a cell that cannot be read, such as a node of a hierarchy not given, may be anything
            matches[~matches.any(axis=1) & ~_readable(as_text(distinct), column.kind)] = True
        at_cell = positions(published[key], as_text(distinct))
        at_value = codes.positions(behind[key])
        fits &= matches[at_cell][:, at_value]
    first, second = np.nonzero(fits)
    return pl.DataFrame({"class": first, "class behind": second})


def _readable(cells: pl.Series, kind: Kind) -> Flags:
    """Tell which cells are surely numbers or intervals of them; of other texts nobody knows what they stand for."""
    if kind not in {Kind.NUMERIC, Kind.DATE}:
        return np.zeros(len(cells), dtype=bool)
    return ~np.isnan(extents(cells, kind).low)


@dataclass(frozen=True, eq=False)
class _Assignment:
    """An assignment of rows of the table to as many published rows as possible, each to one published row at most.

    Attributes
    ----------
    row_behind
        Per published row, the row of the table that was given to it; -1: none.
    published, behind
        The pairs that may be given to each other.
    """

    row_behind: Ints
    published: Ints
    behind: Ints

    @classmethod
    def of(cls, pairs: pl.DataFrame, rows: int, people: int) -> _Assignment:
        """Find an assignment with as many pairs as possible (Hopcroft and Karp)."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import maximum_bipartite_matching

        published, behind = (pairs[name].to_numpy().astype(np.int64) for name in pairs.columns)
        graph = csr_matrix((np.ones(len(published), dtype=np.int8), (published, behind)), shape=(rows, people))
        matched = np.asarray(maximum_bipartite_matching(graph, perm_type="column"), dtype=np.int64)
        return cls(matched, published, behind)

    def is_open(self, rest: Flags, kinds: Ints) -> bool:
        """Tell whether another assignment leaves out other items.

        If a row that is left out may be behind a published row, the two can be assigned to each other, and the row that
        was assigned before is left out instead. All other assignments are reached by such exchanges. So the answer is
        yes as soon as an exchange concerns rows with different items; exchanges of rows with equal items are followed.
        """
        instead = self.row_behind[self.published]
        out = rest.copy()
        while True:
            steps = out[self.behind]
            if (kinds[self.behind[steps]] != kinds[instead[steps]]).any():
                return True
            more = out.copy()
            more[instead[steps]] = True
            if (more == out).all():
                return False
            out = more
