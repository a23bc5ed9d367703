"""Releases in a database: every public frame becomes a table, all of them in one transaction.

The tables appear together or not at all, right before the folders are moved to their places. The table
`tacit_releases` says which tables hold a release, with the content of its `release.json`; no other table is ever
replaced. The public folder and the private one are written as well: a database holds no reports and nothing private.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from tacit.calls import checked_class
from tacit.errors import ParameterError, SourceError
from tacit.releases.delimited import as_cells
from tacit.shapes import Published
from tacit.shapes.erasing import without_hidden_values
from tacit.sources.drivers import driver, said
from tacit.sources.postgresql import address_of

REGISTER = "tacit_releases"
_NAME = re.compile(r"(?:([A-Za-z_][A-Za-z0-9_]{0,62})\.)?([A-Za-z_][A-Za-z0-9_]{0,62})")
_LONGEST = 63
"""Bytes of a name in PostgreSQL, which cuts longer ones without a word."""
_SQLITE = "sqlite"


@checked_class
@dataclass(frozen=True)
class Destination:
    """A database, and what the tables are called.

    Parameters
    ----------
    url
        ``postgresql://user:password@host:port/database`` or ``sqlite:///file.db``. It may hold a password, and is
        never written or shown.
    tables
        Frames to names of tables, with a schema before a point if need be; a frame that is not named here keeps its own
        name.
    """

    url: str = field(repr=False)
    tables: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for frame, name in self.tables.items():
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise ParameterError(
                    f"The table of {frame!r} cannot be called {name!r}.",
                    hint="A name has letters, digits and underscores, and a schema before a point if need be.",
                )
        if self.kind not in {_SQLITE, "postgresql", "postgres"}:
            raise SourceError(
                "A release cannot be written to this kind of database.",
                hint="Give a URL that begins with postgresql:// or sqlite:///.",
            )

    @property
    def kind(self) -> str:
        """The scheme of the URL."""
        return self.url.partition(":")[0].lower()

    def table(self, frame: str) -> str:
        """Return the name of a frame's table."""
        name = self.tables.get(frame, frame)
        if not _NAME.fullmatch(name):
            raise ParameterError(
                f"The frame {frame!r} cannot be the name of a table.",
                hint=f'Name one: tables = {{ "{frame}" = "..." }}.',
            )
        return name

    def check(self, *, overwrite: bool) -> None:
        """Raise `SourceError` if the database cannot be reached, or a named table is in the way."""
        with self._transaction() as transaction:
            for name in self.tables.values():
                transaction.free(name, overwrite=overwrite)
            transaction.forget()

    @contextmanager
    def filled(self, release: Published, about: bytes, *, overwrite: bool) -> Iterator[Transaction]:
        """Write all frames in a transaction that is open yet; it is for the caller to commit."""
        frames = release.frames()
        unknown = [frame for frame in self.tables if frame not in frames]
        if unknown:
            raise ParameterError(
                f"There is no frame {unknown[0]!r} in this release.", hint=f"The frames are: {', '.join(frames)}."
            )
        names = {frame: self.table(frame) for frame in frames}
        if len(set(names.values())) < len(names):
            raise ParameterError("Two frames would be written to one table.", hint="Give each a name of its own.")
        with self._transaction() as transaction:
            for name in names.values():
                transaction.free(name, overwrite=overwrite)
            for frame, name in names.items():
                transaction.write(name, _plain(release, frame, self.kind == _SQLITE))
            transaction.register(list(names.values()), about.decode())
            yield transaction

    @contextmanager
    def _transaction(self) -> Iterator[Transaction]:
        """Open a connection; what is not committed is forgotten."""
        secrets: tuple[str, ...] = ()
        if self.kind == _SQLITE:
            place, server, module = str(_file(self.url).absolute()), str(_file(self.url)), driver(_SQLITE)
        else:
            address = address_of(self.url)
            place, server, secrets = address.url, address.server, address.secrets
            module = driver("postgresql")
        problem = None
        try:
            with module.connect(place) as connection, connection.cursor() as cursor:
                transaction = Transaction(connection, cursor, self.kind == _SQLITE)
                try:
                    yield transaction
                finally:
                    transaction.forget()
        except (module.Error, pa.ArrowException) as error:
            problem = f"{server} did not take the release: {said(error, secrets=secrets)}."
        if problem is not None:
            raise SourceError(problem, hint="Nothing was written.") from None


