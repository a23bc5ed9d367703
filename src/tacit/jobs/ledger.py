"""ledger: what has been published of a table, and what may still be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacit.errors import LedgerConflict, SourceError
from tacit.recipes import Recipe
from tacit.regular_files import is_there
from tacit.releases import Ledger, LedgerEntry
from tacit.releases.earlier_releases import IF_NOT_COMPARABLE
from tacit.releases.ledger_people import FORGOTTEN, PEOPLE
from tacit.releases.ledger_store import Line
from tacit.report.charts import ORANGE, Chart, bars
from tacit.table import Table


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
        How many people the ledger knows by a hash; None where the table must not change.
    forgotten
        How many of them are refused.
    """

    name: str
    rows: int
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    entries: tuple[LedgerEntry, ...]
    m: int | None
    comparable: bool = True
    people: int | None = None
    forgotten: int = 0

    @property
    def advice(self) -> str:
        """Say what is still safe to publish, and what would be refused."""
        if not self.comparable:
            return (
                "refused: any further release. An earlier one was written by a version that did not note how people "
                f"were grouped, so it cannot be compared; {IF_NOT_COMPARABLE}"
            )
        marginals = (
            f"any marginals of {', '.join(self.quasi_identifiers)} with {', '.join(self.sensitive)}, for m up to "
            f"{self.m}, through this ledger"
        )
        again = "the same steps with the same parameters on the same table"
        others = (
            "everything else is judged beside the earlier releases, and refused where somebody would be left with less "
            "than one of them promises"
        )
        if self.accepted:
            return (
                "safe: nothing that claims what was broken; such a release is refused, a repetition too, unless it is "
                f"accepted without the claim; {others}"
            )
        if self.people is not None and self.m:
            return f"safe: {marginals}, also after people came, left, returned or moved; {others}"
        if self.people is not None:
            return f"safe: {again}, and any release about people who are not in the earlier ones; {others}"
        if self.m is None:
            return f"safe: {again}; {others}"
        return f"safe: {marginals}; {others}; tables made without this ledger may break what was promised"

    @property
    def accepted(self) -> list[str]:
        """What was published although somebody who has all releases learns more than one of them promises."""
        said = []
        for number, entry in enumerate(self.entries, 1):
            broken = [each["claim"] for each in entry.together.get("broken", ())]
            if broken:
                figure, pinned = entry.together.get("posterior"), entry.together.get("pinned", 0)
                sure = "" if figure is None else f"; largest posterior {figure:.4f}, {pinned:,} people pinned"
                claims = ", ".join(dict.fromkeys(broken))
                said.append(f"release {number} was accepted although it breaks {claims}{sure}")
        return said

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {**asdict(self), "advice": self.advice, "accepted": self.accepted}


@dataclass(frozen=True)
class LedgerView:
    """All tables of a ledger."""

    path: Path
    series: tuple[LedgerSeries, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {"ledger": str(self.path), "tables": [each.as_dict() for each in self.series]}

    def picture(self) -> Chart:
        """Draw the counterfeits of every release, as a share of its rows."""
        rows = [
            {
                "release": f"{number}: {entry.at:%Y-%m-%d}",
                "percent": 100.0 * entry.counterfeits / max(1, entry.counterfeits + entry.rows - entry.withheld),
                "of": series.name or self.path.name,
            }
            for series in self.series
            for number, entry in enumerate(series.entries, 1)
        ]
        return bars(
            rows,
            "release",
            "percent",
            series="of",
            titles=("release", "rows that are nobody's, in percent"),
            colours=(ORANGE,),
        )


def read_ledger(path: Path) -> LedgerView:
    """Read a ledger and check it whole."""
    _require(path)
    lines = Ledger(path).store.read()
    tables = []
    for name in dict.fromkeys(line.series for line in lines):
        mine = [line for line in lines if line.series == name]
        about = _table_of(path, name, mine)
        drawn = [line.content["m"] for line in mine if line.kind == "draw" and "m" in line.content]
        followed = [line.content for line in mine if line.kind == PEOPLE]
        sizes = [int(np.diff(each["offsets"]).min()) for each in followed if len(each["offsets"]) > 1]
        drawn += [min(sizes)] if sizes else []
        people, forgotten = _people([(each["keys"], each["signature"]) for each in followed])
        follows = bool(followed) or about.get("person") is not None
        tables.append(
            LedgerSeries(
                name,
                about["rows"],
                tuple(about["quasi_identifiers"]),
                tuple(about["sensitive"]),
                Ledger(path, series=name).entries(),
                drawn[-1] if drawn else None,
                follows or all("grouping" in line.content for line in mine if line.kind == "release"),
                people if follows else None,
                forgotten,
            )
        )
    return LedgerView(path, tuple(tables))


def forget_people(path: Path, persons: Sequence[str]) -> str:
    """Refuse persons from now on, in every table of the ledger that follows people; say what that means."""
    _require(path)
    lines = Ledger(path).store.read()
    followed = {line.series for line in lines if line.content.get("person") is not None}
    if not followed:
        raise LedgerConflict(
            f"The ledger {path.name} follows no people.",
            hint="It is about one table, whose rows it knows by their places.",
        )
    for series in sorted(followed):
        Ledger(path, series=series).forget(persons)
    who = "1 person is" if len(persons) == 1 else f"{len(persons):,} people are"
    return (
        f"{who} refused from now on. What was published stays published; the private parts of earlier releases still "
        "say which group she was in: remove them if she asks for that"
    )


def migrate_ledger(path: Path, source: Path, person: str) -> str:
    """Let a ledger of one table follow people from now on; `source` is that table, or a recipe that reads it."""
    _require(path)
    lines = Ledger(path).store.read()
    series = list(dict.fromkeys(line.series for line in lines))
    if len(series) != 1:
        raise LedgerConflict(f"The ledger {path.name} is about {len(series)} tables.", hint="Migrate one of one table.")
    ledger = Ledger(path, series=series[0])
    about = _table_of(path, series[0], lines)
    if source.suffix.lower() == ".toml":
        read = Recipe.read(source).table()
    else:
        read = Table.read(source, quasi_identifiers=about["quasi_identifiers"], sensitive=about["sensitive"])
    many = ledger.migrate(read, person)
    return f"{path.name} follows {many:,} people by the column {person!r} from now on; its key is {path.name}.key"


def _table_of(path: Path, series: str, lines: Sequence[Line]) -> Mapping[str, Any]:
    """Return what a ledger says of the table behind a series."""
    about = next((line.content for line in lines if line.kind == "table"), None)
    if about is None:
        raise SourceError(
            f"The ledger {path} is damaged: it does not say which table {series!r} is.",
            hint="Take it back from a backup.",
        )
    return about


def _people(lines: Sequence[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]) -> tuple[int, int]:
    """Count the people whom lines name, and those who were forgotten."""
    if not lines:
        return 0, 0
    keys = np.concatenate([keys for keys, _ in lines])
    signature = np.concatenate([signature for _, signature in lines])
    everybody = np.unique(keys[:, 0])
    return len(everybody), len(np.unique(keys[signature == FORGOTTEN, 0]))


def _require(path: Path) -> None:
    if not is_there(path):
        raise SourceError(
            f"There is no ledger {path}.", hint="A recipe with [ledger] path makes one when it is first published."
        )
