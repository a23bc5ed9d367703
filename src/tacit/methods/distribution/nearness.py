"""Neighbours: rows in an order of nearness, groups as linked rows, public numbers for groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from tacit.arrays import Ints
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
    rank = np.empty(cells.count, dtype=np.int64)
    rank[nearness_order(np.ascontiguousarray(points))] = np.arange(cells.count)
    mixed = generator.permutation(len(table))
    return mixed[np.argsort(rank[cells.ids[mixed]], kind="stable")]


def numbered(group: Ints, kept: Any, job: Job) -> Ints:
    """Give every group, and every row that is alone (-1), a random public number; -1 to the withheld."""
    whole = group.copy()
    alone = np.flatnonzero(whole < 0)
    whole[alone] = (int(group.max()) + 1 if len(group) else 0) + np.arange(len(alone))
    distinct, dense = np.unique(whole[kept], return_inverse=True)
    out = np.full(len(group), -1, dtype=np.int64)
    out[kept] = permutation(job.randomness.shuffle(), len(distinct))[dense]
    return out


def linked(group: Ints, count: int) -> tuple[Ints, Ints]:
    """Return the first row of every group, and of every row the next one of its group, -1 at the end."""
    rows = np.flatnonzero(group >= 0)
    rows = rows[np.argsort(group[rows], kind="stable")]
    heads = np.full(count, -1, dtype=np.int64)
    links = np.full(len(group), -1, dtype=np.int64)
    first = np.flatnonzero(np.diff(group[rows], prepend=-1))
    heads[group[rows[first]]] = rows[first]
    same = group[rows[1:]] == group[rows[:-1]]
    links[rows[:-1][same]] = rows[1:][same]
    return heads, links
