"""Roles: every mistake ends in one sentence that names the place and the way out."""

import datetime as dt

import polars as pl
import pytest

from tacit.errors import HierarchyError, ParameterError, RoleError, TacitError
from tacit.table import Role, Table

DATA = {"name": ["a", "b"], "age": [1, 2], "zip": ["x", "y"], "ill": ["flu", "cold"], "fav": [["t"], []], "f1": [0, 1]}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"quasi_identifiers": "agee"},
            "There is no column 'agee' in the table. Did you mean 'age'? Columns: name, age,",
        ),
        ({"sensitive": ["ilness"]}, "There is no column 'ilness'"),
        ({"identifiers": "x"}, "There is no column 'x' in the table. Columns: name"),
        ({"items": ["favs"]}, "There is no column 'favs' in the table. Did you mean 'fav'?"),
        ({"quasi_identifiers": ["age", "age"]}, "Column 'age' is named twice. A column has one role"),
        (
            {"quasi_identifiers": "age", "sensitive": "age"},
            "Column 'age' is named as quasi-identifier and as sensitive.",
        ),
        ({"identifiers": "ill", "sensitive": "ill"}, "Column 'ill' is named as identifier and as sensitive."),
        ({"quasi_identifiers": [3]}, "quasi_identifiers holds 3, which is not the name of a column."),
        ({"sensitive": 3}, "sensitive is 3, not a list of columns."),
        ({"kinds": {"agee": "numeric"}}, "There is no column 'agee' in the table. Did you mean 'age'?"),
        ({"hierarchies": {"zap": "flat"}}, "There is no column 'zap' in the table. Did you mean 'zip'?"),
        ({"others": "show"}, 'others = \'show\' is not allowed. Say "withhold" or "publish".'),
        ({"items": "age"}, "Column 'age' is named as items but holds Int64 values. Give lists of text"),
        ({"quasi_identifiers": "fav"}, "Column 'fav' holds lists. Name it in `items`."),
        ({"items": {"s": ["f2"]}}, "There is no column 'f2' in the table."),
        ({"items": {"fav": ["f1"]}}, "items maps 'fav' to binary columns, but there is a column of that name."),
        ({"items": {"s": []}}, "items maps 's' to no column. Name the binary columns, one per item."),
        ({"items": {"s": ["f1", "f1"]}}, "Column 'f1' is named as an item twice."),
        ({"items": {"s": ["f1"], "r": ["f1"]}}, "Column 'f1' is named as an item twice."),
        ({"items": {"s": ["f1"]}, "quasi_identifiers": "f1"}, "named as quasi-identifier and as an item of 's'."),
        ({"items": {"s": ["zip"]}}, "Column 'zip', an item of 's', holds 'x'. An item's column holds 0 and 1"),
    ],
)
def test_mistakes(given, message):
    with pytest.raises(TacitError) as error:
        Table(DATA, **given)
    assert message in str(error.value)
    assert isinstance(error.value, RoleError | ParameterError)
    assert "\n" not in str(error.value)


def test_nulls_in_a_sensitive_column_are_counted_and_found():
    with pytest.raises(RoleError, match=r"'ill' has 2 nulls, the first in row 2\. Leave these rows out"):
        Table({"ill": ["a", None, "b", None]}, sensitive="ill")
    with pytest.raises(RoleError, match="1 nulls, the first in row 1"):
        Table({"pay": [None, 1.0]}, sensitive="pay")
    assert len(Table({"pay": [float("nan"), 1.0]}, sensitive="pay")) == 2


def test_an_empty_table():
    with pytest.raises(RoleError, match=r"The table has no rows\. There is nothing to publish"):
        Table(pl.DataFrame({"a": []}), quasi_identifiers="a")


def test_a_type_that_cannot_be_published_matters_only_with_a_role():
    frame = pl.DataFrame(
        {"age": [1], "at": [dt.time(1)], "raw": [b"\xff"], "both": [{"x": 1}], "long": [dt.timedelta(1)]}
    )
    assert len(Table(frame, quasi_identifiers="age").digest()) == 64
    assert len(Table(frame, quasi_identifiers="age", identifiers=["raw", "both"])) == 1
    for name in ("at", "raw", "both", "long"):
        with pytest.raises(RoleError, match=f"Column {name!r} holds values of type .* which cannot be published"):
            Table(frame, quasi_identifiers=name)
    with pytest.raises(RoleError, match="which cannot be published"):
        Table(frame, others="publish")


def test_every_column_has_one_role_in_the_order_given():
    table = Table(DATA, identifiers="name", quasi_identifiers=["zip", "age"], sensitive="ill", items="fav")
    assert [(c.name, c.role) for c in table.columns] == [
        ("name", Role.IDENTIFIER),
        ("age", Role.QUASI_IDENTIFIER),
        ("zip", Role.QUASI_IDENTIFIER),
        ("ill", Role.SENSITIVE),
        ("fav", Role.ITEMS),
        ("f1", Role.OTHER),
    ]
    assert (table.identifiers, table.quasi_identifiers) == (("name",), ("age", "zip"))
    assert (table.sensitive, table.items, table.published_others) == (("ill",), ("fav",), ())


def test_others_are_published_only_on_demand():
    assert Table(DATA, others="publish", items="fav").published_others == ("name", "age", "zip", "ill", "f1")


def test_asking_for_what_is_not_there():
    table = Table(DATA, quasi_identifiers="age", items="fav")
    with pytest.raises(RoleError, match="no column 'agee'"):
        table.column("agee")
    with pytest.raises(RoleError, match="no column 'agee'"):
        table.codes("agee")
    with pytest.raises(RoleError, match=r"Column 'fav' holds sets\. Ask for `item_sets`"):
        table.codes("fav")
    with pytest.raises(RoleError, match="Column 'age' does not hold sets"):
        table.item_sets("age")


def test_a_hierarchy_that_lacks_a_value_is_an_error_at_once():
    with pytest.raises(HierarchyError, match="1 of 2 values are missing in the hierarchy: 'y'"):
        Table(DATA, quasi_identifiers="zip", hierarchies={"zip": [["x", "all"]]})
    with pytest.raises(HierarchyError, match="missing in the hierarchy: 'cold'"):
        Table(DATA, sensitive="ill", hierarchies={"ill": [["flu", "all"]]})
    with pytest.raises(HierarchyError, match="missing in the hierarchy: 't'"):
        Table(DATA, items="fav", hierarchies={"fav": [["u", "drinks"]]})
    assert Table(DATA, identifiers="name", hierarchies={"name": [["z", "all"]]}).column("name").hierarchy is not None
