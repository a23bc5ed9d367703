"""A table from whatever holds a table."""

import datetime as dt

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import tacit as tc
from tacit.errors import SourceError
from tacit.table import Table

DATA = {
    "age": [30, 41, None],
    "town": ["Bath", None, "Cork"],
    "born": [dt.date(1990, 1, 2), dt.date(1980, 2, 3), dt.date(1970, 3, 4)],
    "pay": [1.5, 2.5, 3.5],
    "ill": ["flu", "cold", "flu"],
}
ROLES = {"quasi_identifiers": ["age", "town", "born"], "sensitive": ["ill", "pay"]}


def inputs():
    frame = pl.DataFrame(DATA)
    arrow = frame.to_arrow()
    return {
        "mapping": DATA,
        "polars": frame,
        "lazy": frame.lazy(),
        "pyarrow": arrow,
        "batch": arrow.combine_chunks().to_batches()[0],
        "reader": arrow.to_reader(),
        "pandas": frame.to_pandas(use_pyarrow_extension_array=True),
        "pandas of numpy": pd.DataFrame({**DATA, "age": pd.array([30, 41, None], dtype="Int64")}),
        "duckdb": duckdb.connect().from_arrow(arrow),
        "series": {name: pl.Series(values) for name, values in DATA.items()},
    }


@pytest.mark.parametrize("kind", list(inputs()))
def test_the_same_table_from_every_kind_of_frame(kind):
    expected, table = Table(DATA, **ROLES), Table(inputs()[kind], **ROLES)
    assert table.frame.equals(expected.frame)
    assert table.digest() == expected.digest()
    assert [c.kind for c in table.columns] == ["numeric", "categorical", "date", "numeric", "categorical"]
    for name in ("age", "town", "ill"):
        assert table.codes(name).codes.tolist() == expected.codes(name).codes.tolist()


def test_what_is_no_table():
    with pytest.raises(SourceError, match="cannot be made from 'int'"):
        Table(3)
    with pytest.raises(SourceError, match="'b' has 2 values, 'a' has 1"):
        Table({"a": [1], "b": [1, 2]})


def test_later_changes_of_the_input_do_not_reach_in():
    frame = pd.DataFrame({"age": [1, 2, 3], "ill": ["a", "b", "c"]})
    arrays = {"age": np.array([1, 2, 3]), "ill": np.array(["a", "b", "c"])}
    tables = [Table(given, quasi_identifiers="age", sensitive="ill") for given in (frame, arrays)]
    before = [table.digest() for table in tables]
    frame.loc[:, "age"] = [7, 8, 9]
    arrays["age"][:] = 7
    assert [table.digest() for table in tables] == before
    for table in tables:
        assert table.codes("age").values.to_list() == [1, 2, 3]


def test_later_changes_through_the_memory_of_pandas():
    frame = pd.DataFrame({"age": [1, 2, 3]})
    table = Table(frame, quasi_identifiers="age")
    frame.iloc[0, 0] = 99
    assert table.codes("age").values.to_list() == [1, 2, 3]


def test_a_polars_series_that_is_changed_later():
    ages = pl.Series([1, 2, 3])
    frame = pl.DataFrame({"age": ages})
    table = Table(frame, quasi_identifiers="age")
    ages[0] = 99
    frame[1, "age"] = 98
    assert table.frame["age"].to_list() == [1, 2, 3]


def test_the_frame_and_the_codes_cannot_be_changed_from_outside():
    table = Table({"age": [1, 2, 3], "fav": [["a"], ["b"], []]}, quasi_identifiers="age", items="fav")
    before = table.digest()
    frame = table.frame
    frame[0, "age"] = 99
    frame.drop_in_place("fav")
    for array in (table.codes("age").codes, table.item_sets("fav").codes, table.item_sets("fav").offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    part = table.filter(np.array([True, False, True]))
    with pytest.raises(ValueError, match="read-only"):
        part.codes("age").codes[0] = 1
    assert table.digest() == before
    assert table.frame["age"].to_list() == [1, 2, 3]


def test_ordered_types_keep_their_order_wherever_they_come_from():
    levels = ["low", "mid", "high"]
    polars = pl.DataFrame({"pain": pl.Series(["high", "low", None], dtype=pl.Enum(levels))})
    pandas = pd.DataFrame({"pain": pd.Categorical(["high", "low", None], categories=levels, ordered=True)})
    connection = duckdb.connect()
    connection.sql("create type pain as enum ('low', 'mid', 'high')")
    duck = connection.sql("select unnest(['high', 'low', null])::pain as pain")
    for frame in (polars, polars.lazy(), pandas, duck):
        table = Table(frame, quasi_identifiers="pain")
        assert table.column("pain").kind == "ordered"
        assert table.codes("pain").values.to_list() == [*levels, None]
        assert table.codes("pain").codes.tolist() == [2, 0, 3]
    assert Table(polars, quasi_identifiers="pain", kinds={"pain": "categorical"}).column("pain").kind == "categorical"


def test_categories_without_an_order_are_text():
    for dtype in (pl.Categorical, pl.String):
        table = Table(pl.DataFrame({"a": pl.Series(["b", "a", "b"], dtype=dtype)}), quasi_identifiers="a")
        assert table.codes("a").values.to_list() == ["a", "b"]
        assert table.frame["a"].dtype == pl.String


def test_reading_a_file(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("name;age;symptoms;ill\nAda;30;cough|fever;flu\nBen;;;cold\n")
    table = Table.read(
        path, items_separator="|", identifiers="name", quasi_identifiers="age", items="symptoms", sensitive="ill"
    )
    assert table.frame["age"].to_list() == [30, None]
    sets = table.item_sets("symptoms")
    assert (sets.offsets.tolist(), sets.vocabulary.to_list()) == ([0, 2, 2], ["cough", "fever"])


def test_codes_of_places_stay_text_when_read_with_a_prefix_hierarchy(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("zip,ill\n13053,flu\n14850,cold\n")
    table = Table.read(path, quasi_identifiers="zip", sensitive="ill", hierarchies={"zip": {"prefix": 5}})
    assert table.frame["zip"].to_list() == ["13053", "14850"]
    assert Table.read(path, quasi_identifiers="zip").frame["zip"].to_list() == [13053, 14850]


def test_repr():
    table = tc.Table(DATA, identifiers="town", quasi_identifiers=["age", "born"], sensitive="ill")
    assert repr(table) == "Table: 3 rows; identifiers: town; quasi-identifiers: age, born; sensitive: ill; others: pay"
