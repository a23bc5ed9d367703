"""Items: a column of sets, laid out as integers, row after row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints, offsets_of, places_of
from tacit.errors import RoleError
from tacit.table.codes import encode
from tacit.table.missing import Missing, refuse_missing

# Texts that mean yes and no in a column of one item, in any case; texts at the same place are written alike.
TRUE = ("1", "1.0", "true", "t", "yes", "y")
UNANSWERED = "(missing)"
"""What is added to the name of an item where it is not known whether the set has it."""
FALSE = ("0", "0.0", "false", "f", "no", "n", "")


@dataclass(frozen=True, eq=False)
class ItemSets:
    """The sets of one items column.

    Attributes
    ----------
    offsets
        Row i holds `codes[offsets[i]:offsets[i + 1]]`, ascending and without repetition.
    codes
        Codes into the vocabulary.
    vocabulary
        The distinct items, ascending.
    binary
        The columns the sets were written in, one per item, or None for a list column.
    marks
        For binary columns: how each writes no and yes.
    """

    offsets: Ints
    codes: np.ndarray[tuple[int], np.dtype[np.int32]]
    vocabulary: pl.Series
    binary: tuple[str, ...] | None = None
    marks: Mapping[str, pl.Series] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for array in (self.offsets, self.codes):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def unanswered(self) -> Flags:
        """The rows in which it is not known whether the set has some item."""
        asked = self.vocabulary.str.ends_with(UNANSWERED).to_numpy() if self.binary is not None else np.zeros(1, bool)
        rows = np.zeros(len(self), dtype=bool)
        if asked.any():
            rows[np.repeat(np.arange(len(self)), np.diff(self.offsets))[asked[self.codes]]] = True
        return rows

    def take(self, rows: np.ndarray[Any, Any]) -> ItemSets:
        """Return the sets of some rows, in the same vocabulary."""
        chosen = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        sizes = np.diff(self.offsets)[chosen]
        offsets = offsets_of(sizes)
        return replace(self, offsets=offsets, codes=self.codes[places_of(self.offsets[chosen], sizes)])

    def without(self, removed: Flags) -> ItemSets:
        """Return the sets without some of their items: a flag per code."""
        kept = offsets_of(~removed)
        return replace(self, offsets=kept[self.offsets], codes=self.codes[~removed])

    def written(self, dtype: pl.DataType | None = None) -> list[pl.Series]:
        """Return the sets the way they were given: a list column (of a type), or a column per item."""
        if self.binary is None:
            return [self.lists() if dtype is None else self.lists().cast(dtype)]
        code = {item: i for i, item in enumerate(self.vocabulary.to_list())}
        rows = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        columns = []
        for name in self.binary:
            flags = np.zeros(len(self), dtype=np.int64)
            flags[rows[self.codes == code[name]]] = 1
            column = self.marks[name].gather(flags).alias(name)
            unanswered = code.get(f"{name} {UNANSWERED}")
            if unanswered is not None:
                blank = np.zeros(len(self), dtype=bool)
                blank[rows[self.codes == unanswered]] = True
                column = pl.select(pl.when(pl.Series(~blank)).then(column)).to_series().alias(name)
            columns.append(column)
        return columns

    def lists(self) -> pl.Series:
        """Return the sets as a list column."""
        import pyarrow as pa

        flat = self.vocabulary.cast(pl.String).gather(self.codes).to_arrow()
        # From buffers: PyArrow would import pandas to look at an array of NumPy.
        cuts = pa.py_buffer(np.ascontiguousarray(self.offsets, dtype=np.int64))
        laid = pl.from_arrow(pa.Array.from_buffers(pa.large_list(flat.type), len(self), [None, cuts], children=[flat]))
        return pl.Series(self.vocabulary.name, laid, dtype=pl.List(pl.String))


def from_lists(column: pl.Series) -> ItemSets:
    """Encode a list column; a null set is an empty one, and the same item twice is one item."""
    if not isinstance(column.dtype, pl.List):
        raise RoleError(
            f"Column {column.name!r} is named as items but holds {column.dtype} values.",
            hint="Give lists of text, read the file with `items_separator`, or map a name to binary columns.",
        )
    rows = pl.DataFrame({"row": np.arange(len(column)), "item": column.cast(pl.List(pl.String))})
    flat = rows.explode("item").drop_nulls("item").with_columns(pl.col("item").str.strip_chars())
    flat = flat.filter(pl.col("item") != "").unique().sort("row", "item")
    encoded = encode(flat["item"].alias(column.name))
    sizes = np.bincount(flat["row"].to_numpy(), minlength=len(column))
    offsets = offsets_of(sizes)
    return ItemSets(offsets, encoded.codes, encoded.values)


def from_binary(name: str, frame: pl.DataFrame, columns: Sequence[str], missing: Missing = "refuse") -> ItemSets:
    """Encode one 0/1 column per item; the item is the column's name.

    A null is neither yes nor no. With "value" it is an item of its own, which says that the answer is missing.
    """
    for column in columns:
        if missing == "refuse":
            refuse_missing(frame[column], item_of=name)
    unanswered = {f"{column} {UNANSWERED}": column for column in columns if frame[column].null_count()}
    vocabulary = sorted([*columns, *unanswered])
    flags = np.stack(
        [
            frame[unanswered[item]].is_null().to_numpy() if item in unanswered else _flag(frame[item], name)
            for item in vocabulary
        ],
        axis=1,
    )
    rows, codes = np.nonzero(flags)
    offsets = offsets_of(np.bincount(rows, minlength=frame.height))
    marks = {column: _marks(frame[column], flags[:, vocabulary.index(column)]) for column in columns}
    items = pl.Series(name, vocabulary, dtype=pl.String)
    return ItemSets(offsets, codes.astype(np.int32), items, tuple(columns), marks)


def _flag(column: pl.Series, name: str) -> Flags:
    text = column.cast(pl.String).fill_null("").str.strip_chars().str.to_lowercase()
    yes = text.is_in(list(TRUE))
    odd = ~(yes | text.is_in(list(FALSE)))
    if odd.any():
        raise RoleError(
            f"Column {column.name!r}, an item of {name!r}, holds {column.filter(odd)[0]!r}.",
            hint="An item's column holds 0 and 1, true and false, or yes and no.",
        )
    return np.asarray(yes.to_numpy(), dtype=np.bool_)


def _marks(column: pl.Series, yes: Flags) -> pl.Series:
    """Find how a column writes no and yes; where one of them does not occur, it is written to match the other."""
    texts_of = [column.filter(pl.Series(flag)).drop_nulls().cast(pl.String).unique().sort() for flag in (~yes, yes)]
    no, positive = ([text for text in texts.to_list() if text.strip()] for texts in texts_of)
    if not no and not positive:
        no = ["false" if column.dtype == pl.Boolean else "0"]
    opposite = dict(zip(TRUE, FALSE, strict=False)) | dict(zip(FALSE, TRUE, strict=False))
    texts = [no[0] if no else _alike(opposite, positive[0]), positive[0] if positive else _alike(opposite, no[0])]
    if column.dtype == pl.Boolean:
        return pl.Series(column.name, [False, True])
    return pl.Series(column.name, texts, dtype=pl.String).cast(column.dtype)


def _alike(opposite: Mapping[str, str], text: str) -> str:
    """Write the opposite of a mark in the same letters."""
    mark = opposite[text.strip().lower()]
    return mark.upper() if text.isupper() else mark.title() if text[:1].isupper() else mark


def split(column: pl.Series, separator: str) -> pl.Series:
    """Turn text such as `cough;fever` into lists."""
    if column.dtype != pl.String:
        return column
    return column.fill_null("").str.split(separator)
