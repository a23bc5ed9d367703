"""Evidence: what a claim is judged by, counted from the public frames and, where known, from who is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.guarantees.origin import Origin, alike, compare
from tacit.guarantees.published_people import PublishedPeople, with_people
from tacit.knowledge.skew.declared import known_suppressions
from tacit.shapes import EVERY_STEP, Claim, Inside, Published
from tacit.table import Groups, GroupStats, Histogram, Table, positions


@dataclass(frozen=True, eq=False)
class CountedSteps:
    """What the steps of a method did, in counts.

    Attributes
    ----------
    before, after
        How many rows have each value of a sensitive column, in the table and in what was written.
    domains
        How many values the declared domain of a column has; None where none is declared.
    withheld
        Per step, the rows that it did not publish as one group; "apart" where another adversary judges them.
    """

    before: Mapping[str, Ints]
    after: Mapping[str, Ints]
    domains: Mapping[str, int | None]
    withheld: Mapping[int, GroupStats | Literal["apart"]]

    def others_withheld(self, step: int) -> bool:
        """Whether another step than this one withheld rows."""
        return any(
            other != step and (isinstance(hidden, str) or bool(hidden.sizes.any()))
            for other, hidden in self.withheld.items()
        )


@dataclass(frozen=True, eq=False)
class Evidence:
    """A release and, if the auditor has it, the table behind it.

    A guarantee asks it what it may count (`groups`, `totals`, `parts`), who is missing (`withheld`, `missing`,
    `reference`), what it may rely on (`inside`, which is None where the private part is not about these frames;
    `source`), whether all of it belongs together (`contradiction`), and what an auditor would have to add (`needed`).
    """

    published: Published
    table: Table | None = None

    @property
    def counted(self) -> CountedSteps | None:
        """What the steps did in counts, where no memory holds the rows; None where they are at hand."""
        return None

    @cached_property
    def groups(self) -> GroupStats:
        """Statistics of the published groups, with their people where somebody has several rows."""
        shape = self.published.shape
        if self.several_rows:
            return with_people(shape.statistics, shape, shape.membership, self.people)
        return replace(shape.statistics, unit="people") if self.rows_are_people else shape.statistics

    @cached_property
    def totals(self) -> GroupStats:
        """Statistics of all published rows, as one group."""
        shape = self.published.shape
        if self.several_rows:
            return with_people(shape.totals, shape, Groups.whole(shape.rows), self.people)
        return replace(shape.totals, unit="people") if self.rows_are_people else shape.totals

    @cached_property
    def several_rows(self) -> bool:
        """Whether somebody has several rows: the release says so, or the table does, or a file with persons."""
        known = self.source is not None and self.source.people is not None
        return known or self.published.persons == "several rows" or self.published.shape.persons is not None

    @cached_property
    def rows_are_people(self) -> bool:
        """Whether every row is known to be a person of its own."""
        named = self.published.persons == "one row" or (self.source is not None and self.source.person is not None)
        return named and not self.several_rows

    @cached_property
    def people(self) -> PublishedPeople | None:
        """Whose the published rows are, where somebody has several; None where rows are people or nothing tells."""
        return PublishedPeople.of(self.published.shape, self.source, self.inside) if self.several_rows else None

    def people_unknown(self, *, values: bool) -> bool:
        """Whether somebody has several rows and nothing tells whose they are, or, with `values`, who has which."""
        if not self.several_rows or self.people is None:
            return self.several_rows
        return values and len(self.people.values) < len(self.published.shape.sensitive)

    def whereabouts(self, group: int) -> str:
        """Name a published group."""
        return self.published.shape.whereabouts(group)

    def parts(self) -> list[Evidence]:
        """Return the evidence of every marginal, or this one: an outsider may look into each by itself."""
        return self._parts

    @cached_property
    def _parts(self) -> list[Evidence]:
        shape = self.published.shape
        if not shape.several:
            return [self]
        return [Evidence(replace(self.published, shape=part), self.table) for part in shape.parts.values()]

    @cached_property
    def contradiction(self) -> str | None:
        """Say why release, private part and table cannot belong together; None where nothing speaks against it.

        A promise that is judged with things that do not belong together is not kept, whatever the groups look like. The
        frames are compared with the table cell by cell where the auditor gave it; the table inside a release that was
        just made is compared by the counts of its sensitive values.
        """
        for part in self.parts():
            if part.published.inside is not None and part.inside is None:
                return "the private part is not about these frames"
            why = part.origin.contradiction
            if why is not None:
                return f"the release is not a part of the table: {why}"
        return None

    @cached_property
    def origin(self) -> Origin:
        """Whether one published table is a part of the input, and what could not be compared."""
        if self.source is None:
            return Origin(None, ("there is no table to compare the release with",))
        for name, left in self.missing_values.items():
            if left is None:
                return Origin(f"a value of {name!r} is published more often than the table has it")
        if self.table is None:
            return Origin(None, ("the table inside the release was compared by its sensitive values alone",))
        return compare(self.published.shape, self.table, None if self.inside is None else self.inside.kept)

    @property
    def needed(self) -> str | None:
        """Say what an auditor would have to give so that everything could be checked; None if nothing."""
        if self.source is None:
            private = "" if self.published.inside is not None else ", or the private part of the release"
            return f"the table that the release was made from{private}"
        reasons = [reason for part in self.parts() for reason in part.origin.not_compared if self.table is not None]
        return "; ".join(dict.fromkeys(reasons)) or None

    @cached_property
    def source(self) -> Table | None:
        """The input table: the one given, else the one inside."""
        inside = self.published.inside
        return self.table if self.table is not None else None if inside is None else inside.table

    @cached_property
    def reference(self) -> GroupStats | None:
        """The published rows as one group, in the codes of the input table: what the withheld are compared with."""
        source, inside = self.source, self.inside
        if source is None:
            return None
        if inside is not None:
            part = source.filter(inside.kept)
            return part.whole()
        histograms = {}
        for name, left in self.missing_values.items():
            if left is None:
                return None
            seen = source.counts(name) - left
            present = np.flatnonzero(seen)
            zeros = np.zeros(len(present), dtype=np.int64)
            histograms[name] = Histogram.from_entries(zeros, present, seen[present], 1, len(seen))
        trees = {name: tree for name in histograms if (tree := source.codes(name).tree) is not None}
        return GroupStats(np.array([self.published.shape.rows], dtype=np.int64), histograms, trees)

    def withheld(self, claim: Claim) -> GroupStats | Literal["apart"] | None:
        """Return the statistics of the rows that the claim's step withheld, as one group.

        "apart" where another adversary judges them, None where nothing tells who is missing. Without a private part, or
        with one that is not about these frames, the histogram of the missing is that of the table less that of the
        release.
        """
        inside = self.inside
        if inside is None:
            counted = self._without_inside(claim)
            # Without the private part nothing tells whose the missing rows are.
            unknown = self.several_rows and isinstance(counted, GroupStats) and bool(counted.sizes[0])
            return None if unknown else counted
        mine = [hidden for hidden in inside.withheld if claim.step in {hidden.step, EVERY_STEP}]
        rows = self._hidden(inside, claim)
        if not rows.any():
            return "apart" if any(hidden.rows.any() for hidden in mine) else _nobody()
        if self.source is None:
            return None
        part = self.source.filter(rows)
        return part.whole()

    def withheld_rows(self, claim: Claim) -> GroupStats | Literal["apart"] | None:
        """Return how many rows the claim's step withheld, as one group without values.

        It is known more often than `withheld`: the private part tells it without the table, and so does the published
        size of the table where one step made the release.
        """
        counted = self.withheld(claim)
        if counted is not None or self.several_rows:
            return counted
        if self.inside is not None:
            rows = int(self._hidden(self.inside, claim).sum())
        else:
            size = self.published.size if self.source is None else len(self.source)
            if size is None or self._several_steps or known_suppressions(self.published):
                return None
            rows = size - self.published.shape.rows
        return None if rows < 0 else GroupStats(np.array([rows], dtype=np.int64), {})

    def missing(self, claim: Claim) -> Table | None:
        """Return the rows behind `withheld`, for a promise that is about persons; None where nothing tells which."""
        inside = self.inside
        if inside is None or self.source is None:
            return None
        return self.source.filter(self._hidden(inside, claim))

    def _hidden(self, inside: Inside, claim: Claim) -> Flags:
        rows = np.zeros(len(inside.kept), dtype=bool)
        for hidden in inside.withheld:
            if claim.step in {hidden.step, EVERY_STEP} and hidden.judged == "group":
                rows |= hidden.rows
        return rows

    @cached_property
    def inside(self) -> Inside | None:
        """The private part, if it is about these frames: as many rows, all the others withheld, the same values."""
        inside, source = self.published.inside, self.source
        if inside is None:
            return None
        lost = np.zeros(len(inside.kept), dtype=bool)
        for hidden in inside.withheld:
            lost |= hidden.rows
        if int(inside.kept.sum()) != self.published.shape.rows or (lost == inside.kept).any():
            return None
        if source is None:
            return inside
        if len(source) != len(inside.kept):
            return None
        for name, left in self.missing_values.items():
            if left is None or (left != source.counts(name, ~inside.kept)).any():
                return None
        return inside

    @property
    def _several_steps(self) -> bool:
        """Whether several steps made the release, so that nothing public tells which of them withheld a row."""
        return len((self.published.method or {}).get("steps", ())) > 1

    def _without_inside(self, claim: Claim) -> GroupStats | Literal["apart"] | None:
        shape = self.published.shape
        size = self.published.size if self.source is None else len(self.source)
        if size is None:
            return None
        missing = size - shape.rows
        if not missing:
            return _nobody()
        suppressing = [suppression.step for suppression in known_suppressions(self.published)]
        if suppressing:  # nothing tells which of the missing rows were withheld because a value was too frequent
            return "apart" if claim.step in suppressing else None
        if self.source is None or missing < 0 or self._several_steps:
            return None
        values, histograms = self.missing_values, {}
        for name in shape.sensitive:
            left = values.get(name)
            if left is None:
                return None
            present = np.flatnonzero(left)
            zeros = np.zeros(len(present), dtype=np.int64)
            histograms[name] = Histogram.from_entries(zeros, present, left[present], 1, len(left))
        return GroupStats(np.array([missing], dtype=np.int64), histograms)

    @cached_property
    def missing_values(self) -> dict[str, Ints | None]:
        """Count, per sensitive column that is published whole, the values of the table that the release lacks.

        None where the release holds more of a value than the table: then it is not a part of it.
        """
        shape, source = self.published.shape, self.source
        missing: dict[str, Ints | None] = {}
        for name in shape.sensitive:
            if source is None or not shape.column(name).whole or name not in shape.totals.histograms:
                continue
            nobody = self._counterfeit_values(name)
            if nobody is None:
                continue
            seen, there = alike(shape.dictionary(name), source.codes(name).values)
            published = pl.DataFrame({"text": seen, "seen": shape.totals.histograms[name].totals() - nobody})
            table = pl.DataFrame({"text": there, "there": source.counts(name)})
            both = table.join(published, on="text", how="full", coalesce=True, nulls_equal=True, maintain_order="left")
            left = (both["there"].fill_null(0) - both["seen"].fill_null(0)).to_numpy()
            missing[name] = None if (left < 0).any() else left[: table.height]
        return missing

    def _counterfeit_values(self, name: str) -> Ints | None:
        """Count how often each published value is a counterfeit's; None where only the private part would tell."""
        shape, inside = self.published.shape, self.published.inside
        dictionary = shape.dictionary(name)
        if not shape.counterfeits:
            return np.zeros(len(dictionary), dtype=np.int64)
        if inside is None or inside.counterfeits is None:
            return None
        meant = positions(*alike(inside.counterfeits.values, dictionary))
        counted = np.bincount(meant[meant >= 0], minlength=len(dictionary)).astype(np.int64)
        return None if (meant < 0).any() or len(meant) != shape.counterfeits else counted


