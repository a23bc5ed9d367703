"""Equivalence: one fact more about one person, and everybody who is certain because of it.

He, Barman and Naughton, "Preventing equivalence attacks in updated, anonymized data", ICDE 2011: two people who share a
partner of a group of two values, in different releases, have the same value. Whoever learns one of the three knows all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.adversaries.together.sighting import Sighting
from tacit.arrays import Ints, offsets_of


@dataclass(frozen=True)
class Equivalence:
    """How many people become certain if the value of one person is known, for the worst one person.

    Attributes
    ----------
    people
        How many, the one person included; 1 where nobody else becomes certain.
    tied
        How many people are tied to at least one other.
    """

    people: int
    tied: int


def equivalence(sightings: Sequence[Sighting]) -> Equivalence:
    """Tie people who stand in a group of two known people with two different values, and follow the ties.

    Of two people with two values, each has what the other does not have. So everybody who is tied to one person,
    through any number of others, is certain once that one is. Groups of three and more people leave a choice after one
    fact.
    """
    count = len(sightings[0].group)
    first, second = _pairs(sightings)
    root = _united(count, first, second)
    sizes = np.bincount(root, minlength=count)
    return Equivalence(int(sizes.max(initial=1)), int((sizes[root] > 1).sum()))


def _pairs(sightings: Sequence[Sighting]) -> tuple[Ints, Ints]:
    """Return the two people of every group of two rows that are both somebody's and have different values."""
    first, second = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for sighting in sightings:
        if not sighting.counted:
            continue
        inside = np.flatnonzero(sighting.group >= 0)
        group = sighting.group[inside]
        people = np.bincount(group, minlength=sighting.values.groups)
        two = (people == 2) & (sighting.values.sizes() == 2) & (sighting.values.distinct() == 2)
        order = inside[np.argsort(group, kind="stable")]
        start = offsets_of(people)[:-1][two]
        first.append(order[start])
        second.append(order[start + 1])
    return np.concatenate(first), np.concatenate(second)


def _united(count: int, first: Ints, second: Ints) -> Ints:
    """Return one number for everybody who is tied, through any number of others."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ties = coo_array((np.ones(len(first), dtype=np.int8), (first, second)), shape=(count, count))
    return np.asarray(connected_components(ties, directed=False)[1], dtype=np.int64)
