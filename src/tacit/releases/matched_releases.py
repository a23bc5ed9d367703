"""Matched releases: the same people found in several releases, and what a reader of all believes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from tacit.adversaries.together import Sighting, Together, read_together, with_small_worlds
from tacit.arrays import Flags, Floats, Ints
from tacit.guarantees import Guarantee
from tacit.guarantees.base import WHOLE
from tacit.releases.hashes import hash_frame
from tacit.releases.shown_groups import ShownGroups, ShownTable
from tacit.table import GroupStats, Histogram, encode

_CHANGED = 1e-6
"""The least change of a belief that another release is said to make; below it, it is rounding."""


@dataclass(frozen=True, eq=False)
class ReadRelease:
    """One release as others are read beside it.

    Attributes
    ----------
    number, words
        Its number in the ledger, and how a sentence names it.
    claims
        What it promises.
    shown
        What it shows of everybody; None where that is not known.
    table
        The digest of its input.
    shows
        The digest of who is published and with whom; None where it is not known.
    counted
        Whether its groups are known, or only which values everybody may have.
    """

    number: int
    words: str
    claims: tuple[Guarantee, ...]
    shown: ShownGroups | None
    table: str
    shows: str | None
    counted: bool = True

    def shows_withheld_of(self, other: ReadRelease) -> int:
        """Count the people whom the other release withholds for a frequent value and this one publishes."""
        if self.shown is None or other.shown is None or other.shown.apart is None:
            return 0
        mine, theirs = numbered([self.shown, other.shown])
        published = np.zeros(int(max(mine.max(initial=-1), theirs.max(initial=-1))) + 1, dtype=bool)
        for table in self.shown.tables.values():
            published[mine[table.group >= 0]] = True
        return int(published[theirs[other.shown.apart]].sum())


@dataclass(frozen=True, eq=False)
class MatchedReleases:
    """Several releases about the same people, and what a reader of all believes, per sensitive column.

    Attributes
    ----------
    releases
        The releases.
    person
        Per release the numbers of the people who are in it.
    count
        How many people there are.
    sightings, beliefs
        Per sensitive column what each table tells, and what all of them tell together.
    """

    releases: Sequence[ReadRelease]
    person: Sequence[Ints]
    count: int
    sightings: dict[str, list[Sighting]]
    beliefs: dict[str, Together]

    @cached_property
    def candidates(self) -> Ints:
        """How few values everybody is left with, in the worst column."""
        left = [np.where(belief.candidates > 0, belief.candidates, 2**31) for belief in self.beliefs.values()]
        return np.asarray(np.min(left, axis=0))

    @cached_property
    def posteriors(self) -> Floats:
        """How sure the reader is of everybody's value, in the worst column."""
        return np.asarray(np.max([belief.posteriors for belief in self.beliefs.values()], axis=0))

    @property
    def posterior(self) -> float:
        """How sure she is of somebody's at most."""
        return float(self.posteriors.max(initial=0.0))

    @property
    def fitted(self) -> int:
        """How many people are linked to too many others for counting, so that beliefs about them are approximate."""
        return max((int(((b.releases > 1) & ~b.counted).sum()) for b in self.beliefs.values()), default=0)

    @property
    def pinned(self) -> int:
        """How many people have one possible value."""
        return int((self.candidates == 1).sum())

    @property
    def shared(self) -> int:
        """How many people are in several releases."""
        times = np.zeros(self.count, dtype=np.int64)
        for ids in self.person:
            times[ids] += 1
        return int((times > 1).sum())

    def failing(self, place: int, claim: Guarantee) -> Flags:
        """Tell for whom a claim of one release fails because of the others, as far as beliefs about values tell."""
        failing = np.zeros(self.count, dtype=bool)
        for column, belief in self.beliefs.items():
            own = [s for s in self.sightings[column] if s.release == place]
            if not own:
                continue
            alone = read_together(own, column, belief.dictionary)
            changed = _changed(belief, alone)
            who = np.flatnonzero(changed)
            reference = GroupStats(own[0].values.sizes(), {column: own[0].values})
            kept = claim.kept_together(_counts(belief, who, column), _rows_left(belief, own[0])[who], reference)
            failing[who[~kept]] = True
        return failing

    def spread(self, flags: Flags, other: MatchedReleases) -> Flags:
        """Bring flags about the people of the last of these releases to these people."""
        whole = np.zeros(self.count, dtype=bool)
        for mine, theirs in zip(self.person[-len(other.person) :], other.person, strict=True):
            whole[mine] |= flags[theirs]
        return whole


