"""Data frames of any library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.borders import first_line
from tacit.errors import SourceError
from tacit.sources.arrow import from_array, from_arrow
from tacit.sources.columns import check_names, from_values, plain
from tacit.sources.pandas_types import without_own_types

if TYPE_CHECKING:  # narwhals is imported where a frame of another library is given: files need none of it
    import narwhals as nw


def as_frame(native: object) -> pl.DataFrame:
    """Turn a data frame of any library into a Polars frame of plain types.

    The input is left as it was. pandas frames and NumPy arrays are copied, so that a later assignment in them does not
    reach the result; Polars and Arrow data, which are not meant to change, are shared.

    Parameters
    ----------
    native
        A Polars DataFrame or LazyFrame; a pandas DataFrame; a PyArrow Table, RecordBatch or RecordBatchReader (which is
        used up); a DuckDB relation; any other frame that narwhals knows; or a mapping of column names to lists.

    Examples
    --------
    >>> as_frame({"name": ["Ada", "Ben"], "age": [36, None]})["age"].to_list()
    [36, None]
    """
    if isinstance(native, pl.DataFrame):
        return plain(native)
    if isinstance(native, pl.LazyFrame):
        return plain(_collected(native))
    if isinstance(native, pa.RecordBatchReader):
        return from_arrow(native.read_all())
    if isinstance(native, pa.RecordBatch):
        return from_arrow(pa.Table.from_batches([native]))
    if isinstance(native, pa.Table):
        return from_arrow(native)
    if isinstance(native, Mapping):
        return _from_mapping(native)
    return _from_narwhals(native)


def _collected(lazy: pl.LazyFrame) -> pl.DataFrame:
    try:
        return lazy.collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = first_line(error)
    raise SourceError(
        f"The lazy frame cannot be collected: {reason}.", hint="Collect it yourself to see where it fails."
    )


def _from_narwhals(native: Any) -> pl.DataFrame:
    import narwhals as nw

    native = without_own_types(native)
    # Libraries differ in what they do with two columns of one name: some rename, some fail later.
    columns = getattr(native, "columns", ())
    names = [str(name) for name in columns] if isinstance(columns, Iterable) else []
    check_names(names, place="The table")
    try:
        frame = nw.from_native(native)
    except TypeError:
        frame = None
    if isinstance(frame, nw.LazyFrame):
        return from_arrow(frame.collect("pyarrow").to_native())
    if not isinstance(frame, nw.DataFrame):
        raise SourceError(
            f"A table cannot be made from {type(native).__name__!r}.",
            hint="Give a file, a database URL, a data frame, or a mapping of column names to lists.",
        )
    # Arrow and Polars share memory with pandas: without a copy, a later assignment there would change the table here.
    frame = frame.clone()
    return plain(
        pl.DataFrame([_from_series(name, column) for name, column in zip(names, frame.iter_columns(), strict=True)])
    )


def _from_series(name: str, column: nw.Series[Any]) -> pl.Series:
    import narwhals as nw

    if column.dtype == nw.Object and any(isinstance(value, set | frozenset) for value in column.to_native()):
        return from_values(name, column.to_list())
    try:
        values = column.to_arrow()
    except (TypeError, ValueError, OverflowError, pa.ArrowException):
        values = None
    if values is None:
        return from_values(name, column.to_list())
    return from_array(name, values)


def _from_mapping(mapping: Mapping[Any, Any]) -> pl.DataFrame:
    names = [str(name) for name in mapping]
    check_names(names, place="The table")
    columns = [_from_collection(name, values) for name, values in zip(names, mapping.values(), strict=True)]
    for column in columns[1:]:
        if len(column) != len(columns[0]):
            raise SourceError(
                f"Column {column.name!r} has {len(column):,} values, {columns[0].name!r} has {len(columns[0]):,}.",
                hint="All columns must have as many values.",
            )
    return plain(pl.DataFrame(columns))


def _from_collection(name: str, values: Any) -> pl.Series:
    if isinstance(values, pl.Series):
        return values.alias(name)
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(values, Sized):
        raise SourceError(
            f"Column {name!r} is a {type(values).__name__}, not a list.", hint="Give a list of its values."
        )
    if isinstance(values, np.ndarray) and values.dtype != object:
        return from_values(name, values.copy())
    if isinstance(values, list | tuple):
        return from_values(name, values)
    import narwhals as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return _from_series(name, series.to_frame().clone()[:, 0])
    return from_values(name, values)  # type: ignore[arg-type]
