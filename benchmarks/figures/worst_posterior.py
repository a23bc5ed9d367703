"""The worst that an algorithm can do: the largest posterior of being S1 over all base tables of one size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log2

import numpy as np
import numpy.typing as npt

from benchmarks.figures.all_outcomes import outcomes
from tacit.knowledge.skew import Algorithm
from tacit.knowledge.skew.posterior import Prior, posterior
from tacit.knowledge.skew.posterior.symmetric_tables import Tables, labellings, sorted_tables, tables_bound

MOST_ROWS = 10**8
"""Outcomes that are looked at, some tenths of a microsecond each."""
_CHUNK = 20_000
"""Base tables per piece: it bounds the memory, not the result."""
_CLOSE = 1e-9
"""Beliefs nearer to the largest than this, in floating point, are computed again exactly."""
_MOST_EXACT = 16
"""At most so many are computed exactly; equal counts of different tables are rarely more."""


@dataclass(frozen=True, kw_only=True)
class Worst:
    """The published counts for which somebody is surest which value is S1.

    Parameters
    ----------
    counts
        Published counts, descending.
    posterior
        The largest probability of a value to be S1, exact.
    """

    counts: tuple[int, ...]
    posterior: Fraction


def worst(n: int, values: int, l: int, *, algorithm: Algorithm, prior: Prior = "frequencies") -> Worst | None:
    """Find the worst published counts over all ineligible tables of n records and a domain of so many values.

    All outcomes of all tables are weighed in floating point; the largest are computed exactly by inversion.

    Parameters
    ----------
    n
        Records of the base table.
    values
        Values of the domain; tables in which some are absent are included.
    l
        Parameter of the suppression.
    algorithm, prior
        As in :func:`posterior`.

    Returns
    -------
    Worst or None
        None where there are too many outcomes to look at, or none at all.

    Examples
    --------
    >>> surest = worst(18, 5, 3, algorithm="r-suppression")
    >>> surest.counts, float(surest.posterior)
    ((5, 4, 4, 1, 1), 0.528...)
    """
    if not _feasible(n, values, l, algorithm):
        return None
    parts = [
        _reduced(keys, weights)
        for chunk in _ineligible(n, values, l)
        for keys, weights in _weighed(chunk, n, l, algorithm, prior)
    ]
    if not parts:
        return None
    keys, weights = _reduced(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    counts, place = _decoded(keys, n, values)
    tied = (counts == counts[np.arange(len(counts)), place][:, None]).sum(axis=1)
    starts = np.flatnonzero(np.diff(keys // values, prepend=-1))
    mass = np.repeat(np.logaddexp.reduceat(weights, starts), np.diff(starts, append=len(keys)))
    belief = np.exp(weights - mass) / tied
    surest = np.argsort(belief)[::-1][:_MOST_EXACT]
    candidates = np.unique(counts[surest[belief[surest] >= belief.max() - _CLOSE]], axis=0)
    exact = [(_largest(row, n, l, algorithm, prior), tuple(row)) for row in candidates.tolist()]
    best = max((pair for pair in exact if pair[0] is not None), default=None)
    return None if best is None or best[0] is None else Worst(counts=best[1], posterior=best[0])


def outputs(n: int, values: int, l: int, *, algorithm: Algorithm) -> list[tuple[int, ...]]:
    """List all published counts (descending) that an algorithm can lead to from ineligible tables of one size.

    Examples
    --------
    >>> outputs(6, 3, 2, algorithm="safe-d")
    [(1, 1, 0), (1, 1, 1), (2, 2, 0)]
    """
    seen: set[tuple[int, ...]] = set()
    for chunk in _ineligible(n, values, l):
        for rows in outcomes(chunk, l, algorithm):
            seen.update(map(tuple, np.unique(rows.counts, axis=0).tolist()))
    return sorted(seen)


def _feasible(n: int, values: int, l: int, algorithm: Algorithm) -> bool:
    draws = {"r-suppression": 1 + n // l, "shift": l, "v-shift": l}.get(algorithm, 1)
    fits = values * log2(n + 1) + log2(values) < 62  # counts and place in one 64-bit key
    return fits and tables_bound(n, values) * draws <= MOST_ROWS


def _ineligible(n: int, values: int, l: int) -> Iterator[Tables]:
    tables = sorted_tables(n, [n // l + 1, *(0 for _ in range(values - 1))])
    for start in range(0, len(tables), _CHUNK):
        yield tables[start : start + _CHUNK]


def _weighed(
    tables: Tables, n: int, l: int, algorithm: Algorithm, prior: Prior
) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]:
    """Give each outcome a key (counts, first place that shows the count of S1) and the logarithm of its weight."""
    weights = np.log(labellings(tables).astype(np.float64))
    if prior == "assignments":
        log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
        weights = weights - log_factorial[tables].sum(axis=1)
    values = tables.shape[1]
    for rows in outcomes(tables, l, algorithm):
        key = np.zeros(len(rows.counts), dtype=np.int64)
        for column in range(values):
            key = key * (n + 1) + rows.counts[:, column]
        mine = rows.counts[:, rows.place]
        first = (rows.counts[:, : rows.place] > mine[:, None]).sum(axis=1)
        yield key * values + first, weights[rows.table] + np.log(rows.share)


def _reduced(
    keys: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Add up the weights of equal keys."""
    order = np.argsort(keys)
    keys, weights = keys[order], weights[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[starts], np.logaddexp.reduceat(weights, starts)


def _decoded(keys: npt.NDArray[np.int64], n: int, values: int) -> tuple[Tables, npt.NDArray[np.int64]]:
    rest, place = np.divmod(keys, values)
    counts = np.empty((len(keys), values), dtype=np.int64)
    for column in reversed(range(values)):
        rest, counts[:, column] = np.divmod(rest, n + 1)
    return counts, place


def _largest(counts: list[int], n: int, l: int, algorithm: Algorithm, prior: Prior) -> Fraction | None:
    beliefs = posterior(counts, n, l, algorithm=algorithm, prior=prior).most_frequent
    return None if beliefs is None else max(beliefs)