@dataclass
class Transaction:
    """Tables that are written, and not yet to be seen by anybody else."""

    connection: Any
    cursor: Any
    is_sqlite: bool
    committed: bool = False

    def free(self, name: str, *, overwrite: bool) -> None:
        """Make room for a table: refuse what is there, unless it is a release and shall be replaced."""
        if not self._exists(name):
            return
        known = self._releases()
        if name not in known:
            raise SourceError(
                f"There is a table {name!r} that holds no release; it is not overwritten.",
                hint="Name another table in [output] tables.",
            )
        if not overwrite:
            raise SourceError(
                f"There is a release in the table {name!r} already.", hint="Name another table, or say --overwrite."
            )
        for other, release in known.items():  # all tables of that release: a part of it would be no release
            if release == known[name]:
                self.cursor.execute(f"drop table if exists {_quoted(other)}")
                self.cursor.execute(f"delete from {REGISTER} where name = {_text(other)}")  # noqa: S608  (checked)

    def write(self, name: str, table: pa.Table) -> None:
        """Write one frame."""
        schema, _, plain = name.rpartition(".")
        self.cursor.adbc_ingest(plain, table, mode="create", **({"db_schema_name": schema} if schema else {}))

    def register(self, names: list[str], release: str) -> None:
        """Say which tables hold a release, and which one."""
        self.cursor.execute(f"create table if not exists {REGISTER} (name text primary key, release text not null)")
        for name in names:
            self.cursor.execute(f"insert into {REGISTER} values ({_text(name)}, {_text(release)})")  # noqa: S608

    def commit(self) -> None:
        """Let everybody see the tables."""
        self.connection.commit()
        self.committed = True

    def forget(self) -> None:
        """Take back what was not committed."""
        self.connection.rollback()

    def _releases(self) -> dict[str, str]:
        if not self._exists(REGISTER):
            return {}
        self.cursor.execute(f"select name, release from {REGISTER}")  # noqa: S608  (a constant)
        return dict(self.cursor.fetchall())

    def _exists(self, name: str) -> bool:
        plain = name.rpartition(".")[2]
        if self.is_sqlite:
            question = f"select count(*) from sqlite_master where name = {_text(plain)} collate nocase"  # noqa: S608
        else:
            question = f"select count(*) from pg_class where oid = to_regclass({_text(_quoted(name))})"  # noqa: S608
        self.cursor.execute(question)
        return bool(self.cursor.fetchall()[0][0])


def _plain(release: Published, frame: str, is_sqlite: bool) -> pa.Table:
    """Bring a frame to types that both databases have; a suppressed cell is null, as in Parquet."""
    columns = []
    for series in release.frames()[frame]:
        if len(series.name.encode()) > _LONGEST:
            raise SourceError(
                f"The name of column {series.name!r} is longer than {_LONGEST} bytes.",
                hint="A database would cut it; rename the column.",
            )
        values = as_cells(series, None) if isinstance(series.dtype, pl.List) else without_hidden_values(series)
        if values.dtype.is_unsigned_integer():
            large = values.dtype == pl.UInt64 and bool((values >= 2**63).any())
            values = values.cast(pl.String if large else pl.Int64)
        elif values.dtype == pl.Float32:
            values = values.cast(pl.Float64)
        elif isinstance(values.dtype, pl.Datetime):
            values = values.dt.cast_time_unit("us")
        if is_sqlite and values.dtype == pl.Boolean:
            values = values.cast(pl.Int64)
        if is_sqlite and values.dtype.is_temporal():
            values = values.dt.to_string("iso")
        columns.append(values)
    return pl.DataFrame(columns).to_arrow(compat_level=pl.CompatLevel.oldest())


def _file(url: str) -> Path:
    rest = url.partition(":")[2]
    if not rest.startswith("///") or rest in {"///", "///:memory:"}:
        raise SourceError(
            "The URL names no SQLite file.",
            hint="Write sqlite:///folder/file.db, or sqlite:////folder/file.db from the root.",
        )
    return Path(rest.removeprefix("///"))


def _quoted(name: str) -> str:
    return ".".join(f'"{part}"' for part in name.split("."))


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
