"""Parts on a cluster: files of one table, which must have the same columns.

Spark takes the columns of one file for those of all, and a column that another file lacks for missing values.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa

from tacit.engines.spark_complaints import quiet
from tacit.errors import SourceError

Columns = dict[str, str]
"""The type of each column, by its name."""


def require_same_columns(session: Any, frame: Any) -> None:
    """Refuse files of Parquet of which one has other columns, or other types, than the first."""
    files = sorted(frame.inputFiles())
    if len(files) < 2:
        return
    schemas = _on_workers(session, files) if all(_is_local(file) for file in files) else _one_by_one(session, files)
    for file, schema in zip(files[1:], schemas[1:], strict=True):
        if schema != schemas[0]:
            raise SourceError(
                f"{_name(file)} has other columns than {_name(files[0])}: {_difference(schemas[0], schema)}.",
                hint="Write all parts of the table with the same columns and types.",
            )


def _on_workers(session: Any, files: list[str]) -> list[Columns]:
    """Let workers look into files of a folder that they share with the driver."""

    def look(batches: Any) -> Any:
        import pyarrow.parquet as pq

        for batch in batches:
            numbers = batch.column(0).to_pylist()
            schemas = [pq.read_schema(_path(files[number])) for number in numbers]
            about = [json.dumps({field.name: str(field.type) for field in schema}) for schema in schemas]
            yield pa.RecordBatch.from_pydict({"file": numbers, "about": about})

    with quiet():
        asked = session.range(len(files), numPartitions=min(len(files), 64))
        told = asked.mapInArrow(look, "file bigint, about string").toArrow()
    found = {row["file"]: json.loads(row["about"]) for row in told.to_pylist()}
    return [found[number] for number in range(len(files))]


def _one_by_one(session: Any, files: list[str]) -> list[Columns]:
    """Let the cluster read the schema of each file, wherever it is."""
    schemas = [session.read.parquet(file).schema for file in files]
    return [{field.name: str(field.dataType) for field in schema} for schema in schemas]


def _difference(first: Columns, other: Columns) -> str:
    for name, kind in first.items():
        if name not in other:
            return f"it has no column {name!r}"
        if other[name] != kind:
            return f"{name!r} holds {other[name]} there and {kind} here"
    return f"it has a column {next(name for name in other if name not in first)!r}"


def _is_local(file: str) -> bool:
    return urlsplit(file).scheme in {"", "file"}


def _path(file: str) -> str:
    return unquote(urlsplit(file).path)


def _name(file: str) -> str:
    return _path(file).rsplit("/", 1)[-1]
