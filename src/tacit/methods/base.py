"""What a method is: parameters, and one verb."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from tacit.arrays import FlagGrid, Flags, Ints
from tacit.calls import checked_call
from tacit.engines import Engine, LocalEngine
from tacit.errors import ParameterError, RoleError
from tacit.guarantees import GroupGuarantee, Guarantee
from tacit.parameters import Parameters
from tacit.progress import Progress, silent
from tacit.randomness import Randomness
from tacit.releases import Ledger, LedgerPage, LedgerPeople, Release
from tacit.shapes import Claim, Counterfeits, Inside, Judged, Remark, Shape, Withheld
from tacit.table import GroupStats, Layout, Table

Scales = Literal["cells", "values", "fragments"]


@dataclass(frozen=True)
class Job:
    """What a method is given besides the table: where to run, what to draw from, whom to tell, what it drew before.

    `origin` is the table of the first step: what outsiders know of the table, they know of this one.

    Where the table is a fragment of a larger one, `reference` are the statistics of all rows of that one, and `planned`
    is what was planned from its counts.
    """

    engine: Engine
    randomness: Randomness
    progress: Progress
    ledger: LedgerPage | None = None
    origin: Table | None = None
    reference: GroupStats | None = None
    planned: Any = None

    @property
    def people(self) -> LedgerPeople | None:
        """The people whom the ledger follows from release to release; None where it follows none."""
        return None if self.ledger is None else self.ledger.people

    def recall(self, key: str, table: Table) -> dict[str, Any] | None:
        """Return what the step drew for this table in an earlier release; None if nothing, or without a ledger."""
        return None if self.ledger is None else self.ledger.recall(key, table)

    def remember(self, key: str, table: Table, *, permanent: bool = True, **content: Any) -> None:
        """Keep what the step drew, arrays and plain values by name, for later releases; `write` commits it.

        What is not permanent lies in the private part of the release, and serves a repetition as long as that is there.
        """
        if self.ledger is not None:
            self.ledger.remember(key, table, permanent=permanent, **content)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one step did, aligned with the rows it was given.

    Attributes
    ----------
    publish
        Makes the shape; called for the last step only.
    kept
        Which rows go on.
    group
        The public number of each row's group; None for a step that forms none.
    guarantees
        What the step claims.
    judged
        How the rows it withheld are judged.
    cells
        Suppressed cells, rows by columns of the table; None where nothing was suppressed.
    onward
        Makes the table that the next step gets, by default the kept rows; never called for the last step.
    warnings
        What the step says of its own limits, to everybody.
    remarks
        What it tells the data owner, and nobody else: sentences, or remarks that carry their figures as values.
    bucket
        The bucket of each row, where marginals are cut from buckets.
    counterfeits
        The published rows that are nobody's, where there are any.
    order
        The order in which the kept rows are published; said by methods that count people.
    """

    publish: Callable[[], Shape]
    kept: Flags
    group: Ints | Mapping[str, Ints] | None = None
    guarantees: tuple[Guarantee, ...] = ()
    judged: Judged = "group"
    cells: FlagGrid | None = None
    onward: Callable[[], Table] | None = None
    warnings: tuple[str, ...] = ()
    remarks: tuple[Remark | str, ...] = ()
    bucket: Ints | None = None
    counterfeits: Counterfeits | None = None
    order: Ints | None = None


