"""Showing: outcomes as a table for people and as JSON for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from benchmarks.harness import Settings
from benchmarks.measuring import Machine, Outcome, Timing, Verdict

_WORDS = {True: "met", False: "not met", None: "not measured"}


def as_json(outcomes: Sequence[Outcome], machine: Machine, settings: Settings) -> dict[str, Any]:
    """Return everything measured; figures that are no numbers become null."""
    document = {
        "machine": asdict(machine),
        "settings": asdict(settings),
        "outcomes": [outcome.as_dict() for outcome in outcomes],
    }
    found: dict[str, Any] = _finite(document)
    return found


def as_table(outcomes: Sequence[Outcome], machine: Machine) -> RenderableType:
    """Return a table of costs, and below it the goals, figures and failures."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("benchmark")
    table.add_column("")
    for name in ("CPU s", "median", "wall s", "cores", "peak MB", "rows/s", "CPU ratio"):
        table.add_column(name, justify="right")
    notes: list[str] = []
    for outcome in outcomes:
        _rows(table, outcome)
        notes += _notes(outcome)
    versions = ", ".join(f"{name} {found}" for name, found in machine.libraries.items())
    about = f"{machine.cores} cores, {machine.system} {machine.architecture}, {machine.python}, {versions}"
    return Group(table, Text(), *(Text(note) for note in notes), Text(about, style="dim"))


def _rows(table: Table, outcome: Outcome) -> None:
    name = escape(outcome.name)
    if outcome.failure is not None or outcome.ours is None:
        table.add_row(name, "failed")
        return
    speed = outcome.rows_per_second
    told = ["" if speed is None else f"{speed:,.0f}", "" if outcome.ratio is None else f"{outcome.ratio:.2f}"]
    table.add_row(name, "ours", *_cells(outcome.ours), *told)
    if outcome.yardstick is not None:
        table.add_row("", escape(outcome.yardstick_name), *_cells(outcome.yardstick), "", "")
    elif outcome.missing is not None:
        table.add_row("", f"{escape(outcome.yardstick_name)}: not available")


def _cells(timing: Timing) -> list[str]:
    cores = "" if timing.cores is None else f"{timing.cores:.1f}"
    peak = "" if timing.peak is None else f"{timing.peak.bytes / 1e6:,.0f}"
    return [f"{timing.cpu:.3f}", f"{timing.cpu_median:.3f}", f"{timing.wall:.3f}", cores, peak]


def _notes(outcome: Outcome) -> list[str]:
    parts = [outcome.what, f"{outcome.rows:,} rows"] if outcome.rows else []
    if outcome.failure is not None:
        parts.append(f"failed: {outcome.failure}")
    if outcome.missing is not None:
        parts.append(f"yardstick {outcome.missing}")
    parts += [f"{name} {value:,.4g}" for name, value in outcome.figures.items()]
    parts += [_goal(verdict) for verdict in outcome.verdicts]
    return [f"{outcome.name}: {'; '.join(part for part in parts if part)}"]


def _goal(verdict: Verdict) -> str:
    value = "" if verdict.value is None else f" {verdict.value:.3g}"
    quoted = "" if verdict.quoted is None else f", quoted from {verdict.quoted}"
    return f"{verdict.goal}{value}, goal at most {verdict.at_most:.3g}{quoted}: {_WORDS[verdict.met]}"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    return [_finite(part) for part in value] if isinstance(value, list | tuple) else value
