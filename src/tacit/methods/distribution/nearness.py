"""Rows in an order of nearness, groups as linked rows, and public numbers for groups."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from tacit.arrays import Flags, Ints
from tacit.kernels.distribution.arguments import LinkedGroups
from tacit.methods.base import Job
from tacit.randomness import permutation
from tacit.table import Cells


def nearby_order(cells: Cells, generator: Generator) -> Ints:
    """Order the rows of cells so that neighbours have similar values; rows of one cell come in random order."""
    from tacit.kernels.distribution.nearness import nearness_order

    spans = np.array([max(1, len(values) - 1) for values in cells.dictionaries.values()])
    points = cells.codes / spans if len(spans) else np.zeros((len(cells), 1))
    rank = ranks_of(nearness_order(np.ascontiguousarray(points)))
    ids = cells.members.ids
    mixed = generator.permutation(len(ids))
    return mixed[np.argsort(rank[ids[mixed]], kind="stable")]


def numbered(group: Ints, kept: Flags, job: Job) -> Ints:
    """Give every group, and every row that is alone (-1), a random public number; -1 to the withheld."""
    whole = group.copy()
    alone = np.flatnonzero(whole < 0)
    whole[alone] = (int(group.max()) + 1 if len(group) else 0) + np.arange(len(alone))
    distinct, dense = np.unique(whole[kept], return_inverse=True)
    out = np.full(len(group), -1, dtype=np.int64)
    out[kept] = permutation(job.randomness.shuffle(), len(distinct))[dense]
    return out


def ranks_of(order: Ints) -> Ints:
    """Return where each row stands in an order of all rows.

    Examples
    --------
    >>> ranks_of(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def linked(group: Ints, count: int) -> LinkedGroups:
    """Return groups to which rows can be added: the first row of each, and after every row the next of its group."""
    rows = np.flatnonzero(group >= 0)
    rows = rows[np.argsort(group[rows], kind="stable")]
    heads = np.full(count, -1, dtype=np.int64)
    links = np.full(len(group), -1, dtype=np.int64)
    first = np.flatnonzero(np.diff(group[rows], prepend=-1))
    heads[group[rows[first]]] = rows[first]
    same = group[rows[1:]] == group[rows[:-1]]
    links[rows[:-1][same]] = rows[1:][same]
    return LinkedGroups(group, heads, links)
