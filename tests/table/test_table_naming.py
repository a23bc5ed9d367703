"""Columns that look like names, keys, mails, telephone numbers or free text: nobody's name leaves unasked."""

import datetime as dt

import polars as pl
import pytest

import tacit as tc
from tacit.errors import RoleError
from tacit.table.naming import naming

N = 30
TEXTS = [f"Seen on ward {i} after a fall at home, wants to call her son" for i in range(N)]
LOOKS = {
    "names": pl.Series("who", [f"Ann{'abcdefghij'[i % 10]}a Berg{'klm'[i // 10]}er" for i in range(N)]),
    "keys": pl.Series("case", [f"A-{i:05d}-X" for i in range(N)]),
    "mail addresses": pl.Series("contact", [f"p{i}@example.org" for i in range(N)]),
    "telephone numbers": pl.Series("call", [f"+49 30 5550{i:02d}" for i in range(N)]),
    "free text": pl.Series("notes", TEXTS),
}


@pytest.mark.parametrize("what", LOOKS)
@pytest.mark.parametrize("role", ["others", "quasi-identifier"])
def test_such_a_column_leaves_only_if_it_is_named(what, role):
    column = LOOKS[what]
    frame = pl.DataFrame({"age": [i % 3 for i in range(N)], "ill": ["a", "b", "c"] * 10}).with_columns(column)
    roles = {"quasi_identifiers": ["age"], "sensitive": "ill"}
    roles |= {"others": "publish"} if role == "others" else {"quasi_identifiers": ["age", column.name]}
    with pytest.raises(RoleError) as refused:
        tc.Table(frame, **roles)
    assert f"Column {column.name!r} looks like {what}, and would be published" in str(refused.value)
    assert f"allow = [{column.name!r}]" in str(refused.value)
    table = tc.Table(frame, **roles, allow=column.name)
    assert table.allowed == {column.name: what}
    withheld = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    assert withheld.allowed == {}


@pytest.mark.parametrize(
    "column",
    [
        pl.Series("age", range(N)),
        pl.Series("zip", [f"{10000 + i * 7}" for i in range(N)]),
        pl.Series("postcode", [f"1{i:04d}-0001"[:10] for i in range(N)][:5] * 6),
        pl.Series("day", [dt.date(2024, 1, 1) + dt.timedelta(i) for i in range(N)]),
        pl.Series("sex", ["F", "M"] * 15),
        pl.Series("years", ["2019-2020", "2021-2022"] * 15),
        pl.Series("work", ["Repair of personal and household goods at home"] * 20 + ["Retail trade in a shop"] * 10),
        pl.Series("pay", [1000.5 + i for i in range(N)]),
        pl.Series("name", ["Ann", "Bea"] * 15),
        pl.Series("empty", [None] * N, dtype=pl.String),
    ],
    ids=lambda column: column.name,
)
def test_what_many_share_or_what_is_measured_names_nobody(column):
    assert naming(column) is None


def test_numbers_are_keys_only_by_their_name():
    assert naming(pl.Series("ssn", range(100, 140))) == "keys"
    assert naming(pl.Series("income", range(100, 140))) is None


def test_a_column_with_a_hierarchy_was_thought_about():
    frame = {"name": [f"N{i}" for i in range(N)], "ill": ["a", "b"] * 15}
    with pytest.raises(RoleError, match="looks like names"):
        tc.Table(frame, quasi_identifiers="name", sensitive="ill")
    assert tc.Table(frame, quasi_identifiers="name", sensitive="ill", hierarchies={"name": {"prefix": 3}})


def test_what_never_leaves_cannot_be_allowed():
    frame = {"name": ["Ann", "Bea", "Cid"], "age": [1, 2, 3]}
    with pytest.raises(RoleError, match="named as identifier, which never leaves"):
        tc.Table(frame, identifiers="name", allow="name")
    with pytest.raises(RoleError, match="no column 'nam'"):
        tc.Table(frame, allow="nam")
