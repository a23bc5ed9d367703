"""The person role: whose row a row is, and what happens to identifiers that repeat."""

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.errors import RoleError

VISITS = {
    "pid": ["p1", "p2", "p1", "p3", "p2", "p1"],
    "age": [30, 41, 30, 52, 41, 30],
    "ill": ["flu", "cold", "gout", "flu", "cold", "flu"],
}


def visits(**roles: object) -> tc.Table:
    return tc.Table(VISITS, person="pid", quasi_identifiers="age", sensitive="ill", **roles)


def together(table: tc.Table) -> np.ndarray:
    return table.people.ids[:, None] == table.people.ids


def test_a_table_knows_whose_rows_are_whose():
    table = visits()
    assert table.person == "pid"
    assert table.people.count == 3
    assert table.people.rows.tolist() == [3, 2, 1]
    assert table.people.ids.tolist() == [0, 1, 0, 2, 1, 0]
    assert table.unit == "people"
    assert "person: pid" in repr(table)


def test_where_everybody_has_one_row_rows_are_people():
    table = tc.Table({"pid": [3, 1, 2], "age": [1, 1, 1]}, person="pid", quasi_identifiers="age")
    assert table.people is None
    assert table.unit == "people"
    assert tc.Table({"age": [1, 1, 1]}, quasi_identifiers="age").unit == "rows"


def test_some_rows_of_a_table_know_their_people():
    table = visits()
    for chosen in ([0, 1, 3], [0, 2, 3], [1, 4, 5]):
        kept = np.isin(np.arange(6), chosen)
        plain = tc.Table(table.frame.filter(kept), person="pid", quasi_identifiers="age", sensitive="ill")
        for part in (table.filter(kept), visits().filter(kept)):  # counted before, and not
            assert (part.people is None) == (plain.people is None)
            if plain.people is not None:
                assert (together(part) == together(plain)).all()
        _ = table.people


@pytest.mark.parametrize("repeated", [{}, {"person": None}])
def test_an_identifier_that_repeats_is_refused_with_both_ways_out(repeated):
    with pytest.raises(RoleError) as refused:
        tc.Table(VISITS, identifiers="pid", quasi_identifiers="age", sensitive="ill", **repeated)
    assert "2 of its values stand in several rows" in str(refused.value)
    assert "person = 'pid'" in str(refused.value)
    assert "leave 'pid' out of `identifiers`" in str(refused.value)


def test_an_identifier_may_repeat_beside_a_person_and_where_it_is_missing():
    frame = {**VISITS, "name": ["Ann", "Bea", "Ann", "Cid", "Bea", "Ann"]}
    assert tc.Table(frame, identifiers="name", person="pid").identifiers == ("name",)
    assert tc.Table({"name": ["Ann", None, None]}, identifiers="name").identifiers == ("name",)


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (["a", None, "b"], "empty in 1 rows, first in row 2"),
        ([["a"], ["b"], ["c"]], "holds List"),
    ],
)
def test_a_person_column_says_of_every_row_whose_it_is(column, said):
    with pytest.raises(RoleError, match=said.replace("(", r"\(")):
        tc.Table({"pid": column, "age": [1, 2, 3]}, person="pid")


@pytest.mark.parametrize("person", [["pid"], 3, "pidd", "age"])
def test_one_column_of_the_table_says_it(person):
    with pytest.raises(RoleError):
        tc.Table(VISITS, person=person, quasi_identifiers="age")


def test_methods_about_single_records_refuse_several_rows_of_a_person_and_name_the_line():
    table = visits()
    for method in (tc.ShiftSuppression(l=2), tc.KEPermutation(k=2, e=1)):
        with pytest.raises(RoleError) as refused:
            method.protect(table)
        line = 'frame.unique("pid", keep="any")'
        assert line in str(refused.value)
        assert "2 people have several rows" in str(refused.value)
    one = eval(line, {"frame": pl.DataFrame(VISITS)})  # noqa: S307 - the line that the error names
    assert sorted(one["pid"]) == ["p1", "p2", "p3"]
    assert tc.Table(one, person="pid").people is None


def test_a_pipeline_refuses_if_one_step_does():
    steps = [tc.SmallGroups(guarantee=tc.KAnonymity(k=1)), tc.ShiftSuppression(l=2)]
    with pytest.raises(RoleError, match="is about single records"):
        tc.Pipeline(steps).protect(visits())


def test_a_person_column_is_read_from_a_recipe_and_never_leaves(tmp_path):
    source = {"pid": [f"zz-key-{i}" for i in range(6)], "age": [30, 30, 30, 41, 41, 41], "ill": list("abcabc")}
    pl.DataFrame(source).write_csv(tmp_path / "people.csv")
    (tmp_path / "people.toml").write_text(
        """
[table]
source = "people.csv"
[roles]
person = "pid"
quasi_identifiers = ["age"]
sensitive = ["ill"]
others = "publish"
[[steps]]
method = "small-groups"
guarantee = { name = "k-anonymity", k = 3 }
[output]
format = "csv"
"""
    )
    from tacit.jobs.publish import publish
    from tacit.recipes import Recipe

    publish(Recipe.read(tmp_path / "people.toml"))
    for path in (tmp_path / "out").rglob("*"):
        if path.is_file():
            assert b"zz-key" not in path.read_bytes(), path
    assert tc.Table.read(tmp_path / "people.csv", person="pid", quasi_identifiers="age").person == "pid"


def test_every_method_counts_people_or_refuses_several_rows():
    from tacit.methods.registry import classes

    table = visits()
    for method in classes().values():
        for example in method.examples():
            if not example.takes_several_rows:
                with pytest.raises(RoleError, match="is about single records"):
                    example.protect(table)
    assert {name for name, method in classes().items() if method.takes_several_rows} == {
        "anatomy",
        "mondrian",
        "small-groups",
    }
