"""The studio with a million rows: how long each question about the open table takes, and how much memory holds it.

`python -m benchmarks.studio [ROWS]`. The server itself holds only answers; the table is held by one process. Memory is
that process's and is given as a multiple of the table in memory; times are given beside that of reading the file once.
"""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import polars as pl

from tacit.datasets import hospital
from tacit.jobs.at_hand import TableAtHand
from tacit.jobs.attendant import Attendant, QuestionFailed


def _memory(pid: int) -> int:
    """Return the resident memory of a process in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024


def main(rows: int) -> None:
    roles = {"identifiers": ["name"], "quasi_identifiers": ["age", "postcode", "sex", "nationality", "admission"]}
    roles |= {"sensitive": ["diagnosis"], "kinds": {}}
    with tempfile.TemporaryDirectory() as folder, Attendant(TableAtHand) as attendant:
        path = Path(folder) / "hospital.parquet"
        hospital(rows).frame.write_parquet(path)
        begun = time.perf_counter()
        size = pl.read_parquet(path).estimated_size()
        reading = time.perf_counter() - begun
        with suppress(QuestionFailed):  # answered when the process has loaded everything, and holds no table
            attendant.ask("person", 1, [])
        empty = _memory(attendant.process.pid)
        questions = {
            "open": lambda: attendant.ask("open", str(path), None, {}),
            "who is alone": lambda: attendant.ask("alone", roles),
            "hierarchy": lambda: attendant.ask("hierarchy", "age", {"interval": 10}, roles),
            "threats": lambda: attendant.ask("inspection", roles),
        }
        print(f"{rows:,} rows, {size / 1e6:.0f} MB in memory; reading it alone takes {reading:.2f} s")
        for name, ask in questions.items():
            begun = time.perf_counter()
            ask()
            seconds = time.perf_counter() - begun
            held = (_memory(attendant.process.pid) - empty) / size
            print(f"{name}: {seconds:.1f} s ({seconds / reading:.0f} times reading); memory {held:.2f} times the table")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
