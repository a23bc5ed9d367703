"""Figure: a picture of ours beside what a paper claims about its own.

Every paper has one module here with `draw(quick) -> list[Figure]`; `python -m benchmarks.figures` draws them all into
one page of the docs, and `python -m benchmarks.figures.NAME` one of them, with its numbers on the terminal.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parents[1] / "results"
ADULT = Path(__file__).resolve().parents[3] / "shared" / "data" / "adult.csv.gz"


@dataclass(frozen=True)
class Claim:
    """One sentence of a paper in our words, what it measured, what we measured, and whether it holds on our data.

    `published` is quoted and `ours` computed, both as text with numbers; `holds` is computed from the numbers too, and
    None where the two cannot be compared (`ours` says why). `why` is a sentence for the reader of a claim that does not
    hold: what makes the difference, as far as we know.
    """

    said: str
    published: str
    ours: str
    holds: bool | None
    why: str = ""

    @property
    def verdict(self) -> str:
        """In words, as the page has it."""
        return "not comparable" if self.holds is None else "yes" if self.holds else "no"


@dataclass(frozen=True)
class Figure:
    """A chart, the number it has in its paper, what it shows in plain words, and the claims it bears on."""

    name: str  # file name of the picture, without ending: "skew-5"
    title: str  # "Figure 5: samples that violate l-eligibility"
    caption: str  # data, parameters, and how to read it, in one or two sentences
    chart: Any
    claims: tuple[Claim, ...] = field(default=())


def points(chart: Any) -> list[dict[str, Any]]:
    """Return the points that a chart draws: those of all its parts."""
    return list(_points(chart.to_dict()))


def _points(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from part.get("data", {}).get("values", ())
    for rows in part.get("datasets", {}).values():
        yield from rows
    for key in ("layer", "hconcat", "vconcat"):
        for inner in part.get(key, ()):
            yield from _points(inner)


def run(draw: Callable[[bool], list[Figure]], description: str | None, arguments: Sequence[str] | None = None) -> None:
    """Draw one paper's figures from the command line: pictures to a folder, numbers and verdicts to the terminal."""
    from benchmarks.figures.charts import save

    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--quick", action="store_true", help="fewer rows, points and repetitions")
    parser.add_argument("--folder", type=Path, default=RESULTS, help="where the pictures go")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    for figure in draw(given.quick):
        save(figure.chart, given.folder / f"{figure.name}.svg")
        print(f"\n{figure.title}\n{figure.caption}")
        for row in points(figure.chart):
            print("  " + "  ".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in row.values()))
        for claim in figure.claims:
            print(f"  [{claim.verdict}] {claim.said} Paper: {claim.published} Ours: {claim.ours}")
    print(f"\npictures: {given.folder.name}/")
