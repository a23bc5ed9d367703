"""Exchanging rows between fragments, so that no value is too frequent in any of them.

Where a value is in exactly 1/l of all rows, as a suppression leaves it, hardly any cut leaves it in at most 1/l of both
sides. So fragments give rows of their too frequent values to others, as few as can be: a transportation problem on the
counts of values per fragment. Which rows go is drawn by a keyed hash of their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tacit.arrays import Ints
from tacit.engines.base import FRAGMENT, ROW, Engine, Places, Rows
from tacit.engines.cuts import Cuts
from tacit.engines.keyed import keyed_hash
from tacit.engines.thresholds import limits_of

Grid = np.ndarray[tuple[int, int], np.dtype[np.int64]]


def balanced(counts: Grid, l: int) -> Grid | None:
    """Return how many rows of each value every fragment should have, with as few rows moved as can be.

    No value is then in more than 1/l of a fragment. None where that cannot be.

    Parameters
    ----------
    counts
        Rows of each value (columns) in each fragment (rows).
    l
        No value in more than 1/l of a fragment.

    Examples
    --------
    >>> balanced(np.array([[4, 2], [2, 4]]), 2).tolist()
    [[3, 3], [3, 3]]
    """
    from scipy.optimize import linprog
    from scipy.sparse import hstack, identity, kron, vstack

    fragments, values = counts.shape
    sizes = counts.sum(axis=1) // l * l
    sizes[int(np.argmax(sizes))] += int(counts.sum()) - int(sizes.sum())
    limit = np.minimum(sizes // l, counts.sum(axis=0).max())[:, None] * np.ones_like(counts)
    stay = np.minimum(counts, limit)
    # Of each pair of fragment and value: rows that are there already cost nothing, rows that come cost one.
    rows = kron(identity(fragments), np.ones((1, values)))
    columns = kron(np.ones((1, fragments)), identity(values))
    one = vstack([rows, columns]).tocsr()
    solved = linprog(
        c=np.concatenate([np.zeros(counts.size), np.ones(counts.size)]),
        A_eq=hstack([one, one]).tocsr(),
        b_eq=np.concatenate([sizes, counts.sum(axis=0)]),
        bounds=np.stack([np.zeros(2 * counts.size), np.concatenate([stay.ravel(), (limit - stay).ravel()])], axis=1),
        method="highs-ds",
    )
    if not solved.success:
        return None
    wanted = np.rint(solved.x[: counts.size] + solved.x[counts.size :]).astype(np.int64).reshape(counts.shape)
    sound = (wanted.sum(axis=0) == counts.sum(axis=0)).all() and (l * wanted <= wanted.sum(axis=1)[:, None]).all()
    return wanted if sound else None


@dataclass(frozen=True, eq=False)
class Exchange:
    """Routes rows by cuts, but for those that are given to another fragment.

    Attributes
    ----------
    cuts
        Where a row belongs.
    column, values
        The codes of the sensitive column, and how many there are.
    limits
        Per pair of fragment and value, `fragment * values + value`: the largest hash of those who go to each of
        `homes` but the last.
    homes
        Per pair, the fragments that get rows of it, in order; the first may be the pair's own.
    key
        The secret key.
    """

    cuts: Cuts
    column: str
    values: int
    limits: Mapping[int, np.ndarray[Any, Any]]
    homes: Mapping[int, Ints]
    key: bytes

    @property
    def count(self) -> int:
        """How many fragments there are."""
        return self.cuts.count

    def __call__(self, batch: pa.Table, /) -> Places:
        """Return the fragment of each row."""
        place = self.cuts(batch)
        pair = place.astype(np.int64) * self.values + batch.column(self.column).to_numpy()
        moving = np.flatnonzero(np.isin(pair, np.fromiter(self.limits, dtype=np.int64, count=len(self.limits))))
        if not len(moving):
            return place
        hashes = keyed_hash(self.key, batch.column(ROW).to_numpy()[moving])
        for each in np.unique(pair[moving]).tolist():
            mine = pair[moving] == each
            rank = np.searchsorted(self.limits[each], hashes[mine], side="left")
            place[moving[mine]] = self.homes[each][np.minimum(rank, len(self.homes[each]) - 1)]
        return place


def moves(counts: Grid, wanted: Grid) -> dict[int, list[tuple[int, int]]]:
    """Say, per pair of fragment and value that gives rows away, how many go to which fragments.

    Examples
    --------
    >>> moves(np.array([[4, 2], [2, 4]]), np.array([[3, 3], [3, 3]]))
    {0: [(1, 1)], 3: [(0, 1)]}
    """
    values = counts.shape[1]
    plan: dict[int, list[tuple[int, int]]] = {}
    for value in range(values):
        change = wanted[:, value] - counts[:, value]
        takers = [[int(f), int(change[f])] for f in np.flatnonzero(change > 0)]
        for giver in np.flatnonzero(change < 0).tolist():
            left = -int(change[giver])
            while left:
                part = min(left, takers[0][1])
                plan.setdefault(giver * values + value, []).append((takers[0][0], part))
                left -= part
                takers[0][1] -= part
                if not takers[0][1]:
                    takers.pop(0)
    return plan


def exchange(engine: Engine, rows: Rows, cuts: Cuts, column: str, counts: Grid, l: int, key: bytes) -> Exchange | None:
    """Plan an exchange of rows after which no value is in more than 1/l of a fragment; None where that cannot be.

    Parameters
    ----------
    engine, rows
        Where the rows are.
    cuts
        Where a row belongs.
    column, counts
        The codes of the sensitive column, and how often each stands in each fragment.
    l
        No value in more than 1/l of a fragment.
    key
        The secret key of the draws.
    """
    wanted = balanced(counts, l)
    if wanted is None:
        return None
    values = counts.shape[1]
    plan = moves(counts, wanted)
    homes, quotas = {}, {}
    for pair, goes in plan.items():
        stays = int(wanted[pair // values, pair % values])
        parts = ([(pair // values, stays)] if stays else []) + goes
        homes[pair] = np.array([home for home, _ in parts], dtype=np.int64)
        quotas[pair] = np.cumsum([many for _, many in parts])[:-1].tolist()
    paired = engine.map(rows, Paired(cuts, column, values), _PAIRED)
    limits = limits_of(engine, paired, FRAGMENT, quotas, key)
    return Exchange(
        cuts, column, values, {pair: np.array(mine, dtype=np.uint64) for pair, mine in limits.items()}, homes, key
    )


_PAIRED = pa.schema([pa.field(ROW, pa.int64()), pa.field(FRAGMENT, pa.int32())])


@dataclass(frozen=True)
class Paired:
    """Adds to coded rows the pair of fragment and value, for which ranks are found."""

    cuts: Cuts
    column: str
    values: int

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return number and pair of each row."""
        pair = self.cuts(batch).astype(np.int64) * self.values + batch.column(self.column).to_numpy()
        return pa.Table.from_arrays([batch.column(ROW), pa.array(pair.astype(np.int32))], schema=_PAIRED)
