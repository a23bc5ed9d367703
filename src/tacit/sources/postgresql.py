"""PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

import polars as pl
import pyarrow as pa

from tacit.errors import SourceError
from tacit.sources.arrow import from_arrow
from tacit.sources.drivers import driver, said

_URL = re.compile(
    r"postgres(?:ql)?://(?:(?P<user>[^:@/]*)(?::(?P<password>[^@/]*))?@)?(?P<hosts>[^@/?#]*)(?:/(?P<database>[^@/?#]*))?"
    r"(?:\?(?P<options>[^#]*))?",
    re.IGNORECASE,
)
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PATIENCE = 10
"""Seconds to wait for a server to answer, where the URL does not say: the driver itself would wait for minutes. Less
would give up on slow networks. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Address:
    """What may be said of a URL, and what may not."""

    server: str
    url: str
    secrets: tuple[str, ...]


def read_postgresql(url: str, query: str) -> pl.DataFrame:
    """Ask a PostgreSQL server, in a transaction that may only read and is never committed.

    `numeric` becomes the nearest float; `uuid`, `json`, `xml` and enums become text. A type that only PostgreSQL
    understands (`inet`, `point`, `interval`, `money`) is an error that names the column: the query can cast it.
    """
    postgresql = driver("postgresql")
    address = address_of(url)
    problem = None
    with _connected(postgresql, address) as connection, connection.cursor() as cursor:
        try:
            cursor.execute("set transaction read only")
            cursor.execute(query)
            table = cursor.fetch_arrow_table()
        except (postgresql.Error, OSError, pa.ArrowException) as error:
            problem = f"{address.server} did not answer the query: {said(error, secrets=address.secrets)}."
    if problem is not None:
        raise SourceError(problem, hint="Check the query.")
    _refuse_money(table.schema)
    return from_arrow(table, place="The result of the query")


def batches_of_postgresql(url: str, query: str) -> Iterator[pl.DataFrame]:
    """Ask a PostgreSQL server, and return what it answers batch by batch: no memory has to hold all of it."""
    postgresql = driver("postgresql")
    address = address_of(url)
    problem = None
    with _connected(postgresql, address) as connection, connection.cursor() as cursor:
        reader = batch = None
        while problem is None:
            try:
                if reader is None:
                    cursor.execute("set transaction read only")
                    cursor.execute(query)
                    reader = cursor.fetch_record_batch()
                batch = next(reader, None)
            except (postgresql.Error, OSError, pa.ArrowException) as error:
                problem = f"{address.server} did not answer the query: {said(error, secrets=address.secrets)}."
                continue
            if batch is None:
                return
            _refuse_money(batch.schema)
            yield from_arrow(pa.Table.from_batches([batch]), place="The result of the query")
    raise SourceError(str(problem), hint="Check the query.")


def _connected(postgresql: Any, address: Address) -> Any:
    """Connect to a server, or say why not."""
    problem = None
    try:
        return postgresql.connect(address.url)
    except (postgresql.Error, OSError) as error:
        problem = f"{address.server} cannot be reached: {said(error, secrets=address.secrets)}."
    raise SourceError(problem, hint="Check host, port, database, user and password, and that the server is running.")


def _refuse_money(schema: pa.Schema) -> None:
    # The driver returns the integer that PostgreSQL stores, and only the server's locale says how many decimals it has.
    for field in schema:
        if (field.metadata or {}).get(b"POSTGRESQL:type") == b"money":
            raise SourceError(
                f"Column {field.name!r} has the type 'money', whose values cannot be read.",
                hint="Cast it to numeric in the query.",
            )


def address_of(url: str) -> Address:
    """Take a URL apart, or refuse one that is malformed before a driver sees it."""
    parts = _URL.fullmatch(url)
    if parts is None or _BROKEN_ESCAPE.search(url):
        raise SourceError(
            "The URL of the database is malformed.",
            hint="It must be postgresql://user:password@host:port/database; in user and password, "
            "write '@' as %40, '/' as %2F, '%' as %25.",
        )
    options = dict(parse_qsl(parts["options"] or "", keep_blank_values=True))
    hidden = [parts["password"] or "", *(value for name, value in options.items() if "password" in name.lower())]
    secrets = {secret for text in hidden for secret in (text, unquote(text)) if secret}
    hosts = unquote(parts["hosts"]) or options.get("host") or "the local socket"
    server = f"The PostgreSQL server at {hosts}"
    if any(secret in server for secret in secrets):
        server = "The PostgreSQL server"
    if "connect_timeout" not in options:
        url += f"{'?' if parts['options'] is None else '&' if parts['options'] else ''}connect_timeout={_PATIENCE}"
    return Address(server=server, url=url, secrets=tuple(secrets))
