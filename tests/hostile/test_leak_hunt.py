"""A taste of the hunt for leaks, and that it finds what is hidden from it."""

from __future__ import annotations

import base64
import io
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from tests.hostile.leak_hunt import FOLDER, faults, opened

SECRET = b"a word that nobody may read"


def hidden() -> dict[str, bytes]:
    """The secret in every place where a file could keep it."""
    text = SECRET.decode()
    table = pa.table({"x": pa.array([text, "b"] * 40)})
    parquet = io.BytesIO()
    pq.write_table(table, parquet, compression="zstd", write_statistics=False)
    counted = io.BytesIO()
    pq.write_table(table, counted, compression="zstd", use_dictionary=False)
    noted = io.BytesIO()
    pq.write_table(pa.table({"x": [1]}).replace_schema_metadata({"note": text}), noted)
    arrow = io.BytesIO()
    unused = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["b", text]))
    with pa.ipc.new_file(arrow, pa.schema([("x", unused.type)])) as writer:
        writer.write_table(pa.table({"x": unused}))
    return {
        "plain": b"..." + SECRET,
        "pdf": b"%PDF-1.7\n1 0 obj\n<<>>\nstream\n" + zlib.compress(SECRET) + b"\nendstream",
        "pages": parquet.getvalue(),
        "statistics": counted.getvalue(),
        "metadata": noted.getvalue(),
        "dictionary": arrow.getvalue(),
        "base64": b'{"x": "' + base64.b64encode(SECRET * 3) + b'"}',
    }


def test_the_hunt_finds_what_is_hidden() -> None:
    for name, content in hidden().items():
        assert any(SECRET in part for _, part in opened(name, content)), name


def test_a_release_with_withheld_rows_tells_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / FOLDER
    place.mkdir()
    assert faults(place, "shift", "parquet", large=False) == []
