"""Stata, SPSS and SAS: values, labels, and what means missing."""

import datetime as dt

import polars as pl
import pyreadstat
import pytest

import tacit as tc
from tacit.errors import SourceError
from tacit.sources import read, read_source

FRAME = pl.DataFrame(
    {
        "sex": [1.0, 2.0, 1.0, 9.0],
        "pain": [3.0, 1.0, 2.0, None],
        "age": [30.0, 41.0, 99.0, None],
        "born": [dt.date(1990, 1, 1), dt.date(1980, 5, 6), dt.date(1950, 2, 28), None],
        "town": ["Köln", "Bonn", "", "Ulm"],
        "bmi": [22.5, 30.25, 18.0, 25.0],
    }
)
LABELS = {
    "sex": {1.0: "male", 2.0: "female", 9.0: "no answer"},
    "pain": {1.0: "none", 2.0: "some", 3.0: "much"},
    "age": {99.0: "refused"},
}
NAMES = {"sex": "Sex of the person", "bmi": "Body mass index"}


@pytest.fixture
def sav(tmp_path):
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(
        FRAME,
        str(path),
        column_labels=NAMES,
        variable_value_labels=LABELS,
        missing_ranges={"sex": [9]},
        variable_measure={"pain": "ordinal", "sex": "nominal"},
    )
    return path


def test_spss(sav):
    reading = read_source(sav)
    assert reading.frame.to_dict(as_series=False) == {
        "sex": ["male", "female", "male", None],
        "pain": ["much", "none", "some", None],
        "age": [30, 41, 99, None],
        "born": FRAME["born"].to_list(),
        "town": ["Köln", "Bonn", None, "Ulm"],
        "bmi": [22.5, 30.25, 18.0, 25.0],
    }
    assert reading.labels == NAMES
    assert reading.orders == {"pain": ("none", "some", "much")}
    assert reading.remarks == (
        f"{sav}: of the values of 'age' only 99 ('refused') has a label; all were kept as they are",
    )


def test_a_table_carries_labels_and_orders(sav, tmp_path):
    table = tc.Table.read(sav, quasi_identifiers=["sex", "pain"], sensitive="bmi")
    assert table.column("bmi").label == "Body mass index"
    assert table.column("pain").kind is tc.Kind.ORDERED
    assert len(table.remarks) == 1
    release = tc.Mondrian([tc.KAnonymity(2)]).protect(table, seed=1)
    with pytest.warns(UserWarning, match="seed"):
        tc.publish(release, tmp_path / "out", format="csv")
    assert "bmi (Body mass index)" in (tmp_path / "out" / "report.md").read_text()
    assert '"title": "Body mass index"' in (tmp_path / "out" / "datapackage.json").read_text()
    assert tc.Release.read(tmp_path / "out").shape.column("sex").label == "Sex of the person"


def test_stata(tmp_path):
    path = tmp_path / "t.dta"
    frame = FRAME.with_columns(pl.col("sex").cast(pl.Int32), pl.col("pain").cast(pl.Int32))
    labels = {name: {int(value): label for value, label in LABELS[name].items()} for name in ("sex", "pain")}
    for version in (15, 12, 8):
        pyreadstat.write_dta(
            frame.with_columns(pl.col("town").replace("Köln", "Koeln")),
            str(path),
            column_labels=NAMES,
            variable_value_labels=labels,
            version=version,
        )
        reading = read_source(path)
        assert reading.frame["sex"].to_list() == ["male", "female", "male", "no answer"]
        assert reading.frame["pain"].to_list() == ["much", "none", "some", None]
        assert reading.frame["born"].to_list() == FRAME["born"].to_list()
        assert reading.labels == NAMES


def test_stata_user_missing(tmp_path):
    path = tmp_path / "t.dta"
    frame = pl.DataFrame({"income": [100, "a", 300]}, strict=False, schema={"income": pl.Object})
    pyreadstat.write_dta(
        frame.to_pandas(),
        str(path),
        missing_user_values={"income": ["a"]},
        variable_value_labels={"income": {"a": "refused"}},
    )
    assert read(path)["income"].to_list() == [100, None, 300]


def test_portable_and_transport_files(tmp_path):
    frame = FRAME.select("age", "bmi").rename({"age": "AGE", "bmi": "BMI"})
    pyreadstat.write_por(frame, str(tmp_path / "t.por"))
    pyreadstat.write_xport(frame, str(tmp_path / "t.xpt"))
    for name in ("t.por", "t.xpt"):
        assert read(tmp_path / name).rows() == [(30, 22.5), (41, 30.25), (99, 18.0), (None, 25.0)]


def test_damaged(sav, tmp_path):
    whole = sav.read_bytes()
    (tmp_path / "cut.sav").write_bytes(whole[:200])
    with pytest.raises(SourceError, match=r"cannot be read as a file of SPSS"):
        read(tmp_path / "cut.sav")
    (tmp_path / "text.dta").write_text("a,b\n1,2\n")
    with pytest.raises(SourceError, match="does not begin like a Stata file"):
        read(tmp_path / "text.dta")
