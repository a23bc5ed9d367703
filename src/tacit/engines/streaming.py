"""Out of core: a table larger than memory, on one machine, in files of a private folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from tacit.calls import checked_call
from tacit.engines.base import COUNT, FRAGMENT, Route, Work
from tacit.engines.local import counted, distinct, plain, routed, split
from tacit.engines.memory import memory
from tacit.engines.parts import Parts, explained, files_of
from tacit.engines.scratch import Scratch, full
from tacit.engines.thresholds import Below, limits_of

_ROW_BYTES = 400
"""Bytes that a row of a fragment takes at most while a method works on it: measured for Mondrian on eight columns,
180, and twice that for methods that keep more."""
_PENDING = 1 << 21
"""Bytes of one fragment that wait in memory before they are written together. They are slices of batches, which stay in
memory as long as one of them waits. Chosen by hand."""
_PARTIAL = 1 << 22
"""Counted combinations that wait in memory before they are added up. Chosen by trial."""


@dataclass(frozen=True)
class StreamedRows:
    """Files with rows, and what is done to every batch when it is read.

    Attributes
    ----------
    parts
        The files; of fragmented rows one file per fragment.
    columns
        The columns that are read.
    works
        What is done to each batch, in order.
    fragmented
        Whether every file is a fragment that is worked on as a whole.
    """

    parts: Parts
    columns: tuple[str, ...]
    works: tuple[Work, ...] = ()
    fragmented: bool = False

    def batches(self) -> Iterator[pa.Table]:
        """Read batches, or whole fragments, and do to them what is to be done."""
        if self.fragmented:
            for path in self.parts.files:
                yield self._worked(self._fragment(path))
            return
        for batch in self.parts.batches(self.columns, coded=True):
            yield self._worked(batch)

    def _fragment(self, path: Path) -> pa.Table:
        """Read a whole fragment, which is a file of the private folder."""
        with explained(path), pa.OSFile(str(path)) as file:
            return pa.ipc.open_file(file).read_all().select(list(self.columns))

    @property
    def schema(self) -> pa.Schema:
        """The schema that the rows have when everything is done to them."""
        return self._worked(pa.schema([self.parts.schema.field(name) for name in self.columns]).empty_table()).schema

    def _worked(self, table: pa.Table) -> pa.Table:
        for work in self.works:
            table = work(table)
        return table


class StreamingEngine:
    """One machine, out of core: rows are read in batches, and fragments are files in a private temporary folder.

    Parameters
    ----------
    scratch
        The folder for temporary files; by default the system's. They are removed however the job ends.
    fragment_rows
        How many rows a fragment may have; by default what fits in an eighth of the memory.

    Examples
    --------
    >>> engine = StreamingEngine()
    >>> rows = engine.read(pa.table({"age": [30, 30, 41]}))
    >>> engine.count(rows, ["age"]).sort("age").rows()
    [(30, 2), (41, 1)]
    >>> engine.close()
    """

    name = "streaming"

    @checked_call(ahead=True)
    def __init__(self, *, scratch: str | Path | None = None, fragment_rows: int | None = None) -> None:
        self._place = scratch
        self._folder: Scratch | None = None
        self.fragment_rows = fragment_rows or max(10_000, memory() // 8 // _ROW_BYTES)

    @property
    def scratch(self) -> Scratch:
        """The private folder, made when it is needed."""
        if self._folder is None:
            self._folder = Scratch(self._place)
        return self._folder

    @classmethod
    def examples(cls) -> Sequence[StreamingEngine]:
        """Return an engine with small fragments, for `tacit.checks`."""
        return [cls(fragment_rows=120)]

    def __str__(self) -> str:
        return self.name

    def read(self, source: Any, columns: Sequence[str] | None = None) -> StreamedRows:
        """Open files, a folder of parts, a pattern, or a table in memory, which is written down."""
        if isinstance(source, pl.DataFrame | pa.Table):
            table = source.to_arrow() if isinstance(source, pl.DataFrame) else source
            paths = self._written([table.unify_dictionaries()], table.schema, "table")
        elif isinstance(source, Parts):
            return StreamedRows(source, tuple(columns or source.schema.names))
        else:
            paths = files_of(source) if isinstance(source, str | Path) else [Path(path) for path in source]
        parts = Parts.of(paths)
        return StreamedRows(parts, tuple(columns or parts.schema.names))

    def domains(self, rows: StreamedRows, columns: Sequence[str]) -> Mapping[str, pl.Series]:
        """Return the different values of each column: those of batches, united."""
        seen: dict[str, list[pl.Series]] = {name: [] for name in columns}
        for batch in replace(rows, columns=tuple(columns)).batches() if not rows.works else rows.batches():
            for name in columns:
                values = seen[name]
                values.append(distinct(batch.column(name)))
                if len(values) > 8:
                    seen[name] = [pl.concat(values).unique()]
        return {name: pl.concat(values).unique() if values else pl.Series(name, []) for name, values in seen.items()}

    def count(self, rows: StreamedRows, columns: Sequence[str]) -> pl.DataFrame:
        """Return the distinct combinations of some columns, and how many rows have each."""
        names = list(columns)
        pending: list[pl.DataFrame] = []
        waiting = 0
        narrow = rows if rows.works else replace(rows, columns=tuple(names) or rows.columns[:1])
        for batch in narrow.batches():
            pending.append(counted(plain(batch.select(names))))
            waiting += pending[-1].height
            if waiting > _PARTIAL:
                pending = [_added(pending, names)]
                waiting = 0
        if not pending:
            return counted(rows.schema.empty_table().select(names))
        return _added(pending, names)

    def fragments(self, rows: StreamedRows, route: Route) -> StreamedRows:
        """Append the rows of every fragment to its file."""
        writers: dict[int, _FragmentFile] = {}
        schema: pa.Schema | None = None
        try:
            for batch in rows.batches():
                for fragment, part in split(routed(batch, route)):
                    schema = part.schema
                    if fragment not in writers:
                        writers[fragment] = _FragmentFile(self.scratch.new(f"fragment-{fragment}.arrow"), schema)
                    writers[fragment].append(part)
            for writer in writers.values():
                writer.close()
        except OSError as error:
            raise full(error, self.scratch.folder) from None
        finally:
            for writer in writers.values():
                writer.abandon()
        files = tuple(writers[fragment].path for fragment in sorted(writers))
        whole = schema or rows.schema.append(pa.field(FRAGMENT, pa.int32()))
        return StreamedRows(Parts(files, whole), tuple(whole.names), fragmented=True)

    def map(self, rows: StreamedRows, work: Work, schema: pa.Schema, *, keep: bool = False) -> StreamedRows:
        """Do something to each batch when it is read, or at once to each fragment."""
        if not rows.fragmented and not keep:
            return replace(rows, works=(*rows.works, work))
        paths = self._written((work(part) for part in rows.batches()), schema, "mapped")
        return StreamedRows(Parts(tuple(paths), schema), tuple(schema.names))

    def rank(self, rows: StreamedRows, column: str, quotas: Mapping[int, int], key: bytes) -> StreamedRows:
        """Keep so many rows of each code: a threshold per code is found by counting, then looking once more."""
        limits = limits_of(self, rows, column, {code: [many] for code, many in quotas.items()}, key)
        return self.map(rows, Below(column, {code: limit[0] for code, limit in limits.items()}, key), rows.schema)

    def write(self, rows: StreamedRows, route: Route, sink: Work) -> pa.Table:
        """Give each part to its sink, one after another."""
        routed_rows = self.fragments(rows, route)
        told = [sink(part) for part in routed_rows.batches()]
        self.forget(routed_rows)
        return pa.concat_tables(told)

    def collect(self, rows: StreamedRows) -> pa.Table:
        """Read all rows."""
        parts = list(rows.batches())
        return pa.concat_tables(parts) if parts else rows.schema.empty_table()

    def forget(self, rows: StreamedRows) -> None:
        """Remove files of the private folder that nobody needs any more."""
        for path in rows.parts.files:
            if self._folder is not None and path.parent == self._folder.folder:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the private folder."""
        if self._folder is not None:
            self._folder.close()
            self._folder = None

    def _written(self, tables: Any, schema: pa.Schema, name: str) -> list[Path]:
        """Write tables down, each in a file of its own."""
        paths = []
        try:
            for table in tables:
                paths.append(self.scratch.new(f"{name}.arrow"))
                with _FragmentFile(paths[-1], schema) as file:
                    file.append(table.cast(schema) if table.schema != schema else table)
        except OSError as error:
            raise full(error, self.scratch.folder) from None
        return paths


