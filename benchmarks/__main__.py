"""`python -m benchmarks`: run all, or some, and save what was measured."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from benchmarks.harness import Settings
from benchmarks.measuring import Machine
from benchmarks.registry import Registry, UnknownBenchmark
from benchmarks.showing import as_json, as_table

RESULTS = Path(__file__).parent / "results"
_WIDTH = 150


def main(arguments: Sequence[str] | None = None, *, registry: Registry | None = None, results: Path = RESULTS) -> int:
    """Return 0 if everything ran, whatever the goals; 1 if a benchmark failed; 2 if the arguments make no sense."""
    asked = _parser().parse_args(arguments)
    if asked.verbose:
        logging.basicConfig(level=logging.INFO)
    repeat = (2 if asked.quick else 5) if asked.repeat is None else asked.repeat
    settings = Settings(repeat=repeat, quick=asked.quick, memory=asked.memory)
    try:
        chosen = (Registry.of() if registry is None else registry).select(asked.only)
    except UnknownBenchmark as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    console = Console()
    if not console.is_terminal:  # a file or a pipe has no width: do not fold
        console = Console(width=_WIDTH)
    outcomes = []
    for entry in chosen.entries:
        with Console(stderr=True).status(entry.name):
            outcomes.append(entry.run(settings))
    machine = Machine.this()
    console.print(as_table(outcomes, machine))
    document = json.dumps(as_json(outcomes, machine, settings), indent=1) + "\n"
    results.mkdir(parents=True, exist_ok=True)
    moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for path in [results / f"{moment}.json", *([asked.json] if asked.json else [])]:
        path.write_text(document, encoding="utf-8")
    return 1 if any(outcome.failure is not None for outcome in outcomes) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed, as ratios against a yardstick.")
    parser.add_argument("--quick", action="store_true", help="few rows, few rounds: does everything run?")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a benchmark or a script")
    parser.add_argument("--json", type=_writable, metavar="FILE", help="write the figures here too")
    parser.add_argument("--repeat", type=_positive, metavar="N", help="timed rounds (5; with --quick 2)")
    parser.add_argument("--no-memory", dest="memory", action="store_false", help="leave out the round for memory")
    parser.add_argument("--verbose", action="store_true", help="show where a failure comes from")
    return parser


def _writable(text: str) -> Path:
    """Refuse before the run what would fail after it."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text} cannot be written: no such folder, or a folder itself")
    return path


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not at least 1")
    return number


if __name__ == "__main__":
    sys.exit(main())
