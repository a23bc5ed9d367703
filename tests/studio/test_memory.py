"""The process that holds a table gives back what only reading it needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from tacit.jobs.attendant import Attendant

_OPENED = """
import sys
from pathlib import Path
import pyarrow as pa
from tacit.jobs.at_hand import TableAtHand

def held():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) // 1024

table = TableAtHand()
table.open(sys.argv[1], None, {})
before = held()
pa.default_memory_pool().release_unused()
print(before - held())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says what a process holds")
def test_nothing_that_only_reading_needed_is_held(tmp_path: Path) -> None:
    path = tmp_path / "places.parquet"
    rows = 400_000
    towns = [f"town number {at % 50}" for at in range(rows)]
    pl.DataFrame({f"place {at}": towns for at in range(6)}).write_parquet(path)
    command = [sys.executable, "-c", _OPENED, str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(ended.stdout) < 10  # megabytes


def _environment() -> dict[str, str]:
    return dict(os.environ)


def test_a_process_that_holds_a_table_is_told_to_give_memory_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALLOC_ARENA_MAX", "7")
    monkeypatch.delenv("ARROW_DEFAULT_MEMORY_POOL", raising=False)
    with Attendant(_environment) as attendant:
        assert attendant.ask("get", "ARROW_DEFAULT_MEMORY_POOL") == "system"
        assert attendant.ask("get", "MALLOC_ARENA_MAX") == "7"  # what the user set stays
    assert "ARROW_DEFAULT_MEMORY_POOL" not in os.environ
