"""What is named on the command line is looked at before anything is loaded or listens."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tacit.studio.folders import Folders
from tacit.studio.workspace import Workspace

_WITHOUT_PAGES = (
    "import sys; sys.modules['nicegui'] = None; from tacit.cli import run; sys.exit(run(['studio', *sys.argv[1:]]))"
)


@pytest.mark.parametrize(
    ("place", "said"), [("a" * 300, "File name too long"), ("nowhere.csv", "There is no file nowhere.csv")]
)
def test_what_cannot_be_opened_is_refused_before_the_pages_are_loaded(tmp_path: Path, place: str, said: str) -> None:
    command = [sys.executable, "-c", _WITHOUT_PAGES, place, "--no-open"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert said in ended.stderr, ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
    assert "Traceback" not in ended.stderr


def test_a_name_that_no_file_can_have_is_refused_in_the_page_too(tmp_path: Path) -> None:
    workspace = Workspace(Folders((tmp_path,)), tmp_path)
    asyncio.run(workspace.open(str(tmp_path / ("a" * 300))))
    assert workspace.opening.error is not None
    assert "There is no file" in workspace.opening.error
    assert not workspace.opening.busy
