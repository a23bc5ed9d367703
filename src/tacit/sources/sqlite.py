"""SQLite."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl
import pyarrow as pa

from tacit.errors import SourceError
from tacit.sources.arrow import from_arrow
from tacit.sources.compressed import look_into
from tacit.sources.drivers import driver, said
from tacit.sources.inference import dates

# The driver decides on types after its first batch and fails at what does not fit later. In one batch it sees every
# value.
_ONE_BATCH = {"adbc.sqlite.query.batch_rows": str(10**9)}
# How the driver writes a float that it met in a column of text: with six decimals, whatever it had.
_ROUNDED = r"^-?[0-9]\.[0-9]{6}e[+-][0-9]{2,3}$"


def read_sqlite(url: str, query: str, *, text: Collection[str] = ()) -> pl.DataFrame:
    """Ask an SQLite file, opened so that it can only be read.

    SQLite has no dates: columns of ISO 8601 text become dates or moments. In SQLite each value has its own type:
    integers beside floats become floats, integers beside text become text; floats beside text, and bytes beside
    anything, are an error that names the column.
    """
    sqlite = driver("sqlite")
    path = _path(url)
    place = f"file:{quote(str(path.absolute()))}?mode=ro"
    problem = None
    mixed: str | None = None
    try:
        with sqlite.connect(place) as connection, connection.cursor() as cursor:
            cursor.adbc_statement.set_options(**_ONE_BATCH)
            cursor.execute(query)
            table = cursor.fetch_arrow_table()
            table.validate(full=True)
            frame = from_arrow(table, place="The result of the query")
            mixed = next((name for name in _suspects(frame) if _is_mixed(cursor, query, name)), None)
    except (sqlite.Error, OSError, pa.ArrowException) as error:
        problem = f"{path} did not answer the query: {said(error)}."
    if problem is not None:
        raise SourceError(problem, hint="Check the query, and that the file is an SQLite database.")
    if mixed is not None:
        raise SourceError(
            f"Column {mixed!r} holds values of several types.", hint=f"Cast them in the query: cast({mixed} as text)."
        )
    return dates(frame, text)


def _path(url: str) -> Path:
    rest = url.partition(":")[2]
    if not rest.startswith("///") or rest in ("///", "///:memory:"):
        raise SourceError(
            "The URL names no SQLite file.",
            hint="Write sqlite:///folder/file.db, or sqlite:////folder/file.db from the root.",
        )
    # SQLite would make a file that is not there.
    return look_into(rest.removeprefix("///")).path


def _suspects(frame: pl.DataFrame) -> list[str]:
    return [
        column.name
        for column in frame.iter_columns()
        if isinstance(column.dtype, pl.Binary)
        or (isinstance(column.dtype, pl.String) and column.str.contains(_ROUNDED).any())
    ]


def _is_mixed(cursor: Any, query: str, name: str) -> bool:
    column = '"' + name.replace('"', '""') + '"'
    cursor.execute(f"select distinct typeof({column}) as t from ({query})")  # noqa: S608  (the user's own query)
    types = set(cursor.fetch_arrow_table()["t"].to_pylist()) - {"null"}
    return len(types) > 1
