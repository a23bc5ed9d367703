"""Rows in an order of nearness, groups as linked rows, and public numbers for groups."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from tacit.arrays import Flags, Ints
from tacit.kernels.distribution.arguments import LinkedGroups
from tacit.methods.base import Job
from tacit.randomness import permutation
from tacit.table import Table


def nearby_order(table: Table, generator: Generator) -> Ints:
    """Order the rows so that neighbours have similar quasi-identifiers; equal rows come in random order."""
    from tacit.kernels.distribution.nearness import nearness_order

    cells = table.groups()
    first = cells.first()
    columns = [table.codes(name) for name in table.quasi_identifiers]
    points = np.stack([c.codes[first] / max(1, c.cardinality - 1) for c in columns] or [np.zeros(len(first))], axis=1)
    rank = ranks_of(nearness_order(np.ascontiguousarray(points)))
    mixed = generator.permutation(len(table))
    return mixed[np.argsort(rank[cells.ids[mixed]], kind="stable")]


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
