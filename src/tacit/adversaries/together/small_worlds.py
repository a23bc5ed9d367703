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
from tacit.adversaries.together.linked_people import LinkedPeople
from tacit.adversaries.together.sighting import Sighting
from tacit.arrays import Flags, Floats, Ints

_LARGEST = 64
"""The most people of a component that is tried. What takes long is not their number, but how many groups must be
remembered at a time while they are counted one after another. Chosen by trial."""

_MOVES = 600_000
"""Moves between states of counting over all components, the smallest first: it takes some seconds. Chosen by trial."""

_MOST_MOVES = 100_000
"""Moves of one component; one that needs more is given up. Chosen by trial."""


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
        moves = MovesLeft(_MOST_MOVES)
        shares = _shares(tables, linked, belief, members, moves)
        spent += _MOST_MOVES - moves.left
        if shares is None:
            continue
        exact[members] = True
        for person, share in zip(members.tolist(), shares, strict=True):
            entries = slice(int(belief.offsets[person]), int(belief.offsets[person + 1]))
            total = max(1, sum(share.values()))
            weights[entries] = [share.get(code, 0) / total for code in belief.codes[entries].tolist()]
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


def _shares(
    tables: Sequence[Sighting], linked: LinkedPeople, belief: Together, members: Ints, moves: MovesLeft
) -> list[dict[int, int]] | None:
    """Return, per person, in how many worlds she has each value; None where they were too many, or there is none."""
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
    return None if result is None or not result[0] else result[1]
