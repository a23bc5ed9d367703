"""What the place must be able to do where a job runs: six verbs, and nothing else.

Rows are a handle that only their engine understands: a table in memory, files in a folder, a data frame of a cluster.
What crosses between them and whoever plans is small: dictionaries, counts, verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import polars as pl
import pyarrow as pa

ROW = "row"
"""The column of coded rows that numbers them. It is written down once, so that a worker who does its work again draws
the same."""
FRAGMENT = "fragment"
"""The column that says to which fragment a row was routed."""
COUNT = "count"
"""The column of counted combinations that says how many rows have one."""

TOLD = pa.schema(
    [
        pa.field("frame", pa.string()),
        pa.field("part", pa.int32()),
        pa.field("path", pa.string()),
        pa.field("rows", pa.int64()),
        pa.field("sha256", pa.string()),
        pa.field("columns", pa.string()),
    ]
)
"""What a sink tells of a file that it wrote."""

Rows = Any
"""Rows at an engine."""
Work = Callable[[pa.Table], pa.Table]
"""What is done to a batch of rows or to a whole fragment: a function that can be sent to a worker."""


Places = np.ndarray[tuple[int], np.dtype[np.int32]]
"""The fragment of each row."""


class Route(Protocol):
    """Says of every row of a batch to which fragment it goes; it can be sent to a worker."""

    @property
    def count(self) -> int:
        """How many fragments there are."""
        ...

    def __call__(self, batch: pa.Table, /) -> Places:
        """Return the fragment of each row."""
        ...


@dataclass(frozen=True)
class ColumnRoute:
    """Routes rows by a column that says where they go."""

    column: str
    count: int

    def __call__(self, batch: pa.Table, /) -> Places:
        """Return the fragment of each row."""
        return np.asarray(batch.column(self.column).to_numpy(), dtype=np.int32)


class Engine(Protocol):
    """Count, plan, apply, count again: whoever has these verbs runs every method that says how it scales."""

    @property
    def name(self) -> str:
        """What a recipe calls it."""
        ...

    @property
    def fragment_rows(self) -> int:
        """How many rows a fragment may have, so that a worker has room for it."""
        ...

    def read(self, source: Any, columns: Sequence[str] | None = None) -> Rows:
        """Open a source; of all its columns only some are needed."""
        ...

    def domains(self, rows: Rows, columns: Sequence[str]) -> Mapping[str, pl.Series]:
        """Return the different values of each column, null among them, in no particular order."""
        ...

    def count(self, rows: Rows, columns: Sequence[str]) -> pl.DataFrame:
        """Return the distinct combinations of some columns, and how many rows have each; parts are counted first."""
        ...

    def fragments(self, rows: Rows, route: Route) -> Rows:
        """Bring the rows of each fragment together; `map` then works on whole fragments."""
        ...

    def map(self, rows: Rows, work: Work, schema: pa.Schema, *, keep: bool = False) -> Rows:
        """Do something to every fragment or, where rows are in none, to batches of them.

        With `keep` the result is written down before anybody uses it, so that it can never be computed again otherwise.
        """
        ...

    def rank(self, rows: Rows, column: str, quotas: Mapping[int, int], key: bytes) -> Rows:
        """Keep so many rows of each code of a column, drawn by a keyed hash of their numbers; all of other codes."""
        ...

    def write(self, rows: Rows, route: Route, sink: Work) -> pa.Table:
        """Give each part to a sink that writes it, and return what the sinks tell of their files."""
        ...

    def collect(self, rows: Rows) -> pa.Table:
        """Bring rows to whoever plans: verdicts and other small things."""
        ...

    def close(self) -> None:
        """Remove whatever was written down."""
        ...
