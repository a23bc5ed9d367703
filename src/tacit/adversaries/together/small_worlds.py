"""Small worlds: the exact posteriors of people who are linked to few others, by counting.

People are linked by common groups, in any release and through any number of others. Where such a component is small,
every way to give its people values that is consistent with all groups is counted. Rows of a group that are nobody's
known are strangers: they take the values that are left over, in every order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.adversaries.marginals.worlds import count_worlds
from tacit.adversaries.together.fitting import Together
from tacit.adversaries.together.sighting import Sighting
from tacit.arrays import Flags, Ints

_COUNTED = 5_000
"""The most people who are counted, the smallest components first: it takes some seconds. Chosen by trial."""

_LARGEST = 14
"""The most people of a component that is counted. Larger ones take longer than all others together. Chosen by trial."""


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

    Two kinds of components need no counting. Where one table tells of its people, the shares of a group are exact.
    Where everybody has the same values in every table, each equally often, all are equally likely: the values of a
    signature can be rotated, in all tables at once.
    """
    tables = [sighting for sighting in sightings if sighting.counted]
    component = _components(tables, len(belief.candidates))
    many = int(component.max(initial=-1)) + 1
    sizes = np.bincount(component, minlength=many)
    links = np.zeros(many, dtype=np.int64)
    np.maximum.at(links, component, belief.releases)
    invariant = np.ones(many, dtype=bool)
    np.logical_and.at(invariant, component, _keeps_signature(tables, belief))
    exact = ((links <= 1) | invariant)[component]
    asked = np.flatnonzero((links > 1) & ~invariant & (sizes <= _LARGEST))
    asked = asked[np.argsort(sizes[asked], kind="stable")]
    asked = asked[np.cumsum(sizes[asked]) <= _COUNTED]
    order = np.argsort(component, kind="stable")
    begins = np.searchsorted(component[order], asked)
    weights = belief.weights.copy()
    for begin, size in zip(begins.tolist(), sizes[asked].tolist(), strict=True):
        members = order[begin : begin + size]
        shares = _shares(tables, belief, members)
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


def _shares(counted: Sequence[Sighting], belief: Together, members: Ints) -> list[dict[int, int]] | None:
    """Return, per person, in how many worlds she has each value; None where they were too many, or there is none."""
    groups = [[int(sighting.group[person]) for sighting in counted] for person in members]
    values: list[dict[int, dict[int, int]]] = []
    for part, sighting in enumerate(counted):
        held = sighting.values
        mine = {person[part] for person in groups if person[part] >= 0}
        values.append(
            {
                g: dict(zip(held.values[a:b].tolist(), held.counts[a:b].tolist(), strict=True))
                for g in mine
                for a, b in [(int(held.offsets[g]), int(held.offsets[g + 1]))]
            }
        )
    allowed = [set(belief.codes[belief.offsets[p] : belief.offsets[p + 1]].tolist()) for p in members.tolist()]
    result = count_worlds(groups, values, allowed)
    return None if result is None or not result[0] else result[1]


def _components(counted: Sequence[Sighting], count: int) -> Ints:
    """Number the sets of people who are linked by common groups."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    people, groups, base = [], [], count
    for sighting in counted:
        inside = np.flatnonzero(sighting.group >= 0)
        people.append(inside)
        groups.append(base + sighting.group[inside])
        base += sighting.values.groups
    if not people:
        return np.arange(count)
    one, other = np.concatenate(people), np.concatenate(groups)
    links = coo_array((np.ones(len(one), dtype=np.int8), (one, other)), shape=(base, base))
    return np.asarray(connected_components(links, directed=False)[1][:count], dtype=np.int64)
