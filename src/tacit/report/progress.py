"""A progress bar on a terminal; it appears after a second and leaves nothing behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tacit.progress import Progress as Tell
from tacit.progress import told_of_compiling

_PATIENCE = 1.0
"""Seconds before the bar appears: a job that ends before that needs none."""


@contextmanager
def bar() -> Iterator[Tell]:
    """Show stage and share done on stderr."""
    shown = Progress(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=Console(stderr=True), transient=True
    )
    task = shown.add_task("", total=1.0)
    begun = time.monotonic()

    def tell(stage: str, done: float) -> None:
        if not shown.live.is_started and time.monotonic() - begun > _PATIENCE:
            shown.start()
        shown.update(task, description=stage, completed=done)

    def say() -> None:
        shown.console.print("compiling once for this version: up to half a minute")

    try:
        with told_of_compiling(say):
            yield tell
    finally:
        if shown.live.is_started:
            shown.stop()
