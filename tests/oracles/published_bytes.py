"""What a stranger with a hex editor, a csv reader or a spreadsheet finds in published files."""

from __future__ import annotations

import csv
import io
import struct
import unicodedata
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

DANGEROUS = "=+-@\uff1d\uff0b\uff0d\uff20"


def everything_in(path: Path) -> bytes:
    """The raw bytes, and whatever else the format can hide: decompressed buffers, statistics, metadata."""
    found = [path.read_bytes(), path.name.encode()]
    if path.suffix == ".parquet":
        file = pq.ParquetFile(path)
        found.append(repr(file.metadata.metadata).encode())
        found.append(file.schema_arrow.to_string(show_field_metadata=True, show_schema_metadata=True).encode())
        found += [
            repr(file.metadata.row_group(group).column(column).to_dict()).encode()
            for group in range(file.metadata.num_row_groups)
            for column in range(file.metadata.num_columns)
        ]
        found += _buffers(file.read())
    elif path.suffix == ".arrow":
        with pa.OSFile(str(path)) as source:
            table = pa.ipc.open_file(source).read_all()
        found.append(table.schema.to_string(show_field_metadata=True, show_schema_metadata=True).encode())
        found += _buffers(table)
    return b"\n".join(found)


def _buffers(table: pa.Table) -> list[bytes]:
    return [
        buffer.to_pybytes()
        for column in table.columns
        for chunk in column.chunks
        for buffer in chunk.buffers()
        if buffer is not None
    ]


def holds(content: bytes, value: Any) -> bool:
    """Whether a value is in the bytes in any form in which a file would hold it."""
    if isinstance(value, str):
        return value.encode() in content or value.encode("utf-16-le") in content
    forms = [str(value).encode()]
    if isinstance(value, int):
        forms.append(struct.pack("<q", value))
    if isinstance(value, float):
        forms.append(struct.pack("<d", value))
    return any(form in content for form in forms)


def csv_rows(path: Path) -> list[list[str]]:
    """The cells as any reader of csv sees them."""
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def would_run(cell: str) -> bool:
    """Whether a spreadsheet takes a cell for a formula: blanks and invisible characters in front do not stop it."""
    rest = cell
    while rest and (rest[0].isspace() or unicodedata.category(rest[0]) in {"Cc", "Cf"}):
        rest = rest[1:]
    if not rest or rest[0] not in DANGEROUS:
        return False
    try:
        float(rest.strip())
    except ValueError:
        return True
    return "_" in rest or not rest.isascii()  # Python reads more as a number than a spreadsheet does


def split_carelessly(path: Path, separators: str) -> list[str]:
    """The cells as a spreadsheet sees them that has another separator, so that quotes are in the middle of cells."""
    cells = [path.read_text(encoding="utf-8")]
    for separator in separators:
        cells = [part for cell in cells for part in cell.split(separator)]
    return cells
