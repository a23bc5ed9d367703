"""Section: what drawing one paper's figures gave, and drawing it in a process of its own.

A process of its own, because two of them run side by side, and because one that dies must not take the others along.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.figures.figure import Claim, Figure

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Section:
    """The figures of one module, their pictures written; or what went wrong."""

    name: str
    figures: tuple[Figure, ...] = ()
    wall: float = 0.0
    cpu: float = 0.0
    failure: str = ""

    @property
    def claims(self) -> list[Claim]:
        return [claim for figure in self.figures for claim in figure.claims]

    def count(self, holds: bool | None) -> int:
        """Return how many claims hold, do not, or cannot be compared."""
        return sum(claim.holds is holds for claim in self.claims)

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Section:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        figures = tuple(
            Figure(**{**each, "claims": tuple(Claim(**claim) for claim in each["claims"])})
            for each in content.pop("figures")
        )
        return cls(figures=figures, **content)


def drawn(name: str, draw: Callable[[bool], list[Figure]], pictures: Path, *, quick: bool) -> Section:
    """Draw, and write the pictures; the charts themselves are not kept."""
    from benchmarks.figures.charts import save

    wall, cpu = time.perf_counter(), time.process_time()
    figures = draw(quick)
    for figure in figures:
        save(figure.chart, pictures / f"{figure.name}.svg")
    spent = time.perf_counter() - wall, time.process_time() - cpu
    return Section(name, tuple(_plain(figure) for figure in figures), *spent)


def _plain(figure: Figure) -> Figure:
    """Without the chart, and with Python's own truth values: a comparison of NumPy numbers has another kind."""
    claims = (replace(each, holds=None if each.holds is None else bool(each.holds)) for each in figure.claims)
    return replace(figure, chart=None, claims=tuple(claims))


def drawn_apart(name: str, pictures: Path, *, quick: bool) -> Section:
    """Draw a module's figures in a process of its own."""
    note = pictures / f"{name}.json"
    note.unlink(missing_ok=True)
    command = [sys.executable, "-m", "benchmarks.figures.section", name, str(pictures), *(["--quick"] if quick else [])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if not note.exists():
        told = (done.stderr.strip().splitlines() or ["no word"])[-1]
        return Section(name, failure=f"the process ended with {done.returncode}: {told}")
    found = Section.read(note)
    note.unlink()
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Draw one module's figures and note what came of it.")
    parser.add_argument("name")
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args(arguments)
    try:
        module = import_module(f"benchmarks.figures.{given.name}")
        found = drawn(given.name, module.draw, given.pictures, quick=given.quick)
    except Exception as error:  # whatever it is, the other papers go on
        traceback.print_exc()
        found = Section(given.name, failure=f"{type(error).__name__}: {error}")
    found.write(given.pictures / f"{given.name}.json")
    return 1 if found.failure else 0


if __name__ == "__main__":
    sys.exit(main())
