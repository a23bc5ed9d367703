"""Rounding of fine numbers: fourteen digits of a measured value tell everybody apart, and no reader needs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import polars as pl

from tacit.errors import ParameterError, RoleError

Decimals = int | Mapping[str, int] | Literal["auto"]

_DIGITS = 2
"""A guessed precision keeps this many digits below the first digit of the spread of a column: about a hundred steps
between the smaller and the larger values. More keep more of the measurement and blur less well. Chosen by hand."""
_BELOW = 3
"""A column is fine if most of its values have digits more than so many places below the precision that would be
guessed: nobody wrote those by hand. Larger calls fewer columns fine. Chosen by hand."""
_MOST = 15
"""A float has no more decimal digits than this."""


def check_round(given: object) -> Decimals:
    """Return how to round, or say what may be asked."""
    if given == "auto":
        return "auto"
    numbers: list[Any] = list(given.values()) if isinstance(given, Mapping) else [given]
    if not all(isinstance(each, int | np.integer) and not isinstance(each, bool) for each in numbers) or not all(
        -_MOST <= int(each) <= _MOST for each in numbers
    ):
        raise ParameterError(
            f"round is {given!r}.",
            hint='It must be a number of decimals from -15 to 15, a table of them by column, or "auto".',
        )
    return {str(name): int(each) for name, each in given.items()} if isinstance(given, Mapping) else int(numbers[0])


_FINEST = 300
"""Decimals, before or behind the point, beyond which a number of 64 bits has none."""


def rounded(frame: pl.DataFrame, how: Decimals) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Round columns of numbers, and say which were rounded by a guess.

    Examples
    --------
    >>> frame = pl.DataFrame({"bmi": [23.418273645, 30.1, None], "pay": [1234, 5678, 99]})
    >>> rounded(frame, {"bmi": 1, "pay": -2})[0].rows()
    [(23.4, 1200), (30.1, 5700), (None, 100)]
    """
    asked = guess_decimals(frame) if how == "auto" else how
    if isinstance(asked, int):
        asked = {column.name: asked for column in frame.iter_columns() if column.dtype.is_float()}
    columns = []
    for name, decimals in asked.items():
        if name not in frame.columns:
            raise RoleError.missing_column(name, frame.columns, place="[read] round")
        if not frame[name].dtype.is_numeric():
            raise RoleError(
                f"Column {name!r} is to be rounded, but holds {frame[name].dtype} values.",
                hint="Only numbers can be rounded.",
            )
        columns.append(_to(frame[name], decimals))
    remarks: tuple[str, ...] = ()
    if how == "auto" and asked:
        said = ", ".join(f"{name} to {decimals} decimals" for name, decimals in asked.items())
        remarks = (f"fine numbers were rounded: {said}",)
    return frame.with_columns(columns), remarks


def decimals_of(frame: pl.DataFrame, how: Decimals) -> dict[str, int]:
    """Return to how many decimals each column is rounded, as its first rows say.

    Examples
    --------
    >>> decimals_of(pl.DataFrame({"bmi": [23.4], "age": [30]}), 1)
    {'bmi': 1}
    """
    if how == "auto":
        return guess_decimals(frame)
    if isinstance(how, int):
        return {column.name: how for column in frame.iter_columns() if column.dtype.is_float()}
    rounded(frame.head(0), how)  # says which column is missing, or holds no numbers
    return dict(how)


def guess_decimals(frame: pl.DataFrame) -> dict[str, int]:
    """Find the columns of fine numbers, and to how many decimals each can be rounded without losing its shape.

    Examples
    --------
    >>> import numpy as np
    >>> fine = np.random.default_rng(1).normal(25, 5, 1_000)
    >>> guess_decimals(pl.DataFrame({"bmi": fine, "pay": fine.round(0), "age": fine.astype(int)}))
    {'bmi': 1}
    """
    found = {}
    for column in frame.iter_columns():
        if not column.dtype.is_float():
            continue
        values = column.drop_nulls().to_numpy()
        values = values[np.isfinite(values)]
        if len(values) < 3:
            continue
        spread = float(np.quantile(values, 0.95) - np.quantile(values, 0.05))
        if spread <= 0:
            continue
        decimals = min(_MOST, _DIGITS - int(np.floor(np.log10(spread))))
        written = values.round(min(_MOST, decimals + _BELOW))
        if 2 * int((written != values).sum()) > len(values):
            found[column.name] = decimals
    return found


def _to(column: pl.Series, decimals: int) -> pl.Series:
    if decimals >= 0:
        return column.round(min(decimals, _FINEST)) if column.dtype.is_float() else column
    step = 10.0 ** min(-decimals, _FINEST)
    made = pl.select((pl.lit(column).cast(pl.Float64) / step).round() * step).to_series()
    if column.dtype.is_float():
        return made
    try:
        return made.cast(column.dtype)
    except pl.exceptions.InvalidOperationError:
        raise RoleError(
            f"Column {column.name!r} cannot be rounded to {decimals} decimals: it would no longer fit its type.",
            hint="Round it less.",
        ) from None
