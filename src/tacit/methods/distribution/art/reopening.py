"""Reopening: groups that hold what a stuck tuple needs are opened, and their protected tuples are hidden anew.

A search that hides one tuple after another leaves some for whom nobody is left. Whom they need is in groups that could
have done with others. So a few such groups are opened, the stuck tuples choose first, and the tuples that were hidden
there choose after them. What comes out is kept if no more are stuck than before, and it begins again elsewhere.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.distribution.arguments import HidingEffort
from tacit.methods.distribution.art.grouping import SPARING, GroupingProblem, hide_seeds

_ROUNDS = 150
"""Rounds at most. On Adult with five columns and r = 5 most of what can be had is had by then, in ten CPU seconds."""
_IDLE = 50
"""Rounds without a tuple less after which it ends. Chosen by trial."""
_TOGETHER = 4
"""Stuck tuples that choose in one round."""
_OPENED = 8
"""Groups that are opened for each of them. More leave more to choose from, and more to hide again."""
_WANTED = 400
"""Tuples that fit a stuck tuple best; groups that hold many of them are opened. Chosen by trial."""
_THRIFTS = (0.3, 0.5, 0.8, 1.2)
"""Exponents of the price, one of which is drawn in each round, so that rounds differ."""
_FLOOR = 1e-4
"""A probability that is added to odds, so that their logarithm is finite."""


def reopened(problem: GroupingProblem, order: Ints, group: Ints, stuck: Ints, secret: Generator) -> tuple[Ints, Ints]:
    """Return groups in which fewer tuples are stuck, and those that still are."""
    logs, hard = _log_odds(problem), problem.hardness()
    asked = np.zeros(len(group))
    number, idle = int(group.max()) + 1, 0
    for _ in range(_ROUNDS):
        if not len(stuck) or idle == _IDLE:
            break
        asked[stuck] += 1.0
        first = secret.choice(stuck, min(len(stuck), _TOGETHER), replace=False)
        opened = np.unique(np.concatenate([_wanted(problem, logs, group, int(each), secret) for each in first]))
        inside = np.isin(group, opened)
        attempt = np.where(inside, -1, group)
        anew = np.concatenate([first, np.flatnonzero(inside & (problem.entries >= 0))])
        # Whoever was stuck most often chooses first, and of those the ones who are hardest to hide.
        anew = anew[np.lexsort((secret.random(len(anew)), -(asked[anew] + hard[anew])))]
        effort = HidingEffort(problem.prices, float(secret.choice(_THRIFTS)), countable=True, patience=len(anew))
        after = hide_seeds(problem, order, anew, effort, attempt, number)
        late = anew[attempt[anew] < 0]
        if len(late):
            after = hide_seeds(problem, order, late, effort._replace(sparing=SPARING), attempt, after)
        left = np.concatenate([stuck[~np.isin(stuck, first)], anew[attempt[anew] < 0]])
        idle = 0 if len(left) < len(stuck) else idle + 1
        if len(left) <= len(stuck):
            group, stuck, number = attempt, left, after
    return group, np.sort(stuck)


def _log_odds(problem: GroupingProblem) -> list[FloatGrid]:
    """Return, per entry, the logarithm of its odds for every cell under every attribute set."""
    chances = problem.entry_chances
    logs = np.log((chances + _FLOOR) / (1.0 - chances + _FLOOR))
    return [logs[problem.signatures, entry] for entry in range(chances.shape[1])]


def _wanted(problem: GroupingProblem, logs: list[FloatGrid], group: Ints, seed: int, secret: Generator) -> Ints:
    """Draw groups that hold tuples whom a stuck tuple could hide among."""
    away = logs[int(problem.entries[seed])]
    away = away - away[problem.cells[seed]]
    fit: Floats = np.exp(-np.abs(away)).mean(axis=1)[problem.cells]
    fit = np.where(group >= 0, fit, 0.0)
    best = np.argpartition(-fit, min(_WANTED, len(fit) - 1))[:_WANTED]
    best = best[fit[best] > 0.0]
    groups, of = np.unique(group[best], return_inverse=True)
    share = np.bincount(of, weights=fit[best])
    return np.asarray(secret.choice(groups, min(_OPENED, len(groups)), replace=False, p=share / share.sum()))
