"""Ledger: the memory of what was published of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from tacit.arrays import WordGrid
from tacit.calls import checked_call
from tacit.errors import LedgerConflict, ParameterError, RoleError, SourceError, shown
from tacit.releases.ledger_migration import migrated, same_table, with_person
from tacit.releases.ledger_page import LedgerPage, ledger_name
from tacit.releases.ledger_people import PEOPLE, LedgerPeople
from tacit.releases.ledger_store import LedgerStore, Line
from tacit.releases.manifest import FILE, digest
from tacit.releases.places import as_path
from tacit.shapes import Published
from tacit.table import Table


@dataclass(frozen=True)
class LedgerEntry:
    """One release that the ledger knows.

    Attributes
    ----------
    number
        Its place in the ledger.
    at
        When it was committed.
    method
        Name and parameters of what made it.
    frames
        The columns of each published frame.
    rows, withheld
        How many rows the table had, and how many of them are not published.
    folder
        Where it was written.
    in_place
        Whether the folder still holds this release: it may have been replaced, moved or, if the process was killed
        between commit and move, never have arrived. It counts as published all the same.
    newcomers
        How many people were published for the first time; None where the ledger does not follow people.
    counterfeits
        How many of the published rows are nobody's.
    claims
        What it promises.
    together
        What somebody learns who has the earlier releases too: figures of `Composition`.
    """

    number: int
    at: datetime
    method: Mapping[str, Any]
    frames: Mapping[str, tuple[str, ...]]
    rows: int
    withheld: int
    folder: str
    in_place: bool
    newcomers: int | None = None
    counterfeits: int = 0
    claims: tuple[Mapping[str, Any], ...] = ()
    together: Mapping[str, Any] = field(default_factory=dict)


class Ledger:
    """The memory of releases of one table: an embedded SQLite file that only grows, mode 0600.

    It keeps the digest of the table, and what steps must not draw twice: rows withheld at random, buckets from which
    marginals are cut. `protect(table, ledger=...)` reads it, `write` commits to it before any file moves. It refuses a
    release that, read beside an earlier one, tells more than one of them promises, and a second writer.

    A ledger that is begun with a table that names a person column follows people: the table may change, and whoever was
    published by `InvariantMarginals` keeps her signature for ever. It knows people by a keyed hash of the person
    column; the key is in a file beside it, `<ledger>.key`, mode 0600. Any other ledger is about one table, which must
    not change.

    Parameters
    ----------
    path
        The file; it is made by the first commit.
    series
        Several tables (batches) may share a file, each under a name of its own.
    all_new
        Whether nobody in the table was in an earlier release, as you know. Otherwise a table of 20 people or more of
        whom the ledger knows nobody is refused by `InvariantMarginals`, because their keys may have been given anew.

    Examples
    --------
    >>> import tempfile
    >>> import tacit as tc
    >>> folder = Path(tempfile.mkdtemp())
    >>> frame = {"age": [20, 30, 40, 50], "sex": ["m", "f", "m", "f"], "ill": ["flu", "cold", "gout", "flu"]}
    >>> table = tc.Table(frame, quasi_identifiers=["age", "sex"], sensitive="ill")
    >>> ledger = tc.Ledger(folder / "clinic.ledger")
    >>> today = tc.InvariantMarginals(m=2, marginals=[["age"]]).protect(table, ledger=ledger).write(folder / "today")
    >>> later = tc.InvariantMarginals(m=2, marginals=[["sex"]]).protect(table, ledger=ledger).write(folder / "later")
    >>> [list(entry.frames) for entry in ledger.entries()]
    [['age'], ['sex']]
    """

    @checked_call()
    def __init__(self, path: str | Path, *, series: str = "", all_new: bool = False) -> None:
        self.path = as_path(path, "The ledger")
        if not isinstance(series, str):  # it would be used only when a release is written
            raise ParameterError(f"Ledger: series = {shown(series)} is not allowed: it should be text.")
        if not isinstance(all_new, bool):
            raise ParameterError(f"Ledger: all_new = {shown(all_new)} is not allowed: it should be True or False.")
        self.series = series
        self.all_new = all_new

    def __repr__(self) -> str:
        return f"Ledger: {self.path.name}" + (f", {self.series}" if self.series else "")

    @property
    def store(self) -> LedgerStore:
        """The file."""
        return LedgerStore(self.path)

    def lines(self) -> list[Line]:
        """Return what the file holds of this series, in order; it is checked whole."""
        return [line for line in self.store.read() if line.series == self.series]

    def entries(self) -> tuple[LedgerEntry, ...]:
        """Return what has been published."""
        return tuple(_entry(line) for line in self.lines() if line.kind == "release")

    @checked_call(ahead=True)
    def open(self, table: Table) -> LedgerPage:
        """Open the ledger for one table: the way `protect` reads it.

        Raises
        ------
        LedgerConflict
            If the ledger knows this series as another table.
        """
        lines = self.store.read()
        mine = [line for line in lines if line.series == self.series]
        return LedgerPage(self.store, self.series, table, mine, keyed=_keyed(lines), all_new=self.all_new)

    @checked_call(ahead=True)
    def forget(self, persons: Sequence[str]) -> None:
        """Refuse these persons from now on, and leave a tombstone that says so: nothing is ever removed from a ledger.

        Parameters
        ----------
        persons
            Their keys in the person column.

        Raises
        ------
        LedgerConflict
            If the ledger follows no people, or does not know one of them.
        """
        people, lines = self._followed()
        keys = pl.Series("person", [str(person) for person in persons], dtype=pl.String)
        unknown = keys.filter(pl.Series(~people.knows(keys))).to_list() if people.count else []
        if unknown:
            raise LedgerConflict(
                f"{ledger_name(self.path, self.series)} knows nobody by {unknown[0]!r} in column {people.person!r}.",
                hint="Give her key as it stands in that column.",
            )
        line = Line(self.series, PEOPLE, people.forget(keys))
        self.store.append([line], lambda written: _same_length(written, lines, self.path))

    def hashed(self, people: pl.DataFrame) -> tuple[str, WordGrid]:
        """Return the name of the person column, and by which hash the ledger knows everybody of a list that has it.

        Raises
        ------
        LedgerConflict
            If the ledger follows no people.
        RoleError
            If the list has no such column.
        """
        followed, _ = self._followed()
        if followed.person not in people.columns:
            raise RoleError(
                f"The list of people has no column {followed.person!r}, by which {self.path.name} knows them.",
                hint=f"Its columns are {', '.join(people.columns)}.",
            )
        return followed.person, followed.hashes_of(people[followed.person])

    @checked_call(ahead=True)
    def migrate(self, table: Table, person: str) -> int:
        """Follow people from now on: name everybody of the table so far by one of its columns; return how many.

        Raises
        ------
        LedgerConflict
            If the ledger follows people already, or the table is not the one that it is about.
        """
        lines = self.store.read()
        mine = [line for line in lines if line.series == self.series]
        about = next((line.content for line in mine if line.kind == "table"), None)
        name = ledger_name(self.path, self.series)
        if about is None:
            raise LedgerConflict(f"{name} holds no release yet.", hint="Publish with a table that names its persons.")
        if any(line.kind == PEOPLE for line in mine) or about.get("person") is not None:
            raise LedgerConflict(f"{name} follows people already.", hint="Publish with it.")
        named = with_person(table, person)
        if not same_table(about["digest"], table, dict(about)):
            raise LedgerConflict(
                f"{name} is about another table: names, roles, values or the order of rows differ.",
                hint="Give the table as it was published, or the recipe that reads it.",
            )
        sensitive = table.sensitive[0] if len(table.sensitive) == 1 else None
        people = LedgerPeople(self.path, self.series, person, sensitive, [], keyed=_keyed(lines))
        content = migrated(named, mine, people)
        people.key.keep()
        self.store.append([Line(self.series, PEOPLE, content)], lambda written: _same_length(written, lines, self.path))
        return len(table)

    def _followed(self) -> tuple[LedgerPeople, list[Line]]:
        lines = self.store.read()
        mine = [line for line in lines if line.series == self.series]
        named = [line.content["person"] for line in mine if line.content.get("person") is not None]
        if not named:
            raise LedgerConflict(
                f"{ledger_name(self.path, self.series)} follows no people.",
                hint="It is about one table, whose rows it knows by their places.",
            )
        sensitive = [line.content["sensitive"] for line in mine if line.kind == PEOPLE]
        column = next((name for name in sensitive if name is not None), None)
        return LedgerPeople(self.path, self.series, named[0], column, mine, keyed=_keyed(lines)), lines

    @checked_call(ahead=True)
    def add(self, release: Published, *, folder: str | Path) -> None:
        """Take down a release that was made without this ledger, if it follows from what the ledger keeps."""
        inside = release.inside
        if inside is None or inside.table is None:
            raise LedgerConflict(
                "A release without its inside cannot be added to a ledger.", hint="Add it where it was made."
            )
        page = self.open(inside.table)
        if page.releases and (inside.bucket is None or not page.follows(release)):
            raise LedgerConflict(
                f"{ledger_name(self.path, self.series)} did not make this release: its groups do not follow from the "
                "buckets that earlier marginals were cut from.",
                hint="Protect the table with `ledger=`.",
            )
        page.judge(release).require()
        page.commit(release, folder=str(folder), digest=_manifest_digest(Path(folder)), private=None, papers={})


def _keyed(lines: Sequence[Line]) -> bool:
    """Whether somebody is known by a hash, so that the key must be there."""
    return any(line.content.get("person") is not None for line in lines)


def _same_length(written: Sequence[Line], read: Sequence[Line], path: Path) -> None:
    if len(written) != len(read):
        raise LedgerConflict(
            f"The ledger {path.name} was written by somebody else meanwhile.", hint="Nothing was changed; try again."
        )


def _entry(line: Line) -> LedgerEntry:
    content = line.content
    folder = Path(content["folder"])
    return LedgerEntry(
        number=line.number,
        at=datetime.fromisoformat(line.at).astimezone(UTC),
        method=content["method"],
        frames={name: tuple(columns) for name, columns in content["frames"].items()},
        rows=content["rows"],
        withheld=content["withheld"],
        folder=content["folder"],
        in_place=(folder / FILE).is_file() and digest(folder / FILE) == content["release"],
        newcomers=content.get("newcomers"),
        counterfeits=content.get("counterfeits", 0),
        claims=tuple(content.get("claims", ())),
        together=content.get("together", {}),
    )


def _manifest_digest(folder: Path) -> str:
    if not (folder / FILE).is_file():
        raise SourceError(f"{folder} does not hold a release: there is no {FILE}.", hint="Write it first.")
    return digest(folder / FILE)
