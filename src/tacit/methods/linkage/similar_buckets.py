"""Buckets of similar rows in which all values of a sensitive column differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tacit.arrays import Flags, Floats, Ints
from tacit.methods.linkage.mondrian import Attribute
from tacit.randomness import permutation
from tacit.table import Codes, Groups

if TYPE_CHECKING:
    from tacit.kernels.near_parts import NearRows

_PART = 64
"""The most rows of a part, unless four buckets are more. In larger parts a row finds nearer rows, and each row is
compared with more of them. Chosen by trial on Adult."""
_BLOCK = 8192
"""The most rows that are cut where they lie: as many as fit into the fast memory of a processor."""
_TIGHT = 0.75
"""If at least this share of the buckets must hold the most frequent value, rows far from a cut change sides, seeds are
drawn at random and parts are larger. Below it rows next to a cut change sides, for the sake of queries. Chosen by
trial on Adult, where neither way is better between .65 and .82."""
_TIGHT_PART = 256
"""The most rows of a part then: in larger ones, more rows find another one that looks like them. Chosen by trial."""
_LEVELS = 32
"""Into how many levels the values of an attribute fall where it is counted what they tell about the sensitive value.
More tell more exactly, from fewer rows each."""
_ENTRIES = 8_000_000
"""The most numbers that say what levels tell, 4 bytes each; with many sensitive values there are fewer levels."""
_TOGETHER = 8
"""What a level tells has a number for each sensitive value, filled up with zeros to a multiple of this, so that the
processor adds that many at once."""
_LEAST = 0.001
"""What a difference in an attribute counts that tells nothing, in nats: near rows are preferred all the same."""


def similar_buckets(attributes: Sequence[Attribute], sensitive: Codes, l: int, secret: Generator) -> Groups:
    """Put similar rows into buckets of l, or a few more, numbered so that near buckets follow one another.

    The table is cut into parts of near rows in which no value is in more than 1/l; in a part, a row and the nearest
    rows of other values share a bucket. Near are rows with similar quasi-identifiers, above all those that tell about
    the sensitive value. Which of equally near rows is taken is random. There must be a quasi-identifier.

    Where most buckets must hold the most frequent value, nobody may conclude from where a row stands in its bucket that
    it has that value: docs/threats/learning.md#where-one-value-must-be-in-most-buckets.
    """
    from tacit.kernels.near_buckets import bucketize
    from tacit.kernels.near_parts import cut_near

    n = len(sensitive.codes)
    rows = _near_rows(attributes, sensitive, permutation(secret, n))
    tight = bool(sensitive.counts().max() * l >= _TIGHT * n)
    parts = cut_near(rows, np.array([0, n]), l, max(_BLOCK, 4 * l), tight)
    # What is near lies together from here on, so that the processor's memory is used well.
    row = rows.order
    points, value = np.take(rows.points, row, axis=1), np.take(rows.value, row)
    rows = rows._replace(points=points, value=value, order=np.arange(n, dtype=np.int64))
    parts = cut_near(rows, parts, l, max(_TIGHT_PART if tight else _PART, 4 * l), tight)
    bucket, count = bucketize(rows, parts, l, secret.random(n if tight else 0))
    ids = np.empty(n, dtype=np.int64)
    ids[row] = bucket
    return Groups(ids, count)


def united_neighbours(broken: Flags) -> Ints:
    """Return a new number for each bucket: those that are not diverse take the next one along, or the one before.

    Examples
    --------
    >>> united_neighbours(np.array([False, True, False, True, True, True])).tolist()
    [0, 1, 1, 2, 2, 2]
    """
    place = np.arange(len(broken))
    starts = broken & ~np.append(False, broken[:-1])
    begin = np.maximum.accumulate(np.where(starts, place, 0))
    joins = broken & ((place - begin) % 2 == 1)  # of neighbours that are both broken, the second joins the first
    alone = broken & ~joins
    alone[:-1] &= ~joins[1:]
    joins[1:] |= alone[:-1]
    joins[-1] |= alone[-1]
    joins[0] = False
    return np.cumsum(~joins) - 1


def _near_rows(attributes: Sequence[Attribute], sensitive: Codes, shuffled: Ints) -> NearRows:
    """Lay the rows out, in a random order at first, with what quasi-identifiers tell about the sensitive value."""
    from tacit.kernels.mondrian.space import space_of
    from tacit.kernels.near_parts import NearRows, stand

    space = space_of([replace(attribute, by_hierarchy=False).layout() for attribute in attributes])
    n, values = len(shuffled), sensitive.cardinality
    most = max(1, min(_LEVELS, _ENTRIES // (values * len(attributes))))
    points = np.empty((len(attributes), n), dtype=np.int32)
    level = np.zeros(int(space.start[-1]), dtype=np.int32)
    value = sensitive.codes.copy()
    tables, weight, lines = [], np.empty(len(attributes)), 0
    for a, attribute in enumerate(attributes):
        begin, end = int(space.start[a]), int(space.start[a + 1])
        position = space.position[begin:end]
        of_position = _levels(attribute, position, most)
        counts = stand(attribute.codes.codes, position, of_position[position], value, values, points[a])
        count = len(counts)
        weight[a] = _LEAST + _information(counts)
        level[begin:end] = lines + of_position
        table = np.zeros((count, -(-values // _TOGETHER) * _TOGETHER), dtype=np.float32)
        table[:, :values] = np.log((counts + 0.5) / (counts.sum(axis=0) + 0.5 * count))
        tables.append(table)
        lines += count
    return NearRows(space, weight, points, level, np.concatenate(tables), value, shuffled)


def _levels(attribute: Attribute, position: NDArray[np.int32], most: int) -> Ints:
    """Return the level of each position: equally many rows each, or the commonest values and all others."""
    if len(position) <= most:
        return np.arange(len(position), dtype=np.int64)
    mass = np.zeros(len(position), dtype=np.int64)
    mass[position] = attribute.codes.counts()
    if attribute.column.kind.is_ordered:
        _, dense = np.unique((np.cumsum(mass) - mass) * most // max(1, int(mass.sum())), return_inverse=True)
        return np.asarray(dense, dtype=np.int64)
    level = np.full(len(mass), most - 1, dtype=np.int64)
    level[np.argsort(-mass, kind="stable")[: most - 1]] = np.arange(most - 1)
    return level


def _information(counts: NDArray[np.integer[Any]]) -> float:
    """Return how many nats an attribute tells about the sensitive value, less what it would seem to tell by chance."""
    total = counts.sum()
    joint = counts / total
    level, value = joint.sum(axis=1), joint.sum(axis=0)
    told = _entropy(level) + _entropy(value) - _entropy(joint.ravel())
    return float(max(0.0, told - (np.count_nonzero(level) - 1) * (np.count_nonzero(value) - 1) / (2 * total)))


def _entropy(shares: Floats) -> float:
    present = shares[shares > 0]
    return float(-(present * np.log(present)).sum())
