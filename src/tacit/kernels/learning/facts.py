"""Further facts: excluded values of a group, and people who become certain when one person's value is known."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from tacit.arrays import Flags, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.sorting import stable_order

IntGrid: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.int64]]
"""Whole numbers in rows and columns."""


@compiled
def exclusions(offsets: Ints, counts: Ints) -> Ints:
    """Return, per group, how many values must be excluded until the most frequent one is more than half of the rest."""
    groups = offsets.shape[0] - 1
    needed = np.zeros(groups, np.int64)
    for g in range(groups):
        held = counts[offsets[g] : offsets[g + 1]]
        rarest_first = stable_order(held)
        left = held.sum()
        for v in range(held.shape[0] - 2, -1, -1):
            if 2 * held[rarest_first[-1]] > left:
                break
            left -= held[rarest_first[v]]
            needed[g] += 1
    return needed


class Tables(NamedTuple):
    """The groups of one or several tables about the same people, laid out one after another.

    Group g of any table has the people `members[starts[g]:starts[g + 1]]`. Person p is in group `group_of[p, t]` of
    table t (-1: in none) and has the value `values[p]`. Of the people of group g who are not yet known, there are
    `left[g]`, and `held[g, v]` of them have value v.
    """

    starts: Ints
    members: Ints
    group_of: IntGrid
    values: Ints
    left: Ints
    held: IntGrid


@compiled
def decided(tables: Tables, most: int) -> Ints:
    """Return how many others become certain if a person's value is known, 0 for people who are certain anyway.

    Whoever is certain is known from then on in every table. After each person all is put back. Once more than `most`
    members of groups were looked at, the remaining people get -1.
    """
    people = tables.group_of.shape[0]
    out = np.zeros(people, np.int64)
    queue, known = np.empty(people, np.int64), np.zeros(people, np.bool_)
    end = 0
    for p in range(people):
        if _is_certain(tables, p):
            queue[end], known[p] = p, True
            end += 1
    _, steps = _follow(tables, queue, end, known)  # these stay known
    for p in range(people):
        if known[p]:
            continue
        if steps > most:
            out[p] = -1
            continue
        queue[0], known[p] = p, True
        end, looked = _follow(tables, queue, 1, known)
        steps += looked
        out[p] = end - 1
        for i in range(end):
            known[queue[i]] = False
            _change(tables, queue[i], 1)
    return out


@compiled
def _is_certain(tables: Tables, person: int) -> bool:
    for t in range(tables.group_of.shape[1]):
        g = tables.group_of[person, t]
        if g >= 0 and tables.held[g, tables.values[person]] == tables.left[g]:
            return True
    return False


@compiled
def _change(tables: Tables, person: int, by: int) -> None:
    for t in range(tables.group_of.shape[1]):
        g = tables.group_of[person, t]
        if g >= 0:
            tables.left[g] += by
            tables.held[g, tables.values[person]] += by


@compiled
def _follow(tables: Tables, queue: Ints, end: int, known: Flags) -> tuple[int, int]:
    """Take those in the queue for known, and add whoever becomes certain; return the queue's end and the steps."""
    at, steps = 0, 0
    while at < end:
        who = queue[at]
        at += 1
        _change(tables, who, -1)
        for t in range(tables.group_of.shape[1]):
            g = tables.group_of[who, t]
            if g < 0:
                continue
            steps += tables.starts[g + 1] - tables.starts[g]
            # Some in the queue are not yet taken out of the counts: what is left must be of one value all the same.
            if tables.left[g] > 0 and tables.held[g].max() == tables.left[g]:
                for i in range(tables.starts[g], tables.starts[g + 1]):
                    other = tables.members[i]
                    if not known[other]:
                        known[other] = True
                        queue[end] = other
                        end += 1
    return end, steps
