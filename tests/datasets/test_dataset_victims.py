"""Victims: a list of people that an outsider could hold."""

from __future__ import annotations

import polars as pl
import pytest

from tacit.datasets import census, hospital, planted, victims
from tacit.errors import ParameterError, RoleError
from tacit.table import Table


@pytest.fixture(scope="module")
def table() -> Table:
    return hospital(2000)


def test_the_list_has_names_and_quasi_identifiers_and_nothing_else(table: Table) -> None:
    assert victims(table).columns == ["name", "age", "postcode", "sex", "nationality", "admission"]
    assert victims(census(50), known=["sex", "age"]).columns == ["sex", "age"]


def test_the_people_are_in_the_table_and_nobody_twice(table: Table) -> None:
    listed = victims(table, rows=500, seed=4)
    assert listed.height == 500
    assert listed.join(table.frame, on=listed.columns, how="anti").height == 0
    everybody = victims(table, rows=10_000)
    assert everybody.sort(everybody.columns).equals(table.frame.select(everybody.columns).sort(everybody.columns))


def test_the_seed_decides_who(table: Table) -> None:
    assert victims(table, seed=1).equals(victims(table, seed=1))
    assert not victims(table, seed=1).equals(victims(table, seed=2))


def test_particular_people_in_the_order_asked(table: Table) -> None:
    rows = planted(table)["marginals"].rows[::-1]
    assert victims(table, who=rows)["name"].to_list() == table.frame["name"].gather(rows).to_list()
    assert isinstance(victims(table, who=[0]), pl.DataFrame)


def test_bad_input(table: Table) -> None:
    with pytest.raises(ParameterError, match="who names row 2000, but the table has 2,000 rows"):
        victims(table, who=[3, 2000])
    with pytest.raises(RoleError, match=r"no column 'sx' in the quasi-identifiers\. Did you mean 'sex'"):
        victims(table, known=["sx"])
    with pytest.raises(ParameterError, match="rows = 0"):
        victims(table, rows=0)
