"""The first hour is lived through: ten commands of the page, one after another, on a real table."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.docs.test_docs import ROOT, blocks

from tacit.cli import run

PAGE = ROOT / "docs" / "first-hour.md"
LINES = [
    line.removeprefix("$ ") for block in blocks(PAGE, "console") for line in block.splitlines() if line[:2] == "$ "
]


def test_from_a_csv_to_a_published_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert len(LINES) == 10
    monkeypatch.chdir(tmp_path)
    said = {}
    for line in LINES:
        program, *arguments = shlex.split(line)
        if program == "python":
            subprocess.run([sys.executable, *arguments], check=True)
            continue
        assert program == "tacit"
        assert run(arguments) == 0, (line, capsys.readouterr().err)
        said[line] = capsys.readouterr().out
    assert (tmp_path / "diabetes.csv").read_text().count("\n") == 443
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"table.csv", "release.json", "report.html"}
    assert (tmp_path / "out.private" / "report.html").exists()
    published = said["tacit publish diabetes.toml"]
    assert "publishes all 442 rows" in published
    assert not re.search("does not hold|cannot be checked", published)
