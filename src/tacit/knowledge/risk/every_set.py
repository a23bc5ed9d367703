"""Every known set: the risk of victims by adding up all terms, where there are few enough.

With a attributes there are 2^a sets of them that somebody could know. For one victim, the rows that agree with her on
exactly one set are counted by that set; sums over supersets then give how many agree at least on it, for all sets at
once. So a victim takes one pass over the rows and a 2^a additions, and no interval is left: the sum is the risk.
"""

from __future__ import annotations

import numpy as np

from tacit.arrays import FloatGrid, Floats
from tacit.knowledge.risk.population import Codes, Population

MOST = 16
"""Attributes at most: 65,536 known sets, a few milliseconds for a victim. One attribute more doubles that."""


def steps(population: Population) -> int:
    """Return about how many additions a victim takes; what is done once per attribute counts as 20,000."""
    a = len(population.order)
    return a * (len(population.rows) + (4 << a) + 20_000)


def every_set(population: Population, victims: Codes, gains: FloatGrid) -> tuple[Floats, FloatGrid]:
    """Return the risk of each victim, and what it would be if nobody knew one attribute: victims by attributes.

    Parameters
    ----------
    population
        The release, with at most `MOST` attributes.
    victims, gains
        The victims as they are known (codes), and what they have to lose, all columns.

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 1], [1, 1]], dtype=np.int32)
    >>> two = Population.of(rows, np.ones(3, dtype=np.int64), np.array([0.5, 0.5]), [2, 2], 1.0)
    >>> risks, without = every_set(two, rows[:1], np.array([[0.0, 1.0]]))
    >>> risks.tolist(), without.tolist()  # she is one of two with her first value, and to learn the second weighs 1
    ([0.25], [[0.0, 0.25]])
    """
    a = len(population.order)
    columns = np.asfortranarray(population.rows)
    blanks = np.any(columns < 0, axis=0).tolist()
    asked, (gain, base) = victims[:, population.order], population.split(gains)
    products = np.ones(1)
    for p in population.known.tolist():
        products = np.concatenate([products, products * p])
    products[0] = 0.0  # who knows nothing finds nobody
    risks, without = np.zeros(len(victims)), np.zeros((len(victims), a))
    for v in range(len(victims)):
        masks = np.zeros(len(columns), dtype=np.int32)
        for l, code in enumerate(asked[v].tolist()):
            same = columns[:, l] == code if code >= 0 else np.ones(len(columns), dtype=bool)
            masks |= (same | (columns[:, l] < 0) if blanks[l] else same).astype(np.int32) << l
        counts = np.bincount(masks, weights=population.weight, minlength=1 << a)
        rest = np.array([base[v] + gain[v].sum()])
        for l in range(a):
            pairs = counts.reshape(-1, 2, 1 << l)
            pairs[:, 0] += pairs[:, 1]  # from "agrees exactly on" to "agrees at least on"
            rest = np.concatenate([rest, rest - gain[v, l]])
        terms = products * np.maximum(rest, 0.0) / np.maximum(counts, 1.0)
        risks[v] = terms.sum()
        without[v] = [terms.reshape(-1, 2, 1 << l)[:, 0].sum() for l in range(a)]
    return population.scale * risks, population.scale * without
