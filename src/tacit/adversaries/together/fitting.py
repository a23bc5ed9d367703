"""Fitting: beliefs about everybody under which each group of each release comes out as it was published.

The values that all releases allow a person are her candidates. Which of them is how likely is found by proportional
fitting: beliefs begin alike, and are scaled in turn until the people of every group have, together, as many of each
value as the group shows. If people were given values at random this is what counting all worlds comes to, in groups
that are large or loosely linked; in small ones it is an approximation, and `tacit.adversaries.WorldAdversary` counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tacit.adversaries.belief import Belief, Exactness, repeated
from tacit.adversaries.together.sighting import Sighting
from tacit.arrays import Flags, Floats, Ints, offsets_of, places_of

_ROUNDS = 60
"""The most rounds of scaling. Beliefs of releases that fit each other settle in fewer than twenty; people who are ruled
out by others need more, and are then near to it. Chosen by trial."""

_UNLIKELY = 1e-12
"""What a value has at least that a reader who learned thinks impossible: the releases may say otherwise."""

_SETTLED = 1e-9
"""The largest change of a belief after which nothing more is computed."""


@dataclass(frozen=True, eq=False)
class Together(Belief):
    """What a reader of several releases believes of everybody; person `i` has the entries `offsets[i]:offsets[i + 1]`.

    Attributes
    ----------
    column
        The sensitive column.
    dictionary
        All values.
    offsets, codes, weights
        Per person the values that all releases allow, and how likely each is to the reader.
    releases
        Per person how many tables tell something of her.
    contradictions
        How many people are left without any value: the releases contradict each other about them, because their value
        changed or because they were matched wrongly.
    counted
        Of whom beliefs were counted over all worlds, and so are exact.
    """

    column: str
    dictionary: pl.Series
    offsets: Ints
    codes: Ints
    weights: Floats
    releases: Ints
    contradictions: int
    counted: Flags

    @property
    def candidates(self) -> Ints:
        """How many values each person may have."""
        return np.diff(self.offsets)

    @property
    def posteriors(self) -> Floats:
        """How likely the likeliest value of each person is; 0 for somebody without any."""
        most = np.zeros(len(self.offsets) - 1)
        filled = np.flatnonzero(np.diff(self.offsets))
        if len(filled):
            most[filled] = np.maximum.reduceat(self.weights, self.offsets[:-1][filled])
        return most

    @property
    def people(self) -> Ints:
        """One person each."""
        return np.ones(len(self.offsets) - 1, np.int64)

    @property
    def values(self) -> pl.Series:
        """The value that she believes most of each person; null for somebody without any."""
        owner = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        order = np.lexsort((-self.weights, owner))
        best = np.full(len(self.offsets) - 1, -1, dtype=np.int64)
        filled = np.flatnonzero(np.diff(self.offsets))
        best[filled] = self.codes[order[self.offsets[:-1][filled]]]
        picked = pl.Series(best).set(pl.Series(best < 0), None)
        return self.dictionary.gather(picked)

    @property
    def where(self) -> pl.Series:
        """The sensitive column."""
        return repeated(self.column, len(self.offsets) - 1)

    @property
    def exactness(self) -> Exactness:
        """Approximate where how likely values are was fitted, and not counted, for somebody."""
        return "exact" if self.counted.all() else "approximate"

    def without_impossible(self, weights: Floats, counted: Flags) -> Together:
        """Return other beliefs, without values that turned out to be impossible."""
        owner = np.repeat(np.arange(len(self.candidates)), self.candidates)
        possible = (weights > 0) | ~counted[owner]
        held = np.bincount(owner[possible], minlength=len(self.candidates))
        return replace(
            self,
            offsets=offsets_of(held),
            codes=self.codes[possible],
            weights=weights[possible],
            counted=counted,
        )

    @property
    def pinned(self) -> int:
        """How many people have one possible value."""
        return int((self.candidates == 1).sum())


def read_together(
    sightings: Sequence[Sighting],
    column: str,
    dictionary: pl.Series,
    prior: Callable[[Ints, Ints], Floats] | None = None,
) -> Together:
    """Return what a reader of all tables believes.

    Parameters
    ----------
    sightings
        One per table, about the same people in the same order.
    column, dictionary
        The sensitive column, and the values behind the codes of all sightings.
    prior
        How likely a value of a person is beforehand to somebody who has learned, for people and values side by side; by
        default all are alike.

    Examples
    --------
    >>> from tacit.table import Histogram
    >>> both = np.array([0, 0, 1]), np.array([0, 1, 2]), np.array([1, 1, 2])
    >>> one = Sighting(0, np.array([0, 0, 1, 1]), Histogram.from_entries(*both, 2, 3))
    >>> two = Sighting(1, np.array([0, -1, 0, -1]), Histogram.from_entries(
    ...     np.array([0, 0]), np.array([0, 2]), np.array([1, 1]), 1, 3))
    >>> belief = read_together([one, two], "ill", pl.Series(["flu", "cold", "gout"]))
    >>> belief.values.to_list(), belief.pinned
    (['flu', 'cold', 'gout', 'gout'], 4)
    """
    count = len(sightings[0].group)
    person, code, seen = _candidates(sightings, count)
    held = np.bincount(person, minlength=count)
    weights = np.ones(len(person)) if prior is None else np.maximum(prior(person, code), _UNLIKELY)
    weights = _fitted(sightings, person, code, weights, count, alike=prior is None)
    alone = np.zeros(count, dtype=bool)
    lost = int(((held == 0) & (seen > 0)).sum())
    return Together(column, dictionary, offsets_of(held), code, weights, seen, lost, alone)


def _candidates(sightings: Sequence[Sighting], count: int) -> tuple[Ints, Ints, Ints]:
    """Return person and value of every candidate, sorted by person, and how many tables tell something of each."""
    first = np.full(count, -1, dtype=np.int64)
    seen = np.zeros(count, dtype=np.int64)
    for number, sighting in enumerate(sightings):
        present = sighting.group >= 0
        first[(first < 0) & present] = number
        seen += present
    people, codes = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for number, sighting in enumerate(sightings):
        mine = np.flatnonzero(first == number)
        group = sighting.group[mine]
        lengths = np.diff(sighting.values.offsets)[group]
        people.append(np.repeat(mine, lengths))
        codes.append(sighting.values.values[places_of(sighting.values.offsets[:-1][group], lengths)])
    person, code = np.concatenate(people), np.concatenate(codes)
    for sighting in sightings:
        possible = sighting.entry(person, code) != -2
        person, code = person[possible], code[possible]
    order = np.lexsort((code, person))
    person, code = person[order], code[order]
    for _ in range(_ROUNDS):
        possible = _still_possible(sightings, person, code, count)
        if possible.all():
            break
        person, code = person[possible], code[possible]
    return person, code, seen


def _still_possible(sightings: Sequence[Sighting], person: Ints, code: Ints, count: int) -> Flags:
    """Rule out what others rule out.

    A value is ruled out where people of the group who are certain have taken all of it. Every other value is ruled out
    for those who alone can have one that the group shows.
    """
    possible = np.ones(len(person), dtype=bool)
    held = np.bincount(person, minlength=count)
    certain = held[person] == 1
    for sighting in sightings:
        if not sighting.counted:
            continue
        at = sighting.entry(person, code)
        inside = at >= 0
        counts = sighting.values.counts
        taken = np.bincount(at[inside & certain], minlength=len(counts))
        possible &= ~(inside & ~certain & (taken[at] >= counts[at])) if len(counts) else True
        sizes = sighting.values.sizes()
        known = np.bincount(sighting.group[(sighting.group >= 0) & (held > 0)], minlength=len(sizes))
        closed = (known == sizes)[sighting.values.entry_groups()]
        able = np.bincount(at[inside], minlength=len(counts))
        needed = closed & (able == counts)  # whoever can have it must have it
        must = np.zeros(count, dtype=bool)
        if len(counts):
            forced = inside & needed[at] & ~certain
            must[person[forced]] = True
            possible &= ~(must[person] & ~(inside & needed[at]))
    return possible


def _fitted(
    sightings: Sequence[Sighting], person: Ints, code: Ints, start: Floats, count: int, *, alike: bool
) -> Floats:
    """Scale beliefs until every group has its counts; rows of a group that are nobody's known are one more person.

    If all values are `alike` beforehand, then they are so for these rows too; otherwise their counts are their shares.
    """
    owners, weights = [person], [start]
    entries = {}
    total = np.bincount(person, minlength=count).astype(np.float64)
    mass = [(total > 0).astype(np.float64)]
    begin, people = len(person), count
    for number, sighting in enumerate(sightings):
        if not sighting.counted:
            continue
        at = sighting.entry(person, code)
        inside = np.flatnonzero(at >= 0)
        sizes = sighting.values.sizes()
        known = np.bincount(sighting.group[(sighting.group >= 0) & (total > 0)], minlength=len(sizes))
        strangers = np.maximum(0, sizes - known)
        open_groups = np.flatnonzero(strangers)
        lengths = np.diff(sighting.values.offsets)[open_groups]
        theirs = places_of(sighting.values.offsets[:-1][open_groups], lengths)
        entries[number] = (
            np.concatenate([inside, begin + np.arange(len(theirs))]),
            np.concatenate([at[inside], theirs]),
        )
        owners.append(people + np.repeat(np.arange(len(open_groups)), lengths))
        weights.append(np.ones(len(theirs)) if alike else sighting.values.counts[theirs].astype(np.float64))
        mass.append(strangers[open_groups].astype(np.float64))
        begin, people = begin + len(theirs), people + len(open_groups)
    owner, weight, amount = np.concatenate(owners), np.concatenate(weights), np.concatenate(mass)
    weight = _normalized(weight, owner, amount)
    for _ in range(_ROUNDS):
        before = weight[: len(person)].copy()
        for number, (mine, at) in entries.items():
            counts = sightings[number].values.counts
            sums = np.bincount(at, weights=weight[mine], minlength=len(counts))
            weight[mine] *= np.divide(counts, sums, out=np.zeros(len(counts)), where=sums > 0)[at]
            weight = _normalized(weight, owner, amount)
        if np.abs(weight[: len(person)] - before).max(initial=0.0) < _SETTLED:
            break
    return weight[: len(person)]


def _normalized(weight: Floats, owner: Ints, amount: Floats) -> Floats:
    sums = np.bincount(owner, weights=weight, minlength=len(amount))
    factor = np.divide(amount, sums, out=np.zeros(len(amount)), where=sums > 0)
    return np.asarray(weight * factor[owner])
