"""What `tacit ledger` prints."""

from __future__ import annotations

from pathlib import Path

from tacit.jobs.ledger import LedgerView
from tacit.releases import LedgerEntry
from tacit.report.terminal import columns, near


def ledger_lines(ledger: LedgerView) -> list[str]:
    """Write what a ledger knows."""
    lines = []
    for series in ledger.series:
        place = f"{ledger.path.name}, {series.name}" if series.name else ledger.path.name
        times = "once" if len(series.entries) == 1 else f"{len(series.entries)} times"
        about = f"{series.rows:,} rows" if series.people is None else f"{series.people:,} people, by a keyed hash"
        lines.append(f"{place}: {about}, published {times}")
        rows = []
        for entry in series.entries:
            tables = "; ".join(f"{name} ({', '.join(columns)})" for name, columns in entry.frames.items())
            where = near(Path(entry.folder)) + ("/" if entry.in_place else "/ (no longer there, or never arrived)")
            who = "" if entry.newcomers is None else _people(entry)
            rows.append(
                (f"{entry.at:%Y-%m-%d}", str(entry.method.get("name", "")), *([who] if who else []), where, tables)
            )
        lines += columns(rows)
        lines.append(f" {series.advice}")
    return lines or [f"{ledger.path.name}: nothing was published yet"]


def _people(entry: LedgerEntry) -> str:
    """Say how many people one release is about."""
    made_up = f", {entry.counterfeits:,} counterfeits" if entry.counterfeits else ""
    return f"{entry.rows - entry.withheld:,} people, {entry.newcomers:,} new{made_up}"
