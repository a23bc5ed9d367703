"""Repairing: tuples that found no group take others in, and groups near them are opened and change members."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from tacit.arrays import Ints
from tacit.kernels.distribution.arguments import News
from tacit.methods.distribution.art.grouping import GroupingProblem

_MOST_STUCK = 8
"""Tuples without a group up to which they are repaired one by one. More are a sign that the search as a whole went
wrong, and each takes as long as several groups."""
_ROUNDS = 12
"""Rounds of changes at most. What is not repaired after so many is left to be withheld."""
_TRIES = 100
"""Random changes per tuple and round. More find more and take longer; chosen by trial on Adult."""
_WIDTH = 400
"""Places on either side in the order of nearness from which others are taken."""
_CAP = 6
"""Times r: the most people of a group that is changed, unless one is larger already."""


def repaired(problem: GroupingProblem, order: Ints, group: Ints, stuck: Ints, secret: Generator) -> tuple[Ints, Ints]:
    """Return the groups with as many of the stuck tuples in them as could be hidden, and those that are still stuck.

    A stuck tuple begins as a group of its own. It takes near tuples in, swaps with members of near groups and moves
    into them, whenever that lowers the sum of what both groups exceed; a near group that loses by it may change
    members in its turn. Worlds are counted at every step, so that what ends without cost holds.
    """
    if not len(stuck) or len(stuck) > _MOST_STUCK or not problem.exact_view:
        return group, stuck
    from tacit.kernels.distribution.regrouping import GroupTable, Neighbours, cost_of, exchange_news

    n = len(group)
    whole = group.copy()
    alone = np.flatnonzero(whole < 0)
    whole[alone] = int(group.max(initial=-1)) + 1 + np.arange(len(alone))
    count = int(whole.max()) + 1
    size = np.bincount(whole, minlength=count).astype(np.int64)
    cap = max(int(size.max()), int(np.ceil(_CAP * problem.r)))
    members = np.full((count, cap), -1, dtype=np.int64)
    by = np.argsort(whole, kind="stable")
    members[whole[by], np.arange(n) - np.repeat(np.cumsum(size) - size, size)] = by
    groups = GroupTable(whole, members, size, np.zeros(count))
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    near = Neighbours(order[None, :].astype(np.int64), place[None, :], max(1, min(_WIDTH, n - 1)))
    strict = News(np.array([problem.bound]), np.zeros(1), 2.0)
    told = (problem.tuples, problem.knowledge, strict)
    for tuple_ in stuck:
        groups.cost[whole[tuple_]] = cost_of(np.array([tuple_], dtype=np.int64), *told, np.inf)
    for _ in range(_ROUNDS):
        failing = np.flatnonzero(groups.cost > 0)
        if not len(failing):
            break
        draws = secret.integers(0, 2**32, (len(failing), _TRIES, 3), dtype=np.uint32)
        exchange_news(groups, failing, np.full(len(failing), -1), *told, near, draws, 0.0)
    failing = np.flatnonzero(groups.cost > 0)
    left = np.flatnonzero(np.isin(groups.group, failing))
    out = groups.group.copy()
    hidden = np.bincount(out, weights=problem.entries >= 0, minlength=count) > 0
    out[~hidden[out]] = -1
    out[left] = -1
    # Somebody without a protected value who ended in a group that failed is free again, and not stuck.
    return out, left[problem.entries[left] >= 0]
