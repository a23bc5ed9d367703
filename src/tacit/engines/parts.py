"""Parts: one table in several files, read batch by batch."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tacit.errors import SourceError

_BATCH = 1 << 19
"""Rows that are read at a time: about 40 MB of ten columns. More take memory, fewer take time. Chosen by trial."""
_ENDINGS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}
TEXT = {".csv", ".tsv", ".tab", ".txt"}
"""Endings of files that are read once, into parts of Parquet."""


@dataclass(frozen=True)
class Parts:
    """Files of one schema.

    Attributes
    ----------
    files
        The files, in the order of their names.
    schema
        The columns that all of them have.
    """

    files: tuple[Path, ...]
    schema: pa.Schema

    @classmethod
    def of(cls, files: Sequence[Path]) -> Parts:
        """Look into every file; all must have the columns of the first, with the same types."""
        schema: pa.Schema | None = None
        for path in files:
            with explained(path):
                own = _schema(path)
            if schema is None:
                schema = own
            elif (own.names, own.types) != (schema.names, schema.types):
                raise SourceError(
                    f"{path.name} has other columns than {files[0].name}: {_difference(schema, own)}.",
                    hint="Write all parts of the table with the same columns and types.",
                )
        assert schema is not None  # noqa: S101 - there is a file
        return cls(tuple(files), schema)

    @property
    def rows(self) -> int:
        """How many rows all files have together."""
        total = 0
        for path in self.files:
            with explained(path):
                if _format(path) == "parquet":
                    total += pq.ParquetFile(path).metadata.num_rows
                else:
                    with pa.memory_map(str(path)) as file:
                        reader = pa.ipc.open_file(file)
                        total += sum(reader.get_batch(i).num_rows for i in range(reader.num_record_batches))
        return total

    def batches(self, columns: Sequence[str] | None = None, *, coded: bool = False) -> Iterator[pa.Table]:
        """Read the rows, some of their columns, one batch after another.

        With `coded`, texts of Parquet files come as dictionaries and codes, as they are in the file; each batch has its
        own dictionaries.
        """
        names = self.schema.names if columns is None else list(columns)
        texts = [name for name in names if _is_text(self.schema.field(name).type)] if coded else []
        for path in self.files:
            with explained(path):
                yield from _batches(path, names, texts)


def files_of(source: str | Path) -> list[Path]:
    """Return the files that a path, a folder of parts or a pattern with * names, in the order of their names."""
    text = str(source)
    path = Path(text)
    if path.is_dir():
        found = sorted(
            p for p in path.iterdir() if p.suffix in {*_ENDINGS, *TEXT} and not p.name.startswith(("_", "."))
        )
        if not found:
            raise SourceError(
                f"{path} holds no Parquet, Arrow or csv file.", hint="Name the folder that holds the parts."
            )
        return _regular(found)
    if any(mark in text for mark in "*?["):
        named = glob.glob(text, recursive=True)  # noqa: PTH207 - a pattern may be absolute
        found = _regular(sorted(Path(name) for name in named if not Path(name).is_dir()))
        if not found:
            raise SourceError(f"No file is named like {text}.", hint="Check the pattern and the folder.")
        return found
    if not path.exists():
        raise SourceError(f"There is no file {path}.", hint="Check the name and the folder.")
    return _regular([path])


def _regular(files: list[Path]) -> list[Path]:
    """Refuse a pipe or a device among files: whoever reads it waits for ever, and cannot be interrupted."""
    for path in files:
        if not path.is_file():
            raise SourceError(f"{path} is not a regular file.", hint="Take it out of the folder, or name the files.")
    return files


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what a missing or damaged part leads to into one sentence."""
    try:
        yield
    except FileNotFoundError:
        raise SourceError(
            f"{path.name} has vanished while the table was read.",
            hint="Nothing was published; put it back, and repeat.",
        ) from None
    except pa.ArrowException as error:
        reason = str(error).splitlines()[0][:200]
        raise SourceError(f"{path.name} cannot be read: {reason}.", hint="Nothing was published.") from None


def _format(path: Path) -> str:
    return _ENDINGS.get(path.suffix.lower(), "parquet")


def _schema(path: Path) -> pa.Schema:
    if _format(path) == "parquet":
        return pq.read_schema(path).remove_metadata()
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).schema.remove_metadata()


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _batches(path: Path, names: list[str], texts: list[str]) -> Iterator[pa.Table]:
    if _format(path) == "parquet":
        with pq.ParquetFile(path, read_dictionary=texts) as file:
            for batch in file.iter_batches(batch_size=_BATCH, columns=names):
                yield _checked(batch, names)
        return
    # The file is read, not mapped: mapped pages would count as memory of this process as long as it is open.
    with pa.OSFile(str(path)) as file:
        reader = pa.ipc.open_file(file, options=_only(pa.ipc.open_file(file).schema, names))
        for i in range(reader.num_record_batches):
            yield _checked(reader.get_batch(i), names)


def _only(schema: pa.Schema, names: list[str]) -> pa.ipc.IpcReadOptions:
    """Read some columns, and pass over the bytes of others."""
    return pa.ipc.IpcReadOptions(included_fields=[i for i, name in enumerate(schema.names) if name in set(names)])


def _checked(batch: pa.RecordBatch, names: list[str]) -> pa.Table:
    """Check a batch whole before anything relies on it: offsets of a damaged file would lead anywhere in memory."""
    batch.validate(full=True)
    return pa.Table.from_batches([batch]).select(names)


def _difference(first: pa.Schema, other: pa.Schema) -> str:
    for name in first.names:
        if name not in other.names:
            return f"it has no column {name!r}"
        if first.field(name).type != other.field(name).type:
            return f"{name!r} holds {other.field(name).type} there and {first.field(name).type} here"
    more = [name for name in other.names if name not in first.names]
    return f"it has a column {more[0]!r}" if more else "they stand in another order"