def _nobody() -> GroupStats:
    return GroupStats(np.zeros(1, dtype=np.int64), {})


@dataclass(frozen=True, eq=False)
class CountedEvidence(Evidence):
    """Evidence about a release that no memory holds: counts of what was written, and of what was withheld.

    Attributes
    ----------
    deciding
        The groups that decide, those of all others together as the last one; in order of `places`.
    everybody
        All published rows as one group, in the codes of `deciding`.
    places
        What an outsider would call each of the deciding groups.
    published_reference
        All published rows as one group, in the codes of what was withheld.
    steps
        What the steps did.
    mismatch
        Why what was written cannot be a part of the table; None where nothing speaks against it.
    """

    deciding: GroupStats = field(default_factory=_nobody)
    everybody: GroupStats = field(default_factory=_nobody)
    places: Sequence[str] = ()
    published_reference: GroupStats | None = None
    steps: CountedSteps | None = None
    mismatch: str | None = None

    @property
    def counted(self) -> CountedSteps | None:
        """What the steps did in counts."""
        return self.steps

    @cached_property
    def groups(self) -> GroupStats:
        """The groups that decide."""
        return self.deciding

    @cached_property
    def totals(self) -> GroupStats:
        """All published rows as one group."""
        return self.everybody

    @cached_property
    def reference(self) -> GroupStats | None:
        """All published rows as one group, in the codes of what was withheld."""
        return self.published_reference

    def people_unknown(self, *, values: bool) -> bool:
        """Whether somebody has several rows, and people were not counted."""
        return self.several_rows and self.deciding.people is None

    @cached_property
    def contradiction(self) -> str | None:
        """Say why what was written cannot be a part of the table."""
        return self.mismatch

    def whereabouts(self, group: int) -> str:
        """Name a group."""
        return self.places[group] if group < len(self.places) else "the other groups together"

    def parts(self) -> list[Evidence]:
        """Return this one."""
        return [self]

    def withheld(self, claim: Claim) -> GroupStats | Literal["apart"] | None:
        """Return what the claim's step withheld, counted."""
        hidden = None if self.steps is None else self.steps.withheld.get(claim.step)
        return _nobody() if hidden is None else hidden
