"""Foreign tools: another process that takes turns, and everything that may go wrong with it."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from benchmarks.foreign import Environment, Foreign, NotAvailable
from benchmarks.harness import Benchmark, Settings, run

from benchmarks import foreign

HERE = Environment("here")


@pytest.fixture
def tool(tmp_path: Path):
    """Return a maker of foreign tools that run in this interpreter."""

    def make(script: str, **changes: Any) -> Foreign:
        path = tmp_path / "tool.py"
        path.write_text(textwrap.dedent(script))
        return Foreign(environment=HERE, script=path, task=lambda state: {"rows": state}, **changes)

    return make


WORKS = """
    import os
    calls = []

    def setup(task):
        print("tools talk")
        return task["rows"]

    def run(rows):
        print("tools talk while they work")
        calls.append(rows)
        block = b"x" * 64_000_000
        return {"calls": len(calls), "sum": sum(range(rows)), "process": os.getpid()}
"""


def test_a_tool_takes_turns_and_reports_its_own_cost(tool):
    benchmark = Benchmark(
        name="foreign",
        what="a sum",
        setup=lambda rows, folder: rows,
        ours=lambda rows: sum(range(rows)),
        yardstick=tool(WORKS),
        yardstick_name="the tool",
        rows=1000,
        figures=lambda state, ours, theirs: {"ours": ours, **theirs},
    )
    outcome = run(benchmark, Settings(repeat=3))
    assert outcome.failure is outcome.missing is None
    assert len(outcome.yardstick.runs) == 3
    assert all(cost.cpu > 0 for cost in outcome.yardstick.runs)
    assert outcome.ratio is not None
    # One process for all turns: a warm-up, a round for memory, three timed.
    assert outcome.figures["calls"] == 5
    assert outcome.figures["sum"] == outcome.figures["ours"] == 499_500
    if sys.platform == "linux":
        assert 50_000_000 < outcome.yardstick.peak.bytes < 85_000_000


def test_the_process_ends(tool):
    with tool(WORKS).start(3) as worker:
        worker.run()
        process = worker._process
        assert process.poll() is None
    assert process.poll() is not None


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("import a_module_that_nobody_has", "the tool failed: ModuleNotFoundError: No module named"),
        ("def setup(task): open('/nowhere/at/all')", "the tool failed: FileNotFoundError"),
        ("def setup(task): pass\ndef run(state): raise ValueError('no')", "the tool failed: ValueError: no"),
        ("import os\ndef setup(task): pass\ndef run(state): os._exit(3)", "the tool ended with code 3"),
    ],
)
def test_a_tool_that_breaks_is_not_available_and_ours_goes_on(tool, script: str, told: str):
    benchmark = Benchmark(
        name="broken",
        what="",
        setup=lambda rows, folder: rows,
        ours=lambda _: 1,
        yardstick=tool(script),
        target=1.0,
        rows=1,
    )
    outcome = run(benchmark, Settings(repeat=2))
    assert outcome.failure is None
    assert len(outcome.ours.runs) == 2
    assert outcome.yardstick is None
    assert outcome.missing.startswith(f"not available: {told}")
    assert "/nowhere" not in outcome.missing
    assert outcome.verdicts[0].met is None


def test_a_tool_that_takes_too_long_is_ended(tool):
    slow = tool("import time\ndef setup(task): time.sleep(60)", limit=0.5)
    with pytest.raises(NotAvailable, match=r"more than 0\.5 seconds"):
        slow.start(1)


def test_an_environment_that_asks_for_nothing_is_this_interpreter():
    assert HERE.interpreter() == Path(sys.executable)
    with pytest.raises(NotAvailable, match="there is no python-of-nobody"):
        Environment("other", python="python-of-nobody").interpreter()


@pytest.fixture
def installer(monkeypatch):
    """Pretend to install; return the commands that were run."""
    commands: list[list[str]] = []

    def pretend(command: list[Any], **_: Any) -> None:
        commands.append([str(part) for part in command])
        if command[1:3] == ["-m", "venv"]:
            Path(command[3]).mkdir()
        elif "impossible==1" in command:
            raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(foreign.subprocess, "run", pretend)
    return commands


def test_an_environment_is_made_once_and_again_when_its_pins_change(installer, tmp_path: Path):
    first = Environment("tool", ("tool==1",))
    python = first.interpreter(tmp_path / "home")
    assert python.is_relative_to(tmp_path / "home" / "tool")
    assert [command[2] for command in installer] == ["venv", "pip"]
    assert installer[1][-1] == "tool==1"
    assert first.interpreter(tmp_path / "home") == python
    assert len(installer) == 2
    Environment("tool", ("tool==2",)).interpreter(tmp_path / "home")
    assert [command[2] for command in installer[2:]] == ["venv", "pip"]


def test_an_environment_that_cannot_be_made_is_tried_again_next_time(installer, tmp_path: Path):
    for _ in range(2):
        with pytest.raises(NotAvailable, match=r"^pip could not install impossible==1$"):
            Environment("bad", ("impossible==1",)).interpreter(tmp_path)
    assert len(installer) == 4


def test_the_installer_is_never_told_an_index(installer, tmp_path: Path):
    Environment("tool", ("tool==1",)).interpreter(tmp_path)
    assert not any("index" in part or "://" in part for command in installer for part in command)
