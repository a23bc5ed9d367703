"""Text files as spreadsheets of many countries write them: encodings, decimal commas, fine numbers."""

import gzip

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit as tc
from tacit.errors import ParameterError, RoleError, SourceError
from tacit.sources import compressed, read, read_source

TEXT = "name;größe\nJörg;1,85\nZoë;1,70\n"
TALL = "alter;größe;krank\n30;1,853;a\n31;1,721;b\n30;1,9;b\n31;1,6;a\n"
VALUES = [("Jörg", 1.85), ("Zoë", 1.7)]


@pytest.mark.parametrize("head", [1 << 20, 30])
@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize(
    ("encoding", "remark"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("windows-1252", "is not UTF-8; it was read as Windows-1252 (Latin-1)"),
        ("latin-1", "is not UTF-8; it was read as Windows-1252 (Latin-1)"),
        ("utf-16", "was read as UTF-16"),
        ("utf-16-le", "was read as UTF-16-LE"),
        ("utf-16-be", "was read as UTF-16-BE"),
        ("utf-32", "was read as UTF-32"),
    ],
)
def test_encodings_are_recognised(tmp_path, monkeypatch, encoding, remark, compress, head):
    monkeypatch.setattr(compressed, "HEAD", head)
    path = tmp_path / ("t.csv.gz" if compress else "t.csv")
    data = TEXT.encode(encoding)
    path.write_bytes(gzip.compress(data) if compress else data)
    reading = read_source(path)
    assert reading.frame.rows() == VALUES
    said = [text.removeprefix(f"{path} ") for text in reading.remarks if "decimal" not in text]
    assert said == ([] if remark is None else [remark])
    named = read_source(path, encoding=encoding)
    assert named.frame.rows() == VALUES
    assert not [text for text in named.remarks if "decimal" not in text]


def test_an_encoding_that_is_named(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("město,věk\nPlzeň,30\n".encode("iso8859-2"))
    assert read(path, encoding="iso8859-2").columns == ["město", "věk"]
    with pytest.raises(SourceError, match=r"Line 1 of .* is not ascii\. Name the file's own encoding"):
        read(path, encoding="ascii")
    for wrong in ("utf-88", "base64", ""):
        with pytest.raises(ParameterError, match=f"There is no encoding '{wrong}'"):
            read(path, encoding=wrong)


@pytest.mark.parametrize("head", [1 << 20, 30])
@pytest.mark.parametrize(
    ("separator", "cells", "values"),
    [
        (";", ["1,5", "1.234,56", "-2"], [1.5, 1234.56, -2.0]),
        (";", ["1.234.567", "2.000.000", "7"], [1234567, 2000000, 7]),
        ("\t", ["1 234,5", "2 000,0", "1"], [1234.5, 2000.0, 1.0]),
        (";", ["1'234.50", "2'000.00", "7.5"], [1234.5, 2000.0, 7.5]),
        (",", ['"1,234.50"', '"2,000.00"', '"7.5"'], [1234.5, 2000.0, 7.5]),
        (",", ['"1,234,567"', '"2,000,000"', '"7"'], [1234567, 2000000, 7]),
    ],
)
def test_decimals_are_recognised(tmp_path, monkeypatch, head, separator, cells, values):
    monkeypatch.setattr(compressed, "HEAD", head)
    path = tmp_path / "t.csv"
    path.write_text("\n".join([f"who{separator}pay", *(f"p{separator}{cell}" for cell in cells * 9)]))
    reading = read_source(path)
    assert reading.frame["pay"].to_list() == values * 9
    assert any("decimal" in text and "(pay)" in text for text in reading.remarks)


def test_what_could_be_either_stays_text_until_somebody_says(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("who;pay\na;1,234\nb;2,500\n")
    assert read(path)["pay"].to_list() == ["1,234", "2,500"]
    assert read(path, decimal=",")["pay"].to_list() == [1.234, 2.5]
    assert read(path, decimal=".")["pay"].to_list() == [1234, 2500]
    with pytest.raises(ParameterError, match=r"decimal is ';'\."):
        read(path, decimal=";")


def test_a_said_decimal_holds_for_all_columns_but_codes(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("zip;pay;note\n01.234;1.234;a,b\n02.500;2.500;c\n")
    frame = read(path, decimal=",")
    assert frame["pay"].to_list() == [1234, 2500]
    assert frame["zip"].to_list() == ["01.234", "02.500"]
    assert frame["note"].to_list() == ["a,b", "c"]


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=8), st.sampled_from(",."), st.integers(1, 4))
def test_numbers_come_back_however_they_are_written(numbers, decimal, places):
    from tacit.sources.decimals import canonical

    values = [number / 10**places for number in numbers]
    english = [f"{value:,.{places}f}" for value in values]
    texts = [t.translate(str.maketrans(",.", ".,")) for t in english] if decimal == "," else english
    plain = canonical(pl.DataFrame({"x": texts}), decimal)["x"]
    if not any(text.lstrip("-").startswith("00") for text in texts):
        assert plain.cast(pl.Float64).to_list() == values


def test_rounding(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("bmi,pay,age\n23.41827364519283,12345,30\n31.00918273645546,67890,41\n27.5,99,52\n")
    table = tc.Table.read(path, quasi_identifiers=["bmi", "pay", "age"], round={"bmi": 1, "pay": -3})
    assert table.frame.rows() == [(23.4, 12000, 30), (31.0, 68000, 41), (27.5, 0, 52)]
    assert read(path, round=2)["bmi"].to_list() == [23.42, 31.01, 27.5]
    guessed = read_source(path, round="auto")
    assert guessed.frame["bmi"].to_list() == [23.42, 31.01, 27.5]
    assert guessed.remarks == ("fine numbers were rounded: bmi to 2 decimals",)
    with pytest.raises(RoleError, match=r"There is no column 'bmj' in \[read\] round\. Did you mean 'bmi'\?"):
        read(path, round={"bmj": 1})
    for wrong in (1.5, "fine", {"bmi": "x"}, True, 99):
        with pytest.raises(ParameterError, match="round is"):
            read(path, round=wrong)


def test_a_recipe_says_how_a_file_is_read(tmp_path):
    (tmp_path / "t.csv").write_bytes(TALL.encode("latin-1"))
    (tmp_path / "r.toml").write_text(
        """
        [table]
        source = "t.csv"
        [read]
        encoding = "latin-1"
        decimal = ","
        round = { "größe" = 1 }
        [roles]
        quasi_identifiers = ["alter", "größe"]
        sensitive = ["krank"]
        [[steps]]
        method = "anatomy"
        l = 2
        """
    )
    from tacit.recipes import Recipe

    assert Recipe.read(tmp_path / "r.toml").table().frame["größe"].to_list() == [1.9, 1.7, 1.9, 1.6]
