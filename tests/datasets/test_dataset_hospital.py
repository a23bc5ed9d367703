"""The hospital: deterministic, any size, with the skew and the correlations it promises."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest

from tacit.datasets import hospital, knowledge
from tacit.table import Kind, Table


@pytest.fixture(scope="module")
def table() -> Table:
    return hospital()


@pytest.fixture(scope="module")
def frame(table: Table) -> pl.DataFrame:
    return table.frame


def share(frame: pl.DataFrame, diagnosis: str) -> float:
    return float((frame["diagnosis"] == diagnosis).sum()) / frame.height


@pytest.mark.parametrize("rows", [1, 2, 3, 199, 200, 201, 5000])
@pytest.mark.parametrize("seed", [0, 7])
def test_any_number_of_rows(rows: int, seed: int) -> None:
    table = hospital(rows, seed=seed)
    frame = table.frame
    assert len(table) == rows
    assert frame.null_count().sum_horizontal().item() == 0
    assert frame["age"].is_between(0, 107).all()
    assert frame["postcode"].str.contains(r"^\d{5}$").all()
    assert frame["admission"].is_between(date(2024, 1, 1), date(2024, 12, 31)).all()
    assert set(frame["diagnosis"]) <= set(knowledge())
    assert (frame["diagnosis"] == "influenza").sum() == round(0.41 * rows)


def test_the_seed_decides_everything() -> None:
    assert hospital(3000, seed=3).frame.equals(hospital(3000, seed=3).frame)
    assert not hospital(3000, seed=3).frame.equals(hospital(3000, seed=4).frame)


def test_roles_kinds_and_hierarchies(table: Table) -> None:
    assert table.identifiers == ("name",)
    assert table.quasi_identifiers == ("age", "postcode", "sex", "nationality", "admission")
    assert (table.items, table.sensitive) == (("symptoms",), ("diagnosis",))
    assert table.column("admission").kind is Kind.DATE
    assert table.column("postcode").kind is Kind.CATEGORICAL
    for name, height in {"age": 3, "postcode": 5, "sex": 1, "nationality": 2, "admission": 4, "diagnosis": 2}.items():
        tree = table.codes(name).tree
        assert tree is not None
        assert tree.height >= height


def test_the_default_is_the_clinic_of_the_design(table: Table, frame: pl.DataFrame) -> None:
    assert len(table) == 18_204
    assert share(frame, "influenza") == pytest.approx(0.41, abs=1e-4)
    assert frame["diagnosis"].value_counts()["count"].sort()[-2] * 3 < 18_204  # only one value is too frequent


def test_some_postcodes_have_leading_zeros_and_some_have_not(frame: pl.DataFrame) -> None:
    assert 0.5 < frame["postcode"].str.starts_with("0").mean() < 0.95
    assert frame["postcode"].n_unique() > 100


def test_influenza_comes_in_winter(frame: pl.DataFrame) -> None:
    month = frame["admission"].dt.month()
    assert share(frame.filter(month.is_in([12, 1, 2])), "influenza") > 0.6
    assert share(frame.filter(month.is_in([6, 7, 8])), "influenza") < 0.1


def test_a_winter_day_is_a_batch_that_no_grouping_makes_3_diverse(frame: pl.DataFrame) -> None:
    days = frame.group_by("admission").agg(pl.len(), (pl.col("diagnosis") == "influenza").sum().alias("ill"))
    january, july = (days.filter(pl.col("admission").dt.month() == month) for month in (1, 7))
    assert (january["ill"] * 3 > january["len"]).all()
    assert not (july["ill"] * 3 > july["len"]).any()


def test_diagnosis_follows_age_sex_and_nationality(frame: pl.DataFrame) -> None:
    old, young = frame.filter(pl.col("age") >= 70), frame.filter(pl.col("age") < 30)
    women, men = frame.filter(pl.col("sex") == "female"), frame.filter(pl.col("sex") == "male")
    assert share(old, "heart disease") > 5 * share(young, "heart disease")
    assert share(young, "common cold") > 2 * share(old, "common cold")
    assert share(women, "thyroid disorder") > 2 * share(men, "thyroid disorder")
    assert share(women, "prostate cancer") == 0
    african = frame.filter(pl.col("nationality").is_in(["Nigerian", "Kenyan", "Moroccan"]))
    assert share(african, "malaria") > 5 * share(frame, "malaria")
    for nation, expected in {"American": 0.1, "Japanese": 0.003, "German": 0.05}.items():
        people = frame.filter(pl.col("nationality") == nation)
        assert share(people, "heart disease") == pytest.approx(expected, abs=1.5 / people.height)
        assert share(people, "influenza") == pytest.approx(0.41, abs=0.06)


def test_people_of_one_origin_gather(frame: pl.DataFrame) -> None:
    district = frame["postcode"].str.head(3) == "024"
    asian = frame["nationality"].is_in(["Japanese", "Chinese", "Korean"])
    assert (
        frame.filter(district & asian).height / asian.sum()
        > 1.5 * frame.filter(district & ~asian).height / (~asian).sum()
    )


def test_symptoms_follow_the_diagnosis(frame: pl.DataFrame) -> None:
    book = pl.DataFrame(
        {"diagnosis": list(knowledge()), "known": [list(symptoms) for symptoms in knowledge().values()]},
    )
    told = frame.join(book, on="diagnosis").with_columns(
        pl.col("symptoms").list.set_difference("known").list.len().alias("beside")
    )
    assert 0.03 < (told["beside"] > 0).mean() < 0.1
    assert told["beside"].max() == 1
    assert 2 < told["symptoms"].list.len().mean() < 4
    assert 0 < (told["symptoms"].list.len() == 0).mean() < 0.02
    assert (told["symptoms"].list.n_unique() == told["symptoms"].list.len()).all()


def test_no_disease_hides_in_another() -> None:
    book = {label: set(symptoms) for label, symptoms in knowledge().items()}
    assert len(book) == 40
    assert not [(a, b) for a in book for b in book if a != b and book[a] <= book[b]]


def test_the_label_table_is_a_copy() -> None:
    knowledge().clear()
    assert knowledge()["influenza"][0] == "fever"


def test_no_two_people_share_a_name(frame: pl.DataFrame) -> None:
    assert frame["name"].n_unique() == frame.height


def test_many_rows() -> None:
    table = hospital(200_000, seed=1)
    assert len(table) == 200_000
    assert table.codes("diagnosis").cardinality == 40
