"""Label tables from everything that holds labels and items."""

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import tacit as tc
from tacit.knowledge.quasi_sensitive import LabelTable, as_label_table

SETS = {"flu": ["cough", "headache"], "hepatitis B": ["dark urine"], "unknown": []}
TABLE = LabelTable(SETS)


def test_every_way_gives_the_same_table(tmp_path: Path) -> None:
    wide = pl.DataFrame({"label": list(SETS), "items": ["cough; headache;cough", " dark urine ", None]})
    wide.write_csv(tmp_path / "wide.csv")
    lists = pl.DataFrame({"disease": list(SETS), "symptoms": list(SETS.values())})
    lists.write_parquet(tmp_path / "lists.parquet")
    (tmp_path / "object.json").write_text(json.dumps(SETS), encoding="utf-8")
    records = [{"items": items, "label": label} for label, items in SETS.items()]
    (tmp_path / "records.json").write_text(json.dumps(records), encoding="utf-8")
    long = pl.DataFrame(
        {"label": ["flu", "flu", "hepatitis B", "unknown"], "item": ["cough", "headache", "dark urine", None]}
    )
    long.write_csv(tmp_path / "long.csv")
    given = [
        SETS, TABLE, wide, lists, long, lists.to_arrow(),
        pd.DataFrame({"label": list(SETS), "items": list(SETS.values())}),
        *(tmp_path / name for name in ("wide.csv", "lists.parquet", "object.json", "records.json", "long.csv")),
        str(tmp_path / "object.json"), {"label": list(SETS), "items": list(SETS.values())},
    ]  # fmt: skip
    for each in given:
        found = as_label_table(each)
        assert found == TABLE, each
        assert hash(found) == hash(TABLE)
    assert as_label_table({"flu": ["cough"]}) != TABLE


def test_links() -> None:
    bits = TABLE.bits_of(pl.Series(["cough", "dark urine", "never heard of"]))
    assert bits[:, 0].tolist() == [1, 2, 0]
    assert TABLE.full.tolist() == [7]
    assert TABLE.knows(pl.Series(["cough", "never heard of"])).tolist() == [True, False]
    assert len(LabelTable({str(i): [] for i in range(65)}).full) == 2


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("label,items\nflu,a;b\nflu,c\n", "label 'flu' twice"),
        ("label\nflu\n", "has 1 column"),
        ("label,items\n,a\n", "row 1: a label has no name"),
        ("label,items\n", "no"),
    ],
)
def test_malformed_csv(content: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(tc.TacitError, match=told):
        as_label_table(path)


@pytest.mark.parametrize("content", ["{", "3", '[{"label": "flu"}]', '{"flu": {"cough": 1}}', '{"flu": 3, "": []}'])
def test_malformed_json(content: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(tc.TacitError):
        as_label_table(path)


def test_a_missing_file() -> None:
    for name in ("nowhere.json", "nowhere.csv"):
        with pytest.raises(tc.TacitError, match=r"nowhere"):
            as_label_table(name)
