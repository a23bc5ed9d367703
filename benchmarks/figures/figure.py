"""Figure: a picture of ours beside what a paper claims about its own.

Every paper has one module here with `draw(quick) -> list[Figure]`; `python -m benchmarks.figures` draws them all into
one page of the docs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parents[1] / "results"
ADULT = Path(__file__).resolve().parents[3] / "shared" / "data" / "adult.csv.gz"


@dataclass(frozen=True)
class Claim:
    """One sentence of a paper in our words, what it measured, what we measured, and whether it holds on our data.

    `published` is quoted and `ours` computed, both as text with numbers; `holds` is computed from the numbers too, and
    None where the two cannot be compared (`ours` says why).
    """

    said: str
    published: str
    ours: str
    holds: bool | None


@dataclass(frozen=True)
class Figure:
    """A chart, the number it has in its paper, what it shows in plain words, and the claims it bears on."""

    name: str  # file name of the picture, without ending: "skew-5"
    title: str  # "Figure 5: samples that violate l-eligibility"
    caption: str  # data, parameters, and how to read it, in one or two sentences
    chart: Any
    claims: tuple[Claim, ...] = field(default=())
