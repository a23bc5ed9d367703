"""Spark: the rows are on a cluster, and stay there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.engines.base import COUNT, FRAGMENT, TOLD, Route, Work
from tacit.engines.scratch import Scratch
from tacit.engines.spark_complaints import explained, quiet
from tacit.engines.spark_parts import require_same_columns
from tacit.engines.spark_session import require_context, require_encryption, require_package, session_of, worker_memory
from tacit.engines.spark_types import arrow_schema, plain_schema, plain_type, quoted, spark_schema
from tacit.engines.thresholds import Below, limits_of
from tacit.errors import SourceError

_BATCH = 100_000
"""Rows that a worker gets at a time."""
_TASKS = 10_000
"""The most tasks that whole fragments are given to; from there on a task gets several. Chosen by hand."""
_ROW_BYTES = 600
"""Bytes that a row of a fragment takes at most on a worker: Arrow, codes and the method's own arrays."""


@dataclass(frozen=True)
class SparkRows:
    """A data frame of the cluster, and what is done to every batch of it when it is read.

    What is done one after another is done by one worker, in one go: otherwise every step would be a process of its own,
    and rows would go from each to Java and back.

    Attributes
    ----------
    base
        The data frame.
    fragments
        How many fragments there are that `map` gets whole; None where it gets batches.
    works
        What is done to each batch, in order, and the schema that it has then.
    """

    base: Any
    fragments: int | None = None
    works: tuple[tuple[Work, pa.Schema], ...] = ()

    @property
    def frame(self) -> Any:
        """The data frame with everything done to it."""
        return _mapped(self.base, self.works) if self.works else self.base

    @property
    def schema(self) -> pa.Schema:
        """The schema that the rows have when everything is done to them."""
        return self.works[-1][1] if self.works else arrow_schema(self.base)

    def then(self, work: Work, schema: pa.Schema) -> SparkRows:
        """Do something more to each batch."""
        return replace(self, works=(*self.works, (work, plain_schema(schema))))


