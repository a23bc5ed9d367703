"""What `tacit ledger` prints."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tacit.jobs.ledger import LedgerView
from tacit.releases import LedgerEntry
from tacit.report.terminal import columns, near


def ledger_lines(ledger: LedgerView) -> list[str]:
    """Write what a ledger knows."""
    lines = []
    for series in ledger.series:
        place = f"{ledger.path.name}, {series.name}" if series.name else ledger.path.name
        times = "once" if len(series.entries) == 1 else f"{len(series.entries)} times"
        about = f"{series.rows:,} rows" if not series.people else f"{series.people:,} people, by a keyed hash"
        forgotten = f", {series.forgotten:,} of them forgotten" if series.forgotten else ""
        lines.append(f"{place}: {about}{forgotten}, published {times}")
        rows = []
        for entry in series.entries:
            tables = "; ".join(f"{name} ({', '.join(columns)})" for name, columns in entry.frames.items())
            where = near(Path(entry.folder)) + ("/" if entry.in_place else "/ (no longer there, or never arrived)")
            who = _people(entry)
            promises = ", ".join(_claim(claim) for claim in entry.claims) or "promises nothing"
            rows.append((f"{entry.at:%Y-%m-%d}", str(entry.method.get("name", "")), promises, who, where, tables))
        lines += columns(rows)
        lines += [f" {sentence}" for sentence in series.accepted]
        lines.append(f" {series.advice}")
    return lines or [f"{ledger.path.name}: nothing was published yet"]


def _claim(claim: Mapping[str, Any]) -> str:
    """Write a promise as a recipe would."""
    given = {key: value for key, value in claim.items() if key != "name" and value is not None}
    parts = ", ".join(f"{key}={value}" for key, value in given.items() if not isinstance(value, dict))
    return f"{claim['name']}({parts})"


def _people(entry: LedgerEntry) -> str:
    """Say how many people one release is about."""
    word = "counterfeit" if entry.counterfeits == 1 else "counterfeits"
    made_up = f", {entry.counterfeits:,} {word}" if entry.counterfeits else ""
    new = "" if entry.newcomers is None else f", {entry.newcomers:,} new"
    who = "rows" if entry.newcomers is None else "people"
    return f"{entry.rows - entry.withheld:,} {who}{new}{made_up}"
