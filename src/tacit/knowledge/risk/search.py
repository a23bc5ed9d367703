"""The search that bounds a risk: rounds with finer and finer bounds, for the victims who are not done.

The last few victims are taken one by one. For one victim alone, a row is reduced to the attributes in which it agrees
with her, and far fewer distinct rows are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.risk.arguments import Goal, Victims
from tacit.kernels.threads import in_parallel
from tacit.knowledge.risk.exact import exact_above
from tacit.knowledge.risk.population import Codes, Population, victim_tasks
from tacit.knowledge.risk.stopping_rule import StoppingRule
from tacit.progress import Progress, silent

_ALONE, _ALONE_TO_DECIDE = 1_000, 100
"""Victims: from the second round on, so few of them are taken one by one. Alone, a victim is searched among fewer
distinct rows, but shares no node with the others. Of 1,009,993 students, whose last 492 undecided records took 5.9 CPU
seconds one by one and 3.7 together, 100 was best (20: the same). But where an interval ends, and what few rounds leave
undecided, depends on the number; so the second one holds only where nothing but the side of the limit is asked."""
_ROUND = 2.0**-52
"""Relative rounding that each term may add to a sum: twice the half unit in the last place of one operation."""
_FEW_ROUND = 4e-12
"""Relative rounding that the alternating sums of small nodes may add, whose terms cancel in part. A larger number is
safer and leaves more records to be decided exactly. How the value was chosen was not written down."""
_TIE = 1e-8
"""Relative width of an interval around the limit from which on it is decided by fractions. A larger width sends more
records there, each of which takes up to 2^14 fractions. How the value was chosen was not written down."""
UNDECIDED = -1
"""In `Bounds.above`: the interval contains the limit, and fractions were not tried or had too many known sets."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds of the risk of every victim, and what they decide.

    Attributes
    ----------
    low, high
        Intervals that contain the risk, rounding included.
    above
        1: above the limit, 0: not above, -1: not decided.
    sets
        Known sets whose rows were counted, as bit masks over the attributes in the population's order; empty unless
        `visit` asked for them.
    """

    low: Floats
    high: Floats
    above: npt.NDArray[np.int8]
    sets: Ints


def bound(
    population: Population,
    victims: Codes,
    gains: FloatGrid,
    goal: StoppingRule,
    *,
    rounds: int | None = None,
    visit: bool = False,
    progress: Progress = silent,
    stage: str = "risk of every record",
) -> Bounds:
    """Bound the risk of victims who are in the release.

    Parameters
    ----------
    population
        The release.
    victims, gains
        The victims as they are known (codes), and what they have to lose, all columns.
    goal
        When an interval is narrow enough.
    rounds
        Stop after so many rounds, even if some intervals are still too wide; None for no limit.
    visit
        Whether to keep which known sets were visited.
    progress, stage
        What is told the stage and the share done, and the name of the stage.
    """
    v, known = len(victims), population.known
    low, high = np.zeros(v), np.zeros(v)
    gain, base = population.split(gains)
    asked = _Asked(np.ascontiguousarray(victims[:, population.order]), gain, base)
    gap = goal.first_gap(population.scale * gains.sum(axis=1) * float(np.prod(1.0 + known) - 1.0))
    left = np.lexsort(asked.codes.T[::-1]) if v and len(known) else np.zeros(0, dtype=np.int64)
    sets: list[Ints] = [np.zeros(0, dtype=np.int64)]
    decides = rounds is None and goal.limit is not None and goal.tolerance is None
    few = _ALONE_TO_DECIDE if decides else _ALONE
    turn = 0
    while len(left):
        exact = bool((gap[left] == 0.0).all())
        alone = turn > 0 and len(left) <= few
        tell = _RoundProgress(progress, stage, 1.0 - len(left) / v)
        search = _one_by_one if alone else _together
        searched = search(population, asked[left], gap[left], goal, goal.enough(low[left]), visit and not alone, tell)
        slack = searched.steps * _ROUND + _FEW_ROUND
        low[left], high[left] = searched.low * (1.0 - slack), searched.high * (1.0 + slack)
        sets.append(searched.keys)
        left = left[goal.unmet(low[left], high[left])]
        progress(stage, 1.0 - len(left) / v)
        turn += 1
        if exact or turn == rounds:
            break
        gap[left] = goal.finer(gap[left], low[left], high[left])
    above = np.zeros(v, dtype=np.int8)
    if goal.limit is not None:
        above = np.where(low > goal.limit, 1, np.where(high <= goal.limit, 0, UNDECIDED)).astype(np.int8)
        for i in np.flatnonzero((above == UNDECIDED) & (high - low <= _TIE * high)):
            above[i] = exact_above(population, asked.codes[i], gain[i], float(base[i]), goal.limit)
    return Bounds(low, high, above, np.unique(np.concatenate(sets)))


@dataclass(frozen=True, eq=False)
class _Asked:
    """Victims in the attributes that are searched."""

    codes: Codes
    gain: FloatGrid
    base: Floats

    def __getitem__(self, at: Any) -> _Asked:
        return _Asked(*(np.ascontiguousarray(part[at]) for part in (self.codes, self.gain, self.base)))

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, eq=False)
class _Searched:
    """What one round says of some victims: bounds, how many terms were added up, and the known sets visited."""

    low: Floats
    high: Floats
    steps: Ints
    keys: Ints


class _RoundProgress:
    """Progress within a round: from what was done before it, halfway to the end."""

    def __init__(self, progress: Progress, stage: str, done: float) -> None:
        self.progress, self.stage, self.done, self.tasks = progress, stage, done, 0

    def one_of(self, tasks: int) -> None:
        self.tasks += 1
        self.progress(self.stage, self.done + (1.0 - self.done) / 2 * self.tasks / tasks)


def _together(
    population: Population,
    asked: _Asked,
    gap: Floats,
    goal: StoppingRule,
    enough: Floats,
    visit: bool,
    tell: _RoundProgress,
) -> _Searched:
    parts = victim_tasks(len(asked))

    def one(part: slice) -> _Searched:
        searched = _descend(population, asked[part], gap[part], goal, enough[part], visit)
        tell.one_of(len(parts))
        return searched

    return _joined(in_parallel(one, [(part,) for part in parts]))


def _one_by_one(
    population: Population,
    asked: _Asked,
    gap: Floats,
    goal: StoppingRule,
    enough: Floats,
    visit: bool,
    tell: _RoundProgress,
) -> _Searched:
    def one(i: int) -> _Searched:
        reduced, order = population.agreeing(asked.codes[i])
        her = _Asked(np.zeros((1, len(order)), dtype=np.int32), asked.gain[i : i + 1, order], asked.base[i : i + 1])
        searched = _descend(reduced, her[:], gap[i : i + 1], goal, enough[i : i + 1], visit)
        tell.one_of(len(asked))
        return searched

    return _joined(in_parallel(one, [(i,) for i in range(len(asked))]))


def _descend(
    population: Population, asked: _Asked, gap: Floats, goal: StoppingRule, enough: Floats, visit: bool
) -> _Searched:
    from tacit.kernels.risk.interval_search import bound_risk

    limit = 0.0 if goal.limit is None else goal.limit
    low, high, steps, keys = bound_risk(
        population.released,
        Victims(asked.codes, asked.gain, asked.base),
        Goal(gap, enough, limit, decide=goal.limit is not None, visit=visit),
    )
    return _Searched(low, high, steps, keys[keys >= 0])


def _joined(parts: Sequence[_Searched]) -> _Searched:
    return _Searched(
        np.concatenate([part.low for part in parts]),
        np.concatenate([part.high for part in parts]),
        np.concatenate([part.steps for part in parts]),
        np.concatenate([part.keys for part in parts]),
    )
