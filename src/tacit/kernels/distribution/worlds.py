"""Posteriors over possible worlds: assignments of a multiset of values to the tuples of a group.

A world's probability is the product of its tuples' probabilities, so multiplying a row (a tuple) or a column (a value)
by a constant changes no posterior. Both programmes use that freedom to keep their sums near one.
"""

from __future__ import annotations

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled

_ROUNDS = 12
"""Rounds of scaling rows and columns. More rounds bring sums nearer to one at the cost of time; no posterior depends
on it. Chosen by trial: sums of the groups that can be counted stay far from overflow."""

_BISECTIONS = 60
"""Halvings of an interval of 1,400 in the logarithm of a factor: what is left is below 1e-14, the precision of the
sums. Fewer would be faster and rescale less well; no posterior depends on it."""

_WIDEST_LOGARITHM = 700.0
"""The largest logarithm whose exponential is still a finite number."""


@compiled
def balance(weights: FloatGrid, capacity: Ints, rounds: int) -> None:
    """Scale rows to one and columns towards their capacity; what the scaled matrix approaches guesses the posterior."""
    n, m = weights.shape
    for _ in range(rounds):
        for b in range(m):
            total = 0.0
            for i in range(n):
                total += weights[i, b]
            if total > 0.0:
                factor = capacity[b] / total
                for i in range(n):
                    weights[i, b] *= factor
        for i in range(n):
            total = 0.0
            for b in range(m):
                total += weights[i, b]
            if total > 0.0:
                for b in range(m):
                    weights[i, b] /= total


@compiled
def count_states(capacity: Ints, limit: int) -> int:
    """Return how many ways there are to have used some of each capacity, or `limit + 1` if more than `limit`."""
    states = 1
    for b in range(capacity.shape[0]):
        states *= capacity[b] + 1
        if states > limit:
            return limit + 1
    return states


@compiled
def assign(weights: FloatGrid, capacity: Ints, marginals: FloatGrid) -> bool:
    """Fill the probability that item i goes to bin b, over all assignments that fill every bin; False if there is none.

    A state is how many items each bin has so far; their sum is the number of items placed, so that every state belongs
    to one item, and one forward and one backward pass over the states see all worlds. `weights` is rescaled in place.
    """
    n, m = weights.shape
    balance(weights, capacity, _ROUNDS)
    stride = np.empty(m, np.int64)
    states = 1
    for b in range(m):
        stride[b] = states
        states *= capacity[b] + 1
    forward = np.zeros(states)
    weigh_beginnings(weights, capacity, stride, forward)
    marginals[:n, :m] = 0.0
    if not forward[states - 1] > 0.0:
        return False
    add_endings(weights, capacity, stride, forward, marginals)
    for i in range(n):
        total = 0.0
        for b in range(m):
            total += marginals[i, b]
        for b in range(m):
            marginals[i, b] /= total
    return True


@compiled
def weigh_beginnings(weights: FloatGrid, capacity: Ints, stride: Ints, forward: Floats) -> None:
    """Fill, per state, the weight of all ways to place the first items so that the bins are filled as it says."""
    m = capacity.shape[0]
    used = np.zeros(m, np.int64)
    placed = 0
    forward[0] = 1.0
    for s in range(1, forward.shape[0]):
        at = 0
        while used[at] == capacity[at]:
            placed -= used[at]
            used[at] = 0
            at += 1
        used[at] += 1
        placed += 1
        total = 0.0
        for b in range(m):
            if used[b] > 0:
                total += forward[s - stride[b]] * weights[placed - 1, b]
        forward[s] = total


@compiled
def add_endings(weights: FloatGrid, capacity: Ints, stride: Ints, forward: Floats, marginals: FloatGrid) -> None:
    """Walk the states backwards; each step of an item into a bin adds the weight of all worlds that take it."""
    m, states = capacity.shape[0], forward.shape[0]
    used = capacity.copy()
    placed = weights.shape[0]
    backward = np.zeros(states)
    backward[states - 1] = 1.0
    for s in range(states - 2, -1, -1):
        at = 0
        while used[at] == 0:
            used[at] = capacity[at]
            placed += capacity[at]
            at += 1
        used[at] -= 1
        placed -= 1
        total = 0.0
        for b in range(m):
            if used[b] < capacity[b]:
                step = weights[placed, b] * backward[s + stride[b]]
                total += step
                marginals[placed, b] += forward[s] * step
        backward[s] = total


