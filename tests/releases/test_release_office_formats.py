"""Releases as xlsx, Stata and SPSS, opened with other people's readers."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import fastexcel
import openpyxl
import pandas as pd
import polars as pl
import pyreadstat
import pytest

import tacit as tc
from tacit.errors import SourceError
from tacit.releases.formats import write_frame
from tacit.releases.spreadsheet import _CHUNK, write_xlsx
from tacit.sources import read

FRAME = pl.DataFrame(
    {
        "marital-status": ["married", "=1+1", None, "a < b & c", " padded"],
        "age": [30, 31, None, 33, 34],
        "bmi": [22.5, None, 0.1 + 0.2, 1e-9, 30.0],
        "born": [dt.date(1990, 1, 2), None, dt.date(2024, 2, 29), dt.date(1901, 1, 1), dt.date(1999, 12, 31)],
        "smokes": [True, False, None, True, False],
    }
)


def test_other_readers_of_spreadsheets_see_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    write_xlsx(FRAME, path, {})
    sheet = openpyxl.load_workbook(path).active
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0] == tuple(FRAME.columns)
    assert rows[1] == ("married", 30, 22.5, dt.datetime(1990, 1, 2), True)
    assert sheet["A3"].value == "=1+1"
    assert sheet["A3"].data_type in {"inlineStr", "s"}  # a text, not a formula
    assert rows[3][:3] == (None, None, 0.1 + 0.2)
    assert rows[4][0] == "a < b & c"
    assert rows[5][0] == '\\" padded"'
    frame = pd.read_excel(path)
    assert frame["born"].dt.year.to_list()[0] == 1990
    assert read(path)["age"].to_list() == FRAME["age"].to_list()
    assert fastexcel.read_excel(path).sheet_names == ["table"]


def test_more_rows_than_are_written_at_a_time(tmp_path: Path) -> None:
    frame = pl.DataFrame({"n": range(_CHUNK + 7), "text": [f"p{i}" for i in range(_CHUNK + 7)]})
    write_xlsx(frame, tmp_path / "t.xlsx", {})
    assert read(tmp_path / "t.xlsx").equals(frame)


def test_what_a_sheet_does_not_hold(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"A sheet holds 1,048,575 rows and 16,384 columns; 't' has 1,048,576 rows"):
        write_xlsx(pl.DataFrame({"n": range(1_048_576)}), tmp_path / "t.xlsx", {})
    with pytest.raises(SourceError, match="more than 32,767 characters"):
        write_xlsx(pl.DataFrame({"t": ["x" * 40_000]}), tmp_path / "t.xlsx", {})


@pytest.mark.parametrize(("kind", "name"), [("stata", "t.dta"), ("spss", "t.sav")])
def test_other_readers_of_statistics_files_see_the_same(tmp_path: Path, kind: str, name: str) -> None:
    path = tmp_path / name
    write_frame(FRAME, path, kind, {})  # type: ignore[arg-type]
    frame, about = (pyreadstat.read_dta if kind == "stata" else pyreadstat.read_sav)(str(path), output_format="polars")
    assert frame.columns == ["marital_status", "age", "bmi", "born", "smokes"]
    assert about.column_names_to_labels["marital_status"] == "marital-status"
    assert frame["age"].to_list() == FRAME["age"].to_list()
    assert frame["born"].to_list() == FRAME["born"].to_list()
    if kind == "stata":
        assert pd.read_stata(path)["bmi"].to_list()[0] == 22.5
    with pytest.raises(SourceError, match=r"A text in column 't' has 40,000 bytes"):
        write_frame(pl.DataFrame({"t": ["x" * 40_000]}), path, kind, {})  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["xlsx", "stata", "spss"])
def test_the_same_seed_gives_the_same_bytes_and_no_time(tmp_path: Path, kind: str, monkeypatch) -> None:
    frame = {"age": [30, 31, 40, 41] * 3, "ill": ["flu", "cold"] * 6}
    table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    for name in ("a", "b"):
        with pytest.warns(UserWarning, match="seed"):
            tc.Mondrian([tc.KAnonymity(3)]).protect(table, seed=1).write(tmp_path / name, format=kind)
    a, b = ([path.read_bytes() for path in sorted((tmp_path / name).iterdir())] for name in ("a", "b"))
    assert a == b
    today = dt.datetime.now()
    for content in a:
        assert today.strftime("%d %b %Y").encode() not in content
        assert today.strftime("%d %b %y").encode() not in content
    again = tc.Release.read(tmp_path / "a")
    assert tc.audit(again).holds


def test_one_sentence_where_the_extra_is_missing(tmp_path: Path, monkeypatch) -> None:
    import importlib

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(SourceError, match=r"Writing a file of Stata needs the package 'pyreadstat'\. pip install"):
        write_frame(FRAME, tmp_path / "t.dta", "stata", {})
