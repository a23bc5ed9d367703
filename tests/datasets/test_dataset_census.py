"""The census: the columns, the values, the shares and the correlations of Adult."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tacit.datasets import census
from tacit.errors import RoleError
from tacit.table import Table

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
COLUMNS = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "hours-per-week",
    "industry",
    "salary-class",
]


@pytest.fixture(scope="module")
def table() -> Table:
    return census()


@pytest.fixture(scope="module")
def frame(table: Table) -> pl.DataFrame:
    return table.frame


@pytest.fixture(scope="module")
def adult() -> pl.DataFrame:
    path = DATA / "adult.csv.gz"
    if not path.exists():
        pytest.skip("the Adult data is not beside the repository")
    return pl.read_csv(path, null_values=["?"]).head(32_561).drop_nulls()


def rate(frame: pl.DataFrame, condition: pl.Expr, of: pl.Expr) -> float:
    return float(frame.filter(of).select(condition.mean()).item())


@pytest.mark.parametrize("rows", [1, 2, 199, 200, 5000])
def test_any_number_of_rows(rows: int) -> None:
    frame = census(rows, seed=rows).frame
    assert frame.columns == COLUMNS
    assert frame.height == rows
    assert frame.null_count().sum_horizontal().item() == 0
    assert frame["age"].is_between(17, 90).all()
    assert frame["hours-per-week"].is_between(1, 99).all()


def test_the_seed_decides_everything() -> None:
    assert census(3000, seed=3).frame.equals(census(3000, seed=3).frame)
    assert not census(3000, seed=3).frame.equals(census(3000, seed=4).frame)


def test_roles(table: Table) -> None:
    assert len(table) == 30_162
    assert table.quasi_identifiers == tuple(c for c in COLUMNS if c not in {"occupation", "hours-per-week", "industry"})
    assert table.sensitive == ("occupation",)


def test_other_roles() -> None:
    issue = census(500, quasi_identifiers=["age", "sex", "education", "marital-status", "race"], sensitive="industry")
    assert (len(issue.quasi_identifiers), issue.sensitive) == (5, ("industry",))
    assert "education" not in census(50, sensitive="education").quasi_identifiers
    assert census(50, sensitive=["occupation", "salary-class"]).sensitive == ("occupation", "salary-class")
    with pytest.raises(RoleError, match="'income'"):
        census(50, sensitive="income")


def test_every_value_of_every_domain_has_a_place(table: Table) -> None:
    for name in COLUMNS:
        tree = table.codes(name).tree
        assert tree is not None
        assert tree.height >= 1
    native = table.codes("native-country").tree
    assert native is not None
    assert native.domain_size == 41


def test_industry_is_10_eligible_and_follows_the_occupation() -> None:
    frame = census(60_000, seed=2).frame
    counts = frame["industry"].value_counts(sort=True)
    assert counts.height == 50
    assert 10 * counts["count"][0] <= frame.height
    farms = pl.col("industry").is_in(["crops", "livestock"])
    assert rate(frame, farms, pl.col("occupation") == "Farming-fishing") > 4 * rate(frame, farms, pl.lit(value=True))
    assert rate(frame, pl.col("industry") == "private-households", pl.col("occupation") == "Priv-house-serv") > 0.8


def test_occupation_is_7_eligible_but_education_is_not_4_eligible(frame: pl.DataFrame) -> None:
    assert 7 * frame["occupation"].value_counts()["count"].max() <= frame.height
    most = frame["education"].value_counts(sort=True).row(0)
    assert most[0] == "HS-grad"
    assert 3 * most[1] <= frame.height < 4 * most[1]


def test_correlations(frame: pl.DataFrame) -> None:
    rich, married = pl.col("salary-class") == ">50K", pl.col("marital-status") == "Married-civ-spouse"
    degree = pl.col("education").is_in(["Bachelors", "Masters", "Doctorate", "Prof-school"])
    expert, young = pl.col("occupation") == "Prof-specialty", pl.col("age") < 23
    assert rate(frame, rich, degree) > 2 * rate(frame, rich, ~degree)
    assert rate(frame, rich, married) > 4 * rate(frame, rich, ~married)
    assert rate(frame, expert, degree) > 5 * rate(frame, expert, ~degree)
    assert rate(frame, married, young) < 0.15
    assert rate(frame, married, ~young) > 0.5
    assert rate(frame, pl.col("marital-status") == "Widowed", pl.col("age") >= 65) > 0.15
    assert set(frame.filter(pl.col("occupation") == "Armed-Forces")["workclass"]) <= {"Federal-gov"}
    assert set(frame.filter(pl.col("occupation") == "Priv-house-serv")["workclass"]) <= {"Private"}
    assert rate(frame, pl.col("native-country") == "Philippines", pl.col("race") == "Asian-Pac-Islander") > 0.1
    assert rate(frame, pl.col("native-country") == "Jamaica", pl.col("race") == "Black") > 0.01


@pytest.mark.parametrize("name", [c for c in COLUMNS if c not in {"age", "hours-per-week", "industry"}])
def test_shares_are_those_of_adult(frame: pl.DataFrame, adult: pl.DataFrame, name: str) -> None:
    both = (
        adult[name].value_counts(normalize=True)
        .join(frame[name].value_counts(normalize=True), on=name, how="full", coalesce=True)
        .fill_null(0)
    )  # fmt: skip
    assert (both["proportion"] - both["proportion_right"]).abs().max() < 0.012
    assert set(frame[name]) <= set(adult[name])


def test_ages_and_hours_are_those_of_adult(frame: pl.DataFrame, adult: pl.DataFrame) -> None:
    for name in ("age", "hours-per-week"):
        theirs, ours = adult[name], frame[name]
        assert ours.mean() == pytest.approx(theirs.mean(), abs=1)
        assert ours.std() == pytest.approx(theirs.std(), abs=1.2)


def test_people_are_about_as_unique_as_in_adult(frame: pl.DataFrame, table: Table, adult: pl.DataFrame) -> None:
    names = list(table.quasi_identifiers)
    assert frame.select(names).n_unique() == pytest.approx(adult.select(names).n_unique(), rel=0.1)


def test_many_rows() -> None:
    assert len(census(1_000_000, sensitive="industry")) == 1_000_000
