"""Replay: whether published counts are a possible outcome of an algorithm, by its arithmetic on the table's counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from tacit.errors import Infeasible, ParameterError
from tacit.knowledge.skew.counts import Counts, eligible
from tacit.knowledge.skew.safe_d import safe_d
from tacit.knowledge.skew.shift import hidden_values, shift_level

Pairs: TypeAlias = Counter[tuple[int, int]]
"""For each pair of a frequency in the table and a published count, how many values have that pair."""


def replayed(before: Counts, after: Counts, l: int, algorithm: str, domain: int | None = None) -> bool:
    """Tell whether the algorithm can lead from the counts of a table to the published ones, value by value.

    Shift, V-Shift and Safe-D are replayed. What was drawn cannot be seen: the answer is whether some draw leads there.

    Parameters
    ----------
    before, after
        Counts per value, of the table and of what is published.
    l
        The parameter of the suppression.
    algorithm
        "shift", "v-shift" or "safe-d".
    domain
        How many values the declared domain has; V-Shift may use declared values that are absent from the table. If it
        is not given, every size of a domain that would make a difference is tried.

    Examples
    --------
    >>> F = np.array([10, 4, 2, 1, 1])
    >>> replayed(F, np.array([2, 3, 2, 1, 1]), 3, "shift"), replayed(F, np.array([4, 4, 2, 1, 1]), 3, "shift")
    (True, False)
    """
    if (after > before).any() or (after < 0).any():
        return False
    if eligible(before, l):
        return bool((after == before).all())
    if algorithm == "safe-d":
        try:
            return bool((after == safe_d(before, l)).all())
        except Infeasible:
            return False
    if algorithm not in {"shift", "v-shift"}:
        raise ParameterError(f"{algorithm} cannot be replayed.", hint="Shift, V-Shift and Safe-D can.")
    k = hidden_values(before, l, "top" if algorithm == "shift" else "violating")
    ranked: list[int] = np.sort(before[before > 0])[::-1].tolist()
    domains = [domain] if domain is not None else range(len(ranked), max(len(ranked), k * l) + 1)
    return any(_shifts_to(_pairs(before, after), [*ranked, *[0] * (d - len(ranked))], l, k) for d in domains)


def _shifts_to(published: Pairs, ranked: Sequence[int], l: int, k: int) -> bool:
    """Tell whether some places of the k hidden values lead to the pairs of frequency and count that are published."""
    try:
        target, level = shift_level(ranked, l, k)
    except Infeasible:
        return False
    cut = [min(count, level) for count in target]
    not_hidden = ranked[k:]
    rest = list(zip(not_hidden[k * (l - 1) :], cut[k * l :], strict=True))
    blocks = []
    for block in range(k):
        own, counts = not_hidden[block * (l - 1) : (block + 1) * (l - 1)], cut[block * l : (block + 1) * l]
        # The hidden value takes a place of its block, and the others keep their order in the places that are left.
        outcomes = [
            [(ranked[block], counts[place]), *zip(own, [*counts[:place], *counts[place + 1 :]], strict=True)]
            for place in range(l)
        ]
        blocks.append({tuple(sorted(pair for pair in outcome if pair[0])) for outcome in outcomes})
    return _composed(published, [{tuple(pair for pair in rest if pair[0])}, *blocks])


def _composed(published: Pairs, blocks: Sequence[set[tuple[tuple[int, int], ...]]]) -> bool:
    """Tell whether one outcome of every block can be chosen so that all together are exactly the published pairs."""
    if not blocks:
        return not published.total()
    possible = (Counter(outcome) for outcome in blocks[0])
    return any(_composed(published - outcome, blocks[1:]) for outcome in possible if not outcome - published)


def _pairs(before: Counts, after: Counts) -> Pairs:
    present = before > 0
    return Counter(zip(before[present].tolist(), after[present].tolist(), strict=True))
