"""People: whose row a row is, where a person may have several.

Promises are about people. A table in which somebody has several rows (visits, accounts, payments) says in one column
whose they are; everything that counts people asks here. Where every person has one row, rows are people, and nothing
has to be asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.errors import RoleError


@dataclass(frozen=True, eq=False)
class People:
    """The person of each row, as a number, in a table where at least one person has several rows.

    Examples
    --------
    >>> people = People.of(pl.Series("pid", ["b", "a", "b"]))
    >>> people.ids.tolist(), people.count, people.rows.tolist()
    ([0, 1, 0], 2, [2, 1])
    >>> People.of(pl.Series("pid", ["b", "a"])) is None
    True
    """

    ids: Ints
    count: int

    @classmethod
    def of(cls, column: pl.Series) -> People | None:
        """Number the persons of a column in the order of their first rows; None where each has one row."""
        if column.n_unique() == len(column):
            return None
        return cls.numbered(_numbers(column))

    @classmethod
    def numbered(cls, ids: np.ndarray[Any, Any]) -> People | None:
        """Take numbers of persons, make them dense, and return None where each person has one row."""
        if not len(ids):
            return None
        counts = np.bincount(ids)
        if counts.max() <= 1:
            return None
        present = counts > 0
        dense = np.cumsum(present, dtype=np.int64) - 1
        return cls(dense[ids], int(present.sum()))

    @classmethod
    def among(cls, ids: np.ndarray[Any, Any]) -> People:
        """Take numbers of persons of some rows, make them dense, and count people even where each has one row."""
        present = np.bincount(ids) > 0
        return cls((np.cumsum(present, dtype=np.int64) - 1)[ids], int(present.sum()))

    @cached_property
    def rows(self) -> Ints:
        """How many rows each person has."""
        return np.bincount(self.ids, minlength=self.count).astype(np.int64)

    @cached_property
    def first(self) -> Ints:
        """One row of each person, her first."""
        first = np.empty(self.count, dtype=np.int64)
        first[self.ids[::-1]] = np.arange(len(self.ids) - 1, -1, -1)
        return first

    def constant(self, codes: np.ndarray[Any, Any]) -> bool:
        """Whether every person has the same code in all of her rows."""
        return bool((codes == codes[self.first][self.ids]).all())

    def take(self, rows: np.ndarray[Any, Any]) -> People | None:
        """Return the people of some rows; None where each of them has one row there."""
        return People.numbered(self.ids[rows])

    def whole(self, chosen: Flags) -> bool:
        """Whether every person is chosen with all of her rows or with none."""
        return self.constant(chosen)


def check_persons(column: pl.Series) -> None:
    """Refuse a person column that does not say of every row whose it is."""
    if isinstance(column.dtype, pl.List | pl.Struct):
        raise RoleError(
            f"The person column {column.name!r} holds {column.dtype} values.", hint="Name a column of keys or texts."
        )
    if column.null_count():
        row = int(column.is_null().arg_max() or 0) + 1
        raise RoleError(
            f"The person column {column.name!r} is empty in {column.null_count():,} rows, first in row {row:,}.",
            hint="Say of every row whose it is, or leave these rows out.",
        )


def refuse_repeated(column: pl.Series) -> None:
    """Refuse an identifier that stands in several rows, where no column says whose row each is."""
    known = column.drop_nulls()
    several = len(known) - known.n_unique()
    if not several:
        return
    repeated = known.filter(known.is_duplicated()).n_unique()
    name = column.name
    what = "1 value of it stands" if repeated == 1 else f"{repeated:,} of its values stand"
    raise RoleError(
        f"Identifier column {name!r} does not tell rows apart: {what} in several rows.",
        hint=f"If these are several rows of one person, say person = {name!r} instead; if different people share a "
        f"value, leave {name!r} out of `identifiers`: a column without a role is withheld too.",
    )


def _numbers(column: pl.Series) -> Ints:
    """Number the distinct values in the order of their first rows."""
    keys = pl.DataFrame({"key": column})
    numbers = keys.unique("key", keep="first", maintain_order=True).with_row_index("number")
    joined = keys.join(numbers, on="key", how="left", nulls_equal=True, maintain_order="left")
    return joined["number"].cast(pl.Int64).to_numpy().copy()
