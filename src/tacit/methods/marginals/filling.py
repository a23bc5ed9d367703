"""Filling: newcomers take the places of people who left, each beside people who are like her."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tacit.arrays import Floats, Ints, offsets_of
from tacit.methods.marginals.buckets import Buckets
from tacit.methods.marginals.changing import NOBODY, Places, Stream
from tacit.methods.marginals.newcomers import remaining

if TYPE_CHECKING:
    from tacit.kernels.marginals.cost import MarginalRows
    from tacit.kernels.marginals.filling import PeopleOfGroups

SPARED = 0.004
"""The share of rows that may be nobody's so that nobody far away need take a place. More would blur less, and the
counterfeits of a release shall stay below half a percent of its rows."""


class Fillers(NamedTuple):
    """Newcomers, the place of each, and how much wider her group becomes by her: NCP, summed over attributes."""

    person: Ints
    place: Ints
    cost: Floats


def fill(stream: Stream, m: int, shown: MarginalRows, share: float = 0.0) -> Stream:
    """Let newcomers take places that signatures lack, as many as can be while the others stay m-eligible.

    Where the others cannot be m-eligible, the most frequent value alone fills: that brings them nearest to it.

    Parameters
    ----------
    stream, m
        The people of this release, and the least number of values of a signature.
    shown
        Everybody's quasi-identifiers: what a group of some of them would cost.
    share
        Places up to this share of the people stay empty where only somebody far away could take them.
    """
    new = np.flatnonzero(stream.signature == NOBODY)
    places = Places.of(stream)
    supply = np.bincount(stream.value[new], minlength=stream.width)
    demand = np.bincount(stream.values[places.entry], minlength=stream.width)
    stay = remaining(supply, demand, m)
    eligible = stay is not None
    if stay is None:
        top = int(np.argmax(supply))
        stay = supply.copy()
        stay[top] -= min(supply[top], demand[top])
    if not (supply - stay).any():
        return stream
    fillers = _nearest(stream, places, shown, new, supply - stay)
    if eligible:
        spared = int(share * len(stream.value)) - (len(places.entry) - len(fillers.person))
        fillers = _without_far(fillers, stream, supply, m, spared)
    signature = stream.signature.copy()
    signature[fillers.person] = stream.owner[places.entry[fillers.place]]
    return replace(stream, signature=signature)


def _nearest(stream: Stream, places: Places, shown: MarginalRows, new: Ints, count: Ints) -> Fillers:
    """Choose so many newcomers of each value, and a place for each, so that groups become little wider."""
    from tacit.kernels.marginals.filling import fit

    groups, group = _groups(stream, places, shown)
    new = new[np.lexsort((stream.rank[new], stream.value[new]))]
    wanted = np.lexsort((stream.rank[places.like], stream.values[places.entry]))
    begin = offsets_of(np.bincount(stream.value[new], minlength=stream.width))
    lists = offsets_of(np.bincount(stream.values[places.entry], minlength=stream.width))
    found = []
    for v in np.flatnonzero(count):
        people, place = new[begin[v] : begin[v + 1]], wanted[lists[v] : lists[v + 1]]
        at, cost = fit(shown, groups, people, group[place])
        placed = np.flatnonzero(at >= 0)
        placed = placed[np.argsort(cost[placed], kind="stable")][: count[v]]
        found.append(Fillers(people[placed], place[at[placed]], cost[placed]))
    return Fillers(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _groups(stream: Stream, places: Places, shown: MarginalRows) -> tuple[PeopleOfGroups, Ints]:
    """Cut the buckets that lack somebody into groups; return the people of each group, and the group of each place."""
    from tacit.kernels.marginals.cost import MarginalRows
    from tacit.kernels.marginals.decompose import BucketRows, decompose
    from tacit.kernels.marginals.filling import PeopleOfGroups

    owner = stream.owner[places.entry]
    lacking = np.zeros(len(stream.offsets), dtype=bool)  # one more than there are signatures, for those who have none
    lacking[owner] = True
    people = np.flatnonzero(lacking[stream.signature])
    _, bucket = np.unique(np.concatenate([stream.signature[people], owner]), return_inverse=True)
    value = np.concatenate([stream.value[people], stream.values[places.entry]])
    buckets = Buckets.of(bucket, value, stream.width)
    row = np.concatenate([people, places.like])
    group = decompose(
        MarginalRows(shown.space, shown.points[row], shown.cell[row]),
        BucketRows(buckets.rows, buckets.start, buckets.width, grouped=False, roughly=True),
    )
    whose, place = group[: len(people)], group[len(people) :]
    start = offsets_of(np.bincount(whose, minlength=int(group.max()) + 1))
    return PeopleOfGroups(start, people[np.argsort(whose, kind="stable")]), place


def _without_far(fillers: Fillers, stream: Stream, supply: Ints, m: int, spared: int) -> Fillers:
    """Leave out those who cost most, up to a number, if the newcomers who do not fill stay m-eligible."""
    order = np.argsort(fillers.cost, kind="stable")
    dear = int((fillers.cost > fillers.cost.mean()).sum())
    left_out = max(0, min(spared, dear))
    while left_out:
        kept = order[: len(order) - left_out]
        rest = supply - np.bincount(stream.value[fillers.person[kept]], minlength=len(supply))
        if m * int(rest.max()) <= int(rest.sum()):
            break
        left_out //= 2
    kept = order[: len(order) - left_out]
    return Fillers(fillers.person[kept], fillers.place[kept], fillers.cost[kept])
