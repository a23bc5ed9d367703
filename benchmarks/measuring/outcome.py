"""Outcome: what came of one benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.measuring.timing import Timing


@dataclass(frozen=True)
class Verdict:
    """A goal, what was reached, and whether that meets it; None where nothing was measured."""

    goal: str
    value: float | None
    at_most: float
    met: bool | None
    quoted: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of one benchmark.

    Attributes
    ----------
    ours, yardstick
        The timings; None where there is none.
    failure
        Why there is no result, if there is none.
    missing
        Why there is no yardstick, though one was asked for.
    """

    name: str
    what: str = ""
    rows: int = 0
    yardstick_name: str = ""
    ours: Timing | None = None
    yardstick: Timing | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = ()
    failure: str | None = None
    missing: str | None = None

    @property
    def ratio(self) -> float | None:
        """CPU seconds of ours to those of the yardstick, minimum to minimum."""
        if self.ours is None or self.yardstick is None or not self.yardstick.cpu:
            return None
        return self.ours.cpu / self.yardstick.cpu

    @property
    def ratio_median(self) -> float | None:
        """The same, median to median: far from `ratio` on a noisy machine."""
        if self.ours is None or self.yardstick is None or not self.yardstick.cpu_median:
            return None
        return self.ours.cpu_median / self.yardstick.cpu_median

    @property
    def rows_per_second(self) -> float | None:
        """Rows that our call handles in one second of the wall clock."""
        return None if self.ours is None or not self.ours.wall else self.rows / self.ours.wall

    @property
    def rows_per_cpu_second(self) -> float | None:
        """Rows that our call handles in one CPU second."""
        return None if self.ours is None or not self.ours.cpu else self.rows / self.ours.cpu

    def as_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {
            "name": self.name,
            "what": self.what,
            "rows": self.rows,
            "failure": self.failure,
            "ours": None if self.ours is None else self.ours.as_dict(),
            "yardstick": None if self.yardstick is None else self.yardstick.as_dict(),
            "yardstick_name": self.yardstick_name,
            "missing": self.missing,
            "ratio": self.ratio,
            "ratio_median": self.ratio_median,
            "rows_per_second": self.rows_per_second,
            "rows_per_cpu_second": self.rows_per_cpu_second,
            "figures": dict(self.figures),
            "goals": [asdict(verdict) for verdict in self.verdicts],
        }
