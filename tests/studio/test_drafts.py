"""A recipe is saved without publishing, and a studio that is killed loses no choice."""

from __future__ import annotations

import json
import stat
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.studio.opened import Studio
from tests.studio.visitor import Visitor

from tacit.studio.draft import Draft, History
from tacit.studio.folders import Folders
from tacit.studio.kept import KeptDrafts
from tacit.studio.workspace import Workspace
from tacit.table import Role

_DRAFT = Draft(Path("/data/a.toml"), {"table": {"source": "a.csv"}})


def test_drafts_are_kept_for_their_owner_only_and_read_again(tmp_path: Path) -> None:
    drafts = KeptDrafts(tmp_path / "state" / "studio")
    assert drafts.all() == []
    drafts.keep("one", _DRAFT)
    drafts.keep("one", _DRAFT.with_role("age", Role.QUASI_IDENTIFIER))
    (kept,) = drafts.all()
    assert kept.draft == _DRAFT.with_role("age", Role.QUASI_IDENTIFIER)
    assert drafts.failure is None
    (file,) = drafts.folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(drafts.folder.stat().st_mode) == 0o700
    drafts.forget("one")
    drafts.forget("one")
    assert drafts.all() == []


def test_damaged_drafts_are_passed_over_and_old_ones_go(tmp_path: Path) -> None:
    drafts = KeptDrafts(tmp_path)
    for text in ("", "{}", "[]", '{"path": 3, "recipe": ""}', '{"path": "a", "recipe": "= ="}'):
        (tmp_path / f"damaged{len(text)}.json").write_text(text)
    assert drafts.all() == []
    for number in range(30):
        drafts.keep(f"draft{number}", _DRAFT)
    assert len(list(tmp_path.glob("*.json"))) == 20
    assert len(drafts.all()) >= 15


def test_a_draft_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    drafts = KeptDrafts(tmp_path / "state")
    drafts.keep("one", _DRAFT)
    assert drafts.failure is not None
    assert drafts.all() == []


def test_what_is_saved_or_undone_is_not_kept(tmp_path: Path) -> None:
    workspace = Workspace(Folders((tmp_path,)), tmp_path, drafts=KeptDrafts(tmp_path / "kept"))
    first = Draft(tmp_path / "a.toml", _DRAFT.content)
    workspace.history, workspace._kept_name, workspace._kept = History([first]), "mine", first
    workspace._settled = first
    workspace.tick()
    assert workspace.drafts.all() == []
    workspace.edit(first.with_role("age", Role.SENSITIVE))
    workspace.tick()
    assert len(workspace.drafts.all()) == 1
    assert workspace.unfinished() == []  # it is the present one
    workspace.undo()
    workspace.tick()
    assert workspace.drafts.all() == []
    workspace.redo()
    workspace.tick()
    workspace.settle()
    assert workspace.drafts.all() == []


def _kept(studio: Studio) -> list[dict[str, Any]]:
    files = (studio.folder / ".local" / "state" / "tacit" / "studio").glob("*.json")
    return [tomllib.loads(json.loads(file.read_text())["recipe"]) for file in files]


def test_an_order_by_clicks_outlives_a_killed_studio_and_is_saved(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    rows = "".join(
        f"{20 + at % 30},{('low', 'high', 'middle')[at % 3]},{'flu' if at % 4 else 'gout'}\n" for at in range(60)
    )
    (tmp_path / "pain.csv").write_text(f"age,pain,illness\n{rows}")
    first = Studio(tmp_path, "pain.csv")
    visitor = Visitor(browser.new_context(), first)
    visitor.page.get_by_role("heading", name="pain.csv", level=1).wait_for()
    visitor.step("Columns")
    visitor.page.get_by_label("Kind of pain").select_option(label="in an order")
    visitor.wait_for_recipe('pain = ["high", "low", "middle"]')
    later = visitor.page.get_by_role("button", name="Move high of pain later")
    later.click()
    visitor.wait_for_recipe('pain = ["low", "high", "middle"]')
    visitor.page.keyboard.press("Enter")  # the button that was pressed keeps the focus
    visitor.wait_for_recipe('pain = ["low", "middle", "high"]')
    while [each.get("kinds") for each in _kept(first)] != [{"pain": ["low", "middle", "high"]}]:
        time.sleep(0.05)
    first.process.kill()
    first.process.communicate()
    visitor.context.close()
    with Studio(tmp_path) as second:
        visitor = Visitor(browser.new_context(), second)
        visitor.page.get_by_role("button", name="Go on with pain.toml").click()
        visitor.wait_for_recipe('pain = ["low", "middle", "high"]')
        visitor.page.get_by_text("Save the recipe as a file").click()
        visitor.page.get_by_role("button", name="Save the recipe").click()
        visitor.page.get_by_role("status").filter(has_text="Saved to").wait_for()
        assert tomllib.loads((tmp_path / "pain.toml").read_text())["kinds"] == {"pain": ["low", "middle", "high"]}
        assert _kept(second) == []
        visitor.blame()
        visitor.context.close()
