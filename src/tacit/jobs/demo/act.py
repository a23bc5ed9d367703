"""Act: one threat, told by numbers."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tacit.releases import Release
from tacit.report.sentences import people
from tacit.table import Table

__all__ = ["Act", "Played", "Stage", "people", "row_of"]


@dataclass(frozen=True)
class Act:
    """One threat: the attack before, the same attack after, and what it cost."""

    title: str
    story: str
    before: str
    after: str
    cost: str


@dataclass(frozen=True, eq=False)
class Stage:
    """What every act is played with: the hospital, and the list of people that the attacker has."""

    table: Table
    known: pl.DataFrame


@dataclass(frozen=True, eq=False)
class Played:
    """An act, the release of ours in it, and the part of the table it was made from."""

    act: Act
    release: Release
    table: Table


def row_of(frame: pl.DataFrame, cells: dict[str, object]) -> int | None:
    """Return the first row with these cells, None where there is none."""
    rows = frame.select(pl.all_horizontal(pl.col(name) == cell for name, cell in cells.items()).arg_true()).to_series()
    return int(rows[0]) if len(rows) else None