@compiled
def class_posteriors(rows: FloatGrid, sizes: Ints, counts: Ints, by_value: bool, out: FloatGrid) -> bool:
    """Fill p(class : value) in the exact view, for classes of tuples with equal rows; False if no world is possible.

    Worlds are symmetric in tuples and values. With `by_value` a state is how many of each value are used, otherwise how
    many tuples of each class have their value: the caller chooses the side with fewer states.
    """
    classes, m = rows.shape
    n = sizes.sum()
    at = 0
    if by_value:
        weights, each = np.empty((n, m)), np.empty((n, m))
        for c in range(classes):
            for _ in range(sizes[c]):
                for v in range(m):
                    weights[at, v] = rows[c, v]
                at += 1
        if not assign(weights, counts, each):
            return False
        at = 0
        for c in range(classes):
            for v in range(m):
                out[c, v] = each[at, v]
            at += sizes[c]
        return True
    weights, each = np.empty((n, classes)), np.empty((n, classes))
    for v in range(m):
        for _ in range(counts[v]):
            for c in range(classes):
                weights[at, c] = rows[c, v]
            at += 1
    if not assign(weights, sizes, each):
        return False
    at = 0
    for v in range(m):
        for c in range(classes):
            out[c, v] = each[at, c] * counts[v] / sizes[c]
        at += counts[v]
    return True


@compiled
def two_valued(chances: Floats, k: int, posterior: Floats) -> bool:
    """Fill p(t_j : x) where x is held by k tuples and each tuple has its own chance; False if no world is possible.

    The sums are elementary symmetric polynomials, by prefix and suffix products. Prefixes are kept at every
    sqrt(N)-th tuple and made again block by block, from the last to the first.
    """
    n = chances.shape[0]
    if k == 1:
        return _held_once(chances, posterior)
    tilted = np.empty(n)
    if not _tilt(chances, k, tilted):
        return False
    if k in (0, n):
        for i in range(n):
            posterior[i] = 1.0 if k == n else 0.0
        return True
    block = max(1, int(np.sqrt(n)))
    blocks = (n + block - 1) // block
    kept = _kept_prefixes(tilted, k, block)
    other = np.zeros(k + 1)
    prefixes = np.zeros((block, k + 1))
    suffix = np.zeros(k + 1)
    suffix[0] = 1.0
    for part in range(blocks - 1, -1, -1):
        begin = part * block
        end = min(n, begin + block)
        for c in range(k + 1):
            prefixes[0, c] = kept[part, c]
        for i in range(begin, end - 1):
            _add_tuple(prefixes[i - begin], tilted[i], k, prefixes[i - begin + 1])
        for i in range(end - 1, begin - 1, -1):
            has, lacks = 0.0, prefixes[i - begin, k] * suffix[0]
            for c in range(k):
                has += prefixes[i - begin, c] * suffix[k - 1 - c]
                lacks += prefixes[i - begin, c] * suffix[k - c]
            has *= tilted[i]
            lacks *= 1.0 - tilted[i]
            posterior[i] = has / (has + lacks)
            _add_tuple(suffix, tilted[i], k, other)
            suffix, other = other, suffix
    return True


@compiled
def _kept_prefixes(tilted: Floats, k: int, block: int) -> FloatGrid:
    """Return, for the first tuple of every block, the weights of 0 to k holders among the tuples before it."""
    n = tilted.shape[0]
    kept = np.zeros(((n + block - 1) // block, k + 1))
    row, other = np.zeros(k + 1), np.zeros(k + 1)
    row[0] = 1.0
    for i in range(n):
        if i % block == 0:
            for c in range(k + 1):
                kept[i // block, c] = row[c]
        _add_tuple(row, tilted[i], k, other)
        row, other = other, row
    return kept


@compiled
def _add_tuple(before: Floats, chance: float, k: int, after: Floats) -> None:
    """Fill the weights of 0 to k holders among some tuples and one more."""
    after[0] = before[0] * (1.0 - chance)
    for c in range(1, k + 1):
        after[c] = before[c] * (1.0 - chance) + before[c - 1] * chance


@compiled
def _tilt(chances: Floats, k: int, tilted: Floats) -> bool:
    """Multiply all odds by one factor, so that k of the tuples are expected to have the value; False if none can."""
    n = chances.shape[0]
    sure, never = 0, 0
    for i in range(n):
        sure += chances[i] >= 1.0
        never += chances[i] <= 0.0
    if sure > k or n - never < k:
        return False
    low, high = -_WIDEST_LOGARITHM, _WIDEST_LOGARITHM
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        factor = np.exp(middle)
        total = 0.0
        for i in range(n):
            f = chances[i]
            total += 1.0 if f >= 1.0 else f * factor / (1.0 - f + f * factor)
        if total < k:
            low = middle
        else:
            high = middle
    factor = np.exp(high)
    for i in range(n):
        f = chances[i]
        tilted[i] = 1.0 if f >= 1.0 else f * factor / (1.0 - f + f * factor)
    return True


@compiled
def _held_once(chances: Floats, posterior: Floats) -> bool:
    """One occurrence: posteriors are in the ratio of the odds; a tuple that is sure of it leaves nothing to others."""
    n = chances.shape[0]
    sure, total = -1, 0.0
    for i in range(n):
        if chances[i] >= 1.0:
            if sure >= 0:
                return False
            sure = i
        else:
            total += chances[i] / (1.0 - chances[i])
    if sure < 0 and not total > 0.0:
        return False
    for i in range(n):
        if sure >= 0:
            posterior[i] = 1.0 if i == sure else 0.0
        else:
            posterior[i] = chances[i] / (1.0 - chances[i]) / total
    return True
