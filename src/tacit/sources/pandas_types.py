"""Types that only pandas has: intervals, which `pd.cut` makes, and periods."""

from __future__ import annotations

from typing import Any


def without_own_types(native: Any) -> Any:
    """Return a pandas frame whose intervals and periods are plain; anything else as it is.

    Intervals become text such as `(30, 40]`, in their order. Periods of days become days, years numbers, all others
    text such as `2024-03` or `2024Q1`, in their order.
    """
    if type(native).__module__.partition(".")[0] != "pandas" or not hasattr(native, "columns"):
        return native
    changed = {}
    for place in range(len(native.columns)):
        column = native.iloc[:, place]
        kind = str(getattr(column.dtype, "categories", column).dtype)
        if kind.startswith("interval"):
            changed[place] = _ordered(column)
        elif kind.startswith("period"):
            changed[place] = _from_periods(column)
    if not changed:
        return native
    plain = native.copy(deep=False)
    for place, column in changed.items():
        plain.isetitem(place, column)
    return plain


def _ordered(column: Any) -> Any:
    """Write values as text, with their order as that of the categories."""
    import pandas as pd

    categories = getattr(column.dtype, "categories", None)
    values = sorted(column.dropna().unique()) if categories is None else list(categories)
    texts = column.astype(object).map(str, na_action="ignore")
    return pd.Categorical(texts, categories=[str(value) for value in values], ordered=True)


def _from_periods(column: Any) -> Any:
    if getattr(column.dtype, "categories", None) is not None:
        return _ordered(column)
    unit = column.dtype.freq.rule_code[:1]
    if unit == "D":
        return column.dt.to_timestamp().dt.date
    if unit in {"Y", "A"}:
        return column.dt.year.astype("Int64").mask(column.isna())
    return _ordered(column)
