"""Planted people: each threat is really there, computed from the frame alone, at every size."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import polars as pl
import pytest

from tacit.datasets import census, hospital, knowledge, planted
from tacit.errors import RoleError
from tacit.table import Table

THREATS = {"skew", "risk", "marginals", "distribution", "quasi_sensitive"}


@pytest.fixture(scope="module", params=[(200, 0), (200, 11), (201, 3), (1000, 1), (18_204, 0), (100_000, 2)], ids=str)
def table(request: pytest.FixtureRequest) -> Table:
    rows, seed = request.param
    return hospital(rows, seed=seed)


def people(table: Table, threat: str) -> pl.DataFrame:
    return table.frame[planted(table)[threat].rows]


def test_every_threat_has_a_case(table: Table) -> None:
    cases = planted(table)
    assert set(cases) == THREATS
    for threat, case in cases.items():
        assert case.threat == threat
        assert (np.diff(case.rows) > 0).all()
        for attributes in case.attributes:
            assert set(attributes) <= set(table.quasi_identifiers)


def test_skew_one_value_is_too_frequent_for_3_but_not_for_2(table: Table) -> None:
    counts = table.frame["diagnosis"].value_counts(sort=True)
    ill = people(table, "skew")
    assert set(ill["diagnosis"]) == {"influenza"}
    assert ill.height == counts["count"][0]
    assert 3 * ill.height > len(table) >= 2 * ill.height
    assert 3 * counts["count"][1] <= len(table)


def test_risk_everybody_is_unique_on_few_attributes_and_has_a_rare_disease(table: Table) -> None:
    case, frame = planted(table)["risk"], table.frame
    unique = pl.DataFrame({str(i): frame.select(names).is_unique() for i, names in enumerate(case.attributes)})[
        case.rows
    ]
    assert unique.select(pl.any_horizontal(pl.all())).to_series().all()
    assert unique.select(pl.all().any()).row(0) == (True,) * len(case.attributes)  # and each set pins somebody
    assert not frame.select("postcode").is_unique()[case.rows].all()  # the pair of attributes is needed by some
    shares = frame["diagnosis"].value_counts(normalize=True)
    rare = people(table, "risk").join(shares, on="diagnosis")["proportion"]
    assert rare.max() <= 0.02


def test_marginals_two_diverse_groupings_meet_in_one_value(table: Table) -> None:
    case, frame = planted(table)["marginals"], table.frame.with_row_index("row")
    left: list[set[str]] = [set() for _ in case.rows]
    for attributes in case.attributes:
        groups = frame.group_by(attributes).agg("diagnosis")
        joined = frame[case.rows].join(groups, on=list(attributes), how="left", maintain_order="left")
        for i, values in enumerate(joined["diagnosis_right"].to_list()):
            assert len(values) == len(set(values)) == 2  # 2-diverse, and even 2-unique
            left[i] = left[i] & set(values) if left[i] else set(values)
    assert left == [{value} for value in frame[case.rows]["diagnosis"]]


def test_marginals_the_quiet_day_is_a_batch_of_its_own(table: Table) -> None:
    case, frame = planted(table)["marginals"], table.frame
    day = frame["admission"][int(case.rows[0])]
    assert (frame["admission"] == day).arg_true().to_list() == case.rows.tolist()


def test_distribution_nationality_tells_who_has_the_heart_disease(table: Table) -> None:
    case, frame = planted(table)["distribution"], table.frame
    pair = people(table, "distribution")
    same = [name for name in table.quasi_identifiers if pair[name].n_unique() == 1]
    assert same == ["age", "postcode", "sex", "admission"]
    assert frame.filter(pl.col("postcode") == pair["postcode"][0]).height == 2  # nobody else to hide among
    assert pair["diagnosis"].n_unique() == 2

    def chance(nation: str, value: str) -> float:
        people = frame.filter(pl.col("nationality") == nation)
        assert people.height >= 30  # enough for the adversary to know a distribution
        return people.filter(pl.col("diagnosis") == value).height / people.height

    nations, values = pair["nationality"].to_list(), pair["diagnosis"].to_list()
    worlds = {
        order: float(np.prod([chance(n, v) for n, v in zip(nations, order, strict=True)]))
        for order in permutations(values)
    }
    assert case.attributes == (("nationality",),)
    assert worlds[tuple(values)] / sum(worlds.values()) > 0.95


def test_distribution_the_default_table_has_the_spec_s_numbers() -> None:
    frame = hospital().frame
    p = [
        frame.filter(pl.col("nationality") == n).select((pl.col("diagnosis") == "heart disease").mean()).item()
        for n in ("American", "Japanese")
    ]
    yes, no = p[0] * (1 - p[1]), p[1] * (1 - p[0])
    assert yes / (yes + no) == pytest.approx(0.9736, abs=0.002)


def test_quasi_sensitive_harmless_symptoms_name_the_disease(table: Table) -> None:
    group = people(table, "quasi_sensitive")
    assert group.select(table.quasi_identifiers).n_unique() == 1
    assert group["symptoms"].list.join(";").n_unique() == 4
    for symptoms, diagnosis in group.select("symptoms", "diagnosis").iter_rows():
        assert [label for label, known in knowledge().items() if set(symptoms) <= set(known)] == [diagnosis]
        for symptom in symptoms:  # harmless one by one
            assert sum(symptom in known for known in knowledge().values()) > 1
    whole = table.frame.join(
        group.head(1).select(table.quasi_identifiers), on=list(table.quasi_identifiers), how="semi"
    )
    assert whole.height == 4  # 4-anonymous, and nobody else in the group


def test_nobody_is_planted_in_a_small_table() -> None:
    assert set(planted(hospital(199))) == {"skew"}
    assert planted(hospital(1)) == {}


def test_a_part_of_the_table_has_the_cases_that_are_whole() -> None:
    table = hospital(400)
    kept = np.ones(400, dtype=bool)
    kept[planted(table)["risk"].rows[0]] = False
    assert set(planted(table.filter(kept))) == THREATS - {"risk"}


def test_what_makes_them_stand_out_is_kept_free_of_others(table: Table) -> None:
    rows = np.unique(np.concatenate([case.rows for threat, case in planted(table).items() if threat != "skew"]))
    others = table.frame.with_row_index("row").filter(~pl.col("row").is_in(rows.tolist()))
    assert others.height == len(table) - 14
    assert not others["postcode"].str.starts_with("00").any()
    assert not (others["nationality"] == "Icelandic").any()
    assert others["age"].max() <= 99


def test_planted_people_stand_anywhere() -> None:
    rows = np.concatenate([planted(hospital(400, seed=s))["risk"].rows for s in range(12)])
    assert rows.min() < 100
    assert rows.max() > 300


def test_another_table_has_none() -> None:
    with pytest.raises(RoleError, match="no column 'name', so it is not a hospital"):
        planted(census(10))
