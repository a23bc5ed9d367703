"""One verb for all sources."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from tacit.borders import guarded
from tacit.errors import ParameterError, SourceError, shown
from tacit.sources.databases import SCHEMES, read_database
from tacit.sources.files import FileOptions, read_file
from tacit.sources.frames import as_frame
from tacit.sources.rounding import Decimals, check_round, rounded
from tacit.sources.understood import Reading

_URL = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
# A database URL with a slash forgotten is no file name either, and must not be repeated in an error: it may hold a
# password.
_ALMOST_URL = re.compile(rf"(?:{'|'.join(SCHEMES)}):", re.IGNORECASE)


def read_source(
    source: object,
    *,
    query: str | None = None,
    nulls: Sequence[str] = ("",),
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    round: Decimals | None = None,  # noqa: A002  (the contract's word)
    sheet: str | int | None = None,
    text: Collection[str] = (),
) -> Reading:
    """Read a table from wherever it is.

    Parameters
    ----------
    source
        The path of a file (csv, tsv, txt, Parquet, Arrow, a spreadsheet, Stata, SPSS, SAS), a URL of a database (``postgresql://...``,
        ``sqlite:///file.db``), or a data frame (Polars, pandas, PyArrow, DuckDB, anything narwhals knows, or a
        mapping of names to lists).
    query
        What to ask a database.
    nulls
        Text files: the strings that mean null. Without ``""`` among them, an empty field is an empty text in text
        columns; in columns of numbers and dates it is null all the same.
    separator
        Text files: what stands between fields; guessed if not given.
    encoding
        Text files: the encoding, such as "windows-1252" or "utf-16"; guessed if not given.
    decimal
        Text files: the sign before decimals, "," or "."; guessed if not given.
    round
        To how many decimals numbers are rounded: a number for all columns of floats, a mapping of columns to numbers,
        or "auto", which rounds only columns that have many more digits than their spread can use.
    sheet
        Spreadsheets: which sheet, by name or by number from 1.
    text
        Text files: names of columns whose values are codes, to be kept as they are written. (In SQLite, which keeps
        dates as text: columns not to be read as dates.) Sources with types of their own keep them.

    Examples
    --------
    >>> read_source({"age": [34, 51], "symptoms": [["cough", "fever"], []]}).frame.schema
    Schema([('age', Int64), ('symptoms', List(String))])
    """
    if isinstance(nulls, str) or not all(isinstance(null, str) for null in nulls):
        raise ParameterError(f"nulls is {nulls!r}.", hint='It must be a list of strings, such as ["", "NA"].')
    if isinstance(text, str):
        raise ParameterError(f"text is {text!r}.", hint=f"It must be a list of column names: [{text!r}].")
    how = None if round is None else check_round(round)
    reading = _read(source, query, FileOptions(tuple(nulls), separator, decimal, encoding, sheet, text))
    if how is None:
        return reading
    frame, remarks = rounded(reading.frame, how)
    return replace(reading, frame=frame, remarks=(*reading.remarks, *remarks))


def read(source: object, **options: Any) -> pl.DataFrame:
    """Read a table, and leave aside what else the source says; see `read_source` for the options."""
    return read_source(source, **options).frame


def _read(source: object, query: str | None, options: FileOptions) -> Reading:
    if isinstance(source, str) and (url := _URL.match(source)):
        if url[1].lower() not in SCHEMES:
            raise SourceError(
                f"A source of the kind '{url[1]}://' cannot be read.",
                hint=f"Give a file, or a database as {', '.join(f'{scheme}://' for scheme in SCHEMES)}.",
            )
        return Reading(read_database(source, query=query, text=options.text))
    if isinstance(source, str) and _ALMOST_URL.match(source):
        raise SourceError(
            "The URL of the database is malformed.", hint="It begins like postgresql://host or sqlite:///file."
        )
    if query is not None:
        raise SourceError(
            "A query was given, but the source is not a database.", hint="Leave the query out, or give a URL."
        )
    if isinstance(source, bytes) or source is None:
        raise SourceError(f"A table cannot be made from {shown(source)}.", hint="Give a file, a URL or a data frame.")
    is_file = isinstance(source, str | os.PathLike)
    place = shown(Path(os.fspath(source))) if is_file else "The table"  # type: ignore[call-overload]
    with guarded(lambda reason: SourceError(f"{place} cannot be read: {reason}.", hint="Make it again.")):
        return read_file(os.fspath(source), options) if is_file else Reading(as_frame(source))  # type: ignore[call-overload]
