"""The students: 27 attributes, 19 rare flags that go together."""

from __future__ import annotations

import polars as pl
import pytest

from tacit.datasets import student_risk, students
from tacit.table import Kind, Table


@pytest.fixture(scope="module")
def table() -> Table:
    return students(100_000)


@pytest.mark.parametrize("rows", [1, 2, 199, 5000])
def test_any_number_of_rows(rows: int) -> None:
    frame = students(rows, seed=rows).frame
    assert frame.shape == (rows, 27)
    assert frame.null_count().sum_horizontal().item() == 0
    assert frame["age"].is_between(5, 18).all()
    assert students(rows, seed=rows).frame.equals(frame)


def test_roles(table: Table) -> None:
    assert len(table.quasi_identifiers) == 8
    assert len(table.sensitive) == 19
    assert table.column("grade").kind is Kind.ORDERED


def test_the_risk_names_every_column_and_only_flags_weigh(table: Table) -> None:
    risk = student_risk()
    assert set(risk["known"]) == set(table.frame.columns)
    assert sorted(set(risk["known"].values())) == [0.001, 0.005, 0.05, 0.8]
    assert sum(known > 0.01 for known in risk["known"].values()) == 10
    assert set(risk["weights"]) == set(risk["value_weights"]) == set(table.sensitive)
    assert set(risk["weights"].values()) == {1.0}
    for flag in table.sensitive:
        assert set(table.frame[flag]) <= set(risk["value_weights"][flag])


def test_flags_are_rare_and_go_together(table: Table) -> None:
    yes = table.frame.select(pl.col(table.sensitive) == "Y")
    shares = yes.mean().row(0)
    assert all(0 < value < 0.05 for value in shares)
    assert 0.08 < yes.select(pl.any_horizontal(pl.all()).mean()).item() < 0.13
    held = yes.filter(pl.col("probation"))
    assert held["juvenile-contact"].mean() > 5 * yes["juvenile-contact"].mean()


def test_what_an_age_or_a_sex_excludes(table: Table) -> None:
    frame = table.frame
    assert frame.filter((pl.col("dropout") == "Y") & (pl.col("age") < 15)).height == 0
    assert set(frame.filter(pl.col("pregnancy") == "Y")["gender"]) == {"F"}
    assert set(frame.filter(pl.col("age") == 5)["grade"]) == {"K"}


def test_language_goes_with_race(table: Table) -> None:
    frame = table.frame
    spanish = frame.group_by("race").agg((pl.col("home-language") == "Spanish").mean().alias("share"))
    assert spanish.sort("share").row(-1)[0] == "Hispanic"
