"""csv and its kin: values, types, nulls, separators, blank lines; what is read fast must be what is read slowly."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import io
import math
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import ParameterError
from tacit.sources import compressed, read
from tacit.sources.dialect import guess_separator

INT, FLOAT, TEXT, DATE = pl.Int64, pl.Float64, pl.String, pl.Date
MOMENT, MOMENT_UTC = pl.Datetime("us"), pl.Datetime("us", "UTC")


@pytest.fixture
def write(tmp_path):
    def write(data: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write


@pytest.fixture
def small_head(monkeypatch):
    """Make the head so small that small files take the path of large ones."""

    def set_head(size: int) -> None:
        monkeypatch.setattr(compressed, "HEAD", size)

    return set_head


def test_types_of_a_small_table(write):
    frame = read(
        write(
            "id,age,weight,zip,sex,insured,born,seen,seen_at\n"
            '1,34,70.5,01234,f,true,1990-02-28,2024-01-05T10:30:00,"2024-01-05 10:30:00+02:00"\n'
            "2,,80,99501,m,false,1985-12-01,2024-01-06T11:00:00.250,2024-01-05 10:30:00Z\n"
        )
    )
    assert dict(frame.schema) == {
        "id": INT,
        "age": INT,
        "weight": FLOAT,
        "zip": TEXT,
        "sex": TEXT,
        "insured": TEXT,
        "born": DATE,
        "seen": MOMENT,
        "seen_at": MOMENT_UTC,
    }
    assert frame["age"].to_list() == [34, None]
    assert frame["zip"].to_list() == ["01234", "99501"]
    assert frame["born"].to_list() == [dt.date(1990, 2, 28), dt.date(1985, 12, 1)]
    assert frame["seen"][1] == dt.datetime(2024, 1, 6, 11, 0, 0, 250_000)
    assert frame["seen_at"].dt.hour().to_list() == [8, 10]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["1", "-2", "0"], INT),
        (["9223372036854775807"], INT),
        (["9223372036854775808"], TEXT),
        (["12345678901234567890123"], TEXT),
        (["1", "2.5"], FLOAT),
        (["1e3", "-.5", "2."], FLOAT),
        (["NaN", "1.5"], FLOAT),
        (["nan", "inf"], TEXT),
        (["007", "123"], TEXT),
        (["+49170", "+1555"], TEXT),
        (["001.5", "2.5"], TEXT),
        (["1,5", "2,5"], FLOAT),
        (["1,500", "2,500"], TEXT),
        (["1", "x"], TEXT),
        ([" 1", "2"], TEXT),
        (["true", "false"], TEXT),
        (["2024-02-29", "2023-12-31"], DATE),
        (["2023-02-29"], TEXT),
        (["0000-01-01", "2023-12-31"], TEXT),
        (["2024-02-29", "unknown"], TEXT),
        (["29.02.2024"], TEXT),
        (["01/02/2024"], TEXT),
        (["2024-02-29", "2024-02-29 10:00"], TEXT),
        (["2024-02-29 10:00", "2024-02-29 10:01"], MOMENT),
        (["2024-02-29T10:00:00.123456", "2024-02-29T10:00:00.000001"], MOMENT),
        (["10:30", "11:45"], TEXT),
    ],
)
@pytest.mark.parametrize("head", [1 << 20, 40])
def test_type_of_values(write, small_head, values, dtype, head):
    """The type is the same whether the values are in the head of the file or the head ends among them."""
    small_head(head)
    lines = ["k;v", *(f"{i};{value}" for i, value in enumerate(values * 8))]
    frame = read(write("\n".join(lines)))
    assert frame.schema["v"] == dtype
    if dtype == TEXT:
        assert frame["v"].to_list() == values * 8


def test_moments_with_six_decimals_are_exact(write):
    moments = [dt.datetime(2024, 1, 2, 3, 4, 5, 678_901), dt.datetime(1969, 12, 31, 23, 59, 59, 999_999)]
    frame = read(write("a,t\n1," + "\n2,".join(moment.isoformat() for moment in moments) + "\n3,\n"))
    assert frame["t"].to_list() == [*moments, None]


def test_columns_named_in_text_stay_as_written(write):
    frame = read(write("zip,n,d\n12,1,2024-01-01\n34,2,2024-01-02\n"), text={"zip", "d", "not there"})
    assert frame.rows() == [("12", 1, "2024-01-01"), ("34", 2, "2024-01-02")]


class TestLaterThanTheHead:
    """The guess is made from the head; what comes later may prove it wrong."""

    ROWS = 60_000

    @pytest.mark.parametrize(
        ("usual", "late", "dtype", "value"),
        [
            ("7", "2.5", FLOAT, 2.5),
            ("7", "x", TEXT, "x"),
            ("2.5", "x", TEXT, "x"),
            ("7", "99999999999999999999", TEXT, "99999999999999999999"),
            ("12345", "01234", TEXT, "01234"),
            ("12345", "123", INT, 123),
            ("2024-01-01", "never", TEXT, "never"),
            ("2024-01-01 10:00:00", "2024-01-01 10:00:00.5", TEXT, "2024-01-01 10:00:00.5"),
            ("", "8", INT, 8),
            ("", "2024-01-01", DATE, dt.date(2024, 1, 1)),
        ],
    )
    def test_one_late_value(self, write, usual, late, dtype, value):
        lines = [f"person number {i},{usual},1" for i in range(self.ROWS)]
        lines[50_000] = f"somebody,{late},1"
        frame = read(write("name,v,one\n" + "\n".join(lines) + "\n"))
        assert frame.height == self.ROWS
        assert dict(frame.schema) == {"name": TEXT, "v": dtype, "one": INT}
        assert frame["v"][50_000] == value
        assert frame["v"].n_unique() == 2


class TestNulls:
    DATA = 'a,b,c\n1,x,2024-01-01\n,"",\nNA,NA,NA\n-,-,-\n'

    def test_default(self, write):
        frame = read(write('a,b\n1,x\n,""\n2,\n'))
        assert frame.rows() == [(1, "x"), (None, None), (2, None)]

    def test_several(self, write):
        frame = read(write(self.DATA), nulls=["", "NA", "-"])
        assert frame.rows() == [(1, "x", dt.date(2024, 1, 1))] + [(None, None, None)] * 3

    def test_empty_is_a_value_of_text_when_it_is_not_listed(self, write):
        frame = read(write(self.DATA), nulls=["NA", "-"])
        assert frame["b"].to_list() == ["x", "", None, None]
        assert frame["a"].to_list() == [1, None, None, None]
        assert frame["c"].to_list() == [dt.date(2024, 1, 1), None, None, None]

    def test_in_large_files(self, write, small_head):
        small_head(30)
        rows = "".join(f'{i},x{i},"t"\n' for i in range(20)) + 'NA,NA,""\n,,NA\n'
        path = write("a,b,c\n" + rows)
        assert read(path, nulls=["NA"]).rows()[-2:] == [(None, None, ""), (None, "", None)]
        assert read(path, nulls=["", "NA"]).rows()[-2:] == [(None, None, None)] * 2

    @pytest.mark.parametrize("nulls", ["NA", [None], [1]])
    def test_malformed(self, write, nulls):
        with pytest.raises(ParameterError, match="nulls"):
            read(write("a\n1\n"), nulls=nulls)


class TestSeparator:
    @pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
    def test_guessed(self, write, separator):
        frame = read(write(separator.join("abc") + "\n" + separator.join(["1", '"x, y; z|\t"', "3"]) + "\n"))
        assert frame.rows() == [(1, "x, y; z|\t", 3)]

    def test_items_inside_a_field_do_not_mislead(self, write):
        frame = read(write("id,symptoms\n1,a;b;c;d\n2,e;f;g;h\n"))
        assert frame.columns == ["id", "symptoms"]

    def test_one_column(self, write):
        assert read(write("name\nAda\nBen\n")).to_dict(as_series=False) == {"name": ["Ada", "Ben"]}
        assert read(write("note\na, b\nc\n")).to_dict(as_series=False) == {"note": ["a, b", "c"]}

    def test_tsv_is_not_guessed(self, write):
        assert read(write("a,b\n1,2\n", "t.tsv")).columns == ["a,b"]
        assert read(write("a\tb\n1\t2\n", "t.tsv")).rows() == [(1, 2)]

    def test_given(self, write):
        assert read(write("a:b\n1:2,x\n"), separator=":").rows() == [(1, "2,x")]

    @pytest.mark.parametrize("separator", ["", ",,", "\n", '"', "é"])
    def test_impossible(self, write, separator):
        with pytest.raises(ParameterError, match="separator"):
            read(write("a,b\n1,2\n"), separator=separator)

    def test_more_fields_win(self):
        assert guess_separator("a|b,c|d\n1|2,3|4\n") == "|"


class TestLines:
    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("end", ["", "once", "thrice"])
    def test_ends(self, write, newline, end):
        data = newline.join(["a,b", "1,x", "2,"]) + newline * {"": 0, "once": 1, "thrice": 3}[end]
        assert read(write(data)).rows() == [(1, "x"), (2, None)]

    def test_blank_lines_are_no_records(self, write):
        path = write("\n\na,b\n1,x\n\n2,\n,\n\n\n")
        assert read(path).rows() == [(1, "x"), (2, None), (None, None)]

    def test_blank_lines_in_a_large_file(self, write, small_head):
        small_head(40)
        body = "".join(f"{i},v{i}\n" for i in range(30))
        path = write("a,b\n" + body + "\n" + body + "\n\n")
        assert read(path).height == 60
        assert read(path, nulls=["NA"]).height == 60

    def test_blank_line_in_one_column_is_a_value(self, write):
        assert read(write("a\nx\n\nz\n\n")).to_series().to_list() == ["x", None, "z"]

    def test_line_breaks_and_separators_in_quotes(self, write):
        frame = read(write('"a, or b","c\nd",e\n"1, 2","x\n\ny",\n"3","""z""",\n'))
        assert frame.columns == ["a, or b", "c\nd", "e"]
        assert frame.rows() == [("1, 2", "x\n\ny", None), ("3", '"z"', None)]

    def test_byte_order_mark(self, write):
        assert read(write(b"\xef\xbb\xbfa,b\n1,2\n")).columns == ["a", "b"]

    def test_header_only(self, write):
        for data in ("a,b", "a,b\n", "a,b\n\n"):
            frame = read(write(data))
            assert frame.columns == ["a", "b"]
            assert frame.height == 0


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv.zst", "t.GZ", "without_ending"])
def test_compressed(write, name):
    data = b"a,b\n" + b"1,x\n" * 500_000
    packed = pa.compress(data, "zstd", asbytes=True) if name.endswith("zst") else gzip.compress(data, 1)
    frame = read(write(packed, name))
    assert frame.shape == (500_000, 2)
    assert frame.row(-1) == (1, "x")


_cell = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=8)


@settings(max_examples=80, deadline=None)
@given(
    rows=st.lists(st.tuples(_cell, _cell, _cell), max_size=12),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_any_text_comes_back(tmp_path_factory, rows, separator, quoting, newline):
    """What Python's writer writes is read back as it was, where nothing is to be null and nothing to be parsed."""
    path = tmp_path_factory.mktemp("t") / "t.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, delimiter=separator, quoting=quoting, lineterminator=newline)
        writer.writerows([("a", "b", "c"), *rows])
    frame = read(path, separator=separator, nulls=(), text={"a", "b", "c"})
    assert frame.rows() == rows


