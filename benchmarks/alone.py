"""Alone: the memory of one call, in a fresh process.

In a process that has called before, the allocators still hold the pages of earlier calls, and the next call seems to
need nothing. So a fresh process makes the state, warms up on few rows (kernels are loaded, libraries imported), calls
once and reports. The price is one more setup per side.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from benchmarks.harness import Benchmark, SideName
from benchmarks.measuring import Peak, peak_of

_ROOT = Path(__file__).resolve().parents[1]
_LIMIT = 1800
_SETTLE = 1.5  # Polars' allocator gives pages back after about a second; until then they would hide a call's need


def peak_alone(script: str, name: str, side: SideName, rows: int) -> Peak | None:
    """Start the process and return what it reports; None if it did not get that far."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.alone", script, name, side, str(rows)],
            cwd=_ROOT,
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_LIMIT,
        )
        found = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None
    return None if found is None else Peak(*found)


def main(script: str, name: str, side: SideName, rows: int) -> None:
    """Report one call as a line of JSON."""
    benchmark: Benchmark = {found.name: found for found in import_module(script).BENCHMARKS}[name]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        few, all_of_them = Path(folder) / "few", Path(folder) / "all"
        few.mkdir()
        all_of_them.mkdir()
        benchmark.call(side, benchmark.setup(min(rows, benchmark.quick_rows), few))()
        call = benchmark.call(side, benchmark.setup(rows, all_of_them))
        time.sleep(_SETTLE)
        peak, _ = peak_of(call)
    print(json.dumps(None if peak is None else [peak.bytes, peak.how]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], "ours" if sys.argv[3] == "ours" else "yardstick", int(sys.argv[4]))
