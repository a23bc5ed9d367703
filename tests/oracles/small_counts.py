"""Somebody who reads a report and solves for the counts that are not in it: every way to spread the rows, by linear
programming."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import linprog


def bounds(
    atoms: int, known: Sequence[tuple[Sequence[int], int]], asked: Mapping[str, Sequence[int]]
) -> dict[str, tuple[float, float]]:
    """Return the least and the largest value that each count may have.

    Parameters
    ----------
    atoms
        Kinds of rows that a report tells apart, each with an unknown number of rows from 0 up.
    known
        Counts that are shown: the kinds that they count, and the number.
    asked
        Counts that are not shown, by the kinds that they count.
    """
    lines = np.zeros((len(known), atoms))
    for at, (kinds, _) in enumerate(known):
        lines[at, list(kinds)] = 1.0
    numbers = np.array([number for _, number in known], dtype=float)
    found = {}
    for name, kinds in asked.items():
        goal = np.zeros(atoms)
        goal[list(kinds)] = 1.0
        ends = []
        for sign in (1.0, -1.0):
            solved = linprog(sign * goal, A_eq=lines if len(known) else None, b_eq=numbers if len(known) else None)
            assert solved.status in (0, 3), solved.message
            ends.append(np.inf if solved.status == 3 else sign * solved.fun)
        found[name] = (ends[0], ends[1])
    return found
