"""Disclosure risk of one person among many rows: every known set is counted, none is bounded; up to 2^27 of them.

Rows are told apart only by where they match her. For every choice of the first few attributes the matches of all
choices of the others are summed at once, over supersets. It shares no code with the package.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

AT_ONCE = 16  # attributes whose known sets are held in memory together


def risk_of(agrees: np.ndarray, known: Sequence[float], weights: Sequence[float], alpha: float) -> float:
    """Return the risk of somebody.

    Parameters
    ----------
    agrees
        Rows by attributes: whether a released row may be hers, as far as this attribute tells (her own row always).
    known, weights
        Of each attribute: how probably it is known, and what it costs her if it is learned (0 for a suppressed cell).
    """
    may = [j for j, p in enumerate(known) if p > 0]
    never = sum(weights[j] for j in range(len(known)) if j not in may)
    first, rest = may[: max(0, len(may) - AT_ONCE)], may[max(0, len(may) - AT_ONCE) :]
    of_first = agrees[:, first] @ (1 << np.arange(len(first)))
    of_rest = agrees[:, rest] @ (1 << np.arange(len(rest)))
    pairs, times = np.unique(of_first.astype(np.int64) << AT_ONCE | of_rest.astype(np.int64), return_counts=True)
    of_first, of_rest = pairs >> AT_ONCE, pairs & ((1 << AT_ONCE) - 1)
    pk, lost = np.ones(1), np.full(1, float(never))
    for j in rest:  # all subsets of the rest: without j, with j
        pk, lost = np.concatenate([pk, pk * known[j]]), np.concatenate([lost + weights[j], lost])
    total = 0.0
    for chosen in range(1 << len(first)):
        among = (of_first & chosen) == chosen
        F = np.bincount(of_rest[among], weights=times[among], minlength=len(pk))
        for b in range(len(rest)):
            halves = F.reshape(-1, 2, 1 << b)
            halves[:, 0] += halves[:, 1]
        mine = [j for i, j in enumerate(first) if chosen >> i & 1]
        spare = sum(weights[j] for j in first if j not in mine)
        terms = np.prod([known[j] for j in mine]) * pk / F * (lost + spare)
        total += float(terms[1 if not chosen else 0 :].sum())  # the empty set is no knowledge
    return alpha * total
