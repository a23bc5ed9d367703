"""Phase two: in every group that breaks the guarantee, take items until it holds, at the least cost found in time."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.arrays import Flags, Floats, Ints, offsets_of
from tacit.knowledge.quasi_sensitive import Linking
from tacit.methods.quasi_sensitive.budget import Budget
from tacit.methods.quasi_sensitive.problem import Layout, lay_out

if TYPE_CHECKING:
    from tacit.kernels.quasi_sensitive.measure import Rule
    from tacit.kernels.quasi_sensitive.search_state import Course

_LEAST = 256  # evaluations that a group gets at a time
_PATIENCE = (
    4,
    2000,
)  # evaluations until a group without an answer waits like the others: per cell squared, and so many


@dataclass(frozen=True, eq=False)
class Suppression:
    """What the search found.

    Attributes
    ----------
    removed
        A flag per item of the table.
    answered
        Of the groups that were searched, which have an answer.
    proved
        Which have the best answer there is, or provably none.
    hurried
        Which got whole rows emptied because the time was up before the search had an answer.
    first_cost, cost
        The unnormalised cost of the first answer and of the best one, 0 for none.
    evaluations
        How many removals were tried.
    """

    groups: Ints
    removed: Flags
    answered: Flags
    proved: Flags
    hurried: Flags
    first_cost: Floats
    cost: Floats
    evaluations: int


def suppress(
    linking: Linking,
    groups: Ints,
    rule: Rule,
    make_budget: Callable[[], Budget],
    *,
    adaptive: bool = True,
    first_only: bool = False,
    told: Callable[[float], None] = lambda share: None,
) -> Suppression:
    """Search in some of the groups.

    Parameters
    ----------
    linking
        All rows, in groups.
    groups
        The groups that break the guarantee.
    rule
        The guarantee for the kernels, with the prior.
    make_budget
        Makes the budget, once everything is compiled and laid out.
    adaptive
        Whether the tail set is tried and reordered at every node, or taken as it comes.
    first_only
        Whether to stop at the first answer of every group.
    told
        Told the share done.
    """
    from tacit.kernels.quasi_sensitive.emptied_rows import empty_rows
    from tacit.kernels.quasi_sensitive.search_state import DONE, NONE, course_for

    layout = lay_out(linking, groups, rule)
    rule = rule._replace(loose=1e-12 + 8.0 / float(layout.problem.weight[1]) * (not layout.problem.exact))
    course = course_for(layout.problem)
    _compile(layout, course, rule, adaptive)
    rounds = _Rounds(layout, course, rule, make_budget(), adaptive)
    rounds.run(first_only=first_only, told=told)
    missing = np.flatnonzero((course.best_cost == NONE) & ((course.status != DONE) | course.cut))
    if len(missing):
        empty_rows(layout.problem, course, rule, missing)
    answered = np.asarray(course.best_cost != NONE)
    removed = np.zeros(len(linking.sets.codes), dtype=bool)
    removed[layout.source[course.best]] = True
    hurried = np.zeros(len(groups), dtype=bool)
    hurried[missing] = answered[missing]
    return Suppression(
        groups=groups,
        removed=removed,
        answered=answered,
        proved=np.asarray((course.status == DONE) & ~course.cut & ~hurried),
        hurried=hurried,
        first_cost=np.where(answered, course.first_cost, 0) / layout.unit,
        cost=np.where(answered, course.best_cost, 0) / layout.unit,
        evaluations=int(course.evaluations.sum()),
    )


def _compile(layout: Layout, course: Course, rule: Rule, adaptive: bool) -> None:
    """Compile the kernels, or load them, before the clock starts."""
    from tacit.kernels.quasi_sensitive.emptied_rows import empty_rows
    from tacit.kernels.quasi_sensitive.search import search

    nobody = np.zeros(0, np.int64)
    search(layout.problem, course, rule, nobody, nobody, 0, True, adaptive)
    empty_rows(layout.problem, course, rule, nobody)


class _Rounds:
    """The budget, spread over the groups by need, again and again: what one leaves over goes to the others."""

    def __init__(self, layout: Layout, course: Course, rule: Rule, budget: Budget, adaptive: bool) -> None:
        self.layout, self.course, self.rule, self.budget, self.adaptive = layout, course, rule, budget, adaptive
        problem = layout.problem
        cells = np.diff(problem.cell[problem.row])
        self.cells = cells
        self.patience = _PATIENCE[0] * cells**2 + _PATIENCE[1]
        whole = offsets_of(problem.price)[np.diff(problem.cell) + 1]
        self.whole = np.add.reduceat(whole, problem.row[:-1]) if len(cells) else cells

    def run(self, *, first_only: bool, told: Callable[[float], None]) -> None:
        """Go on until all trees are done or nothing is left of the budget."""
        from tacit.kernels.quasi_sensitive.search_state import DONE, NONE

        workers = os.cpu_count() or 1
        with ThreadPoolExecutor(workers) as pool:
            while left := self.budget.left():
                unanswered = self.course.best_cost == NONE
                going = self.course.status != DONE
                young = going & unanswered & (self.course.evaluations < self.patience)
                if young.any():
                    chosen, first = np.flatnonzero(young), True
                else:
                    chosen, first = np.flatnonzero(going & (unanswered | (not first_only))), False
                if not len(chosen):
                    return
                self._round(pool, chosen, left, first or first_only)
                told(self.budget.share())

    def _round(self, pool: ThreadPoolExecutor, chosen: Ints, left: int, first: bool) -> None:
        from tacit.kernels.quasi_sensitive.search import search
        from tacit.kernels.quasi_sensitive.search_state import NONE

        most = self.budget.slice()
        # Whoever has removed most has most to gain; no answer counts as everything removed.
        cost = self.course.best_cost[chosen]
        need = np.maximum(1, np.where(cost == NONE, self.whole[chosen], cost)).astype(np.float64)
        served = np.argsort(self.course.evaluations[chosen] / need, kind="stable")  # the least served come first
        chosen, need = chosen[served], need[served]
        allotted = np.clip(0.5 * left * need / need.sum(), min(_LEAST, most), most).astype(np.int64)
        # Small trees end long before: what is to be expected decides how many groups one call takes.
        expected = np.minimum(allotted, 2 * self.cells[chosen] + 1)
        before = offsets_of(expected)[:-1]
        chosen, allotted, before = chosen[before < left], allotted[before < left], before[before < left]
        batch = before // most
        cuts = np.flatnonzero(np.diff(batch)) + 1

        def work(groups: Ints, budgets: Ints) -> int:
            if self.budget.up():
                return 0
            given: Any = (self.layout.problem, self.course, self.rule, groups, budgets)
            return int(search(*given, most, first, self.adaptive))

        parts = zip(np.split(chosen, cuts), np.split(allotted, cuts), strict=True)
        for spent in pool.map(lambda part: work(*part), parts):
            self.budget.spend(spent)
