"""Spreadsheets as Excel, LibreOffice and their libraries write them."""

import datetime as dt

import pandas as pd
import polars as pl
import pytest
import xlsxwriter
import xlwt

import tacit as tc
from tacit.errors import ParameterError, SourceError
from tacit.sources import read, read_source

ROWS = [
    (34, "01234", dt.date(2024, 1, 2), 23.5, "cough", True),
    (51, "99501", dt.date(2024, 2, 3), 30.25, None, False),
    (None, "10115", None, 1.0, "=1+1", True),
]
NAMES = ("age", "zip", "when", "bmi", "note", "smokes")


def _xlsx(path, rows=ROWS, names=NAMES, *, sheets=("Patients",)):
    with xlsxwriter.Workbook(path, {"strings_to_formulas": False}) as book:
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for sheet in sheets:
            page = book.add_worksheet(sheet)
            page.write_row(0, 0, names)
            for i, row in enumerate(rows, start=1):
                for j, value in enumerate(row):
                    if isinstance(value, dt.date):
                        page.write_datetime(i, j, dt.datetime(value.year, value.month, value.day), day)
                    elif value is not None:
                        page.write(i, j, value)
    return path


def _xls(path):
    book = xlwt.Workbook()
    page = book.add_sheet("Patients")
    day = xlwt.easyxf(num_format_str="yyyy-mm-dd")
    for j, name in enumerate(NAMES):
        page.write(0, j, name)
    for i, row in enumerate(ROWS, start=1):
        for j, value in enumerate(row):
            if value is not None:
                page.write(i, j, value, day if isinstance(value, dt.date) else xlwt.Style.default_style)
    book.save(str(path))
    return path


def _ods(path):
    pd.DataFrame(ROWS, columns=list(NAMES)).to_excel(path, engine="odf", index=False, sheet_name="Patients")
    return path


@pytest.mark.parametrize(("write", "name"), [(_xlsx, "t.xlsx"), (_xls, "t.xls"), (_ods, "t.ods")])
def test_values_and_types(tmp_path, write, name):
    frame = read(write(tmp_path / name))
    assert frame.schema == {
        "age": pl.Int64,
        "zip": pl.String,
        "when": pl.Date,
        "bmi": pl.Float64,
        "note": pl.String,
        "smokes": pl.Boolean,
    }
    assert frame.rows() == ROWS


def test_sheets_by_name_and_number(tmp_path):
    path = _xlsx(tmp_path / "t.xlsx", sheets=("Legend", "Patients"))
    reading = read_source(path)
    assert reading.remarks == (f"{path}: the sheet 'Legend' was read; there are also 'Patients'",)
    assert read(path, sheet="Patients").height == read(path, sheet=2).height == 3
    assert read_source(path, sheet=1).remarks == ()
    with pytest.raises(SourceError, match=r"has no sheet 'Patient'\. Did you mean 'Patients'\?"):
        read(path, sheet="Patient")
    with pytest.raises(SourceError, match=r"has no sheet 0\. It has 2, counted from 1: Legend, Patients\."):
        read(path, sheet=0)
    with pytest.raises(ParameterError, match="name of a sheet"):
        read(path, sheet=1.5)
    csv = tmp_path / "t.csv"
    csv.write_text("a,b\n1,2\n")
    with pytest.raises(SourceError, match="is not a spreadsheet"):
        read(csv, sheet=1)


def test_marks_of_what_is_missing(tmp_path):
    path = _xlsx(tmp_path / "t.xlsx", [(34, "a"), ("?", "?"), (51, "b"), (-9, "c")], ("age", "town"))
    assert read(path).schema["age"] == pl.String
    frame = read(path, nulls=("", "?", "-9"))
    assert frame["age"].to_list() == [34, None, 51, None]
    assert frame["town"].to_list() == ["a", None, "b", "c"]


def test_codes_stay_text(tmp_path):
    path = _xlsx(tmp_path / "t.xlsx", [(10115,), (20095,)], ("zip",))
    table = tc.Table.read(path, quasi_identifiers="zip", hierarchies={"zip": {"prefix": 5}})
    assert table.frame["zip"].to_list() == ["10115", "20095"]


def test_bad_sheets(tmp_path):
    two = _xlsx(tmp_path / "two.xlsx", [(1, 2)], ("age", "age"))
    with pytest.raises(SourceError, match="has two columns 'age'"):
        read(two)
    nameless = _xlsx(tmp_path / "nameless.xlsx", [(1, 2)], ("age", None))
    with pytest.raises(SourceError, match=r"Column 2 of the sheet 'Patients' has no name in the first row"):
        read(nameless)
    with xlsxwriter.Workbook(tmp_path / "empty.xlsx") as book:
        book.add_worksheet("a")
    with pytest.raises(SourceError, match="is empty"):
        read(tmp_path / "empty.xlsx")
    whole = two.read_bytes()
    (tmp_path / "cut.xlsx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceError, match="damaged or not a complete spreadsheet"):
        read(tmp_path / "cut.xlsx")


def test_empty_rows_and_columns_around_a_table(tmp_path):
    path = tmp_path / "t.xlsx"
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet()
        page.write_row(0, 0, ["age", "town"])
        page.write_row(1, 0, [30, "a"])
        page.write_row(4, 0, [31, "b"])
        page.write(9, 0, "  ")
    assert read(path).rows() == [(30, "a"), (31, "b")]


def test_without_the_extra(tmp_path, monkeypatch):
    import importlib

    path = _xlsx(tmp_path / "t.xlsx")

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(SourceError, match=r"needs the package 'fastexcel'\. pip install 'tacit\[files\]'"):
        read(path)
