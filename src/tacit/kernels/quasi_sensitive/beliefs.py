"""The beliefs of one group, kept only for the labels that somebody with items links to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.bits import lowest

__all__ = ["ACTIVE", "BASE", "TOTAL", "BeliefSums", "add", "clear", "distance2", "empty_sums", "shift_base"]

ACTIVE, BASE, TOTAL = 0, 1, 2
"""Places in `BeliefSums.head`: how many labels are listed, what rows without items add to every label, and the sum."""


class BeliefSums(NamedTuple):
    """The beliefs of one group as whole numbers, for the labels that somebody with items links to.

    The belief in a listed label is its value and the base together; in all other labels it is the base.
    """

    value: Ints  # in the order in which labels appeared
    label: Ints  # which label a value is of
    place: Ints  # where a label is listed, -1: not listed
    head: Ints


@compiled
def empty_sums(labels: int) -> BeliefSums:
    """Return the beliefs of a group without rows."""
    return BeliefSums(
        np.zeros(labels, np.int64), np.zeros(labels, np.int64), np.full(labels, -1, np.int64), np.zeros(3, np.int64)
    )


@compiled
def clear(beliefs: BeliefSums) -> None:
    """Forget the group."""
    for i in range(beliefs.head[ACTIVE]):
        beliefs.place[beliefs.label[i]] = -1
    beliefs.head[:] = 0


@compiled
def add(beliefs: BeliefSums, words: NDArray[np.uint64], weight: int) -> None:
    """Add a weight, perhaps a negative one, to every label of a set."""
    if weight == 0:
        return
    n = beliefs.head[ACTIVE]
    total = np.int64(0)
    for k in range(len(words)):
        word = words[k]
        while word:
            x = 64 * k + lowest(word)
            word &= word - np.uint64(1)
            at = beliefs.place[x]
            total += weight
            if at < 0:
                beliefs.place[x] = n
                beliefs.label[n] = x
                beliefs.value[n] = weight
                n += 1
            else:
                beliefs.value[at] += weight
    beliefs.head[ACTIVE] = n
    beliefs.head[TOTAL] += total


@compiled
def shift_base(beliefs: BeliefSums, weight: int) -> None:
    """Add a weight to every label: a row without items links to all of them."""
    beliefs.head[BASE] += weight
    beliefs.head[TOTAL] += weight * len(beliefs.value)


@compiled
def distance2(beliefs: BeliefSums, unit: float, prior: Floats, squares: float, mass: float) -> float:
    """Return the squared distance of the beliefs, times `unit`, from the prior with these squares and this sum."""
    base = beliefs.head[BASE] * unit
    n = beliefs.head[ACTIVE]
    listed = 0.0
    for i in range(n):
        p = prior[beliefs.label[i]]
        gap = beliefs.value[i] * unit + base - p
        listed += gap * gap
        squares -= p * p
        mass -= p
    rest = (len(prior) - n) * base * base - 2.0 * base * mass + squares
    return listed + max(0.0, rest)
