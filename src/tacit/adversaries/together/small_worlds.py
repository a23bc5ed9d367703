"""Small worlds: the exact posteriors of people who are linked to few others, by counting.

Two people are linked if they are in a common group, in any release, and could both have a value that it shows; and
through any number of others. Whoever has one possible value links nobody: her value is taken out of her groups. People
who are not linked are independent of each other, because every value of a group has a count of its own. Where people
who are linked are few, every way to give them values that is consistent with all groups is counted. Rows of a group
that are nobody's known are strangers: they take the values that are left over, in every order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.adversaries.marginals.worlds import MovesLeft, count_worlds
from tacit.adversaries.together.fitting import Together
from tacit.adversaries.together.frontier import LinkedValues, count_along
from tacit.adversaries.together.linked_people import LinkedPeople
from tacit.adversaries.together.sighting import Sighting
from tacit.arrays import Flags, Floats, Ints, places_of

_SMALL = 24
"""People of a component up to which it is counted state by state, in whole numbers; larger ones are counted with all
states of a step at a time, which costs more for few states and much less for many. An estimate that was not tuned."""

_LARGEST = 2_000
"""The most people of a component that is tried. What takes long is not their number, but how many groups must be
remembered at a time while they are counted one after another. Chosen by trial."""

_MOVES = 12_000_000
"""Moves between states of counting over all components, the smallest first: about three seconds of two releases of
5,000 people."""

_MOST_MOVES = 6_000_000
"""Moves of one component; one that needs more is given up. Not tuned."""

_SMALL_MOVES = 20_000
"""Moves of a component that is counted state by state. Not tuned."""

_SLOWER = 20
"""How many moves of all states at a time take as long as one of state by state. An estimate that was not tuned."""


@dataclass(frozen=True)
class SmallWorlds:
    """What counting comes to.

    Attributes
    ----------
    people
        How many people were counted; the others are linked to too many.
    pinned
        How many of them have the same value in every world.
    posterior
        The largest posterior of anybody who was counted, 0 for nobody.
    """

    people: int
    pinned: int
    posterior: float

    @classmethod
    def of(cls, belief: Together) -> SmallWorlds:
        """Sum up beliefs of which some were counted."""
        who = belief.counted & (belief.releases > 1)
        return cls(
            int(who.sum()),
            int((belief.candidates[who] == 1).sum()),
            float(belief.posteriors[who].max(initial=0.0)),
        )


def with_small_worlds(sightings: Sequence[Sighting], belief: Together) -> Together:
    """Return beliefs in which those about people of small components are counted, and so exact.

    Three kinds of people need no counting. Whoever has one possible value has it in every world. Where one table tells
    of the people of a component, the shares of what is left of a group are exact. Where everybody has the same values
    in every table, each equally often, all are equally likely: the values of a signature can be rotated, in all tables
    at once.
    """
    tables = [sighting for sighting in sightings if sighting.counted]
    linked = LinkedPeople.of(tables, belief)
    component, sizes = linked.component, linked.sizes
    links = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(links, component, belief.releases)
    invariant = np.ones(len(sizes), dtype=bool)
    np.logical_and.at(invariant, component, _keeps_signature(tables, belief))
    certain, weights = belief.candidates == 1, belief.weights.copy()
    alike = np.ones(len(sizes), dtype=bool)
    np.logical_and.at(alike, component, linked.has_all(belief))
    single = (links <= 1) & alike
    exact = (single | invariant)[component] | certain
    _share_what_is_left(tables, linked, belief, single[component] & ~certain & (belief.candidates > 0), weights)
    asked = np.flatnonzero(~single & ~invariant & (sizes <= _LARGEST))
    asked = asked[np.argsort(sizes[asked], kind="stable")]
    order = np.argsort(component, kind="stable")
    begins = np.searchsorted(component[order], asked)
    spent = 0
    for begin, size in zip(begins.tolist(), sizes[asked].tolist(), strict=True):
        members = linked.in_turn(order[begin : begin + size])
        if certain[members].all() or spent >= _MOVES:
            continue
        shares, made = None, 0
        if size <= _SMALL:
            moves = MovesLeft(_SMALL_MOVES)
            shares = _shares(tables, linked, belief, members, moves)
            made = _SLOWER * (_SMALL_MOVES - moves.left)
        if shares is None:
            shares, more = count_along(
                _linked_values(tables, linked, belief, members), min(_MOST_MOVES, _MOVES - spent)
            )
            made += more
        spent += made
        if shares is None:
            continue
        exact[members] = True
        weights[places_of(belief.offsets[:-1][members], belief.candidates[members])] = np.concatenate(shares)
    return belief.without_impossible(weights, exact)


def _keeps_signature(tables: Sequence[Sighting], belief: Together) -> Flags:
    """Tell who has the same values in all tables, and only in groups in which each is equally frequent."""
    kept = np.ones(len(belief.candidates), dtype=bool)
    for table in tables:
        inside = table.group >= 0
        even = table.values.largest() * table.values.distinct() == table.values.sizes()
        group = np.maximum(table.group, 0)
        kept &= ~inside | (even[group] & (table.values.distinct()[group] == belief.candidates))
    return kept


def _share_what_is_left(
    tables: Sequence[Sighting], linked: LinkedPeople, belief: Together, who: Flags, weights: Floats
) -> None:
    """Fill in the beliefs about people of whom one table tells: what others are known to have is not theirs."""
    owner = np.repeat(np.arange(len(belief.candidates)), belief.candidates)
    mine = np.flatnonzero(who[owner])
    for table, left in zip(tables, linked.left, strict=True):
        at = table.entry(owner[mine], belief.codes[mine])
        entries, at = mine[at >= 0], at[at >= 0]
        totals = np.bincount(owner[entries], weights=left[at], minlength=len(who))
        some = totals[owner[entries]] > 0
        weights[entries[some]] = left[at[some]] / totals[owner[entries[some]]]


def _linked_values(tables: Sequence[Sighting], linked: LinkedPeople, belief: Together, members: Ints) -> LinkedValues:
    """Return the values that people of a component may have, with the entries of their groups that have them."""
    held = belief.candidates[members]
    codes = belief.codes[places_of(belief.offsets[:-1][members], held)]
    owner = np.repeat(members, held)
    begin, where, counts, closed = 0, [], [np.zeros(0, np.int64)], [np.zeros(0, dtype=bool)]
    for table, left in zip(tables, linked.left, strict=True):
        at = table.entry(owner, codes)
        used, place = np.unique(at[at >= 0], return_inverse=True)
        mine = np.full(len(at), -1, dtype=np.int64)
        mine[at >= 0] = begin + place
        group, inside = table.values.entry_groups()[used], table.group[members]
        rows = np.bincount(group, weights=left[used], minlength=table.values.groups)
        known = np.bincount(inside[inside >= 0], minlength=table.values.groups)
        where.append(mine.tolist())
        counts.append(left[used])
        closed.append((rows == known)[group])
        begin += len(used)
    entries = [tuple(entry for entry in row if entry >= 0) for row in zip(*where, strict=True)]
    every = list(zip(codes.tolist(), entries, strict=True))
    ends = np.cumsum(held).tolist()
    choices = [every[end - many : end] for end, many in zip(ends, held.tolist(), strict=True)]
    return LinkedValues(choices, np.concatenate(counts), np.concatenate(closed))


def _shares(
    tables: Sequence[Sighting], linked: LinkedPeople, belief: Together, members: Ints, moves: MovesLeft
) -> list[Floats] | None:
    """Return, per person, the share of worlds in which she has each value; None where they are too many, or none."""
    groups = [[int(table.group[person]) for table in tables] for person in members]
    allowed = [set(belief.codes[belief.offsets[p] : belief.offsets[p + 1]].tolist()) for p in members.tolist()]
    values: list[dict[int, dict[int, int]]] = []
    for part, (table, left) in enumerate(zip(tables, linked.left, strict=True)):
        open_values: dict[int, set[int]] = {}
        for person, codes in zip(groups, allowed, strict=True):
            if person[part] >= 0:
                open_values.setdefault(person[part], set()).update(codes)
        held = table.values
        values.append(
            {
                g: {
                    code: count
                    for code, count in zip(held.values[a:b].tolist(), left[a:b].tolist(), strict=True)
                    if code in theirs
                }
                for g, theirs in open_values.items()
                for a, b in [(int(held.offsets[g]), int(held.offsets[g + 1]))]
            }
        )
    result = count_worlds(groups, values, allowed, moves)
    if result is None or not result[0]:
        return None
    total, shares = result
    possible = [belief.codes[belief.offsets[p] : belief.offsets[p + 1]].tolist() for p in members.tolist()]
    return [
        np.array([share.get(code, 0) / total for code in mine]) for share, mine in zip(shares, possible, strict=True)
    ]
