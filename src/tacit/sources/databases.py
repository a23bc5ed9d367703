"""Databases, by URL and query.

A URL holds a password, and drivers quote what they were given. So nothing a driver says is repeated that contains a
secret of the URL, a malformed URL is refused before a driver sees it, and no error is chained to a driver's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import polars as pl

from tacit.errors import SourceError
from tacit.sources.postgresql import batches_of_postgresql, read_postgresql
from tacit.sources.sqlite import read_sqlite

SCHEMES = ("postgresql", "postgres", "sqlite")


def read_database(url: str, *, query: str | None, text: Collection[str] = ()) -> pl.DataFrame:
    """Ask a database.

    Needs the drivers of the extra `database`. The query is run so that it can only read.

    Parameters
    ----------
    url
        ``postgresql://user:password@host:port/database`` or ``sqlite:///file.db`` (``sqlite:////folder/file.db``).
    query
        One SQL statement that gives rows.
    text
        SQLite, which writes dates as text: names of columns not to read as dates.
    """
    asked = _one(query)
    scheme = url.partition(":")[0].lower()
    return read_sqlite(url, asked, text=text) if scheme == "sqlite" else read_postgresql(url, asked)


def database_batches(url: str, *, query: str | None) -> Iterator[pl.DataFrame]:
    """Ask a PostgreSQL server as `read_database` does, and return its answer batch by batch.

    SQLite has no types that hold for a whole column, so nothing less than all of it tells what a column holds.
    """
    asked = _one(query)
    if url.partition(":")[0].lower() == "sqlite":
        raise SourceError(
            "A SQLite database is not read in batches: only all of its values tell what a column holds.",
            hint='Use the local engine: [engine] name = "local"; or export the table as Parquet or csv.',
        )
    return batches_of_postgresql(url, asked)


def _one(query: str | None) -> str:
    """Return the query as drivers take it, or say that there is none."""
    if query is None or not query.strip():
        raise SourceError(
            "A database was given, but no query.", hint="Give one, such as query='select * from patients'."
        )
    # A comment at the end of a query must not swallow what a driver puts after it.
    return query.strip().rstrip(";") + "\n"
