"""The verdict on groups: beliefs from the definition, in integers as long as they fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.beliefs import (
    ACTIVE,
    BASE,
    TOTAL,
    Beliefs,
    add,
    beliefs_for,
    clear,
    distance2,
    shift_base,
)
from tacit.kernels.quasi_sensitive.bits import lowest, meet
from tacit.kernels.quasi_sensitive.measure import DIVERSITY, Rule, reach

__all__ = ["HOLDS", "UNSURE", "VIOLATED", "judge", "link_sizes", "tally"]

VIOLATED, HOLDS, UNSURE = 0, 1, 2
_ROOM = 1 << 61


@compiled
def link_sizes(
    bits: NDArray[np.uint64],
    full: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    codes: NDArray[np.int32],
    begin: int,
    end: int,
    out: NDArray[np.int64],
) -> None:
    """Write how many labels each of the rows `begin .. end - 1` links to."""
    words = np.empty(len(full), np.uint64)
    for r in range(begin, end):
        out[r] = meet(bits, codes[offsets[r] : offsets[r + 1]], full, words)


@compiled
def tally(
    bits: NDArray[np.uint64],
    full: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    codes: NDArray[np.int32],
    rows: NDArray[np.int64],
    rank: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Count for every rank (of the number of labels a row links to) and label the rows that link."""
    words = np.empty(len(full), np.uint64)
    for r in rows:
        size = meet(bits, codes[offsets[r] : offsets[r + 1]], full, words)
        for k in range(len(words)):
            word = words[k]
            while word:
                out[rank[size], 64 * k + lowest(word)] += 1
                word &= word - np.uint64(1)


@compiled
def _scale(rows: NDArray[np.int64], sizes: NDArray[np.int64], most: int) -> tuple[int, bool]:
    """Return a common multiple of the sizes, and True; or, if it is above `most`, the largest power of 2, and False."""
    common = 1
    for r in rows:
        s = sizes[r]
        if s == 0 or common % s == 0:
            continue
        x, y = common, s
        while y:
            x, y = y, x % y
        factor = s // x
        if common > most // factor:
            power = 1
            while power <= most // 2:
                power *= 2
            return power, False
        common *= factor
    return common, True


@compiled
def _leader(beliefs: Beliefs, whole: float) -> tuple[int, float]:
    """Return the label believed most, the first of equal ones, and its belief; -1 where nobody links."""
    n, labels = beliefs.head[ACTIVE], len(beliefs.value)
    best, most = -1, np.int64(0)
    for i in range(n):
        v, x = beliefs.value[i], beliefs.label[i]
        if v > most or (v == most and v > 0 and x < best):
            best, most = x, v
    if best < 0 and beliefs.head[BASE] > 0 and labels > 0:
        best = 0
    return best, (most + beliefs.head[BASE]) / whole


@compiled
def _reached(beliefs: Beliefs, scratch: NDArray[np.int64], rule: Rule, slack: int) -> int:
    n, labels = beliefs.head[ACTIVE], len(beliefs.value)
    scratch[:n] = beliefs.value[:n]
    found, _ = reach(scratch, n, beliefs.head[BASE], labels, beliefs.head[TOTAL], rule.a, rule.b, slack)
    return found


@compiled
def judge(
    bits: NDArray[np.uint64],
    full: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    codes: NDArray[np.int32],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    labels: int,
    rule: Rule,
    begin: int,
    end: int,
    verdict: NDArray[np.int8],
    linked: NDArray[np.int64],
    top: NDArray[np.int64],
    belief: NDArray[np.float64],
    reached: NDArray[np.int64],
    distance: NDArray[np.float64],
) -> None:
    """Judge the groups `begin .. end - 1`.

    Group g has the rows `order[starts[g]:starts[g + 1]]`. Written are the verdict, how many rows link, the label
    believed most (-1: none) and its belief, the reach (diversity) and the distance from the prior (closeness).
    """
    beliefs = beliefs_for(labels)
    scratch = np.empty(labels, np.int64)
    words = np.empty(len(full), np.uint64)
    squares, mass = 0.0, 0.0
    for p in rule.prior:
        squares += p * p
        mass += p
    for g in range(begin, end):
        rows = order[starts[g] : starts[g + 1]]
        n = len(rows)
        scale, exact = _scale(rows, sizes, _ROOM // (max(1, n) * max(rule.a, rule.b)))
        clear(beliefs)
        linked[g], pairs = 0, np.int64(0)
        for r in rows:
            size = sizes[r]
            if size == 0:
                continue
            linked[g] += 1
            pairs += size
            if offsets[r] == offsets[r + 1]:
                shift_base(beliefs, scale // size)
            else:
                meet(bits, codes[offsets[r] : offsets[r + 1]], full, words)
                add(beliefs, words, scale // size)
        top[g], belief[g] = _leader(beliefs, max(1, n) * float(scale))
        reached[g], distance[g] = 0, 0.0
        if rule.kind == DIVERSITY:
            slack = np.int64(0) if exact else rule.a * pairs + rule.b * n
            reached[g] = _reached(beliefs, scratch, rule, -slack)
            verdict[g] = HOLDS if reached[g] >= rule.l else VIOLATED
            if slack > 0 and verdict[g] == VIOLATED and _reached(beliefs, scratch, rule, slack) >= rule.l:
                verdict[g] = UNSURE
        else:
            d2 = distance2(beliefs, 1.0 / (max(1, n) * float(scale)), rule.prior, squares, mass)
            distance[g] = np.sqrt(d2)
            error = 1e-15 * (labels + 16) + (0.0 if exact else 4.0 / scale)
            verdict[g] = UNSURE if abs(d2 - rule.t2) <= error else HOLDS if d2 < rule.t2 else VIOLATED
        if linked[g] == 0:
            verdict[g] = HOLDS  # nobody links: there is nothing to believe
