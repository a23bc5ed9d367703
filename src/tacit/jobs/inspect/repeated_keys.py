"""Repeated keys: a column whose name says nothing, but whose values stand for somebody who has several rows.

Rows of one person agree in what does not change about her, such as sex or year of birth. So a column of many values
that repeat, and whose rows agree in several other columns each time, probably says whose row a row is.
"""

from __future__ import annotations

import polars as pl

_FEWEST_ROWS = 100
"""Rows that share their key with another row, at least: fewer may agree by chance. Chosen by hand."""

_MOST_ROWS = 50
"""Rows per key, at most and on average: keys of wards, schools or days have more. Chosen by hand."""

_FEWEST_COLUMNS = 3
"""Columns in which the rows of every key agree, at least: towns agree in their region, and are no persons."""

_MOST_VALUES = 200
"""Values of such a column, at most: one of more values may be a key itself."""

_AGREE_BY_CHANCE = 0.9
"""The probability that two rows agree, at most: a column with one value nearly everywhere shows nothing."""


def constant_columns(frame: pl.DataFrame, key: str) -> list[str]:
    """Return the columns in which rows with the same key always agree; none where too few to say so.

    Parameters
    ----------
    frame
        The table.
    key
        The column that may be a key.

    Examples
    --------
    >>> rows = range(600)
    >>> visits = pl.DataFrame({"z": [i // 3 for i in rows], "cost": [i % 7 for i in rows]}).with_columns(
    ...     [(pl.col("z") * prime % 5).alias(f"is {prime}") for prime in (7, 11, 13)]
    ... )
    >>> constant_columns(visits, "z")
    ['is 7', 'is 11', 'is 13']
    """
    sizes = frame.group_by(key).len()["len"]
    shared = sizes.filter(sizes > 1)
    if int(shared.sum()) < _FEWEST_ROWS or frame.height > _MOST_ROWS * len(sizes):
        return []
    others = [name for name in frame.columns if name != key and not frame[name].dtype.is_nested()]
    distinct = frame.select([pl.col(name).n_unique() for name in others]).row(0, named=True)
    few = [name for name in others if 1 < distinct[name] <= _MOST_VALUES]
    if len(few) < _FEWEST_COLUMNS:
        return []
    varies = frame.group_by(key).agg([pl.col(name).n_unique().alias(name) for name in few]).select(few)
    constant = [name for name in few if varies[name].max() == 1 and _shows_something(frame[name])]
    return constant if len(constant) >= _FEWEST_COLUMNS else []


def _shows_something(column: pl.Series) -> bool:
    shares = column.value_counts()["count"] / len(column)
    return float((shares * shares).sum()) <= _AGREE_BY_CHANCE
