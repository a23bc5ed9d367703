"""inspect: what threatens a table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tacit import sources
from tacit.errors import RoleError
from tacit.jobs.inspect.candidates import candidates
from tacit.jobs.inspect.exposure import Alone, Association, Spreading, alone, association, spreading
from tacit.jobs.inspect.guesses import Guess, guess
from tacit.jobs.inspect.missing_marks import MissingMark, missing_marks
from tacit.jobs.inspect.risk import RiskFound, risk_found
from tacit.jobs.inspect.start import start
from tacit.jobs.inspect.threats import Threat, threats
from tacit.jobs.inspect.trials import Trials, tried
from tacit.knowledge.risk import DisclosureRisk
from tacit.progress import Progress, silent
from tacit.regular_files import is_there
from tacit.sources.rounding import guess_decimals, rounded
from tacit.table import Role, Table
from tacit.table.items import split


@dataclass(frozen=True, eq=False)
class Inspection:
    """What an inspection found."""

    source: str
    table: Table
    guesses: tuple[Guess, ...]
    alone: tuple[Alone, ...]
    spreading: tuple[Spreading, ...]
    association: Association | None
    threats: tuple[Threat, ...]
    nulls: tuple[str, ...] = ("",)
    risk: RiskFound | None = None
    progress: Progress = silent
    remarks: tuple[str, ...] = ()
    marks: tuple[MissingMark, ...] = ()
    read: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        roles = "; ".join(f"{g.name}: {g.role.value}" for g in self.guesses)
        return f"Inspection of {self.source}: {len(self.table):,} rows; {roles}"

    def as_dict(self, *, tried: bool = False) -> dict[str, Any]:
        """Return the figures for JSON; with `tried` also those of the recipes that are tried for it."""
        trials = {"trials": self.trials.as_dict(), "shortfall": self.shortfall} if tried else {}
        return {
            "source": self.source,
            "rows": len(self.table),
            "columns": [asdict(g) for g in self.guesses],
            "alone": [asdict(a) for a in self.alone],
            "eligibility": [
                {**asdict(s), "eligible": {str(l): s.largest_l >= l for l in range(2, 11)}} for s in self.spreading
            ],
            "association": None if self.association is None else asdict(self.association),
            "threats": [asdict(t) for t in self.threats],
            "risk": None if self.risk is None else self.risk.as_dict(),
            "remarks": list(self.remarks),
            "missing": [asdict(mark) for mark in self.marks],
            "caveats": list(self.caveats),
            **trials,
        }

    def recipe(self, path: Path, folder: str = "out") -> str:
        """Return a commented recipe that runs from `path`."""
        source = Path(self.source)
        near = os.path.relpath(source.resolve(), path.resolve().parent) if is_there(source) else self.source
        marks = [mark.mark for mark in self.marks]
        read = {"nulls": self.nulls, **self.read}
        return start(near, self.guesses, self.trials, (*self.caveats, self.shortfall), folder, read, marks)

    @cached_property
    def trials(self) -> Trials:
        """What a few ways to protect the table would cost, and which of them the recipe recommends."""
        return tried(self.table, candidates(len(self.table), self.spreading), self.progress)

    @property
    def caveats(self) -> tuple[str, ...]:
        """What no recipe promises with the roles as they were guessed, and what to say instead."""
        found = []
        if not self.table.quasi_identifiers:
            found.append(
                "No column looks like something that an outsider may know, so nothing is blurred, and nobody is hidden "
                "among others; name what may be known: --qi COLUMN."
            )
        if not self.table.sensitive and not self.table.items:
            found.append(
                "No column looks like something that a person would not tell, so nothing is promised about values, "
                "only that nobody can be told from others; name what is sensitive: --sensitive COLUMN."
            )
        return tuple(found)

    @property
    def shortfall(self) -> str | None:
        """Why the recommended recipe loses or withholds much; None where it does not."""
        linkage = None if self.risk is None else self.risk.linkage
        return self.trials.shortfall(self.table, None if linkage is None else linkage.sample_uniques / linkage.rows)


def inspect(
    source: Any,
    *,
    query: str | None = None,
    nulls: Sequence[str] = ("",),
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    round: sources.Decimals | None = None,  # noqa: A002  (the contract's word)
    sheet: str | int | None = None,
    roles: Mapping[str, Role] | None = None,
    risk: DisclosureRisk | None = None,
    population: Any = None,
    weights: str | None = None,
    progress: Progress | None = None,
) -> Inspection:
    """Read a table, guess what its columns are, and say what threatens it.

    Parameters
    ----------
    source, query, nulls, separator, encoding, decimal, sheet
        As for `Table.read`. A `Table` is taken as it is, with its own roles.
    round
        As for `Table.read`; by default columns of fine numbers are rounded as "auto" does, and the recipe says so.
    roles
        Roles that are not to be guessed.
    risk
        What may be known and what matters; by default what `DisclosureRisk` assumes.
    population
        A file or data frame of the people that the table was drawn from, for the journalist's and population risk.
    weights
        A column with sampling weights, where the table is a sample: how many people each row stands for.
    progress
        Told the stage and the share done.
    """
    tell = progress or silent
    tell("reading", 0.0)
    given = source if isinstance(source, Table) else None
    place = "the table" if given is not None else str(source) if isinstance(source, str | os.PathLike) else "the frame"
    reading = sources.read_source(
        source if given is None else given.frame,
        query=query,
        nulls=nulls,
        separator=separator,
        encoding=encoding,
        decimal=decimal,
        round=round,
        sheet=sheet,
    )
    fixed = {c.name: c.role for c in given.columns} if given is not None else dict(roles or {})
    for name in fixed:
        if name not in reading.frame.columns:
            raise RoleError.missing_column(name, reading.frame.columns, place=place)
    options = {"separator": separator, "encoding": encoding, "decimal": decimal, "round": round, "sheet": sheet}
    frame, remarks = reading.frame, reading.remarks
    if round is None and given is None:
        options["round"] = guess_decimals(frame) or None
        frame, guessed = rounded(frame, "auto")
        remarks += guessed
    guesses = guess(frame, fixed=fixed)
    names = {role: [g.name for g in guesses if g.role is role] for role in Role}
    cells = [split(frame[name], ";") for name in names[Role.ITEMS]]
    table = given or Table(
        frame.with_columns(cells),
        kinds=dict(reading.orders),
        identifiers=names[Role.IDENTIFIER],
        person=next(iter(names[Role.PERSON]), None),
        quasi_identifiers=names[Role.QUASI_IDENTIFIER],
        sensitive=names[Role.SENSITIVE],
        items=names[Role.ITEMS],
        missing="value",  # nothing is published here
        allow=[g.name for g in guesses if g.role not in {Role.IDENTIFIER, Role.PERSON}],
    )
    tell("who is alone", 0.1)
    people, spread, linked = alone(table, tell), spreading(table), association(table)
    people_behind = None if population is None else sources.read(population, nulls=nulls)
    stake = risk_found(table, risk or DisclosureRisk(), people_behind, weights, tell)
    tell("done", 1.0)
    judged = tuple(threats(table, people, spread, linked))
    return Inspection(
        place,
        table,
        tuple(guesses),
        tuple(people),
        tuple(spread),
        linked,
        judged,
        tuple(nulls),
        stake,
        tell,
        remarks,
        missing_marks(reading.frame, nulls),
        {key: value for key, value in options.items() if value is not None},
    )