class Method(Parameters):
    """A way to meet a guarantee. The constructor stores parameters; `protect` does the work."""

    skipped_checks: ClassVar[dict[str, str]] = {}
    numeric_only: ClassVar[bool] = False
    """Whether the sensitive column must hold numbers; `tacit.checks` then gives it numbers."""
    takes_several_rows: ClassVar[bool] = False
    """Whether a person may have several rows: then the method counts people, and keeps hers in one group."""
    withholds_missing: ClassVar[bool] = False
    """Whether it can withhold the rows in which a value is missing, with enough others to cover them."""
    scales: ClassVar[Scales | None] = None
    """How it works on a table that no memory holds: it plans from counted "cells" or "values" of the whole and needs
    rows only to do what was planned, or it works inside "fragments". None: only on a table in memory."""
    withholds_frequent_values: ClassVar[bool] = False
    """Whether the step withholds rows because of how frequent their sensitive value is: no later step can promise
    anything about that."""

    @property
    def of_fragments(self) -> tuple[GroupGuarantee, ...]:
        """What every fragment must satisfy as a group, so that the method can work inside it."""
        return ()

    @property
    def exchanged_until(self) -> int | None:
        """How small the share of a value must be in a fragment, 1 over this, where rows may be exchanged for it."""
        return None

    def why_not_large(self, layout: Layout) -> str | None:
        """Say why it cannot work on a large table of this layout; None if it can."""
        return None

    @property
    def needs_all_rows(self) -> bool:
        """Whether what the step promises is void if another step of a pipeline withholds rows."""
        return False

    @checked_call()
    def protect(
        self,
        table: Table,
        *,
        ledger: Ledger | None = None,
        seed: int | None = None,
        engine: Engine | None = None,
        progress: Progress | None = None,
    ) -> Release:
        """Make a release of a table.

        Parameters
        ----------
        table
            The microdata. It is not changed.
        ledger
            The memory of earlier releases: what was drawn for the same table is used again, and `write` refuses what
            would tell more, read beside an earlier release, than one of them promises.
        seed
            For tests: the same seed gives the same bytes, and the release is marked as reproducible. By default all
            randomness comes from the operating system.
        engine
            Where to run; by default this machine.
        progress
            Told the stage and the share done.

        Raises
        ------
        Infeasible
            If the table cannot be given the guarantee; the message names what stands in the way.
        """
        if not isinstance(table, Table):
            raise RoleError(
                f"{self.name} protects a Table, not a {type(table).__name__}.", hint="Say tacit.Table(frame, ...)."
            )
        if ledger is not None and not isinstance(ledger, Ledger):
            raise ParameterError(
                f"{self.name}: `ledger` is a {type(ledger).__name__}, not a Ledger.", hint="Say tacit.Ledger(path)."
            )
        if engine is not None and not callable(getattr(engine, "fragments", None)):
            raise ParameterError(
                f"{self.name}: `engine` is a {type(engine).__name__}, not an engine.",
                hint="Say tacit.LocalEngine() or tacit.StreamingEngine(), or leave it away.",
            )
        if progress is not None and not callable(progress):
            raise ParameterError(
                f"{self.name}: `progress` is a {type(progress).__name__}, and cannot be called.",
                hint="Give a function of the stage and the share done, or leave it away.",
            )
        self.refuse_several_rows(table)
        self.refuse_missing(table)
        if engine is not None and engine.name != "local":
            return self._on(engine, table, ledger, seed, progress)
        page = None if ledger is None else ledger.open(table)
        job = Job(engine or LocalEngine(), Randomness.make(seed), progress or silent, page, table)
        outcomes = self.steps(table, job)
        job.progress(self.name, 1.0)
        return assemble(self, table, outcomes, job)

    @property
    def key(self) -> str:
        """The key under which a ledger keeps what the method drew with these parameters."""
        return f"{self.name}:{hashlib.sha256(repr(self).encode()).hexdigest()[:16]}"

    def _on(
        self, engine: Engine, table: Table, ledger: Ledger | None, seed: int | None, progress: Progress | None
    ) -> Release:
        """Give the rows to an engine, protect them there, and bring the release back."""
        from tacit.methods.large.protecting import protect_large
        from tacit.methods.large.table import LargeTable

        if ledger is not None:
            raise ParameterError(
                f"A ledger is kept by the local engine, not by {engine.name}.",
                hint="Leave `ledger` away, or `engine`: fragments by what a ledger remembers are not built yet.",
            )
        return protect_large(self, LargeTable.of(table, engine), seed=seed, progress=progress).collected(table)

    def refuse_several_rows(self, table: Table) -> None:
        """Refuse a table in which a person has several rows, where the method is about single records."""
        if self.takes_several_rows or table.people is None:
            return
        people = int((table.people.rows > 1).sum())
        raise RoleError(
            f"{self.name} is about single records, and {people:,} {'person has' if people == 1 else 'people have'} "
            "several rows.",
            hint=f"Make one row per person first: {one_row_per_person(table)}; or group people with mondrian.",
        )

    def refuse_missing(self, table: Table) -> None:
        """Refuse a table whose rows with a missing value are to be withheld, where the method cannot cover them."""
        if not self.withholds_missing and table.to_withhold is not None:
            raise RoleError(
                f'{self.name} cannot withhold the rows in which a value is missing (missing = "withhold").',
                hint='Let small-groups be the first step, which can, or say missing = "value".',
            )

    def steps(self, table: Table, job: Job) -> list[Outcome]:
        """Return the outcomes of all steps: one, but for a pipeline."""
        return [self.run(table, job)]

    @abstractmethod
    def run(self, table: Table, job: Job) -> Outcome:
        """Do the work of one step."""

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return instances with usual parameters, for `tacit.checks`."""
        return []


def one_row_per_person(table: Table) -> str:
    """Return the line of Polars that keeps one row of every person: docs/threats/linkage.md#people-and-rows."""
    return f'frame.unique("{table.person}", keep="any")'


