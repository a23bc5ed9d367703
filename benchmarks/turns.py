"""Turns: the two sides that are called one after the other, and what each gave so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmarks.measuring import Cost, Peak, Timing, cost_of, peak_of


class Side(Protocol):
    """Something that can be called again and again."""

    def run(self) -> tuple[Cost, Any]:
        """Call once, for time."""

    def peak(self) -> Peak | None:
        """Call once, for memory."""


@dataclass(frozen=True)
class Here:
    """A side in this process: `ready` makes a call ready (untimed), `alone` measures its memory in a fresh process."""

    ready: Callable[[], Callable[[], object]]
    alone: Callable[[], Peak | None] | None = None

    def run(self) -> tuple[Cost, Any]:
        """Call once, for time."""
        return cost_of(self.ready())

    def peak(self) -> Peak | None:
        """Call once, for memory."""
        return peak_of(self.ready())[0] if self.alone is None else self.alone()


@dataclass
class Lane:
    """A side and its record."""

    side: Side
    costs: list[Cost] = field(default_factory=list)
    result: Any = None
    memory: Peak | None = None

    def turn(self, *, keep: bool) -> None:
        """Call once; keep the result only if somebody asks for it."""
        self.result = None  # never two of them at once
        cost, result = self.side.run()
        self.costs.append(cost)
        self.result = result if keep else None

    def weigh(self) -> None:
        """Call once, for memory."""
        self.result = None
        self.memory = self.side.peak()

    def timing(self, warmup: int) -> Timing:
        """Leave the warm-up out."""
        return Timing(tuple(self.costs[warmup:]), self.costs[0] if warmup else None, self.memory)
