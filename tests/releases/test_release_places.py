"""Ledger, private part, public folder and source are never inside one another; only a release is ever replaced."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.releases.releases_made import protected, tree

from tacit import InvariantMarginals, Ledger, ParameterError, Release, SourceError, Table
from tacit.releases.places import check_apart, is_within


def marginals(place: Path, ledger: Path) -> Release:
    frame = {"age": [20, 30, 40, 50], "sex": ["m", "f", "m", "f"], "ill": ["flu", "cold", "gout", "flu"]}
    table = Table(frame, quasi_identifiers=["age", "sex"], sensitive="ill")
    return InvariantMarginals(m=2, marginals=[["age"]]).protect(table, ledger=Ledger(place / ledger))


@pytest.mark.parametrize(
    "ledger", ["out/c.ledger", "out.private/c.ledger", "OUT/c.ledger", "link/c.ledger", "out", "out.private", "link"]
)
def test_a_ledger_inside_a_release_is_refused_before_it_is_lost(tmp_path: Path, ledger: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out")
    release = marginals(tmp_path, Path(ledger))
    with pytest.raises(SourceError, match="must not be the"):
        release.write(tmp_path / "out")
    assert tree(tmp_path) in ({}, {"link": None})


def test_a_ledger_outside_is_kept_when_a_release_is_replaced(tmp_path: Path) -> None:
    for _ in range(2):
        marginals(tmp_path, Path("ledgers/c.ledger")).write(tmp_path / "out", overwrite=True)
    assert len(Ledger(tmp_path / "ledgers" / "c.ledger").entries()) == 2


def test_a_folder_of_releases_is_not_the_one_that_somebody_works_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for folder in (".", "..", "../here", "x/.."):
        with pytest.raises(SourceError, match="is the folder that you work in"):
            protected().write(folder)
    assert tree(tmp_path) == {"here": None}


@pytest.mark.parametrize("given", ["", "  ", "a\0b", None, 5, b"out", ["out"]])
def test_what_is_not_a_path_is_refused_in_one_sentence(tmp_path: Path, given: object) -> None:
    for act in (
        lambda: protected().write(given),  # type: ignore[arg-type]
        lambda: Release.read(given),  # type: ignore[arg-type]
        lambda: Ledger(given),  # type: ignore[arg-type]
    ):
        with pytest.raises(ParameterError, match="which is not a path"):
            act()
    assert tree(tmp_path) == {}


def test_a_link_is_refused_where_the_private_part_would_land_beside_its_target(tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "www" / "data")
    with pytest.raises(SourceError, match=r"private part would go to .*www/data\.private, beside"):
        protected().write(tmp_path / "out")
    assert tree(tmp_path / "www") == {}


def test_links_that_go_in_circles_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(SourceError):
        protected().write(tmp_path / "a" / "out", private=tmp_path / "p")


NAMES = ("out", "Out", "OUT", "café", unicodedata.normalize("NFD", "café"), "a", "b")


@settings(max_examples=200)
@given(
    first=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
    second=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3),
)
def test_places_are_apart_exactly_if_neither_begins_with_the_other(first: list[str], second: list[str]) -> None:
    one, other = Path("/nowhere", *first), Path("/nowhere", *second)
    folded = [[unicodedata.normalize("NFC", name).casefold() for name in names] for names in (first, second)]
    shorter = min(len(names) for names in folded)
    contained = folded[0][:shorter] == folded[1][:shorter]
    assert (is_within(one, other) or is_within(other, one)) == contained
    if contained:
        with pytest.raises(SourceError):
            check_apart({"one": one, "the other": other})
    else:
        check_apart({"one": one, "the other": other})


def test_overwriting_names_what_it_did_not_write_and_leaves_it(tmp_path: Path) -> None:
    protected().write(tmp_path / "out")
    (tmp_path / "out" / "patients.csv").write_text("name,age\nAda,36\n")
    before = tree(tmp_path)
    with pytest.raises(SourceError, match=r"besides an earlier release.*'patients\.csv'"):
        protected().write(tmp_path / "out", overwrite=True)
    assert tree(tmp_path) == before
    (tmp_path / "out" / "patients.csv").rename(tmp_path / "patients.csv")
    (tmp_path / "out.private" / "notes").mkdir()
    with pytest.raises(SourceError, match="'notes'"):
        protected().write(tmp_path / "out", overwrite=True)
    (tmp_path / "out.private" / "notes").rmdir()
    protected().write(tmp_path / "out", overwrite=True)


@settings(max_examples=25)
@given(
    extra=st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12).filter(
            lambda name: name not in {".", ".."}
        ),
        st.booleans(),
        max_size=2,
    ),
    private=st.booleans(),
)
def test_whatever_else_lies_in_a_release_survives(
    tmp_path_factory: pytest.TempPathFactory, extra: dict[str, bool], private: bool
) -> None:
    place = tmp_path_factory.mktemp("place")
    protected(rows=20).write(place / "out", documents={"report.md": b"x"})
    folder = place / ("out.private" if private else "out")
    ours = {path.name for path in folder.iterdir()}
    extra = {name: is_file for name, is_file in extra.items() if name not in ours}
    for name, is_file in extra.items():
        (folder / name).write_text("mine") if is_file else (folder / name).mkdir()
    before = tree(place)
    if extra:
        with pytest.raises(SourceError, match="besides an earlier release"):
            protected(rows=24).write(place / "out", overwrite=True)
        assert tree(place) == before
    else:
        protected(rows=24).write(place / "out", overwrite=True)
        assert Release.read(place / "out").size == 24


@pytest.mark.parametrize("about", ["{}", "[]", "null", '{"format": 1, "tacit": "", "files": []}', "[" * 100_000])
def test_a_folder_with_a_file_like_a_manifest_is_not_a_release(tmp_path: Path, about: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "release.json").write_text(about)
    with pytest.raises(SourceError, match="does not hold a release"):
        protected().write(tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "release.json").read_text() == about


def test_a_manifest_that_names_files_elsewhere_does_not_move_them(tmp_path: Path) -> None:
    protected().write(tmp_path / "out")
    (tmp_path / "precious").write_text("mine")
    about = json.loads((tmp_path / "out" / "release.json").read_text())
    about["documents"] |= {"../precious": "", "folder": ""}
    (tmp_path / "out" / "release.json").write_text(json.dumps(about))
    (tmp_path / "out" / "folder").mkdir()
    with pytest.raises(SourceError, match="'folder'"):
        protected().write(tmp_path / "out", overwrite=True)
    (tmp_path / "out" / "folder").rmdir()
    protected().write(tmp_path / "out", overwrite=True)
    assert (tmp_path / "precious").read_text() == "mine"