def suppressed_cells(table: Table, suppressed: Mapping[str, Flags]) -> FlagGrid | None:
    """Return the suppressed cells of a table, rows by columns, given those of some columns; None if there are none.

    Examples
    --------
    >>> table = Table({"age": [30, 41], "ill": ["flu", "cold"]})
    >>> suppressed_cells(table, {"ill": np.array([False, True])}).tolist()
    [[False, False], [False, True]]
    >>> suppressed_cells(table, {"ill": np.array([False, False])}) is None
    True
    """
    if not any(rows.any() for rows in suppressed.values()):
        return None
    cells = np.zeros((len(table), len(table.columns)), dtype=bool)
    for j, column in enumerate(table.columns):
        if column.name in suppressed:
            cells[:, j] = suppressed[column.name]
    return cells


def require_constant(method: Method, table: Table) -> None:
    """Refuse people whose quasi-identifiers vary between their rows: they would be in several groups."""
    if table.people is None:
        return
    for name in table.quasi_identifiers:
        if not table.people.constant(table.codes(name).codes):
            raise RoleError(
                f"{method.name} keeps quasi-identifiers as they are, and {name!r} varies between rows of one person, "
                "who would be in several groups.",
                hint="Give every person one value of it, or use mondrian, whose groups cover all rows of a person.",
            )


def assemble(method: Method, table: Table, outcomes: Sequence[Outcome], job: Job) -> Release:
    """Align what the steps did with the first input, and make the release."""
    n = len(table)
    names = tuple(column.name for column in table.columns)
    kept = np.ones(n, dtype=bool)
    cells: FlagGrid = np.broadcast_to(np.False_, (n, len(names)))  # takes no room; most methods suppress no cell
    group: Ints | Mapping[str, Ints] | None = None
    bucket: Ints | None = None
    withheld: list[Withheld] = []
    claims: list[Claim] = []
    apart = False
    for step, outcome in enumerate(outcomes):
        rows = np.flatnonzero(kept)
        lost = np.zeros(n, dtype=bool)
        lost[rows[~outcome.kept]] = True
        withheld.append(Withheld(step, lost, outcome.judged))
        claims += [Claim(g, step, "published rows" if apart else "table") for g in outcome.guarantees]
        apart |= outcome.judged == "apart" and bool(lost.any())
        if outcome.cells is not None and outcome.cells.any():
            cells = cells if cells.flags.writeable else np.zeros((n, len(names)), dtype=bool)
            cells[rows] |= outcome.cells
        kept[rows[~outcome.kept]] = False
        if outcome.group is not None:
            group = _aligned(outcome.group, rows, n)
        if outcome.bucket is not None:
            bucket = _spread(outcome.bucket, rows, n)
    del rows  # as long as the rows of the table, and publishing needs the room
    shape = outcomes[-1].publish()
    numbered = group.values() if isinstance(group, Mapping) else () if group is None else (group,)
    for numbers in numbered:
        numbers[~kept] = -1
    for array in (kept, cells, *numbered, *(hidden.rows for hidden in withheld)):
        array.flags.writeable = False
    return Release(
        shape=shape,
        claims=tuple(claims),
        method=method.describe(),
        inside=Inside(
            kept,
            group,
            cells,
            names,
            tuple(withheld),
            tuple(Remark.of(remark) for outcome in outcomes for remark in outcome.remarks),
            table,
            bucket,
            outcomes[-1].counterfeits,
            _places(kept, outcomes[-1].order) if table.people is not None else None,
        ),
        size=n,
        persons=None if table.person is None else "one row" if table.people is None else "several rows",
        warnings=tuple(text for outcome in outcomes for text in outcome.warnings),
        reproducible=job.randomness.reproducible,
        register=job.ledger,
    )


def _places(kept: Flags, order: Ints | None) -> Ints | None:
    """Return which published row each row is, -1 for those that are not published."""
    if order is None:
        return None
    place = np.full(len(kept), -1, dtype=np.int64)
    place[np.flatnonzero(kept)[order]] = np.arange(len(order))
    return place


def _aligned(group: Ints | Mapping[str, Ints], rows: Ints, n: int) -> Ints | Mapping[str, Ints]:
    if isinstance(group, Mapping):
        return {name: _spread(numbers, rows, n) for name, numbers in group.items()}
    return _spread(group, rows, n)


def _spread(numbers: Ints, rows: Ints, n: int) -> Ints:
    whole = np.full(n, -1, dtype=np.int64)
    whole[rows] = numbers
    return whole
