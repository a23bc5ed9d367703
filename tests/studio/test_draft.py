"""The draft: every edit is a recipe, undo is the one before, and what is written is read as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import HierarchyError, SourceError
from tacit.hierarchies import TreeHierarchy, editing
from tacit.recipes import Recipe
from tacit.recipes.writing import as_toml
from tacit.studio.draft import Draft, History
from tacit.studio.folders import Folders
from tacit.studio.saving import save
from tacit.table import Role

_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
_PLAIN = st.one_of(st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False), _TEXT)
_VALUE = st.recursive(
    _PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3), max_leaves=8
)


@given(st.dictionaries(_TEXT, st.dictionaries(_TEXT, _VALUE, max_size=4), max_size=4))
def test_whatever_is_written_is_read_as_it_was(content: dict[str, Any]) -> None:
    assert tomllib.loads(as_toml(content)) == content


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(list(Role))), max_size=12))
def test_a_column_has_one_role_and_undo_leads_back(edits: list[tuple[str, Role]]) -> None:
    history = History([Draft(Path("a.toml"), {"table": {"source": "a.csv"}})])
    seen = [history.draft]
    for column, role in edits:
        if history.edit(history.draft.with_role(column, role)):
            seen.append(history.draft)
        assert history.draft.role(column) is role
        named = [name for each in Role if each is not Role.OTHER for name in history.draft.columns(each)]
        assert len(named) == len(set(named))
        assert len(history.draft.columns(Role.PERSON)) <= 1
    for draft in reversed(seen[:-1]):
        assert history.undo()
        assert history.draft == draft
    assert not history.undo()
    for draft in seen[1:]:
        assert history.redo()
        assert history.draft == draft


def test_a_draft_says_what_it_lacks_and_is_a_recipe_when_it_is_whole(tmp_path: Path) -> None:
    draft = Draft(tmp_path / "a.toml")
    assert draft.problem() == "No table is open yet."
    draft = draft.with_section("table", {"source": "a.csv"})
    assert draft.problem() == "No method is chosen yet."
    draft = draft.with_section("steps", [{"method": "anatomy", "l": 0}])
    assert "l" in str(draft.problem())
    draft = draft.with_section("steps", [{"method": "anatomy", "l": 3}])
    assert draft.problem() is None
    assert Recipe.parse(draft.text, draft.path).text == draft.text


def test_a_recipe_is_replaced_only_if_somebody_said_so(tmp_path: Path) -> None:
    draft, folders = Draft(tmp_path / "a.toml", {"table": {"source": "a.csv"}}), Folders((tmp_path,))
    save(draft, folders)
    save(draft, folders)
    other = draft.with_section("output", {"folder": "x"})
    with pytest.raises(SourceError, match="another recipe"):
        save(other, folders)
    save(other, folders, replace=True)
    assert (tmp_path / "a.toml").read_text() == other.text
    with pytest.raises(SourceError, match="outside"):
        save(Draft(tmp_path.parent / "b.toml", {}), folders)


_PATHS = [("cat", "mammal", "*"), ("dog", "mammal", "*"), ("trout", "fish", "*")]


@given(st.data())
def test_an_edited_tree_is_a_tree_with_the_same_values(data: st.DataObject) -> None:
    paths: Any = _PATHS
    for _ in range(data.draw(st.integers(1, 5))):
        level = data.draw(st.integers(0, len(paths[0]) - 1))
        labels = sorted({path[level] for path in paths})
        chosen = set(data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=3)))
        name = data.draw(st.sampled_from(["x", "y", *labels]))
        what = data.draw(st.sampled_from(["rename", "merge", "move", "add_level", "drop_level"]))
        try:
            if what == "rename":
                paths = editing.rename(paths, level, min(chosen), name)
            elif what in {"merge", "move"}:
                paths = getattr(editing, what)(paths, level, chosen, name)
            else:
                paths = getattr(editing, what)(paths, level)
        except HierarchyError:
            continue
        assert {path[0] for path in paths} == {"cat", "dog", "trout"}
        assert {path[-1] for path in paths} == {"*"}
        TreeHierarchy(paths)
