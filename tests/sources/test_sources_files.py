"""Files with types of their own, and all that is wrong with files: the place named, and the way out."""

from __future__ import annotations

import datetime as dt
import gzip
import os
import uuid
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit.errors import SourceError
from tacit.sources import compressed, faults, read
from tacit.visible import visible

FRAME = pl.DataFrame(
    {
        "name": ["Ada", "Ben", None],
        "age": [36, None, 51],
        "weight": [60.5, 70.0, None],
        "born": [dt.date(1988, 1, 2), None, dt.date(1973, 5, 6)],
        "sex": pl.Series(["f", "m", None], dtype=pl.Categorical),
        "grade": pl.Series(["low", "high", None], dtype=pl.Enum(["low", "high"])),
        "symptoms": [["cough", "fever"], [], None],
    }
)
PLAIN = FRAME.with_columns(pl.col("sex", "grade").cast(pl.String))


def write_arrow(table: pa.Table, path: Path, *, stream: bool = False) -> None:
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with pa.OSFile(str(path), "wb") as sink, new(sink, table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize(
    "name", ["t.parquet", "t.pq", "t.arrow", "t.feather", "t.ipc", "t.arrows", "t.bin", "odd[1]*.parquet"]
)
def test_typed_formats(tmp_path, name):
    path = tmp_path / name
    if path.suffix in {".parquet", ".pq", ".bin"}:
        FRAME.write_parquet(path)
    elif path.suffix == ".arrows":
        FRAME.write_ipc_stream(path)
    else:
        FRAME.write_ipc(path, compression="zstd" if path.suffix == ".feather" else "uncompressed")
    for source in (path, str(path)):
        assert read(source).equals(PLAIN)
        assert read(source).schema == PLAIN.schema


def test_the_ending_may_lie(tmp_path):
    FRAME.write_parquet(tmp_path / "t.csv")
    assert read(tmp_path / "t.csv").equals(PLAIN)
    (tmp_path / "t.xyz").write_text("a|b\n1|2\n")
    assert read(tmp_path / "t.xyz").rows() == [(1, 2)]


def test_a_csv_whose_first_column_has_the_name_of_a_format(tmp_path):
    for name in ("PAR1", "ARROW1", "FEA1", "BZh"):
        (tmp_path / "t.csv").write_text(f"{name},b\n1,2\n")
        assert read(tmp_path / "t.csv").columns == [name, "b"]


def test_packed_parquet(tmp_path):
    FRAME.write_parquet(tmp_path / "t.parquet")
    (tmp_path / "t.parquet.gz").write_bytes(gzip.compress((tmp_path / "t.parquet").read_bytes()))
    assert read(tmp_path / "t.parquet.gz").equals(PLAIN)


def test_uuids_in_parquet_are_text(tmp_path):
    ids = [uuid.UUID(int=5), None]
    pq.write_table(pa.table({"id": pa.array([ids[0].bytes, None], pa.uuid())}), tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet")["id"].to_list() == [str(ids[0]), None]


def test_parts_of_the_path_are_no_columns(tmp_path):
    folder = tmp_path / "year=2024"
    folder.mkdir()
    FRAME.write_parquet(folder / "t.parquet")
    assert read(folder / "t.parquet").columns == FRAME.columns


class TestBad:
    def fails(self, path: Path | str, *parts: str, **how: object) -> SourceError:
        with pytest.raises(SourceError) as caught:
            read(path, **how)
        message = str(caught.value)
        for part in (*parts, visible(Path(path).name)):
            assert part in message
        assert caught.value.hint
        assert "\n" not in message
        assert len(message) < 400
        return caught.value

    def write(self, folder: Path, data: bytes | str, name: str = "t.csv") -> Path:
        path = folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def test_no_such_file(self, tmp_path):
        self.write(tmp_path, "a\n1\n", "patients.csv")
        self.fails(tmp_path / "patient.csv", "There is no file", "Did you mean 'patients.csv'?")
        self.fails(tmp_path / "nowhere" / "t.csv", "There is no file", "There is no folder")
        self.fails("\0", "cannot be read")

    def test_folder(self, tmp_path):
        self.fails(tmp_path, "is a folder")

    def test_no_regular_file(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        self.fails(tmp_path / "pipe", "not a regular file")

    def test_no_permission(self, tmp_path, monkeypatch):
        path = self.write(tmp_path, "a\n1\n")

        def refuse(*_args: object, **_named: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(
            Path, "open", refuse
        )  # an administrator may read everything: permissions alone test nothing
        self.fails(path, "may not be read")

    @pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
    def test_empty(self, tmp_path, data):
        self.fails(self.write(tmp_path, data), "is empty")

    def test_two_columns_of_one_name(self, tmp_path):
        self.fails(self.write(tmp_path, "age,zip,age\n1,2,3\n"), "two columns 'age'")

    @pytest.mark.parametrize("name", ["*", "^a$", "^$"])
    def test_a_name_that_is_a_pattern(self, tmp_path, name):
        """Polars would take it for other columns, in every later step."""
        self.fails(self.write(tmp_path, f"a,{name}\n1,2\n"), repr(name), "pattern")

    @pytest.mark.parametrize("header", ["a,,c", ",a,b", "a, ,b", '"",a,b'])
    def test_a_column_without_name(self, tmp_path, header):
        self.fails(self.write(tmp_path, f"{header}\n1,2,3\n"), "has no name", "index=False")

    @pytest.mark.parametrize("head", [1 << 20, 50])
    @pytest.mark.parametrize(
        ("line", "says"), [("7,8,9", "3 fields where the header has 2"), ("7", "1 field where the header has 2")]
    )
    def test_ragged(self, tmp_path, monkeypatch, head, line, says):
        monkeypatch.setattr(compressed, "HEAD", head)
        lines = ["a,b", *["1,2"] * 30, '"x\ny",2', line, "3,4", ""]
        self.fails(self.write(tmp_path, "\n".join(lines)), "Line 34 ", says)

    @pytest.mark.parametrize("data", ["a,b\n1,2,", "a,b\n1,\n\n1,2,"])
    def test_a_separator_too_many_at_the_very_end(self, tmp_path, data):
        self.fails(self.write(tmp_path, data), " of ", "where the header has")

    def test_short_line_beside_quoted_separators(self, tmp_path):
        """One separator too few and one too many in quotes must not cancel."""
        self.fails(self.write(tmp_path, 'a,b\n"x,y",2\n3\n'), "Line 3 ", "1 field ")

    @pytest.mark.parametrize("line", ['5" pipe,2', '"x"y,2', '"open,2'])
    @pytest.mark.parametrize("head", [1 << 20, 50])
    def test_quotes_out_of_place(self, tmp_path, monkeypatch, head, line):
        monkeypatch.setattr(compressed, "HEAD", head)
        path = self.write(tmp_path, "\n".join(["a,b", *["1,2"] * 30, line, "3,4", ""]))
        self.fails(path, "Line 32 ", "double quote")

    @pytest.mark.parametrize("head", [1 << 20, 50])
    def test_not_utf8(self, tmp_path, monkeypatch, head):
        monkeypatch.setattr(compressed, "HEAD", head)
        path = self.write(tmp_path, b"a,b\n" + b"1,2\n" * 30 + "é,2\n".encode("latin-1") + b"3,4\n")
        assert read(path)["a"][30] == "é"  # what holds no UTF-8 is read as Windows-1252, with a remark
        self.fails(self.write(tmp_path, "é,è\n1,2\n".encode() + "é,2\n".encode("latin-1")), "Line 3 ", "UTF-8")
        self.fails(self.write(tmp_path, b"a,b\n1,\xc3"), "Line 2 ", "UTF-8")

    def test_a_character_on_the_edge_of_the_head(self, tmp_path, monkeypatch):
        path = self.write(tmp_path, "a,b\n" + "é€😀,2\n" * 30)
        for head in range(40, 60):
            monkeypatch.setattr(compressed, "HEAD", head)
            assert read(path)["a"].unique().to_list() == ["é€😀"]

    def test_binary(self, tmp_path):
        self.fails(self.write(tmp_path, bytes(range(256)), "t.bin"), "binary data")
        self.fails(self.write(tmp_path, b"SQLite format 3\0" + bytes(90), "t.db"), "SQLite", "sqlite:///")
        self.fails(self.write(tmp_path, b"PK\x03\x04\0\0", "t.xlsx"), "spreadsheet")

    @pytest.mark.parametrize("name", ["t.parquet", "t.feather"])
    def test_not_what_the_ending_says(self, tmp_path, name):
        self.fails(self.write(tmp_path, "a,b\n1,2\n", name), "does not begin like")

    @pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
    def test_damaged(self, tmp_path, kind):
        path = tmp_path / f"t.{kind}"
        {"parquet": FRAME.write_parquet, "arrow": FRAME.write_ipc, "arrows": FRAME.write_ipc_stream}[kind](path)
        whole = path.read_bytes()
        for part in (whole[: len(whole) // 2], whole[:12] + b"\0"):
            path.write_bytes(part)
            self.fails(path, "damaged")

    def test_damaged_packing(self, tmp_path):
        data = b"a,b\n" + b"".join(b"%d,x\n" % i for i in range(10_000))
        packed = gzip.compress(data)
        self.fails(self.write(tmp_path, packed[:-20], "t.csv.gz"), "damaged", "gzip")
        self.fails(self.write(tmp_path, packed[:200] + b"abcd" + packed[204:], "t.csv.gz"), "damaged", "gzip")
        self.fails(self.write(tmp_path, pa.compress(data, "zstd", asbytes=True)[:-9], "t.csv.zst"), "damaged", "zstd")

    @pytest.mark.parametrize("kind", ["parquet", "arrow"])
    def test_two_columns_of_one_name_in_typed_files(self, tmp_path, kind):
        table = pa.table([[1], [2]], names=["age", "age"])
        path = tmp_path / f"t.{kind}"
        if kind == "parquet":
            pq.write_table(table, path)
        else:
            write_arrow(table, path)
        self.fails(path, "two columns 'age'")

    def test_no_columns(self, tmp_path):
        pq.write_table(pa.table({}), tmp_path / "t.parquet")
        with pytest.raises(SourceError, match="no columns"):
            read(tmp_path / "t.parquet")

    @pytest.mark.parametrize("packed", [False, True])
    def test_a_line_without_end(self, tmp_path, packed):
        data = b"a" * (16 << 20)
        self.fails(self.write(tmp_path, gzip.compress(data, 1) if packed else data), "Line 1 ", "1,048,576 bytes")
        self.fails(self.write(tmp_path, b"a,b\n" + data), "Line 2 ", "1,048,576 bytes")

    def test_a_line_without_end_far_down(self, tmp_path):
        lines = b"a,b\n" + b"1,2\n" * 500_000
        self.fails(self.write(tmp_path, lines + b"x" * (3 << 20) + b",2\n3,4\n"), "Line 500,002 ", "1,048,576 bytes")

    def test_a_quote_without_end(self, tmp_path):
        self.fails(self.write(tmp_path, 'a,b\n1,2\n3,"x' + "y,z\n" * 500_000), "Line 3 ", "double quote")

    def test_an_endless_line_while_looking_for_the_fault(self, tmp_path, monkeypatch):
        monkeypatch.setattr(faults, "HEAD", 1000)
        self.fails(self.write(tmp_path, "a,b\n1,2,3" + "x" * 2000 + "\n"), "Line 2 ")

    def test_query_for_a_file(self, tmp_path):
        with pytest.raises(SourceError, match="not a database"):
            read(self.write(tmp_path, "a\n1\n"), query="select 1")
