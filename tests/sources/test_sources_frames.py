"""Data frames of every library: the same table, of the same plain types, and nothing shared with the input."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tacit.errors import SourceError
from tacit.sources import as_frame, read

COLUMNS = {
    "name": ["Ada", None, "Cem"],
    "age": [36, 41, 51],
    "weight": [60.5, None, 71.25],
    "born": [dt.date(1988, 1, 2), None, dt.date(1973, 5, 6)],
    "symptoms": [["cough", "fever"], [], None],
}
EXPECTED = pl.DataFrame(COLUMNS)
ARROW = pa.table(COLUMNS)


def relation() -> duckdb.DuckDBPyRelation:
    return duckdb.connect().from_arrow(ARROW)


@pytest.mark.parametrize(
    "native",
    [
        pytest.param(lambda: EXPECTED, id="polars"),
        pytest.param(EXPECTED.lazy, id="polars lazy"),
        pytest.param(lambda: ARROW, id="arrow table"),
        pytest.param(lambda: ARROW.to_batches()[0], id="arrow batch"),
        pytest.param(ARROW.to_reader, id="arrow reader"),
        pytest.param(lambda: pd.DataFrame(COLUMNS), id="pandas"),
        pytest.param(lambda: ARROW.to_pandas(types_mapper=pd.ArrowDtype), id="pandas on arrow"),
        pytest.param(relation, id="duckdb"),
        pytest.param(lambda: COLUMNS, id="mapping"),
        pytest.param(lambda: {name: EXPECTED[name] for name in COLUMNS}, id="mapping of series"),
        pytest.param(lambda: dict(pd.DataFrame(COLUMNS).items()), id="mapping of pandas series"),
    ],
)
@pytest.mark.parametrize("verb", [as_frame, read])
def test_every_library(native, verb):
    frame = verb(native())
    assert isinstance(frame, pl.DataFrame)
    assert frame.equals(EXPECTED)
    assert frame.schema == EXPECTED.schema


class TestPlainTypes:
    def check(self, native: object, dtype: object, values: list[object]) -> None:
        column = as_frame(native).to_series()
        assert column.dtype == dtype
        assert column.to_list() == values

    def test_polars(self):
        self.check(pl.DataFrame({"a": pl.Series(["x", None], dtype=pl.Categorical)}), pl.String, ["x", None])
        self.check(pl.DataFrame({"a": pl.Series(["x", None], dtype=pl.Enum(["x", "y"]))}), pl.String, ["x", None])
        self.check(
            pl.DataFrame({"a": pl.Series([["x"], None], dtype=pl.List(pl.Categorical))}),
            pl.List(pl.String),
            [["x"], None],
        )
        self.check(
            pl.DataFrame({"a": pl.Series([["x", "y"]], dtype=pl.Array(pl.String, 2))}), pl.List(pl.String), [["x", "y"]]
        )
        self.check(pl.DataFrame({"a": [Decimal("1.10"), None]}), pl.Float64, [1.1, None])
        self.check(pl.DataFrame({"a": [None, None]}), pl.String, [None, None])
        self.check(pl.DataFrame({"a": pl.Series([2**40], dtype=pl.Int128)}), pl.Int64, [2**40])
        self.check(pl.DataFrame({"a": pl.Series([2**90], dtype=pl.Int128)}), pl.Float64, [2.0**90])
        self.check(
            pl.DataFrame({"a": pl.Series([{"y", "x"}, None], dtype=pl.Object)}), pl.List(pl.String), [["x", "y"], None]
        )

    def test_pandas(self):
        self.check(pd.DataFrame({"a": pd.Categorical(["x", None, "y"])}), pl.String, ["x", None, "y"])
        self.check(pd.DataFrame({"a": pd.Categorical([3, None, 1])}), pl.Int64, [3, None, 1])
        self.check(pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}), pl.Int64, [1, None])
        self.check(pd.DataFrame({"a": [1.5, float("nan")]}), pl.Float64, [1.5, None])
        self.check(pd.DataFrame({"a": pd.Series(["x", float("nan")], dtype=object)}), pl.String, ["x", None])
        self.check(pd.DataFrame({"a": [{"y", "x"}, None, frozenset()]}), pl.List(pl.String), [["x", "y"], None, []])
        self.check(pd.DataFrame({"a": [("x", "y"), None, ()]}), pl.List(pl.String), [["x", "y"], None, []])
        self.check(
            pd.DataFrame({"a": [np.array(["x"]), np.array(["y", "z"])]}), pl.List(pl.String), [["x"], ["y", "z"]]
        )
        self.check(pd.DataFrame({"a": [Decimal("1.10"), None]}), pl.Float64, [1.1, None])
        self.check(pd.DataFrame({"a": [uuid.UUID(int=5)]}), pl.String, [str(uuid.UUID(int=5))])
        self.check(pd.DataFrame({"a": [True, None]}), pl.Boolean, [True, None])

    def test_arrow(self):
        opaque = pa.opaque(pa.string(), "numeric", "PostgreSQL")
        numeric = pa.ExtensionArray.from_storage(opaque, pa.array(["1.5", None]))
        self.check(pa.table({"a": numeric}), pl.Float64, [1.5, None])
        self.check(pa.table({"a": pa.ListArray.from_arrays([0, 1, 2], numeric)}), pl.List(pl.Float64), [[1.5], [None]])
        self.check(pa.table({"a": pa.array(["x", None]).dictionary_encode()}), pl.String, ["x", None])
        self.check(pa.table({"a": pa.array([3, 1]).dictionary_encode()}), pl.Int64, [3, 1])
        self.check(
            pa.table({"a": pa.array([uuid.UUID(int=7).bytes, None], pa.uuid())}),
            pl.String,
            [str(uuid.UUID(int=7)), None],
        )
        self.check(pa.table({"a": pa.ExtensionArray.from_storage(pa.json_(), pa.array(["{}"]))}), pl.String, ["{}"])
        self.check(
            pa.table({"a": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0], pa.int8()))}),
            pl.Boolean,
            [True, False],
        )
        self.check(pa.table({"a": pa.array([Decimal("1.10")], pa.decimal256(50, 2))}), pl.Float64, [1.1])
        self.check(pa.table({"a": pa.RunEndEncodedArray.from_arrays([2, 3], ["x", "y"])}), pl.String, ["x", "x", "y"])
        self.check(pa.table({"a": pa.nulls(2)}), pl.String, [None, None])
        self.check(pa.table({"a": pa.chunked_array([], pa.string())}), pl.String, [])

    def test_duckdb(self):
        sql = "select 'm'::enum('m', 'n'), sum(1), 1.5::decimal(5, 2), '00000000-0000-0000-0000-000000000005'::uuid"
        frame = as_frame(duckdb.connect().sql(sql))
        assert frame.rows() == [("m", 1.0, 1.5, "00000000-0000-0000-0000-000000000005")]

    def test_numpy_in_a_mapping(self):
        frame = as_frame({"a": np.array([1, 2]), "b": np.array(["x", "y"]), "c": ("p", None), "d": range(2)})
        assert frame.rows() == [(1, "x", "p", 0), (2, "y", None, 1)]

    def test_names_become_text(self):
        assert as_frame(pd.DataFrame({1: [1], ("a", 2): [2]})).columns == ["1", "('a', 2)"]
        assert as_frame({1: [1]}).columns == ["1"]

    def test_no_rows(self):
        assert as_frame(pd.DataFrame({"a": []})).height == 0
        assert as_frame({"a": []}).schema == {"a": pl.String}


class TestInputIsLeftAlone:
    def test_what_happens_to_pandas_later(self):
        source = pd.DataFrame({"a": np.arange(5), "b": np.arange(5.0)})
        frame = as_frame(source)
        source.loc[0, "a"] = 99
        source.to_numpy(copy=False)
        source.iloc[0, 1] = 99.0
        assert frame.row(0) == (0, 0.0)

    def test_what_happens_to_numpy_later(self):
        values = np.arange(5.0)
        series = pd.Series(np.arange(5.0))
        frame = as_frame({"a": values, "b": series})
        values[0] = 99
        series.iloc[0] = 99
        assert frame.row(0) == (0.0, 0.0)

    def test_sets_stay_sets(self):
        source = pd.DataFrame({"a": [{"x"}]})
        as_frame(source)
        assert source["a"][0] == {"x"}


class TestBad:
    def fails(self, native: object, *parts: str) -> None:
        with pytest.raises(SourceError) as caught:
            as_frame(native)
        for part in parts:
            assert part in str(caught.value)
        assert caught.value.hint

    def test_two_columns_of_one_name(self):
        self.fails(pd.DataFrame([[1, 2]], columns=["age", "age"]), "two columns 'age'")
        self.fails(pd.DataFrame([[1, 2]], columns=[1, "1"]), "two columns '1'")
        self.fails({1: [1], "1": [2]}, "two columns '1'")
        self.fails(pa.table([[1], [2]], names=["age", "age"]), "two columns 'age'")
        self.fails(duckdb.connect().sql("select 1 as age, 2 as age"), "two columns 'age'")

    def test_names_that_are_patterns(self):
        self.fails(pl.DataFrame({"^a$": [1]}), "pattern")

    @pytest.mark.parametrize("native", [pl.DataFrame(), pd.DataFrame(), {}, pa.table({}), pl.LazyFrame()])
    def test_no_columns(self, native):
        self.fails(native, "no columns")

    @pytest.mark.parametrize(
        "native", [None, 5, b"abc", [{"a": 1}], np.zeros((2, 2)), pl.Series([1]), pd.Series([1]), object()]
    )
    def test_no_table(self, native):
        self.fails(native, "cannot be made from", type(native).__name__)

    @pytest.mark.parametrize("values", [["x", 1], [["x", 1]], [{"x", 1}], [{"x"}, 1], [object()]])
    def test_values_of_several_types(self, values):
        self.fails({"ok": [1] * len(values), "bad": values}, "'bad'", "one type")
        self.fails(pd.DataFrame({"ok": [1] * len(values), "bad": values}), "'bad'", "one type")

    def test_values_too_large(self):
        self.fails(pd.DataFrame({"bad": [2**200, 1]}), "'bad'")

    @pytest.mark.parametrize(
        "column",
        [
            pd.Series([1j, 2j]),
        ],
    )
    def test_types_of_pandas_alone(self, column):
        self.fails(pd.DataFrame({"bad": column}), "'bad'")

    @pytest.mark.parametrize(
        "column",
        [
            pa.array([pa.MonthDayNano([1, 2, 3])]),
            pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1]), pa.array(["a"])]),
            pa.ExtensionArray.from_storage(pa.opaque(pa.binary(), "inet", "PostgreSQL"), pa.array([b"\x02\x20\x00"])),
            pa.ExtensionArray.from_storage(pa.opaque(pa.binary(), "point", "PostgreSQL"), pa.array([b"\xff\xf0"])),
            pa.ExtensionArray.from_storage(pa.opaque(pa.int64(), "thing", "Somebody"), pa.array([5])),
        ],
    )
    def test_types_of_arrow_alone(self, column):
        self.fails(pa.table({"ok": [1], "bad": column}), "'bad'", "cannot be read")

    def test_lists_of_different_length(self):
        self.fails({"a": [1, 2], "b": [1]}, "'b' has 1 values", "'a' has 2")

    @pytest.mark.parametrize("values", ["abc", 5, None, {"x": 1}, {1, 2}, iter([1])])
    def test_no_list(self, values):
        self.fails({"a": values}, "'a'", "not a list")

    def test_lazy_frame_that_fails(self):
        self.fails(pl.LazyFrame({"a": ["x"]}).select(pl.col("b")), "lazy frame", "b")
        self.fails(pl.LazyFrame({"a": ["x"]}).select(pl.col("a").cast(pl.Int64)), "lazy frame")
