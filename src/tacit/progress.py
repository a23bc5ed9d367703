"""How a long job tells how far it is: a callable that takes the stage's name and the share done, 0 to 1."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float], None]


def silent(stage: str, done: float) -> None:
    """Tell nobody."""


def part(progress: Progress, start: float, stop: float) -> Progress:
    """Return a progress that fills one part of another."""
    return lambda stage, done: progress(stage, start + (stop - start) * done)
