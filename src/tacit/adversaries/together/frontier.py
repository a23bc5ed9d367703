"""Frontier: the worlds of many linked people, counted along an order in which few groups are open at a time.

People are given values one after the other. The state is how many of each value are left in the groups that somebody
had a value of and somebody else is still to have one: the frontier. All states of a step are held as one array, so
hundreds of people can be counted where the frontier stays narrow, as it does where groups are linked almost as a tree.
Ways are added and multiplied, never subtracted, and scaled after each step; so rounding stays near that of one number.
A value of which a group has c rows left is taken from it in c ways. So strangers, who have what is left over at last,
need no counting of their own, however large the group is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Floats, Ints

_STATES = 200_000
"""States of one step, at most, so that time and memory stay bounded. Not tuned."""

Counts: TypeAlias = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class LinkedValues:
    """The people of a component, in the order in which they are counted, and the values of groups that they share out.

    Attributes
    ----------
    choices
        Per person the values that she may have, each with the entries that it is taken from, one per table she is in.
    left
        Per entry, a value of a group, how often it is to be shared out.
    closed
        Per entry whether all rows of its group are known people's, so that nothing may be left over.
    """

    choices: Sequence[Sequence[tuple[int, tuple[int, ...]]]]
    left: Ints
    closed: NDArray[np.bool_]

    def in_turn(self) -> list[int]:
        """Order people so that few entries are open at a time: next comes whoever opens fewest and ends most."""
        able: list[set[int]] = [set() for _ in range(len(self.left))]
        theirs = [sorted({entry for _, entries in mine for entry in entries}) for mine in self.choices]
        for person, mine in enumerate(theirs):
            for entry in mine:
                able[entry].add(person)
        opened: dict[int, int] = {}
        turn: list[int] = []
        near = {min(range(len(theirs)), key=lambda person: len(theirs[person]))}
        while near:

            def widens(person: int) -> tuple[int, int, int]:
                new = sum(entry not in opened for entry in theirs[person])
                done = sum(len(able[entry]) == 1 for entry in theirs[person])
                oldest = min((opened[entry] for entry in theirs[person] if entry in opened), default=len(turn))
                return new - done, oldest, person

            person = min(near, key=widens)
            turn.append(person)
            near.discard(person)
            for entry in theirs[person]:
                able[entry].discard(person)
                if entry not in opened:
                    opened[entry] = len(turn)
                    near |= able[entry]
        return turn


@dataclass(frozen=True, eq=False)
class _Step:
    """The moves of one person: from which state, by which of her values, to which state, and in how many ways."""

    origin: Ints
    value: Ints
    target: Ints
    ways: Floats


def count_along(linked: LinkedValues, most: int) -> tuple[list[Floats] | None, int]:
    """Return, per person, the share of worlds in which she has each of her values; None where it takes too many moves.

    Parameters
    ----------
    linked
        The people; they must be linked with each other.
    most
        Moves between states, at most. How many were made is returned as well.

    Examples
    --------
    >>> pair = [[(0, (0,)), (1, (1,))], [(0, (0,)), (1, (1,))]]
    >>> count_along(LinkedValues(pair, np.array([1, 1]), np.array([True, True])), 100)
    ([array([0.5, 0.5]), array([0.5, 0.5])], 4)
    """
    if not all(linked.choices):  # somebody can have no value at all, so there is no world
        return None, 0
    turn = linked.in_turn()
    until = np.full(len(linked.left), -1)
    able = np.zeros(len(linked.left), dtype=np.int64)
    for place, person in enumerate(turn):
        for entry in {entry for _, entries in linked.choices[person] for entry in entries}:
            until[entry] = place
            able[entry] += 1
    column: dict[int, int] = {}
    narrow = linked.left.max(initial=0) <= np.iinfo(np.int16).max
    states: Counts = np.zeros((1, 0), dtype=np.int16 if narrow else np.int32)
    forward = [np.ones(1)]
    steps: list[_Step] = []
    made = 0
    for place, person in enumerate(turn):
        mine = sorted({entry for _, entries in linked.choices[person] for entry in entries})
        new = [entry for entry in mine if entry not in column]
        column |= {entry: len(column) + at for at, entry in enumerate(new)}
        opening = np.broadcast_to(linked.left[new].astype(states.dtype), (len(states), len(new)))
        states = np.concatenate([states, opening], axis=1)
        able[mine] -= 1
        step, after = _moves(linked, states, person, column, able[mine], mine)
        made += len(step.origin)
        if made > most or len(step.origin) > _STATES:
            return None, made
        ended = [entry for entry in mine if until[entry] == place]
        kept = [entry for entry in column if entry not in set(ended)]
        states, target = _distinct(after[:, [column[entry] for entry in kept]])
        column = {entry: at for at, entry in enumerate(kept)}
        reached = np.bincount(target, weights=forward[-1][step.origin] * step.ways, minlength=len(states))
        if not reached.sum():
            return None, made
        forward.append(reached / reached.sum())
        steps.append(_Step(step.origin, step.value, target, step.ways))
    return _shares(linked, turn, forward, steps), made


def _moves(
    linked: LinkedValues, states: Counts, person: int, column: dict[int, int], able: Ints, mine: Sequence[int]
) -> tuple[_Step, Counts]:
    """Give a person each of her values in every state; drop states in which too few people are left for a value."""
    origins, values, afters, rows = [], [], [], []
    for number, (_, entries) in enumerate(linked.choices[person]):
        places = [column[entry] for entry in entries]
        origin = np.flatnonzero((states[:, places] > 0).all(axis=1))
        after = states[origin]
        rows.append(after[:, places].prod(axis=1, dtype=np.float64))
        after[:, places] -= 1
        origins.append(origin)
        values.append(np.full(len(origin), number, dtype=np.int64))
        afters.append(after)
    origin, value, after = np.concatenate(origins), np.concatenate(values), np.concatenate(afters)
    places = [column[entry] for entry in mine]
    alive = (~linked.closed[list(mine)] | (after[:, places] <= able)).all(axis=1)
    ways = np.concatenate(rows)[alive]
    return _Step(origin[alive], value[alive], np.zeros(0, np.int64), ways), after[alive]


def _distinct(states: Counts) -> tuple[Counts, Ints]:
    """Return every state once, and the number of each."""
    number: Ints = np.zeros(len(states), dtype=np.int64)
    size = 1
    for count in states.T:
        width = int(count.max(initial=0)) + 1
        if size * width >= 2**62:  # numbers are made dense before they could overflow
            number = np.unique(number, return_inverse=True)[1].astype(np.int64)
            size = int(number.max(initial=0)) + 1
        number = number * width + count
        size *= width
    _, first, number = np.unique(number, return_index=True, return_inverse=True)
    return states[first], number.astype(np.int64)


def _shares(
    linked: LinkedValues, turn: Sequence[int], forward: Sequence[Floats], steps: Sequence[_Step]
) -> list[Floats]:
    """Go back from the end: worlds through a move are those that reach it times those that go on from it."""
    shares: list[Floats] = [np.zeros(0)] * len(turn)
    back: Floats = np.ones(len(forward[-1]))
    for person, before, step in zip(reversed(turn), reversed(forward[:-1]), reversed(steps), strict=True):
        through = step.ways * back[step.target]
        share = np.bincount(step.value, weights=before[step.origin] * through, minlength=len(linked.choices[person]))
        shares[person] = share / share.sum()
        before_it = np.bincount(step.origin, weights=through, minlength=len(before)).astype(np.float64)
        back = before_it / before_it.max()
    return shares