def _added(parts: list[pl.DataFrame], names: list[str]) -> pl.DataFrame:
    if len(parts) == 1:
        return parts[0]
    together = pl.concat(parts)
    return together.group_by(names).agg(pl.col(COUNT).sum()) if names else together.sum()


class _FragmentFile:
    """The file of one fragment: rows wait until there are enough of them for a row group."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.path = path
        self._schema = schema
        self._waiting: list[pa.Table] = []
        self._bytes = 0
        self._file: pa.OSFile | None = None
        self._writer: pa.ipc.RecordBatchFileWriter | None = None

    def __enter__(self) -> _FragmentFile:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close() if kind is None else self.abandon()

    def append(self, table: pa.Table) -> None:
        """Add rows."""
        self._waiting.append(table)
        self._bytes += table.nbytes
        if self._bytes >= _PENDING:
            self._flush()

    def close(self) -> None:
        """Write what waits."""
        self._flush()
        if self._writer is not None and self._file is not None:
            self._writer.close()
            self._file.close()
        self._writer = self._file = None

    def abandon(self) -> None:
        """Close the file, whatever is in it."""
        with suppress(OSError, pa.ArrowException):
            if self._writer is not None:
                self._writer.close()
        with suppress(OSError, pa.ArrowException):
            if self._file is not None:
                self._file.close()
        self._writer = self._file = None

    def _flush(self) -> None:
        if self._writer is None:
            self.path.touch(mode=0o600)
            self._file = pa.OSFile(str(self.path), "wb")
            self._writer = pa.ipc.new_file(self._file, self._schema)
        if self._waiting:
            self._writer.write_table(pa.concat_tables(self._waiting).cast(self._schema).combine_chunks())
        self._waiting, self._bytes = [], 0