def match(releases: Sequence[ReadRelease]) -> MatchedReleases:
    """Find the same people in all releases that say what they show, and read all of them together."""
    shown = [each.shown for each in releases if each.shown is not None]
    person = numbered(shown)
    count = max((int(ids.max(initial=-1)) for ids in person), default=-1) + 1
    columns = list(dict.fromkeys(name for each in shown for table in each.tables.values() for name in table.values))
    sightings, beliefs = {}, {}
    for column in columns:
        tables = [
            (place, ids, table, each.counted)
            for place, (each, ids) in enumerate(zip(releases, person, strict=True))
            if each.shown is not None
            for table in each.shown.tables.values()
            if column in table.values
        ]
        words = pl.concat([pl.Series(column, table.texts[column], dtype=pl.String) for _, _, table, _ in tables])
        common = encode(words)
        ends = np.cumsum([len(table.texts[column]) for _, _, table, _ in tables])
        codes = np.split(common.codes.astype(np.int64), ends[:-1])
        sightings[column] = [
            Sighting(place, _placed(table, ids, count), _recoded(table, column, code, common.cardinality), known)
            for (place, ids, table, known), code in zip(tables, codes, strict=True)
        ]
        fitted = read_together(sightings[column], column, common.values)
        beliefs[column] = with_small_worlds(sightings[column], fitted)
    return MatchedReleases(releases, person, count, sightings, beliefs)


def numbered(shown: Sequence[ShownGroups]) -> list[Ints]:
    """Number people so that the same person has the same number everywhere: by her hash, or else by her row."""
    if any(each.people is None for each in shown):
        return [np.arange(each.rows, dtype=np.int64) for each in shown]
    every = hash_frame(np.concatenate([each.people for each in shown if each.people is not None]))
    known = every.unique().with_row_index("person")
    ids = every.join(known, on=["low", "high"], how="left", maintain_order="left")["person"]
    return np.split(ids.cast(pl.Int64).to_numpy(), np.cumsum([each.rows for each in shown])[:-1])


def _placed(table: ShownTable, ids: Ints, count: int) -> Ints:
    group = np.full(count, -1, dtype=np.int64)
    group[ids] = table.group
    return group


def _recoded(table: ShownTable, column: str, code: Ints, cardinality: int) -> Histogram:
    held = table.values[column]
    return Histogram.from_entries(held.entry_groups(), code[held.values], held.counts, held.groups, cardinality)


def _changed(belief: Together, alone: Together) -> Flags:
    """Tell of whom the reader of all believes something else than the reader of one release."""
    present = alone.candidates > 0
    changed = present & (belief.candidates != alone.candidates) & (belief.candidates > 0)
    same = present & (belief.candidates == alone.candidates)
    mine, theirs = np.repeat(same, belief.candidates), np.repeat(same, alone.candidates)
    far = np.abs(belief.weights[mine] - alone.weights[theirs]) > _CHANGED
    owner = np.repeat(np.arange(len(same)), belief.candidates)[mine]
    changed[owner[far]] = True
    return np.asarray(changed)


def _counts(belief: Together, who: Ints, column: str) -> GroupStats:
    """Write beliefs about some people as counts of groups, one group each."""
    lengths = belief.candidates[who]
    entry = np.repeat(belief.offsets[:-1][who], lengths) + _within(lengths)
    owner = np.repeat(np.arange(len(who)), lengths)
    counts = np.rint(belief.weights[entry] * WHOLE).astype(np.int64)
    some = counts > 0
    held = Histogram.from_entries(
        owner[some], belief.codes[entry][some], counts[some], len(who), len(belief.dictionary)
    )
    return GroupStats(held.sizes(), {column: held})


def _within(lengths: Ints) -> Ints:
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)


def _rows_left(belief: Together, own: Sighting) -> Ints:
    """Count the rows of everybody's group whose value may still be hers."""
    owner = np.repeat(np.arange(len(belief.candidates)), belief.candidates)
    at = own.entry(owner, belief.codes)
    rows = np.where(at >= 0, own.values.counts[np.maximum(at, 0)] if len(own.values.counts) else 0, 0)
    return np.bincount(owner, weights=rows, minlength=len(belief.candidates)).astype(np.int64)
