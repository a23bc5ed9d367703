"""Bounds of the exact view's posterior by swapping two tuples' values.

The proof is docs/threats/distribution.md, "Lemma (swap), for groups of any size".
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled

_IntGrid: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.int64]]

_SORTED = 160
"""Classes. Up to so many the smallest terms are sorted and summed, which takes classes squared times values; beyond,
one smallest term stands for all of them, which is faster and gives a weaker bound. Chosen by trial."""


@compiled
def swap_bound(rows: FloatGrid, sizes: Ints, counts: Ints, x: int) -> float:
    """Return a bound of max_u p(t_u : x), for classes of equal rows over the values of a group.

    For tuples u, a and a value y, c = P[a][x] P[u][y] / (P[u][x] P[a][y]) compares a world in which u has x and a has y
    with the same world after u and a swap. With S a lower bound of the sum of c over all a that do not have x, in any
    world in which u has x, p(t_u : x) <= k / (k + S).
    """
    each = np.empty(rows.shape[0])
    swap_bounds(rows, sizes, counts, x, each)
    return each.max()


@compiled
def swap_bounds(rows: FloatGrid, sizes: Ints, counts: Ints, x: int, out: Floats) -> None:
    """Fill the same bound of p(t_u : x) for the tuples u of every class."""
    classes, m = rows.shape
    k = counts[x]
    out[:] = 0.0
    if k == 0:
        return
    n = 0
    for a in range(classes):
        n += sizes[a]
    if classes > _SORTED:
        out[:] = _ratio_bound(rows, counts, x, n)
        return
    terms = np.empty((m, classes))
    least = np.empty(classes)
    left = np.empty(classes, np.int64)
    for u in range(classes):
        if rows[u, x] <= 0.0:
            continue
        for a in range(classes):
            left[a] = sizes[a] - (a == u)
            least[a] = np.inf
            for y in range(m):
                if y == x or counts[y] == 0:
                    continue
                below = rows[u, x] * rows[a, y]
                terms[y, a] = rows[a, x] * rows[u, y] / below if below > 0.0 else np.inf
                least[a] = min(least[a], terms[y, a])
        by_tuple = _smallest(least, left, n - k)
        by_value = 0.0
        for y in range(m):
            if y != x and counts[y] > 0:
                by_value += _smallest(terms[y], left, counts[y])
        out[u] = k / (k + max(by_tuple, by_value))


@compiled
def _smallest(terms: Floats, sizes: Ints, number: int) -> float:
    """Sum the smallest `number` of the terms, each taken up to `sizes` times."""
    total = 0.0
    for a in np.argsort(terms):
        if number <= 0:
            break
        taken = min(number, sizes[a])
        if taken > 0:
            total += taken * terms[a]
        number -= taken
    return total


@compiled
def _ratio_bound(rows: FloatGrid, counts: Ints, x: int, n: int) -> float:
    """Use the one smallest c: the largest ratio of P[.][x] to P[.][y] over the smallest."""
    classes, m = rows.shape
    least = np.inf
    if n == counts[x]:
        return 1.0
    for y in range(m):
        if y == x or counts[y] == 0:
            continue
        high, low = 0.0, np.inf
        for a in range(classes):
            if rows[a, x] > 0.0 or rows[a, y] > 0.0:
                ratio = rows[a, x] / rows[a, y] if rows[a, y] > 0.0 else np.inf
                high = max(high, ratio)
                low = min(low, ratio)
        if high == np.inf:
            return 1.0
        if high > 0.0:
            least = min(least, low / high)
    return counts[x] / (counts[x] + (n - counts[x]) * least)


@compiled
def is_possible(rows: FloatGrid, sizes: Ints, counts: Ints) -> bool:
    """Ask whether the values can be dealt to the classes so that nobody gets one that has no chance.

    The bounds above compare worlds of positive weight, and say nothing where there is none. This is a transport from
    classes to values: as much as possible is dealt at once, then along paths on which dealt values change hands.
    """
    classes, m = rows.shape
    zero = False
    for c in range(classes):
        for v in range(m):
            zero |= counts[v] > 0 and not rows[c, v] > 0.0
    if not zero:
        return True
    dealt = np.zeros((classes, m), np.int64)
    free, needed = sizes.copy(), counts.copy()
    for c in range(classes):
        for v in range(m):
            if rows[c, v] > 0.0:
                number = min(free[c], needed[v])
                dealt[c, v] += number
                free[c] -= number
                needed[v] -= number
    for c in range(classes):
        while free[c] > 0:
            if not _change_hands(c, rows, dealt, free, needed):
                return False
    return True


@compiled
def _change_hands(start: int, rows: FloatGrid, dealt: _IntGrid, free: Ints, needed: Ints) -> bool:
    """Find a path from a class without a value to a value that is left over, and deal along it; False if none."""
    classes, m = rows.shape
    value_from, class_from = np.full(m, -1, np.int64), np.full(classes, -1, np.int64)
    queue = np.empty(classes, np.int64)
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        c = queue[head]
        head += 1
        for v in range(m):
            if value_from[v] >= 0 or not rows[c, v] > 0.0:
                continue
            value_from[v] = c
            if needed[v] > 0:
                _deal_along(start, v, value_from, class_from, dealt)
                free[start] -= 1
                needed[v] -= 1
                return True
            for other in range(classes):
                if other != start and class_from[other] < 0 and dealt[other, v] > 0:
                    class_from[other] = v
                    queue[tail] = other
                    tail += 1
    return False


@compiled
def _deal_along(start: int, v: int, value_from: Ints, class_from: Ints, dealt: _IntGrid) -> None:
    """Give each class on the path the value after it, and take the one before it away."""
    c = value_from[v]
    dealt[c, v] += 1
    while c != start:
        v = class_from[c]
        dealt[c, v] -= 1
        c = value_from[v]
        dealt[c, v] += 1
