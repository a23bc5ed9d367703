"""No cell of a csv is run by a spreadsheet, and every cell is read back as it was."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles.published_bytes import DANGEROUS, csv_rows, split_carelessly, would_run
from tests.releases.releases_made import assert_same

from tacit import Release
from tacit.releases.delimited import read_csv, write_csv
from tacit.releases.spreadsheet_formulas import harmless, original

PAYLOADS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\tplain",
    "\rplain",
    "＝1+1",
    "＋1",
    "－1",
    "＠x",
    "  =1",
    "\u00a0=1",
    "\u200b=1",
    "\ufeff=1",
    "\x00=1",
    "\x0b=1",
    "\u3000＝1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x","y")',
    "-2+3+cmd|' /C calc'!A0",
    "--5",
    "-5-",
    "+-5",
    "-5\n=1",
    "-٣",
    '"=1',
    '""-1+1"',
    "-",
    "=",
    "-1e",
    "-inf",
    "+nan",
]
NUMBERS = ["-5", "+5", "-0.5", "-.5", "-5.", "-1e-5", "+1E+10", "5", "-007"]
KEPT = ["flu", "", " flu", "1-2", "a=b", "x@y.org", "'quoted'", "''", "*", "a;b", "a -1"]
risky = st.text(st.sampled_from([*DANGEROUS, *"'\"; \t\r\n,a1.e*\u200b\ufeff\x00"]), max_size=8)
texts = st.one_of(risky, st.text(st.characters(codec="utf-8"), max_size=12))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_gets_an_apostrophe_and_loses_it(payload: str) -> None:
    written = harmless(pl.Series([payload]))
    assert written[0].startswith("'")
    assert not would_run(written[0])
    assert original(written)[0] == payload


@pytest.mark.parametrize("text", NUMBERS + KEPT)
def test_numbers_and_plain_texts_stay_as_they_are(text: str) -> None:
    assert harmless(pl.Series([text]))[0] == text
    assert original(pl.Series([text]))[0] == text


def test_apostrophes_of_the_data_are_not_mistaken_for_ours() -> None:
    values = ["'=1", "''=1", "' =1", "'-5", "''-5", "'+", "'", "a;'=1", "a;''=1", "\n'@", '"=', "'\"=", "\"'=", ';"=']
    assert original(harmless(pl.Series(values))).to_list() == values
    assert harmless(pl.Series(values)).n_unique() == len(values)


@settings(max_examples=200, deadline=None)
@given(texts)
@example("=;=\n=")
@example("'\t'=")
@example("\r\n'=1")
def test_any_text_is_harmless_and_comes_back(text: str) -> None:
    written = harmless(pl.Series([text], dtype=pl.String))
    assert not would_run(written[0])
    assert written[0][:1] not in {"\t", "\r"}
    assert original(written)[0] == text


@settings(max_examples=100, deadline=None)
@given(texts, texts)
def test_harmless_is_one_to_one(a: str, b: str) -> None:
    written = harmless(pl.Series([a, b], dtype=pl.String))
    assert (written[0] == written[1]) == (a == b)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.none() | texts, min_size=2, max_size=2), st.lists(texts, min_size=2, max_size=2, unique=True))
def test_no_cell_or_header_of_a_file_would_run(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str | None], names: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "cells.csv"
    frame = pl.DataFrame({name: pl.Series([cell], dtype=pl.String) for name, cell in zip(names, cells, strict=True)})
    write_csv(frame, path, {})
    assert not any(would_run(cell) for row in csv_rows(path) for cell in row)
    assert read_csv(path, {}, [[name, "String"] for name in names]).equals(frame)
    # A spreadsheet whose separator is another one (a semicolon in much of Europe) cuts cells, and lines inside quotes.
    # A row that starts with a plain negative number stays as it is.
    for cell in split_carelessly(path, "\n\r;\t"):
        cell = re.sub(r"^[-+][0-9.]+([eE][-+]?[0-9]+)?,", "", cell)  # noqa: PLW2901
        assert not would_run(cell.lstrip('"')), f"{cell!r} of {path.read_text()!r} would run"


def test_a_semicolon_is_a_separator_to_some(tmp_path: Path) -> None:
    frame = pl.DataFrame({"note": ["flu;=cmd|' /C calc'!A0", "one\n=2+2", "a;-5"], "n": [-1, 2, -3]})
    write_csv(frame, tmp_path / "t.csv", {})
    assert (tmp_path / "t.csv").read_text().splitlines() == [
        "note,n",
        "flu;'=cmd|' /C calc'!A0,-1",
        '"one',
        "'=2+2\",2",
        "a;'-5,-3",
    ]


def test_headers_items_and_blurred_cells_are_harmless_too(tmp_path: Path) -> None:
    frame = {"=h()": ["=1", "*"], "-ill": ["@x", "-3"], "\ufeff+s": [["=1", "b"], ["c", "-d"]]}
    release = Release.foreign(frame, quasi_identifiers="=h()", sensitive="-ill", items="\ufeff+s")
    release.write(tmp_path / "out", format="csv")
    assert csv_rows(tmp_path / "out" / "table.csv") == [
        ["'=h()", "'-ill", "'\ufeff+s"],
        ["'=1", "'@x", "'=1;b"],
        ["*", "-3", "c;'-d"],
    ]
    assert_same(release, Release.read(tmp_path / "out"))


def test_numbers_of_a_number_column_stay_numbers(tmp_path: Path) -> None:
    frame = pl.DataFrame({"n": [-5, 7], "x": [-0.5, 1e-9]})
    write_csv(frame, tmp_path / "t.csv", {})
    assert (tmp_path / "t.csv").read_text() == "n,x\n-5,-0.5\n7,1e-9\n"


@pytest.mark.parametrize("separator", [";", "|", "\t", "\r", "\n"])
def test_no_separator_starts_a_formula(separator: str) -> None:
    from tacit.releases.spreadsheet_formulas import harmless, original

    values = pl.Series(
        [f"flu{separator}=1+1", f"a{separator} @x", f"a{separator}'=1", f"{separator}-2+3", f"a{separator}b"]
    )
    written = harmless(values)
    for cell in written.to_list()[:4]:
        assert all(part.lstrip(" ")[:1] not in {"=", "@", "-", "+"} for part in cell.split(separator))
    assert original(written).to_list() == values.to_list()


@given(st.lists(st.one_of(st.none(), st.sampled_from(PAYLOADS), st.text(max_size=4)), max_size=6))
@settings(max_examples=60, deadline=None)
def test_what_is_guarded_does_not_depend_on_what_else_is_in_the_column(cells: list[str | None]) -> None:
    column = pl.Series(cells * 3, dtype=pl.String)
    alone = [harmless(pl.Series([cell], dtype=pl.String))[0] for cell in column]
    assert harmless(column).to_list() == alone
