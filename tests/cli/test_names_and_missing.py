"""Nobody's name leaves unasked, and what is missing is said, through recipes."""

from pathlib import Path

import polars as pl
import pytest

PEOPLE = pl.DataFrame(
    {
        "name": [f"Ann{c} Berger" for c in "abcdefghijkl"],
        "notes": [f"She came by bus number {i} and left before noon" for i in range(12)],
        "ward": ["north", "south"] * 6,
        "age": [30] * 6 + [40] * 6,
        "ill": ["flu", "cold", "gout", None] * 3,
    }
)


def publish(tacit, folder: Path, roles: str, frame: pl.DataFrame = PEOPLE, more: str = ""):
    frame.write_csv(folder / "people.csv")
    (folder / "people.toml").write_text(
        f"""
[table]
source = "people.csv"
[roles]
quasi_identifiers = ["age"]
{roles}
[[steps]]
method = "small-groups"
guarantee = {{ name = "k-anonymity", k = 2 }}
[output]
format = "csv"
{more}
"""
    )
    return tacit("publish", folder / "people.toml")


def text_of(folder: Path) -> str:
    return " ".join(" ".join(path.read_text() for path in folder.rglob("*.html")).split())


def test_what_looks_like_free_text_is_refused_until_it_is_named(tacit, tmp_path):
    complete = PEOPLE.drop_nulls().drop("name")
    refused = publish(tacit, tmp_path, 'sensitive = ["ill"]\nothers = "publish"', complete)
    assert refused.code == 2
    assert "Column 'notes' looks like free text, and would be published as it is" in refused.err
    assert not (tmp_path / "out").exists()
    done = publish(tacit, tmp_path, 'sensitive = ["ill"]\nothers = "publish"\nallow = ["notes"]', complete)
    assert done.code == 0, done.err
    said = "looks like free text; it is published because it was named as one that may leave"
    assert said in done.out
    for folder in ("out", "out.private"):
        assert said in text_of(tmp_path / folder)


def test_columns_that_were_left_out_are_named(tacit, tmp_path):
    done = publish(tacit, tmp_path, 'identifiers = ["name"]\nsensitive = ["ill"]\nmissing = "value"')
    assert done.code == 0, done.err
    said = "Not published: name (identifier), notes (no role), ward (no role)."
    assert said in done.out
    for folder in ("out", "out.private"):
        assert said in text_of(tmp_path / folder)


@pytest.mark.parametrize(
    ("column", "role"), [("name", "identifier"), ("ill", "sensitive"), ("notes", "look like free text")]
)
def test_what_must_not_leave_names_no_folder(tacit, tmp_path, column, role):
    roles = 'identifiers = ["name"]\nsensitive = ["ill"]\nmissing = "value"'
    allow = "\nallow = []" if column == "notes" else ""
    refused = publish(tacit, tmp_path, roles + allow, more=f'[batches]\ncolumn = "{column}"')
    assert refused.code == 2
    assert f"[batches] column: the values of {column!r} would be the names of public folders" in refused.err
    assert role in refused.err
    assert not (tmp_path / "out").exists()


def test_batches_by_a_column_that_names_nobody_are_published(tacit, tmp_path):
    done = publish(
        tacit,
        tmp_path,
        'identifiers = ["name"]\nsensitive = ["ill"]\nmissing = "value"',
        more='[batches]\ncolumn = "ward"',
    )
    assert done.code == 0, done.err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"north", "south"}


def test_a_missing_sensitive_value_is_refused_with_the_line_to_add(tacit, tmp_path):
    refused = publish(tacit, tmp_path, 'identifiers = ["name"]\nsensitive = ["ill"]')
    assert refused.code == 2
    assert '[roles.missing] ill = "value"' in refused.err
    done = publish(tacit, tmp_path, 'identifiers = ["name"]\nsensitive = ["ill"]\n[roles.missing]\nill = "value"')
    assert done.code == 0, done.err
    assert pl.read_csv(tmp_path / "out" / "table.csv")["ill"].null_count() == 3


@pytest.mark.parametrize(
    "said", ['missing = "drop"', '[roles.missing]\nill = "drop"', '[roles.missing]\nage = "value"']
)
def test_other_words_for_the_missing_are_refused(tacit, tmp_path, said):
    refused = publish(tacit, tmp_path, f'identifiers = ["name"]\nsensitive = ["ill"]\n{said}')
    assert refused.code == 2
    assert "missing" in refused.err
    assert len(refused.err.strip().splitlines()) <= 3


def test_inspect_never_refuses_what_is_missing(tacit, tmp_path):
    PEOPLE.rename({"ill": "diagnosis"}).write_csv(tmp_path / "people.csv")
    recipe = tmp_path / "start.toml"
    done = tacit("inspect", tmp_path / "people.csv", "--recipe", recipe)
    assert done.code == 0, done.err
    assert '"diagnosis" = "value"' in recipe.read_text()


def test_people_in_several_batches_are_warned_of(tacit, tmp_path):
    visits = PEOPLE.drop_nulls().drop("notes", "name").with_columns(pl.lit(30).alias("age"), pid=pl.int_range(9) % 4)
    visits = pl.concat([visits] * 3)
    done = publish(tacit, tmp_path, 'person = "pid"\nsensitive = ["ill"]', visits, '[batches]\ncolumn = "ward"')
    assert done.code == 0, done.err
    assert "rows in several batches: each batch is safe by itself" in done.out
