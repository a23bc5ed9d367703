"""The studio with a million rows: how long each question about the open table takes, and how much memory holds it.

`python -m benchmarks.studio [ROWS]`. The server itself holds only answers; the table is held by one process. Memory is
that process's, what it loaded included, and is given as a multiple of what the table takes in memory: measured as what
a process grows by that reads the file and does nothing else. Times are wall and processor seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tacit.datasets import hospital
from tacit.jobs.at_hand import TableAtHand
from tacit.jobs.attendant import Attendant, QuestionFailed

_READ = """
import sys
from pathlib import Path
import polars as pl

def held():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) * 1024

pl.DataFrame({"a": [1]}).select(pl.col("a").sum())
before = held()
frame = pl.read_parquet(sys.argv[1])
print(held() - before, frame.estimated_size())
"""


def _memory(pid: int) -> int:
    """Return the memory that is a process's own, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("RssAnon")).split()[1]) * 1024


def _worked(pid: int) -> float:
    """Return how many seconds processors have worked for a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(rows: int) -> None:
    roles = {"identifiers": ["name"], "quasi_identifiers": ["age", "postcode", "sex", "nationality", "admission"]}
    roles |= {"sensitive": ["diagnosis"], "kinds": {}}
    with tempfile.TemporaryDirectory() as folder, Attendant(TableAtHand) as attendant:
        path = Path(folder) / "hospital.parquet"
        hospital(rows).frame.write_parquet(path)
        told = subprocess.run(
            [sys.executable, "-c", _READ, str(path)], capture_output=True, text=True, check=True
        ).stdout
        size, estimate = map(int, told.split())
        with suppress(QuestionFailed):  # answered when the process has loaded everything, and holds no table
            attendant.ask("person", 1, [])
        pid = attendant.process.pid
        empty = _memory(pid)
        questions = {
            "open": lambda: attendant.ask("open", str(path), None, {}),
            "who is alone": lambda: attendant.ask("alone", roles),
            "hierarchy": lambda: attendant.ask("hierarchy", "age", {"interval": 10}, roles),
            "threats": lambda: attendant.ask("inspection", roles),
        }
        print(f"{rows:,} rows take {size / 1e6:.0f} MB in memory (Polars estimates {estimate / 1e6:.0f})")
        for name, ask in questions.items():
            begun, worked = time.perf_counter(), _worked(pid)
            ask()
            seconds, worked = time.perf_counter() - begun, _worked(pid) - worked
            with suppress(QuestionFailed):  # what was needed for a while is given back after the answer
                attendant.ask("person", 0, [])
            held = (_memory(pid) - empty) / size
            print(f"{name}: {seconds:.1f} s, {worked:.1f} s of work; memory {held:.2f} times the table")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
