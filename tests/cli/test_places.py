"""Recipes whose places are inside one another are refused before any work; batches never share a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import Release
from tacit.errors import SourceError
from tacit.jobs.batches import folder_names


def tree(folder: Path) -> dict[str, bytes | None]:
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


def refused(clinic: Path, tacit, recipe: str, *words: str) -> None:
    (clinic / "clinic.toml").write_text(recipe)
    before = tree(clinic)
    for overwrite in ([], ["--overwrite"]):
        done = tacit("publish", "clinic.toml", *overwrite)
        assert done.code == 2, done.err
        assert done.err.count("\n") == 1
        for word in words:
            assert word in done.err
    assert tree(clinic) == before


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    ("section", "words"),
    [
        ('[ledger]\npath = "out/c.ledger"', ["ledger", "public folder"]),
        ('[ledger]\npath = "out.private/c.ledger"', ["ledger", "private folder"]),
        ('[ledger]\npath = "Out.Private/c.ledger"', ["ledger", "private folder"]),
        ('[ledger]\npath = "patients.csv"', ["ledger", "source"]),
        ('[ledger]\npath = "patients.csv/x"', ["ledger", "source"]),
        ('[output]\nfolder = "out"\nprivate = "out/priv"', ["private folder", "public folder"]),
        ('[output]\nfolder = "out/x"\nprivate = "out"', ["private folder", "public folder"]),
        ('[output]\nfolder = "."', ["folder that you work in"]),
        ('[output]\nfolder = ""', ["folder"]),
        ('[output]\nfolder = "/"', ["cannot be a folder of releases"]),
        ('[output]\nfolder = "a\\u0000b"', ["not a path"]),
        ('[output]\nfolder = "patients.csv"', ["public folder", "source"]),
        ('[output]\nfolder = "clinic.toml/out"', ["public folder", "recipe"]),
    ],
)
def test_places_inside_one_another(clinic, tacit, section, words, batched):
    recipe = (clinic / "clinic.toml").read_text().split("[output]")[0]
    if batched:
        recipe = recipe.replace('"age", "zip", "sex"', '"age", "sex"') + '[batches]\ncolumn = "zip"\n'
    refused(clinic, tacit, recipe + section, *words)


def test_the_folder_of_the_recipe_is_no_folder_of_releases(clinic, tacit, monkeypatch):
    (clinic / "sub").mkdir()
    recipe = (clinic / "clinic.toml").read_text().replace('folder = "out"', 'folder = ".."')
    (clinic / "sub" / "clinic.toml").write_text(recipe.replace("patients.csv", "../patients.csv"))
    monkeypatch.chdir("/")
    done = tacit("publish", clinic / "sub" / "clinic.toml")
    assert done.code == 2
    assert "nor inside it" in done.err


def batches(clinic: Path, values: list[str]) -> None:
    lines = ["age,sex,day,ill"] + [
        f'{30 + i % 2},f,"{value}",{ill}' for value in values for i, ill in enumerate(("flu", "cold") * 3)
    ]
    (clinic / "days.csv").write_text("\n".join(lines) + "\n")
    (clinic / "days.toml").write_text(
        '[table]\nsource = "days.csv"\n[roles]\nquasi_identifiers = ["age", "sex"]\nsensitive = ["ill"]\n'
        '[batches]\ncolumn = "day"\n[[steps]]\nmethod = "small-groups"\n'
        'guarantee = { name = "k-anonymity", k = 2 }\n'
    )


def test_batches_whose_names_are_alike_are_all_published_apart(clinic, tacit):
    values = ["a/b", "a-b-095732", "x", "x.private", "X", "..", "con", "a b", "a-b"]
    batches(clinic, values)
    done = tacit("publish", "days.toml", "--json")
    assert done.code == 0, done.err
    folders = [part["folder"] for part in done.json["batches"]]
    assert len({folder.casefold() for folder in folders}) == len(values)
    for part in done.json["batches"]:
        release = Release.read(part["folder"])
        assert release.size == 6
        assert release.inside is not None, f"the private part of {part['source']} is found again"
    assert sorted(path.name for path in (clinic / "out.private").iterdir()) == sorted(Path(f).name for f in folders)


def test_a_missing_value_and_its_text_are_not_one_batch(clinic, tacit):
    batches(clinic, ["None", ""])
    done = tacit("publish", "days.toml")
    assert done.code == 2
    assert "both called 'None'" in done.err
    assert not (clinic / "out").exists()


NAMES = st.text(st.sampled_from("aAbB./- \0é"), max_size=6) | st.text(max_size=100)


@settings(max_examples=200)
@given(st.lists(NAMES | NAMES.map(lambda name: name + ".private"), unique=True, max_size=8))
def test_folders_of_batches_differ_on_every_file_system(batches: list[str]) -> None:
    names = folder_names(batches)
    assert len({name.casefold() for name in names}) == len(batches)
    for name in names:
        assert name == Path(name).name
        assert not name.startswith(".")
        assert not name.casefold().endswith(".private")
        assert name.isascii()
        assert len(name) < 100
    # A name that was made for one batch does not become another batch's, whoever chooses the names.
    for name in names:
        if name not in batches:
            assert folder_names([*batches, name])[:-1] == names
            assert folder_names([*batches, name])[-1] != name


def test_two_equal_batches_are_refused() -> None:
    with pytest.raises(SourceError, match="both called"):
        folder_names(["a", "a"])