class SparkEngine:
    """Spark 4: counts are shuffles, fragments are groups, and the local method runs on the workers.

    No cell is ever a part of a query plan: keys and dictionaries travel in the functions that are sent to workers. Row
    numbers are written down before anything is drawn by them, so that work done twice comes out the same.

    Parameters
    ----------
    session
        A session of Spark; by default the one that is running, else one is made.
    master
        Where a new session runs, such as "yarn" or "local-cluster[2,1,2048]".
    settings
        Settings of a new session.
    scratch
        A folder that driver and workers share, for what is written down in between. It is removed at the end.
    fragment_rows
        How many rows a fragment may have; by default what fits in a quarter of a worker's memory.
    allow_plain
        Let rows cross the network and lie on disks unencrypted. For tests only.
    """

    name = "spark"

    def __init__(
        self,
        session: Any = None,
        *,
        master: str | None = None,
        settings: Mapping[str, Any] | None = None,
        scratch: str | Path | None = None,
        fragment_rows: int | None = None,
        allow_plain: bool = False,
    ) -> None:
        self.session = session or session_of(master, settings or {})
        require_context(self.session)
        if not allow_plain:
            require_encryption(self.session)
        self._scratch = Scratch(scratch)
        self._files = 0
        self.session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(_BATCH))
        self.fragment_rows = fragment_rows or max(10_000, worker_memory(self.session) // 4 // _ROW_BYTES)
        try:
            with explained():
                require_package(self.session)
        except BaseException:
            self.close()
            raise

    def __str__(self) -> str:
        return self.name

    def read(self, source: Any, columns: Sequence[str] | None = None) -> SparkRows:
        """Open a table of the cluster, a path it can read, or a table in memory, which is written down."""
        if isinstance(source, pl.DataFrame | pa.Table):
            table = source.to_arrow() if isinstance(source, pl.DataFrame) else source
            frame = self._parquet(self._written(table))
        elif hasattr(source, "mapInArrow"):
            frame = source
        else:
            frame = self._opened(str(source))
        if columns is None:
            return SparkRows(frame)
        missing = [name for name in columns if name not in frame.columns]
        if missing:
            raise SourceError(f"{source} has no column {missing[0]!r}.", hint=f"Columns: {', '.join(frame.columns)}.")
        return SparkRows(frame.select(*[quoted(name) for name in columns]))

    def domains(self, rows: SparkRows, columns: Sequence[str]) -> Mapping[str, pl.Series]:
        """Return the different values of each column."""
        with explained():
            found = {}
            for name in columns:
                table = rows.frame.select(quoted(name)).distinct().toArrow()
                made = pl.from_arrow(table.column(0))
                assert isinstance(made, pl.Series)  # noqa: S101 - a column is a series
                found[name] = made.alias(name)
            return found

    def count(self, rows: SparkRows, columns: Sequence[str]) -> pl.DataFrame:
        """Return the distinct combinations of some columns, and how many rows have each; Spark counts parts first."""
        with explained():
            if not columns:
                return pl.DataFrame({COUNT: [rows.frame.count()]}, schema={COUNT: pl.Int64})
            counted = rows.frame.groupBy(*[quoted(name) for name in columns]).count().toArrow()
            made = pl.from_arrow(counted)
            assert isinstance(made, pl.DataFrame)  # noqa: S101 - a table is a frame
            return made.rename({made.columns[-1]: COUNT}).with_columns(pl.col(COUNT).cast(pl.Int64))

    def fragments(self, rows: SparkRows, route: Route) -> SparkRows:
        """Mark the fragment of each row; the cluster brings them together when they are mapped."""
        schema = rows.schema.append(pa.field(FRAGMENT, pa.int32()))
        return replace(rows.then(_Routed(route), schema), fragments=route.count)

    def map(self, rows: SparkRows, work: Work, schema: pa.Schema, *, keep: bool = False) -> SparkRows:
        """Do something to each fragment, or to batches, on the workers."""
        with explained():
            if rows.fragments is not None:
                done = SparkRows(_by_fragment(rows, work, schema))
            else:
                done = rows.then(work, schema)
            return SparkRows(self._kept(done.frame)) if keep else done

    def rank(self, rows: SparkRows, column: str, quotas: Mapping[int, int], key: bytes) -> SparkRows:
        """Keep so many rows of each code: a threshold per code is found by counting, then looking once more."""
        limits = limits_of(self, rows, column, {code: [many] for code, many in quotas.items()}, key)
        below = Below(column, {code: limit[0] for code, limit in limits.items()}, key)
        return self.map(rows, below, rows.schema)

    def write(self, rows: SparkRows, route: Route, sink: Work) -> pa.Table:
        """Give each part to its sink, on the workers; the folder that sinks write to is shared."""
        with explained():
            return _by_fragment(self.fragments(rows, route), sink, TOLD).toArrow()

    def collect(self, rows: SparkRows) -> pa.Table:
        """Bring rows to the driver."""
        with explained():
            return rows.frame.toArrow()

    def close(self) -> None:
        """Remove whatever was written down; the session stays."""
        self._scratch.close()

    def _kept(self, frame: Any) -> Any:
        path = self._new("kept")
        frame.write.parquet(str(path))
        return self._parquet(path)

    def _new(self, name: str) -> Path:
        self._files += 1
        return self._scratch.folder / f"{self._files:05d}-{name}"

    def _parquet(self, path: Path) -> Any:
        return self.session.read.parquet(str(path))

    def _written(self, table: pa.Table) -> Path:
        """Write a table of the driver down, as one file; it is no part of any plan."""
        import pyarrow.parquet as pq

        path = self._new("table")
        path.mkdir(mode=0o700)
        columns = [column.cast(plain_type(column.type)) for column in table.columns]
        pq.write_table(pa.table(columns, names=table.column_names), path / "part-00000.parquet")
        return path

    def _opened(self, source: str) -> Any:
        with explained():
            if "/" in source or source.endswith((".parquet", ".csv", ".orc")):
                if source.endswith(".csv"):
                    # Without enforcing, the header of every file is compared with the columns of the first.
                    return self.session.read.csv(source, header=True, inferSchema=True, enforceSchema=False)
                frame = self.session.read.parquet(source)
                require_same_columns(self.session, frame)
                return frame
            return self.session.table(source)


class _Routed:
    """Adds the fragment of each row, on the workers."""

    def __init__(self, route: Route) -> None:
        self.route = route

    def __call__(self, batch: pa.Table) -> pa.Table:
        return batch.append_column(FRAGMENT, pa.array(np.asarray(self.route(batch), dtype=np.int32)))


def _by_fragment(rows: SparkRows, work: Work, schema: pa.Schema) -> Any:
    """Bring fragments together, and do something to each.

    There are as many tasks as fragments: by itself, Spark goes by bytes, and would let one task read all files of which
    only the names are sent.
    """
    tasks = max(1, min(rows.fragments or 1, _TASKS))
    together = rows.frame.repartition(tasks, quoted(FRAGMENT))
    return together.groupBy(FRAGMENT).applyInArrow(_whole(work, schema), spark_schema(schema))


def _whole(work: Work, schema: pa.Schema) -> Any:
    """Return a function of a whole fragment that Spark can call."""
    plain = plain_schema(schema)

    def each(table: pa.Table) -> pa.Table:
        return work(table).cast(plain)

    return each


def _mapped(frame: Any, works: Sequence[tuple[Work, pa.Schema]]) -> Any:
    """Do something to batches of rows on the workers; rows get numbers that tell partition and place, if asked."""

    def each(batches: Any) -> Any:
        own = [(_numbered(work), schema) for work, schema in works]
        for batch in batches:
            table = pa.Table.from_batches([batch])
            for work, schema in own:
                if table.num_rows:
                    table = work(table).cast(schema)
            if table.num_rows:
                yield from table.combine_chunks().to_batches()

    with quiet():
        return frame.mapInArrow(each, spark_schema(works[-1][1]))


def _numbered(work: Work) -> Work:
    """Let what numbers rows do so for this worker."""
    numbered = getattr(work, "numbered_by", None)
    return work if numbered is None else numbered(_partition())


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return 0 if context is None else int(context.partitionId())
