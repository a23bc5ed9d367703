"""Label tables from everything that holds labels and items."""

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import tacit as tc
from tacit.errors import KnowledgeMissing
from tacit.knowledge.quasi_sensitive import LabelTable, as_label_table, supplied

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
        label_table = as_label_table(each)
        assert label_table == TABLE, each
        assert hash(label_table) == hash(TABLE)
        assert label_table.digest == TABLE.digest
    assert as_label_table({"flu": ["cough"]}) != TABLE


def test_the_digest_is_of_what_the_table_says() -> None:
    assert LabelTable(dict(reversed(SETS.items()))).digest == TABLE.digest
    assert LabelTable({**SETS, "unknown": ["cough"]}).digest != TABLE.digest
    assert LabelTable({"a": ["b", "c"]}).digest != LabelTable({"a": ["b,c"]}).digest


def test_a_table_is_found_again_where_it_was_as_long_as_it_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(SETS), encoding="utf-8")
    reference = as_label_table(path).plain()
    assert "cough" not in json.dumps(reference)
    assert as_label_table(reference) == supplied(path, reference) == supplied(SETS, reference) == TABLE
    other = {"flu": ["cough"]}
    with pytest.raises(tc.SourceError, match="is not the label table that the release was made with"):
        supplied(other, reference)
    assert supplied(other, None) == as_label_table(other)
    path.write_text(json.dumps(other), encoding="utf-8")
    with pytest.raises(KnowledgeMissing, match="its digest differs"):
        as_label_table(reference)
    path.unlink()
    with pytest.raises(KnowledgeMissing, match=r"no label table at .*labels\.json"):
        as_label_table(reference)
    with pytest.raises(KnowledgeMissing, match="not read from a file"):
        as_label_table(TABLE.plain())


def test_links() -> None:
    bits = TABLE.bits_of(pl.Series(["cough", "dark urine", "never heard of"]))
    assert bits[:, 0].tolist() == [1, 2, 0]
    assert TABLE.full.tolist() == [7]
    assert TABLE.knows(pl.Series(["cough", "never heard of"])).tolist() == [True, False]
    assert len(LabelTable({str(i): [] for i in range(65)}).full) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("label,items\nflu,a;b\nflu,c\n", "label 'flu' twice"),
        ("label\nflu\n", "has 1 column"),
        ("label,items\n,a\n", "row 1: a label has no name"),
        ("label,items\n", "no"),
    ],
)
def test_malformed_csv(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(tc.TacitError, match=message):
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
