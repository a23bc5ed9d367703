"""Victims: what an attacker holds, a list of people with what anybody may know of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.datasets.draws import begin
from tacit.errors import ParameterError, RoleError
from tacit.table import Table


def victims(
    table: Table,
    *,
    rows: int = 100,
    seed: int | None = 0,
    who: Sequence[int] | npt.NDArray[np.int64] | None = None,
    known: Sequence[str] | None = None,
) -> pl.DataFrame:
    """Return an external list, such as a voters' register: identifiers and quasi-identifiers of people in the table.

    Parameters
    ----------
    table
        The table the people are in.
    rows
        How many people, drawn at random without repetition; all of them if the table has no more.
    seed
        The same seed draws the same people.
    who
        The rows of particular people instead, listed in this order.
    known
        The quasi-identifiers that the list has; all of them by default.

    Examples
    --------
    >>> from tacit.datasets import hospital, planted
    >>> table = hospital(500)
    >>> victims(table, rows=20).shape
    (20, 6)
    >>> victims(table, who=planted(table)["distribution"].rows, known=["nationality"]).columns
    ['name', 'nationality']
    """
    names = table.quasi_identifiers if known is None else tuple(known)
    for name in names:
        if name not in table.quasi_identifiers:
            raise RoleError.missing_column(name, table.quasi_identifiers, place="the quasi-identifiers")
    generator = begin(rows, seed)
    listed = table.frame.select(*table.identifiers, *names)
    if who is None:
        return listed[generator.permutation(len(table))[: min(rows, len(table))]]
    chosen = np.asarray(who, dtype=np.int64)
    outside = chosen[(chosen < 0) | (chosen >= len(table))]
    if len(outside):
        raise ParameterError(
            f"who names row {outside[0]}, but the table has {len(table):,} rows.", hint="Rows are counted from 0."
        )
    return listed[chosen]
