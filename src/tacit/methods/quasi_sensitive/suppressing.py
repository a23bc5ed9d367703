"""Phase two: in every group that breaks the guarantee, remove items until it holds, at the least cost found in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import Flags, Floats, Ints, offsets_of
from tacit.kernels.threads import in_parallel
from tacit.knowledge.quasi_sensitive import Linking
from tacit.methods.quasi_sensitive.budget import Budget
from tacit.methods.quasi_sensitive.layout import Layout, lay_out

if TYPE_CHECKING:
    from tacit.kernels.quasi_sensitive.measure import BeliefRule
    from tacit.kernels.quasi_sensitive.search_state import SearchState

_LEAST = 256
"""Evaluations that a group gets at a time, at least, so that loading the group does not outweigh searching it.
Chosen by trial."""
_PATIENCE_PER_SQUARE, _PATIENCE_LEAST = 4, 2000
"""A group of n cells without an answer comes before the groups that have one until it had 4 n^2 + 2000 evaluations. A
greedy descent needs about n^2 / 2, so nearly every group has its first answer by then. Chosen by trial."""


@dataclass(frozen=True, eq=False)
class Suppression:
    """What the search found.

    Attributes
    ----------
    groups
        The groups that were searched.
    removed
        A flag per item of the table.
    answered
        Of the groups that were searched, which have an answer.
    proved
        Which groups have the best answer there is, or were proved to have none.
    hurried
        Which groups had whole rows emptied, because the time was up before the search had an answer.
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
    rule: BeliefRule,
    make_budget: Callable[[], Budget],
    *,
    adaptive: bool = True,
    first_only: bool = False,
    progress: Callable[[float], None] = lambda share: None,
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
        Whether, at every node, all items that may still be removed are tried and the best comes first, or they are
        taken as they come.
    first_only
        Whether to stop at the first answer of every group.
    progress
        Called with the share of the budget that is used.
    """
    from tacit.kernels.quasi_sensitive.emptying_rows import empty_rows
    from tacit.kernels.quasi_sensitive.search_state import DONE, NONE, fresh_state

    layout = lay_out(linking, groups, rule)
    # Rounded sums may miss the bound by this much; the guarantee judges again what the search accepts.
    rule = rule._replace(loose=1e-12 + 8.0 / float(layout.problem.weight[1]) * (not layout.problem.exact))
    state = fresh_state(layout.problem)
    _compile(layout, state, rule, adaptive)
    rounds = _Rounds(layout, state, rule, make_budget(), adaptive)
    rounds.run(first_only=first_only, progress=progress)
    missing = np.flatnonzero((state.best_cost == NONE) & ((state.status != DONE) | state.cut))
    if len(missing):
        empty_rows(layout.problem, state, rule, missing)
    answered = np.asarray(state.best_cost != NONE)
    removed = np.zeros(len(linking.sets.codes), dtype=bool)
    removed[layout.source[state.best]] = True
    hurried = np.zeros(len(groups), dtype=bool)
    hurried[missing] = answered[missing]
    return Suppression(
        groups=groups,
        removed=removed,
        answered=answered,
        proved=np.asarray((state.status == DONE) & ~state.cut & ~hurried),
        hurried=hurried,
        first_cost=np.where(answered, state.first_cost, 0) / layout.unit,
        cost=np.where(answered, state.best_cost, 0) / layout.unit,
        evaluations=int(state.evaluations.sum()),
    )


def _compile(layout: Layout, state: SearchState, rule: BeliefRule, adaptive: bool) -> None:
    """Compile the kernels, or load them, before the clock starts."""
    from tacit.kernels.quasi_sensitive.emptying_rows import empty_rows
    from tacit.kernels.quasi_sensitive.search import search

    nobody = np.zeros(0, np.int64)
    search(layout.problem, state, rule, nobody, nobody, 0, True, adaptive)
    empty_rows(layout.problem, state, rule, nobody)


class _Rounds:
    """Rounds of the search: each spreads a part of the budget over the groups, more where more may be gained.

    What a group does not use of its part is spread again in the next round.
    """

    def __init__(self, layout: Layout, state: SearchState, rule: BeliefRule, budget: Budget, adaptive: bool) -> None:
        self.layout, self.state, self.rule, self.budget, self.adaptive = layout, state, rule, budget, adaptive
        problem = layout.problem
        cells = np.diff(problem.first_cell[problem.first_row])
        self.cells = cells
        self.patience = _PATIENCE_PER_SQUARE * cells**2 + _PATIENCE_LEAST
        whole = offsets_of(problem.price)[np.diff(problem.first_cell) + 1]
        self.whole = np.add.reduceat(whole, problem.first_row[:-1]) if len(cells) else cells

    def run(self, *, first_only: bool, progress: Callable[[float], None]) -> None:
        """Search until every group is searched completely or nothing is left of the budget."""
        from tacit.kernels.quasi_sensitive.search_state import DONE, NONE

        while left := self.budget.left():
            unanswered = self.state.best_cost == NONE
            going = self.state.status != DONE
            come_first = going & unanswered & (self.state.evaluations < self.patience)
            if come_first.any():
                chosen, first = np.flatnonzero(come_first), True
            else:
                chosen, first = np.flatnonzero(going & (unanswered | (not first_only))), False
            if not len(chosen):
                return
            self._round(chosen, left, first or first_only)
            progress(self.budget.share())

    def _round(self, chosen: Ints, left: int, first: bool) -> None:
        """Spend a part of what is left of the budget on some of the groups."""
        from tacit.kernels.quasi_sensitive.search import search
        from tacit.kernels.quasi_sensitive.search_state import NONE

        most = self.budget.slice()
        # A group from which most was removed has most to gain; one without an answer counts as if all were removed.
        cost = self.state.best_cost[chosen]
        need = np.maximum(1, np.where(cost == NONE, self.whole[chosen], cost)).astype(np.float64)
        # Groups that got the fewest evaluations for their need come first.
        served = np.argsort(self.state.evaluations[chosen] / need, kind="stable")
        chosen, need = chosen[served], need[served]
        allotted = np.clip(0.5 * left * need / need.sum(), min(_LEAST, most), most).astype(np.int64)
        # Small groups are searched completely before they have spent what they are allotted. How many groups one call
        # takes is therefore decided by how many evaluations are expected.
        expected = np.minimum(allotted, 2 * self.cells[chosen] + 1)
        before = offsets_of(expected)[:-1]
        chosen, allotted, before = chosen[before < left], allotted[before < left], before[before < left]
        batch = before // most
        cuts = np.flatnonzero(np.diff(batch)) + 1

        def go_on(groups: Ints, budgets: Ints) -> int:
            if self.budget.up():
                return 0
            return int(search(self.layout.problem, self.state, self.rule, groups, budgets, most, first, self.adaptive))

        for spent in in_parallel(go_on, list(zip(np.split(chosen, cuts), np.split(allotted, cuts), strict=True))):
            self.budget.spend(spent)
