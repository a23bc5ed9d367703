"""Timing: what several calls of the same thing took."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.measuring.cost import Cost
from benchmarks.measuring.memory import Peak


@dataclass(frozen=True)
class Timing:
    """The timed calls, in order.

    The minimum is the figure to compare: other programs on the machine can only add to a call. The median beside it
    tells how noisy the machine was.

    Attributes
    ----------
    runs
        The warm calls.
    first
        The first call of all, in which kernels are compiled or loaded and caches filled; None without a warm-up.
    peak
        Memory, if it was measured.

    Examples
    --------
    >>> timing = Timing(runs=(Cost(3.0, 2.0), Cost(2.0, 1.0), Cost(4.0, 4.0)))
    >>> timing.cpu, timing.cpu_median, timing.wall, timing.cores
    (2.0, 3.0, 1.0, 2.0)
    """

    runs: tuple[Cost, ...]
    first: Cost | None = None
    peak: Peak | None = None

    @property
    def best(self) -> Cost:
        """The call with the fewest CPU seconds."""
        return min(self.runs, key=lambda run: run.cpu)

    @property
    def cpu(self) -> float:
        """CPU seconds, minimum."""
        return self.best.cpu

    @property
    def cpu_median(self) -> float:
        """CPU seconds, median."""
        return median(run.cpu for run in self.runs)

    @property
    def wall(self) -> float:
        """Wall seconds, minimum."""
        return min(run.wall for run in self.runs)

    @property
    def wall_median(self) -> float:
        """Wall seconds, median."""
        return median(run.wall for run in self.runs)

    @property
    def cores(self) -> float | None:
        """How many cores were busy on average in the best call."""
        return self.best.cpu / self.best.wall if self.best.wall else None

    def as_dict(self) -> dict[str, Any]:
        """Return all figures for JSON."""
        return {
            "cpu": self.cpu,
            "cpu_median": self.cpu_median,
            "wall": self.wall,
            "wall_median": self.wall_median,
            "cores": self.cores,
            "first": None if self.first is None else {"cpu": self.first.cpu, "wall": self.first.wall},
            "runs": [{"cpu": run.cpu, "wall": run.wall} for run in self.runs],
            "peak_bytes": None if self.peak is None else self.peak.bytes,
            "peak_how": None if self.peak is None else self.peak.how,
        }
