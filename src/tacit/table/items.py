"""Items: a set-valued column as integers, row after row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tacit.errors import RoleError
from tacit.table.codes import encode

TRUE = ("1", "1.0", "true", "t", "yes", "y")
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
    """

    offsets: np.ndarray[tuple[int], np.dtype[np.int64]]
    codes: np.ndarray[tuple[int], np.dtype[np.int32]]
    vocabulary: pl.Series
    binary: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for array in (self.offsets, self.codes):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def take(self, rows: np.ndarray[Any, Any]) -> ItemSets:
        """Return the sets of some rows, in the same vocabulary."""
        chosen = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        sizes = np.diff(self.offsets)[chosen]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        positions = np.arange(int(offsets[-1])) - np.repeat(offsets[:-1] - self.offsets[chosen], sizes)
        return ItemSets(offsets, self.codes[positions], self.vocabulary, self.binary)

    def lists(self) -> pl.Series:
        """Return the sets as a list column."""
        flat = self.vocabulary.gather(self.codes)
        rows = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        filled = pl.DataFrame({"row": rows, "item": flat}).group_by("row", maintain_order=True).agg("item")
        every = pl.DataFrame({"row": np.arange(len(self))}).join(filled, on="row", how="left", maintain_order="left")
        return every["item"].fill_null(pl.Series([[]], dtype=pl.List(pl.String))).alias(self.vocabulary.name)


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
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return ItemSets(offsets, encoded.codes, encoded.values)


def from_binary(name: str, frame: pl.DataFrame, columns: Sequence[str]) -> ItemSets:
    """Encode one 0/1 column per item; the item is the column's name."""
    vocabulary = sorted(columns)
    flags = np.stack([_flag(frame[column], name) for column in vocabulary], axis=1)
    rows, codes = np.nonzero(flags)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=frame.height))]).astype(np.int64)
    return ItemSets(offsets, codes.astype(np.int32), pl.Series(name, vocabulary, dtype=pl.String), tuple(columns))


def _flag(column: pl.Series, name: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    text = column.cast(pl.String).fill_null("").str.strip_chars().str.to_lowercase()
    yes = text.is_in(list(TRUE))
    odd = ~(yes | text.is_in(list(FALSE)))
    if odd.any():
        raise RoleError(
            f"Column {column.name!r}, an item of {name!r}, holds {column.filter(odd)[0]!r}.",
            hint="An item's column holds 0 and 1, true and false, or yes and no.",
        )
    return np.asarray(yes.to_numpy(), dtype=np.bool_)


def split(column: pl.Series, separator: str) -> pl.Series:
    """Turn text such as `cough;fever` into lists."""
    if column.dtype != pl.String:
        return column
    return column.fill_null("").str.split(separator)
