"""Spreadsheets: Excel (xlsx, xlsm, xlsb, xls) and OpenDocument (ods), one sheet as one table.

The first row that is not empty names the columns. A spreadsheet has no integers and no dates of its own: whole numbers
become integers, moments at midnight dates. Cells of several types in one column become text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import polars as pl

from tacit.borders import first_line
from tacit.errors import ParameterError, SourceError, nearest
from tacit.sources.columns import check_names, whole_numbers
from tacit.sources.compressed import Content
from tacit.sources.extras import extra
from tacit.sources.inference import convert, meanings
from tacit.sources.understood import Reading

_UNNAMED = "__UNNAMED__"
_FRACTION = r"\.0$"


def read_spreadsheet(
    content: Content, *, sheet: str | int | None, nulls: Sequence[str] = ("",), text: Collection[str] = ()
) -> Reading:
    """Read one sheet, by its name or its number from 1; the first one that holds anything if none is named."""
    fastexcel = extra("fastexcel", what=f"{content.name} is a spreadsheet, and reading it")
    reason = None
    try:
        book = fastexcel.read_excel(content.path if content.data is None else content.data)
        names = list(book.sheet_names)
        name, remarks = _chosen(content.name, names, sheet, book)
        header = _header(book, name)
        frame = _loaded(book, name, header, text)
    except fastexcel.FastExcelError as error:
        reason = first_line(error)
    if reason is not None:
        raise SourceError(
            f"{content.name} cannot be read as a spreadsheet ({reason}).",
            hint="Save it again without a password, or save the sheet as csv.",
        )
    return Reading(_typed(frame, nulls, text), remarks)


def _chosen(place: str, names: list[str], sheet: str | int | None, book: Any) -> tuple[str, tuple[str, ...]]:
    if isinstance(sheet, bool) or not isinstance(sheet, str | int | None):
        raise ParameterError(f"sheet is {sheet!r}.", hint="It must be the name of a sheet, or its number from 1.")
    if isinstance(sheet, int):
        if not 1 <= sheet <= len(names):
            raise SourceError(
                f"{place} has no sheet {sheet}.", hint=f"It has {len(names)}, counted from 1: {', '.join(names)}."
            )
        return names[sheet - 1], ()
    if sheet is not None:
        if sheet not in names:
            raise SourceError(f"{place} has no sheet {sheet!r}.", hint=nearest(sheet, names, what="Sheets"))
        return sheet, ()
    filled = [name for name in names if book.load_sheet(name, header_row=None, n_rows=1).total_height > 0]
    if not filled:
        raise SourceError(f"{place} is empty.", hint="A table needs at least a line with the names of its columns.")
    others = [name for name in names if name != filled[0]]
    if not others:
        return filled[0], ()
    return filled[0], (f"{place}: the sheet {filled[0]!r} was read; there are also {', '.join(map(repr, others))}",)


def _header(book: Any, sheet: str) -> list[str]:
    """Read the names of the columns as they are written: the reader itself would rename two that are alike."""
    first = book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_polars()
    return [] if first.is_empty() else ["" if name is None else str(name).strip() for name in first.row(0)]


def _loaded(book: Any, sheet: str, header: list[str], text: Collection[str]) -> pl.DataFrame:
    if not any(header):
        raise SourceError(f"The sheet {sheet!r} is empty.", hint="Its first row must name the columns.")
    loaded: pl.DataFrame = book.load_sheet(
        sheet, header_row=0, schema_sample_rows=None, skip_whitespace_tail_rows=True
    ).to_polars()
    nameless = [
        loaded.columns[i]
        for i, name in enumerate(header)
        if not name and i < loaded.width and loaded.to_series(i).null_count() == loaded.height
    ]
    for position, name in enumerate(header, start=1):
        if not name and loaded.columns[position - 1] not in nameless:
            raise SourceError(
                f"Column {position} of the sheet {sheet!r} has no name in the first row.", hint="Name it or drop it."
            )
    check_names([name for name in header if name], place=f"The sheet {sheet!r}")
    frame = loaded.drop(nameless)
    frame.columns = [name for name in header if name]
    empty = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    return frame.filter(~empty) if empty.any() else frame


def _typed(frame: pl.DataFrame, nulls: Sequence[str], text: Collection[str]) -> pl.DataFrame:
    """Mark what means null, and give the columns the types that their values have."""
    changed: list[pl.Series] = []
    for column in frame.iter_columns():
        if column.name in text:
            digits = column if column.dtype == pl.String else column.cast(pl.String).str.replace(_FRACTION, "")
            changed.append(digits.set(digits.is_in(list(nulls)), None))
        elif column.dtype == pl.String:
            marked = column.is_in(list(nulls))
            rest = column.set(marked, None).to_frame()
            # What is left may be numbers, kept from being so by the marks; an empty cell keeps nothing from anything.
            if (marked & (column != "")).any():
                rest = convert(rest, meanings(rest))
            changed.append(rest.to_series())
        elif column.dtype.is_numeric():
            changed.append(whole_numbers(_without(column, nulls)))
        elif isinstance(column.dtype, pl.Datetime) and (column == column.dt.truncate("1d")).all():
            changed.append(column.dt.date())
    return frame.with_columns(changed) if changed else frame


def _without(column: pl.Series, marks: Sequence[str]) -> pl.Series:
    numbers = pl.Series(marks, dtype=pl.String).cast(pl.Float64, strict=False).drop_nulls()
    where = column.is_in(numbers.implode()) if len(numbers) else None
    return column if where is None or not where.any() else column.set(where, None)