@settings(max_examples=60, deadline=None)
@given(
    ints=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=10),
    floats=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=10),
    days=st.lists(st.dates(), min_size=1, max_size=10),
    moments=st.lists(st.datetimes(), min_size=1, max_size=10),
)
def test_any_value_comes_back(tmp_path_factory, ints, floats, days, moments):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    height = max(map(len, (ints, floats, days, moments)))
    columns = [values + [None] * (height - len(values)) for values in (ints, floats, days, moments)]
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow("ifdm")
        writer.writerows(
            [i, None if f is None else f"{f!r}", d and d.isoformat(), m and m.isoformat(timespec="microseconds")]
            for i, f, d, m in zip(*columns, strict=True)
        )
    frame = read(path)
    assert frame["i"].to_list() == columns[0]
    assert frame["d"].to_list() == columns[2]
    assert frame["m"].to_list() == columns[3]
    for got, expected in zip(frame["f"].to_list(), columns[1], strict=True):
        assert got == expected or math.isclose(got, expected, rel_tol=0, abs_tol=0)


_typed_cell = st.sampled_from(["1", "22", "-3", "4.5", "", "x", "2024-01-01", "2024-01-01 10:00:00", "NA"])


@settings(max_examples=60, deadline=None)
@given(
    first=st.sampled_from(["1", "4.5", "", "x", "2024-01-01"]),
    columns=st.lists(st.lists(_typed_cell, min_size=6, max_size=6), min_size=2, max_size=3),
    blank=st.integers(0, 6),
)
def test_a_short_head_changes_nothing(tmp_path_factory, first, columns, blank):
    """Guess and retry must end where looking at everything ends."""
    columns = [[first] * 5 + column for column in columns]
    lines = [",".join(row) for row in zip(*columns, strict=True)]
    lines.insert(5 + blank, "")
    header = ",".join("abc"[: len(columns)])
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_text("\n".join([header, *lines]) + "\n")
    expected = read(path, separator=",", nulls=["", "NA"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compressed, "HEAD", 70)
        found = read(path, separator=",", nulls=["", "NA"])
    assert found.equals(expected)
    assert found.schema == expected.schema
    oracle = [row for row in csv.reader(io.StringIO(path.read_text())) if row][1:]
    assert found.height == len(oracle)
