"""The digest: another one for every other table, the same one for the same table."""

import datetime as dt

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.table import Table

DATA = {"age": [1, 2, None], "town": ["x", "", None], "fav": [["a", "b"], [], ["c"]], "ill": ["p", "q", "p"]}
ROLES = {"quasi_identifiers": ["age", "town"], "items": "fav", "sensitive": "ill"}


def digest(roles=ROLES, **changes):
    return Table({**DATA, **changes}, **roles).digest()


def test_any_cell_changes_it():
    changed = [
        digest(),
        digest(age=[1, 2, 3]),
        digest(age=[1, None, 2]),
        digest(age=[1.0, 2.0, None]),
        digest(age=["1", "2", None]),
        digest(town=["x", None, None]),
        digest(town=["x", None, ""]),
        digest(town=["x ", "", None]),
        digest(ill=["p", "q", "q"]),
        digest(fav=[["a"], [], ["c"]]),
        digest(fav=[["ab"], [], ["c"]]),
        digest(fav=[["a\x1fb"], [], ["c"]]),
        digest(fav=[["a"], ["b"], ["c"]]),
        digest(fav=[[], ["a", "b"], ["c"]]),
    ]
    assert len(set(changed)) == len(changed)


def test_names_and_roles_change_it():
    renamed = Table(
        {("Age" if k == "age" else k): v for k, v in DATA.items()}, **{**ROLES, "quasi_identifiers": ["Age", "town"]}
    )
    found = {
        digest(),
        renamed.digest(),
        digest({**ROLES, "quasi_identifiers": "age"}),
        digest({**ROLES, "quasi_identifiers": "age", "identifiers": "town"}),
        digest({**ROLES, "kinds": {"age": "categorical"}}),
    }
    assert len(found) == 5


def test_nothing_else_changes_it():
    same = digest()
    assert digest() == same
    assert digest(fav=[["b", "a", "b"], None, [" c", None]]) == same
    assert digest({**ROLES, "quasi_identifiers": ["town", "age"]}) == same
    assert digest(age=pl.Series([1, 2, None], dtype=pl.Int16)) == same
    assert digest(town=pl.Series(["x", "", None], dtype=pl.Categorical)) == same
    table = Table(DATA, **ROLES)
    table.codes("age")
    table.groups()
    assert table.digest() == same


def test_cells_do_not_run_together():
    assert Table({"a": ["x", "yz"]}).digest() != Table({"a": ["xy", "z"]}).digest()
    one, other = ({"a": ["x", "y"], "b": ["z", "w"]}, {"a": ["x", "yz"], "b": ["", "w"]})
    assert Table(one).digest() != Table(other).digest()


def test_a_part_has_the_digest_of_the_same_rows():
    part = Table(DATA, **ROLES).filter(np.array([True, False, True]))
    again = Table({name: [values[0], values[2]] for name, values in DATA.items()}, **ROLES)
    assert part.digest() == again.digest()


def test_types_without_a_text_of_their_own():
    def others(value):
        frame = pl.DataFrame({"raw": [value[0]], "both": [{"x": value[1]}], "long": [value[2]], "deep": [[[value[3]]]]})
        return Table(frame).digest()

    plain = (b"\xff", 1, dt.timedelta(1), 1)
    found = {
        others((*plain[:i], changed, *plain[i + 1 :])) for i, changed in enumerate([b"\xfe", 2, dt.timedelta(2), 2])
    }
    assert len({others(plain), *found}) == 5


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=5),
    st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=5),
)
def test_two_columns_of_text(one, other):
    tables = [Table(pl.DataFrame({"a": pl.Series(values, dtype=pl.String)})) for values in (one, other)]
    assert (tables[0].digest() == tables[1].digest()) == (one == other)
