"""NCP: worked values, and equality with a loop over cells."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.cells import Column
from tests.oracles.ncp import cell_loss

from tacit.errors import RoleError
from tacit.hierarchies import Calendar, Intervals, Prefix, TreeHierarchy
from tacit.measures import cell_losses, column_losses, ncp
from tacit.shapes import Blur, Bucketized, Generalized, Marginals, Microdata, among
from tacit.shapes.columns import PublishedColumn
from tacit.table import Kind, Role, Table

NAN = float("nan")


def losses(values, cells, *, suppressed=False, **more):
    """The loss of each cell, published for a column with these values."""
    table = Table({"a": values}, quasi_identifiers="a", **more)
    own = table.column("a")
    column = PublishedColumn("a", Role.QUASI_IDENTIFIER, own.kind, own.hierarchy, True, suppressed)
    return cell_losses(pl.Series(cells, dtype=pl.String), column, table.codes("a")).tolist()


def test_numbers():
    cells = [
        "20",
        "[20, 25]",
        "[20, 40]",
        "*",
        "[10, 25]",
        "[38, 90]",
        "[35, 40)",
        "<30",
        "[90, 99]",
        "30-35",
        "{20, 30}",
    ]
    assert losses([20, 30, 40], cells) == [0, 0.25, 1, 1, 0.25, 0.1, 0.25, 0.5, 0, 0.25, 0.5]


def test_a_set_of_numbers_is_as_wide_as_its_members():
    assert losses([1.0, 2.0, 5.0], ["{1.0, 2.0}", "{1, 5}", "{2.0, null}", "null"]) == [0.25, 1, 0, 0]


def test_null_and_nan_are_values_but_far_from_nothing():
    assert losses([0.0, 4.0, NAN, None], ["[0.0, 1.0]", "{0.0, NaN}", "{NaN, null}", "NaN", None, "*"]) == [
        0.25,
        0,
        0,
        0,
        0,
        1,
    ]
    assert losses([NAN, None], ["NaN", "{NaN, null}", "*"]) == [0, 0, 1]
    assert losses([1.0, None], ["1.0", "{1.0, null}", "*", None]) == [0, 0, 1, 0]
    assert losses([1.0, 3.0], ["[1.0, 2.0]", "[2.0, inf]", "*"]) == [0.5, 0.5, 1]


def test_dates():
    days = [dt.date(2024, 1, 1), dt.date(2024, 1, 11), dt.date(2024, 2, 10)]
    cells = ["2024-01-01", "[2024-01-01, 2024-01-11]", "2024-01", "2024-Q1", "2024-02", "*"]
    assert losses(days, cells, hierarchies={"a": Calendar()}) == [0, 0.25, 0.25, 1, 0, 1]


def test_moments():
    moments = [dt.datetime(2024, 1, 1, 0), dt.datetime(2024, 1, 1, 6), dt.datetime(2024, 1, 2, 0)]
    cells = ["[2024-01-01 00:00:00, 2024-01-01 06:00:00]", "2024-01-01 06:00:00", "[2024-01-01, 2024-01-02]"]
    assert losses(moments, cells) == [0.25, 0, 1]


TREE = TreeHierarchy([["cat", "mammal"], ["dog", "mammal"], ["cow", "mammal"], ["trout", "fish"], ["carp", "fish"]])


def test_a_node_costs_its_leaves_present_or_not():
    cells = ["cat", "mammal", "fish", "*", "{cat, dog}"]
    assert losses(["cat", "dog", "trout"], cells, hierarchies={"a": TREE}) == [0, 0.5, 0.25, 1, 0.5]


def test_a_rule_knows_only_the_domain_of_the_table():
    codes = ["13053", "13054", "13268", "14850"]
    assert losses(codes, ["13***", "1305*", "14850", "1****", "*"], hierarchies={"a": Prefix(length=5)}) == [
        2 / 3,
        1 / 3,
        0,
        1,
        1,
    ]
    assert losses(codes, ["13***", "1305*"]) == [2 / 3, 1 / 3]


def test_intervals_of_a_hierarchy_cost_their_width():
    assert losses([20, 21, 40], ["[20, 24]", "[20, 29]", "21", "[20, 39]"], hierarchies={"a": Intervals(width=5)}) == [
        0.2,
        0.45,
        0,
        0.95,
    ]


def test_a_hierarchy_that_lists_numbers_declares_the_domain():
    rows = [[str(n), "low" if n < 5 else "high"] for n in range(10)]
    assert losses([2, 3, 7], ["low", "2", "*", "[2, 5]"], hierarchies={"a": TreeHierarchy(rows)}) == [
        4 / 9,
        0,
        1,
        3 / 9,
    ]


def test_sets_of_categories():
    values = ["a", "b", "c", "a, b", None]
    cells = [
        "a",
        "{a, b}",
        among(["a", "b", "c"]),
        among(["a, b", None]),
        "null",
        None,
        "*",
        "{a, elsewhere}",
        '"a, b"',
    ]
    assert losses(values, cells) == [0, 0.25, 0.5, 0.25, 0, 0, 1, 0, 0]


def test_a_declared_order_is_the_domain():
    assert losses(["a", "b"], ["{a, b}", "*", "a"], kinds={"a": ["a", "b", "c", "d", "e"]}) == [0.25, 1, 0]


@pytest.mark.parametrize("value", [3, "x", None, NAN, dt.date(2024, 1, 1)])
def test_a_constant_column_costs_nothing(value):
    assert losses([value, value], ["*", None, "[1, 9]", "{x, y}"], suppressed=True) == [0, 0, 0, 0]


def test_suppressed_cells():
    assert losses(["a", "b", None], [None, "", "a", '"*"'], suppressed=True) == [1, 0, 0, 0]
    assert losses([1, 2, None], [None, "", "1"], suppressed=True) == [1, 0, 0]


def test_no_cells():
    assert losses(["cat", "dog"], [], hierarchies={"a": TREE}) == []
    assert losses([1, 2], []) == []


def two():
    return Table(
        {"age": [20, 30, 40, 40], "sex": ["f", "m", "f", "m"], "ill": list("abca")},
        quasi_identifiers=["age", "sex"],
        sensitive="ill",
    )


def blurred(table, kept=(1, 1, 1, 1)):
    kept = np.array(kept, bool)
    blur = {
        "age": Blur(pl.Series(["[20, 30]", "40"]), np.array([0, 0, 1, 1])),
        "sex": Blur(pl.Series(["*"]), np.zeros(4, int)),
    }
    return Generalized.publish(table, kept, np.arange(int(kept.sum())), blur)


def test_the_average_over_rows_and_columns():
    table = two()
    assert column_losses(blurred(table), table) == {"age": 0.25, "sex": 1.0}
    assert ncp(blurred(table), table) == 0.625
    assert ncp(blurred(table), table, weights={"age": 3.0}) == pytest.approx((3 * 0.25 + 1) / 4)
    assert ncp(blurred(table), table, weights={"age": 0.0, "sex": 0.0}) == 0.0
    with pytest.raises(
        RoleError, match=r"no column 'agee' in the quasi-identifiers of the release\. Did you mean 'age'"
    ):
        ncp(blurred(table), table, weights={"agee": 1.0})


def test_a_withheld_row_costs_every_cell():
    table = two()
    assert column_losses(blurred(table, [1, 1, 0, 0]), table) == {"age": (0.5 + 0.5 + 2) / 4, "sex": 1.0}
    assert ncp(blurred(table, [0, 0, 0, 0]), table) == 1.0
    constant = Table({"age": [1, 1], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    assert ncp(Generalized.publish(constant, np.array([True, False]), np.arange(1)), constant) == 0.0


def test_what_is_published_as_it_is_costs_nothing():
    table = two()
    everyone, order = np.ones(4, bool), np.arange(4)
    assert ncp(Generalized.publish(table, everyone, order), table) == 0.0
    assert ncp(Bucketized.publish(table, everyone, order, np.zeros(4, int)), table) == 0.0
    cells = np.zeros((4, 3), bool)
    cells[0, 0] = cells[1, 0] = cells[2, 1] = True
    assert column_losses(Microdata.publish(table, everyone, order, cells), table) == {"age": 0.5, "sex": 0.25}


def test_no_quasi_identifiers():
    table = Table({"ill": ["a", "b"]}, sensitive="ill")
    assert ncp(Generalized.publish(table, np.ones(2, bool), np.arange(2)), table) == 0.0


def test_marginals_are_averaged_over_those_that_publish_a_column():
    table = two()
    only_age = Table(table.frame.select("age", "ill"), quasi_identifiers="age", sensitive="ill")
    plain = Generalized.publish(only_age, np.ones(4, bool), np.arange(4))
    assert column_losses(Marginals({"x": blurred(table), "y": plain}), table) == {"age": 0.125, "sex": 1.0}


def test_the_groups_of_the_nine_people():
    """The worked example of the specification: optimal totals 41/26 for <Age, Sex> and 3 for <Zip>."""
    names = ["Bob", "Alex", "Jane", "Lily", "Jame", "Linda", "Sarah", "Mary", "Andy"]
    table = Table(
        {
            "age": [20, 19, 20, 24, 29, 34, 39, 45, 34],
            "zip": [12, 20, 13, 16, 21, 24, 19, 14, 21],
            "sex": list("MMFFFFMMF"),
        },
        quasi_identifiers=["age", "zip", "sex"],
    )

    def total(groups, column):
        rows = [[names.index(name) for name in group.split("+")] for group in groups]
        code = np.empty(9, int)
        cells = []
        for number, members in enumerate(rows):
            code[members] = number
            values = table.frame[column][members]
            cells.append(f"[{values.min()}, {values.max()}]" if column != "sex" else among(values.unique().to_list()))
        shape = Generalized.publish(table, np.ones(9, bool), np.arange(9), {column: Blur(pl.Series(cells), code)})
        return column_losses(shape, table)[column] * 9

    age_sex = ["Bob+Alex", "Sarah+Mary", "Linda+Andy", "Jame+Jane+Lily"]
    assert total(age_sex, "age") + total(age_sex, "sex") == pytest.approx(41 / 26)
    assert total(["Bob+Mary", "Sarah+Alex", "Linda+Andy", "Jame+Jane+Lily"], "zip") == pytest.approx(3)


WORDS = ["cat", "dog", "cow", "trout", "a, b", None]


@settings(max_examples=35, deadline=None)
@given(st.data())
def test_equals_a_loop_over_cells(data):
    rows = data.draw(st.integers(1, 8))
    pool = {
        "age": st.none() | st.sampled_from([0.0, 1.0, 2.5, 10.0, NAN]),
        "pet": st.sampled_from(WORDS[:4]),
        "word": st.sampled_from(WORDS),
        "day": st.none() | st.dates(dt.date(2024, 1, 1), dt.date(2024, 1, 9)),
    }
    types = {"age": pl.Float64, "pet": pl.String, "word": pl.String, "day": pl.Date}
    frame = pl.DataFrame(
        {name: data.draw(st.lists(cells, min_size=rows, max_size=rows)) for name, cells in pool.items()}, schema=types
    )
    table = Table(frame, quasi_identifiers=list(types), hierarchies={"pet": TREE})
    days = st.tuples(pool["day"], pool["day"]).filter(all).map(lambda d: f"[{min(d)}, {max(d)}]")
    written = {
        "age": st.sampled_from(
            ["0.0", "[0.0, 2.5]", "[1, 99]", "<=2.5", "(0, 10)", "*", "{0.0, 2.5}", "{1, null}", "NaN", "null"]
        ),
        "pet": st.sampled_from(["cat", "mammal", "fish", "*", "{cat, trout}", "{cow, carp}"]),
        "word": st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True).map(among) | st.just("*"),
        "day": days | st.sampled_from(["2024-01-02", "*", "{2024-01-01, 2024-01-05}", "null"]),
    }
    published = {
        name: data.draw(st.lists(st.none() | cells, min_size=rows, max_size=rows)) for name, cells in written.items()
    }
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=rows, max_size=rows)))
    blurs = {name: Blur(pl.Series(cells, dtype=pl.String), np.arange(rows)) for name, cells in published.items()}
    shape = Generalized.publish(table, kept, np.arange(int(kept.sum())), blurs)
    kinds = {"age": "numeric", "pet": "categorical", "word": "categorical", "day": "date"}
    leaves = {"*": 5, "mammal": 3, "fish": 2, **dict.fromkeys(["cat", "dog", "cow", "trout", "carp"], 1)}
    under = {"mammal": frozenset({"cat", "dog", "cow"}), "fish": frozenset({"trout", "carp"})}
    found = column_losses(shape, table)
    for name, kind in kinds.items():
        column = Column(kind, nodes=under if name == "pet" else {})
        values = frame[name].to_list()
        gone = 0.0 if len({str(value) for value in values}) == 1 else 1.0
        each = [
            cell_loss(cell, column, values, leaves if name == "pet" else None) if here else gone
            for cell, here in zip(published[name], kept, strict=True)
        ]
        assert found[name] == pytest.approx(sum(each) / rows), name
    assert ncp(shape, table) == pytest.approx(sum(found.values()) / 4)


def test_kinds_with_a_hierarchy_but_not_blurred():
    column = PublishedColumn("a", Role.QUASI_IDENTIFIER, Kind.CATEGORICAL, TREE, False, True)
    table = Table({"a": ["cat", "dog"]}, quasi_identifiers="a", hierarchies={"a": TREE})
    assert cell_losses(pl.Series(["cat", None]), column, table.codes("a")).tolist() == [0, 1]
