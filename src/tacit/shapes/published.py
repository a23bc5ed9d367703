"""The values of a release: what is seen, what stays inside, what is claimed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import polars as pl

from tacit.arrays import FlagGrid, Flags, Ints
from tacit.calls import expect
from tacit.parameters import Parameters
from tacit.shapes.base import Shape
from tacit.shapes.remarks import Remark
from tacit.table import Table
from tacit.table.groups import Unit

Persons = Literal["one row", "several rows"]
Judged = Literal["group", "apart"]
EVERY_STEP = -1
"""The step of a claim that an auditor makes about the whole release."""


@dataclass(frozen=True, eq=False)
class Withheld:
    """Rows that one step did not publish, aligned with the input.

    `judged="group"`: whoever knows who is in the table reads them as one more group, and the step's group guarantees
    must hold in it. `judged="apart"`: an adversary of its own says what they tell (skewed values).
    """

    step: int
    rows: Flags
    judged: Judged


@dataclass(frozen=True, eq=False)
class Counterfeits:
    """Rows of nobody, which marginals of a table that changes may need: a value, and a group in every marginal.

    Attributes
    ----------
    values
        The sensitive value of each.
    group
        Per marginal the public number of the group that each is in.
    """

    values: pl.Series
    group: Mapping[str, Ints]

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, eq=False)
class Inside:
    """What must not leave the house, aligned with the input rows.

    Attributes
    ----------
    table
        The input; None after reading a release back. Never written.
    kept
        Is the row published?
    group
        The public number of its group, -1 if not published; one per marginal; None where there are no groups.
    cells
        The suppressed cells, rows by columns of the input.
    columns
        The names of the columns of the input.
    withheld
        Per step, the rows it did not publish.
    remarks
        What the steps tell the data owner, and nobody else.
    bucket
        The bucket of each row, -1 if not published, where marginals are cut from buckets that a ledger keeps.
    counterfeits
        The published rows that are nobody's; None where there are none.
    place
        Which published row each row is, -1 if not published, where people may have several rows.
    """

    kept: Flags
    group: Ints | Mapping[str, Ints] | None
    cells: FlagGrid
    columns: tuple[str, ...]
    withheld: tuple[Withheld, ...] = ()
    remarks: tuple[Remark, ...] = ()
    table: Table | None = None
    bucket: Ints | None = None
    counterfeits: Counterfeits | None = None
    place: Ints | None = None


class Register(Protocol):
    """A memory of releases: each is noted in it before its files move, and it may refuse one."""

    @property
    def path(self) -> Path:
        """Where it is kept; no part of a release may be there."""
        ...

    def papers(self, release: Published) -> Mapping[str, bytes]:
        """Return files that go to the private part, so that later releases can be read beside this one."""
        ...

    def judge(self, release: Published) -> Any:
        """Judge the release beside those that are noted already."""
        ...

    def commit(
        self, release: Published, *, folder: str, digest: str, private: str | None, papers: Mapping[str, bytes]
    ) -> None:
        """Note the release: where it and its private part go, and the digest of its `release.json`."""
        ...


@dataclass(frozen=True)
class Claim:
    """A guarantee that a step of the method claims; `of` says about whom."""

    guarantee: Parameters
    step: int = 0
    of: Literal["table", "published rows"] = "table"


@dataclass(frozen=True, eq=False)
class Published:
    """A release as a value.

    Attributes
    ----------
    shape
        What an outsider sees.
    claims
        What is promised, step by step.
    method
        Name and public parameters of what made it; None if another tool did.
    inside
        What must not leave; None for what was read without its private part.
    size
        How many rows the input had, if known: whoever is in the table may know it.
    warnings
        What the method itself has to say about its limits.
    reproducible
        A seed was given: for tests only.
    persons
        What is known of the people behind the rows: each has "one row", somebody has "several rows"; None where no
        column says whose row a row is, so that only rows are counted.
    register
        Where `write` notes the release before anything is moved: the ledger it was made with.
    """

    shape: Shape
    claims: tuple[Claim, ...] = ()
    method: Mapping[str, Any] | None = None
    inside: Inside | None = None
    size: int | None = None
    warnings: tuple[str, ...] = ()
    reproducible: bool = False
    persons: Persons | None = None
    register: Register | None = None

    @property
    def unit(self) -> Unit:
        """What may be said to be counted in the frames: people where each is known to have one row, else rows."""
        return "people" if self.persons == "one row" else "rows"

    @property
    def guarantees(self) -> tuple[Parameters, ...]:
        """What the release claims."""
        return tuple(claim.guarantee for claim in self.claims)

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the public frames by name; rows are shuffled."""
        return self.shape.frames()


def expect_release(verb: str, value: object) -> None:
    """Refuse anything but a release; a table that is given in its place is named."""
    way = "Protect it first: method.protect(table)." if isinstance(value, Table) else "Say tacit.Release.foreign(...)."
    expect(verb, "a release", value, Published, hint=way)


def expect_table(verb: str, value: object) -> None:
    """Refuse anything but a table; a release that is given in its place is named."""
    way = (
        "The release comes first, then the table it was made from."
        if isinstance(value, Published)
        else "Say tacit.Table(frame, ...), with the same roles."
    )
    expect(verb, "a Table", value, Table, hint=way)
