"""ledger: what has been published of a table, and what may still be."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import SourceError
from tacit.methods.registry import classes
from tacit.releases import Ledger, LedgerEntry
from tacit.releases.ledger_page import IF_NOT_COMPARABLE
from tacit.releases.ledger_people import PEOPLE


@dataclass(frozen=True)
class LedgerSeries:
    """One table of a ledger.

    Attributes
    ----------
    name
        The name of the batch; empty for a ledger of one table.
    rows, quasi_identifiers, sensitive
        What the table is.
    entries
        What was published of it.
    m
        Further marginals keep m-invariance up to this m; None where no marginal was published.
    comparable
        Whether every release is noted with how it grouped people; earlier versions did not note it.
    people
        How many people the ledger follows from release to release; None where the table must not change.
    """

    name: str
    rows: int
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    entries: tuple[LedgerEntry, ...]
    m: int | None
    comparable: bool = True
    people: int | None = None

    @property
    def advice(self) -> str:
        """Say what is still safe to publish."""
        if not self.comparable:
            return (
                "refused: any further release. An earlier one was written by a version that did not note how people "
                f"were grouped, so it cannot be compared; {IF_NOT_COMPARABLE}"
            )
        if self.drawing:
            return (
                f"not known to be safe: any further release. {' and '.join(self.drawing)} keeps nothing in the ledger, "
                "so a repetition may differ, and two together tell more than one; hand out the files that are there"
            )
        if self.people is not None:
            return (
                f"safe: any marginals of {', '.join(self.quasi_identifiers)} with {', '.join(self.sensitive)}, for m "
                f"up to {self.m}, through this ledger, also after people came, left, returned or moved; refused: any "
                "other method"
            )
        if self.m is None:
            return "safe: the same steps with the same parameters on the same table; nothing else is known to be"
        return (
            f"safe: any marginals of {', '.join(self.quasi_identifiers)} with {', '.join(self.sensitive)}, for m up to "
            f"{self.m}, through this ledger; tables made without it may break what was promised"
        )

    @property
    def drawing(self) -> list[str]:
        """Steps of earlier releases that keep nothing, so that a repetition would differ."""
        known = classes()
        steps = [step.get("name", "") for entry in self.entries for step in entry.method.get("steps", [entry.method])]
        return [name for name in dict.fromkeys(steps) if name not in known or not known[name].remembers]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {**asdict(self), "advice": self.advice}


@dataclass(frozen=True)
class LedgerView:
    """All tables of a ledger."""

    path: Path
    series: tuple[LedgerSeries, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {"ledger": str(self.path), "tables": [each.as_dict() for each in self.series]}


def read_ledger(path: Path) -> LedgerView:
    """Read a ledger and check it whole."""
    if not path.exists():
        raise SourceError(
            f"There is no ledger {path}.", hint="A recipe with [ledger] path makes one when it is first published."
        )
    lines = Ledger(path).store.read()
    tables = []
    for name in dict.fromkeys(line.series for line in lines):
        mine = [line for line in lines if line.series == name]
        about = next((line.content for line in mine if line.kind == "table"), None)
        if about is None:
            raise SourceError(
                f"The ledger {path} is damaged: it does not say which table {name!r} is.",
                hint="Take it back from a backup.",
            )
        drawn = [line.content["m"] for line in mine if line.kind == "draw" and "m" in line.content]
        followed = [line.content for line in mine if line.kind == PEOPLE]
        drawn += [min((int(np.diff(each["offsets"]).min(initial=2**31)) for each in followed), default=0)] * bool(
            followed
        )
        tables.append(
            LedgerSeries(
                name,
                about["rows"],
                tuple(about["quasi_identifiers"]),
                tuple(about["sensitive"]),
                Ledger(path, series=name).entries(),
                drawn[-1] if drawn else None,
                bool(followed) or all("grouping" in line.content for line in mine if line.kind == "release"),
                sum(len(each["signature"]) for each in followed) if followed else None,
            )
        )
    return LedgerView(path, tuple(tables))
