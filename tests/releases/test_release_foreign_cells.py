"""Cells of somebody else's table are read one by one: a mixture of notations against a reading of each alone."""

from __future__ import annotations

import datetime as dt

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.cells import may_be_in_foreign

from tacit import LinkageAdversary, Release

NUMBERS = st.integers(18, 99)
RANGES = st.tuples(NUMBERS, st.integers(0, 20)).map(lambda d: (d[0], d[0] + d[1]))
NOTATIONS = {
    "interval": RANGES.map(lambda r: f"[{r[0]}, {r[1]}]"),
    "half open": RANGES.map(lambda r: f"[{r[0]}, {r[1] + 1}["),
    "dash": RANGES.map(lambda r: f"{r[0]}-{r[1]}"),
    "bound": st.tuples(st.sampled_from(["<", "<=", ">", ">="]), NUMBERS).map(lambda d: f"{d[0]}{d[1]}"),
    "set": st.lists(NUMBERS, min_size=1, max_size=3, unique=True).map(lambda s: "{" + ", ".join(map(str, s)) + "}"),
    "set of ranges": RANGES.map(lambda r: f"{{{r[0]}-{r[1]}, 20}}"),
    "set with a word": NUMBERS.map(lambda x: f"{{{x}, elderly}}"),
    "cut": st.sampled_from(["2*", "3*", "4*", "*5", "1**", "x*"]),
    "number": NUMBERS.map(str),
    "fraction": NUMBERS.map(lambda x: f"{x}.0"),
    "backwards": st.just("40-30"),
    "missing": st.sampled_from(["NULL", "unknown", "n/a", "?", "*", " * ", "nan"]),
    "word": st.sampled_from(["elderly", "K", "13053-1234x"]),
    "date": st.just("1980-05-01"),
    "padded": NUMBERS.map(lambda x: f" {x} "),
}
VICTIMS = {
    "whole": st.integers(15, 99),
    "real": st.integers(15, 99).map(float),
    "text": st.integers(15, 99).map(str) | st.sampled_from(["K", "20-29", "elderly"]),
}


def attacked(cells: list[str | None], victims: list[object]) -> tuple[list[int], str]:
    release = Release.foreign(
        pl.DataFrame({"age": pl.Series(cells, dtype=pl.String), "ill": ["flu"] * len(cells)}),
        quasi_identifiers="age",
        sensitive="ill",
    )
    attack = LinkageAdversary(victims=pl.DataFrame({"age": victims})).attack(release)
    return attack.candidates.tolist(), release.shape.column("age").kind.value


def agree(cells: list[str | None], victims: list[object]) -> None:
    found, kind = attacked(cells, victims)
    asked = victims
    if kind == "numeric" and all(isinstance(v, str) for v in victims):  # a list that is all numbers is read as numbers
        try:
            asked = [float(v) for v in victims]
        except ValueError:
            asked = victims
    expected = [sum(may_be_in_foreign(cell, value, kind, list(asked)) for cell in cells) for value in asked]
    assert found == expected, (kind, cells, victims)


@pytest.mark.parametrize("asked", [[15.0], [15], [15.0, 7.5], ["15"]])
def test_a_number_that_is_asked_about_among_days_is_cut_without_a_point(asked: list[object]) -> None:
    """Before, 15.0 was not found behind *5 in a column that was taken for dates."""
    agree(["1980-05-01", "*5"], asked)
    assert attacked(["1980-05-01", "*5"], asked)[0][0] == 1


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_mixtures_of_notations(data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(sorted(NOTATIONS)), min_size=1, max_size=4, unique=True))
    cell = st.one_of([NOTATIONS[name] for name in chosen])
    cells = data.draw(st.lists(cell | st.none(), min_size=1, max_size=8))
    victims = data.draw(st.lists(VICTIMS[data.draw(st.sampled_from(sorted(VICTIMS)))], min_size=1, max_size=5))
    agree(cells, victims)


DAYS = st.integers(0, 400).map(lambda d: dt.date(2020, 1, 1) + dt.timedelta(d))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        DAYS.map(str)
        | st.tuples(DAYS, DAYS).map(lambda d: f"[{min(d)}, {max(d)}]")
        | st.lists(DAYS.map(str), min_size=1, max_size=3).map(lambda s: "{" + ", ".join(s) + "}")
        | st.sampled_from(["NULL", "2020", "2020-**-**", "2020-01-**", "spring", "20-29"])
        | st.none(),
        min_size=1,
        max_size=8,
    ),
    st.lists(DAYS, min_size=1, max_size=4),
)
def test_mixtures_of_dates(cells: list[str | None], victims: list[dt.date]) -> None:
    found, kind = attacked(cells, list(victims))
    if kind == "date":
        assert found == [sum(may_be_in_foreign(cell, day, kind, list(victims)) for cell in cells) for day in victims]


@pytest.mark.parametrize("unreadable", ["NULL", "unknown", "", "n/a", "?", "about thirty", None])
def test_one_unreadable_cell_leaves_intervals_as_they_are(unreadable: str | None) -> None:
    cells = {"age": ["20-29", "30-39", unreadable], "sex": ["male", "female", "male"], "ill": ["a", "b", "c"]}
    release = Release.foreign(cells, quasi_identifiers=["age", "sex"], sensitive="ill")
    attack = LinkageAdversary(victims={"age": [25, 34, 50], "sex": ["male", "female", "female"]}).attack(release)
    assert attack.candidates.tolist() == [2, 1, 0]


def test_one_cut_cell_leaves_intervals_as_they_are() -> None:
    found, _ = attacked(["20-29", "30-39", "3*"], [25, 34, 41])
    assert found == [1, 2, 0]


def test_ranges_are_ranges_among_words_too() -> None:
    found, kind = attacked(["20-29", "young", "old", "middle", "adult"], ["25", "young", "31"])
    assert (found, kind) == ([1, 1, 0], "categorical")


def test_postcodes_that_lost_a_zero() -> None:
    found, kind = attacked(["01***", "13053", "01234"], [1234, 13053, 1300])
    assert (found, kind) == ([2, 1, 1], "categorical")
