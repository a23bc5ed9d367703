"""Quotes in a text file: rows in are rows out, or the file is refused in one sentence."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import SourceError
from tacit.sources import compressed, read
from tacit.sources.compressed import look_into
from tacit.sources.quotes import count_records


def written(place: Path, text: str) -> Path:
    path = place / "t.csv"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        'na"me,age,disease\np0,30,flu\np1,31,flu\n"p2",32,flu\np3,33,flu\np4"x,34,flu\np5,35,flu\n',
        'na"me,age\nx,1\ny,2\nz"z,3\n',
        'a,b"\n"1",2\n3,4\n5",6\n',
        'a,b\nx"y,1\nz,2\nw"w,3\n',
        'a,b\nx"y,z"w\n1,2\n',
    ],
)
def test_a_stray_quote_loses_no_row_silently(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"double quote out of place|two ways"):
        read(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        ('"na""me",age\nx,1\ny,2\n', ["na" + '"' + "me", "age"], [("x", 1), ("y", 2)]),
        ('"a"",b",c\nx,1\n', ['a",b', "c"], [("x", 1)]),
        ('\ufeff"a""\nb",c\r\nx,1\r\ny,\r\n', ['a"\nb', "c"], [("x", 1), ("y", None)]),
        ('\n\n"""a""",b\n\n1,2\n', ['"a"', "b"], [(1, 2)]),
        ('"a"""\n1\n\n2\n', ['a"'], [(1,), (None,), (2,)]),
        ('a,b\n"5"" pipe",\n\nx,1\n', ["a", "b"], [('5" pipe', None), ("x", 1)]),
    ],
)
def test_doubled_quotes_are_legal_in_the_header_and_below(
    tmp_path: Path, text: str, names: list[str], rows: list[tuple[object, ...]]
) -> None:
    frame = read(written(tmp_path, text))
    assert frame.columns == names
    assert frame.rows() == rows


def test_a_doubled_quote_in_the_header_of_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '"a""b",c,zip\n' + "".join(f"{i},{i % 7},{i:05d}\n" for i in range(2000))
    expected = read(written(tmp_path, text))
    monkeypatch.setattr(compressed, "HEAD", 500)
    assert read(written(tmp_path, text)).equals(expected)
    assert expected.columns == ['a"b', "c", "zip"]
    assert expected.height == 2000


def strict_records(text: str) -> int | None:
    """Count records by the letter of RFC 4180, one character at a time; None where a sign is out of place."""
    count, at, begun = 0, 0, False
    while at < len(text):
        begun = True
        if text[at] == '"':  # a field in quotes
            at += 1
            while True:
                end = text.find('"', at)
                if end < 0:
                    return None
                at = end + 1
                if text[at : at + 1] != '"':
                    break
                at += 1
            if text[at : at + 1] not in {"", ",", "\n", "\r"}:
                return None
        if text[at : at + 1] == "\r" and text[at + 1 : at + 2] not in {"", "\n"}:
            return None
        while at < len(text) and text[at] not in ",\n":
            if text[at] == '"' or (text[at] == "\r" and text[at + 1 : at + 2] not in {"", "\n"}):
                return None
            at += 1
        if at < len(text) and text[at] in ",\n":
            if text[at] == "\n":
                count += 1
                begun = False
            at += 1
    return count + begun


@settings(max_examples=400)
@given(st.text(st.sampled_from('"",\na\r'), max_size=24), st.integers(1, 9))
def test_records_are_counted_as_the_rule_says(tmp_path_factory: pytest.TempPathFactory, text: str, block: int) -> None:
    if not text:
        return
    path = written(tmp_path_factory.mktemp("quotes"), text)
    content = look_into(str(path))
    before = compressed._BLOCK
    compressed._BLOCK = block  # so small that every border of a block is met
    try:
        counted = count_records(content, ",", "\n")
    finally:
        compressed._BLOCK = before
    assert counted == strict_records(text)


@settings(max_examples=300)
@given(
    st.lists(st.text(st.sampled_from('"",a b'), min_size=1, max_size=6), min_size=2, max_size=2, unique=True),
    st.lists(st.tuples(st.text(st.sampled_from('"",\na'), max_size=6), st.sampled_from("123")), max_size=6),
    st.lists(st.tuples(st.integers(0, 60), st.sampled_from(['"', '""', "\n", ","])), max_size=2),
)
def test_rows_in_are_rows_out_whatever_the_quotes(
    tmp_path_factory: pytest.TempPathFactory,
    header: list[str],
    rows: list[tuple[str, str]],
    strays: list[tuple[int, str]],
) -> None:
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\n").writerows([header, *rows])
    text = sink.getvalue()
    for at, stray in strays:
        text = text[: at % (len(text) + 1)] + stray + text[at % (len(text) + 1) :]
    path = written(tmp_path_factory.mktemp("rows"), text)
    frame, refused = None, ""
    try:
        frame = read(path, separator=",")
    except SourceError as error:
        refused = str(error)
    if frame is None:
        assert strays or not all(name.strip() for name in header), refused
        assert "\n" not in refused
        return
    records = [record for record in csv.reader(io.StringIO(text, newline=""), strict=True) if record]
    assert frame.columns == records[0]
    if frame.width == 1:
        return  # a blank line is a value there
    assert frame.height == len(records) - 1
    shown = [["" if cell is None else str(cell) for cell in row] for row in frame.rows()]
    for row, record in zip(shown, records[1:], strict=True):
        assert row[0] == record[0] or float(row[0]) == float(record[0])


@pytest.mark.parametrize(
    "content", ["a\n1\r2\n3\n", "a,b\n1,\r2\r3\n", "a,b\r\n1,flu\r\r\n2,cold\r\r\n", "a,b\n1,x\ry\n2,z\n", "a\n1\n2\r3"]
)
def test_a_return_that_stands_alone_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode())
    with pytest.raises(SourceError):
        read(path)


@pytest.mark.parametrize(
    "content", ['a,b\n1,"x\ry"\n2,z\n', "a,b\r1,x\r2,z\r", "a,b\r\n1,x\r\n2,z\r\n", "a,b\r\n1,x\r\n2,z\r"]
)
def test_returns_in_quotes_and_at_line_ends_are_read(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode())
    assert read(path).height == 2
