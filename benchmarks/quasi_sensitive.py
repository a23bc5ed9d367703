"""Quasi-sensitive items in the paper's setting: first answers, one evaluation, and a hundred thousand rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tacit as tc
from benchmarks.harness import Benchmark, Goal
from benchmarks.symptoms import knowledge, patients
from tacit.kernels.quasi_sensitive.search import search
from tacit.kernels.quasi_sensitive.search_state import fresh_state
from tacit.knowledge.quasi_sensitive import Linking
from tacit.methods.quasi_sensitive.budget import Evaluations
from tacit.methods.quasi_sensitive.generalizing import generalize
from tacit.methods.quasi_sensitive.layout import Layout, lay_out
from tacit.methods.quasi_sensitive.suppressing import Suppression, suppress
from tacit.table import Groups

PAPER = 3_000
GROUPS = 20


@dataclass(frozen=True)
class Answers:
    table: tc.Table
    groups: Groups
    promise: tc.QSDiversity


def grouped(rows: int, k: int) -> tuple[tc.Table, Groups]:
    table = patients(rows)
    return table, generalize(table, k).groups


def answers(k: int, l: int) -> Any:
    def setup(rows: int, folder: Path) -> Answers:
        return Answers(*grouped(rows, k), tc.QSDiversity(c=1, l=l, knowledge=knowledge()))

    return setup


def first(state: Answers) -> Suppression:
    """Judge all groups and find a first feasible answer for each that breaks the guarantee."""
    linking = state.promise.linking(state.table, state.groups)
    held, _ = state.promise.judge(linking, None)
    rule = state.promise.rule(None)
    return suppress(linking, np.flatnonzero(~held), rule, lambda: Evaluations(1e6), first_only=True)


def answered(state: Answers, suppression: Any, other: Any) -> Mapping[str, float]:
    return {
        "violating": float(len(suppression.groups)),
        "answered": float(suppression.answered.sum()),
        "evaluations": float(suppression.evaluations),
    }


@dataclass(frozen=True)
class Trials:
    layout: Layout
    linking: Linking
    rule: Any
    member: np.ndarray[Any, Any]


def trials(k: int) -> Any:
    """Take some groups; no number of removals makes them reach so far, so every cell is tried once."""

    def setup(rows: int, folder: Path) -> Trials:
        table, groups = grouped(rows, k)
        promise = tc.QSDiversity(c=1, l=100_000, knowledge=knowledge())
        linking = promise.linking(table, groups)
        chosen = np.arange(groups.count)[: GROUPS * 10 // k]
        rule = promise.rule(None)
        bits = np.unpackbits(linking.bits.view(np.uint8), axis=1, bitorder="little")[:, : len(linking.labels)]
        return Trials(lay_out(linking, chosen, rule), linking, rule, bits.astype(bool))

    return setup


def incremental(state: Trials) -> float:
    """Try the removal of every item of every group, each beside the beliefs that stand."""
    groups = np.arange(len(state.layout.groups))
    ones = np.ones(len(groups), dtype=np.int64)
    return search(
        state.layout.problem, fresh_state(state.layout.problem), state.rule, groups, ones, 1 << 40, False, True
    )


def from_the_definition(state: Trials) -> int:
    """Do the same with the whole of beta recomputed for every removal."""
    problem, tried = state.layout.problem, 0
    for g in range(len(state.layout.groups)):
        rows = [
            problem.item_of_cell[problem.first_cell[r] : problem.first_cell[r + 1]]
            for r in range(problem.first_row[g], problem.first_row[g + 1])
        ]
        for r, row in enumerate(rows):
            if r and problem.repeats[problem.first_row[g] + r]:
                continue
            for j in range(len(row)):
                changed = [*rows[:r], np.delete(row, j), *rows[r + 1 :]]
                beta = np.zeros(problem.labels)
                for items in changed:
                    linked = state.member[items].all(axis=0)
                    if linked.any():
                        beta += linked / linked.sum()
                p = np.sort(beta[beta > 0])[::-1]
                _ = int((p[0] <= np.cumsum(p[::-1])[::-1]).sum()) if len(p) else 0
                tried += 1
    return tried


def same(state: Trials, ours: Any, other: Any) -> Mapping[str, float]:
    return {"evaluations": float(ours), "by the definition": float(other if other is not None else 0)}


def whole_setup(rows: int, folder: Path) -> Answers:
    return Answers(*grouped(rows, 1), tc.QSDiversity(c=1, l=30, knowledge=knowledge()))


def whole(state: Answers) -> tc.Release:
    return tc.QuasiSensitive(guarantee=state.promise, time_bound=30).protect(state.table)


def lost(state: Answers, release: Any, other: Any) -> Mapping[str, float]:
    return {"item cost": tc.utility(release, state.table).item_cost or 0.0, "groups": float(state.groups.count)}


def cpu(outcome: Any) -> float | None:
    return None if outcome.ours is None else outcome.ours.cpu


BENCHMARKS = [
    *(
        Benchmark(
            name=f"quasi_sensitive-first-answers-k={k}-l={l}",
            what=f"first feasible answer of every group, k = {k}, l = {l}",
            setup=answers(k, l),
            ours=first,
            rows=PAPER,
            quick_rows=500,
            goals=(Goal("CPU seconds", cpu, 3.0),),
            figures=answered,
        )
        for k, l in ((1, 30), (5, 30), (10, 30), (5, 150), (10, 300))
    ),
    *(
        Benchmark(
            name=f"quasi_sensitive-evaluation-k={k}",
            what=f"try every removal once, incrementally, k = {k}",
            setup=trials(k),
            ours=incremental,
            yardstick=from_the_definition,
            yardstick_name="NumPy: beta from the definition for every removal",
            target=0.02,
            rows=PAPER,
            quick_rows=500,
            figures=same,
        )
        for k in (1, 10)
    ),
    Benchmark(
        name="quasi_sensitive-100k",
        what="protect 100,000 rows with 3,000 labels, k = 1",
        setup=whole_setup,
        ours=whole,
        rows=100_000,
        quick_rows=2_000,
        goals=(Goal("CPU seconds", cpu, 120.0),),
        figures=lost,
    ),
]
