"""The verdict on groups: beliefs from the definition, in whole numbers as long as they fit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.quasi_sensitive.beliefs import (
    ACTIVE,
    BASE,
    TOTAL,
    BeliefSums,
    add,
    clear,
    distance2,
    empty_sums,
    shift_base,
)
from tacit.kernels.quasi_sensitive.measure import DIVERSITY, BeliefRule, reach
from tacit.kernels.quasi_sensitive.rows import GroupedRows, RowItems, link

__all__ = ["HOLDS", "UNSURE", "VIOLATED", "VerdictArrays", "judge"]

VIOLATED, HOLDS, UNSURE = 0, 1, 2
"""The verdicts on a group; UNSURE: too near to the bound to tell without exact arithmetic."""
_ROOM = 1 << 61
"""What a sum of beliefs, times c, must stay below so that nothing overflows 63 bits."""
_ROUNDING = 1e-15
"""The error of a squared distance, per label: some units in the last place of a number up to 2."""


class VerdictArrays(NamedTuple):
    """Where the verdict on every group is written."""

    verdict: NDArray[np.int8]  # VIOLATED, HOLDS or UNSURE
    linked: Ints  # how many rows link to a label at all
    label: Ints  # the label believed most, -1: none
    posterior: Floats  # how much it is believed
    reach: Ints  # the largest l that holds, for diversity
    distance: Floats  # the distance from the prior, for closeness


@compiled
def _scale(rows: Ints, sizes: Ints, most: int) -> tuple[int, bool]:
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
def _leader(beliefs: BeliefSums, whole: float) -> tuple[int, float]:
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
def _reached(beliefs: BeliefSums, scratch: Ints, rule: BeliefRule, slack: int) -> int:
    """Return the largest l that holds if the inequality may be missed by the slack."""
    n, labels = beliefs.head[ACTIVE], len(beliefs.value)
    scratch[:n] = beliefs.value[:n]
    reached, _ = reach(scratch, n, beliefs.head[BASE], labels, beliefs.head[TOTAL], rule.a, rule.b, slack)
    return reached


@compiled
def _add_up(
    rows: RowItems, members: Ints, sizes: Ints, scale: int, beliefs: BeliefSums, words: NDArray[np.uint64]
) -> tuple[int, int]:
    """Add up what the rows of a group believe; return how many rows link, and to how many labels together."""
    clear(beliefs)
    linked, pairs = 0, np.int64(0)
    for r in members:
        size = sizes[r]
        if size == 0:
            continue
        linked += 1
        pairs += size
        if rows.offsets[r] == rows.offsets[r + 1]:
            shift_base(beliefs, scale // size)
        else:
            link(rows, r, words)
            add(beliefs, words, scale // size)
    return linked, pairs


@compiled
def _judge_diversity(beliefs: BeliefSums, scratch: Ints, rule: BeliefRule, slack: int) -> tuple[int, int]:
    """Return the verdict and the largest l that surely holds; the slack is what rounded beliefs may be wrong by."""
    surely = _reached(beliefs, scratch, rule, -slack)
    if surely >= rule.l:
        return HOLDS, surely
    if slack > 0 and _reached(beliefs, scratch, rule, slack) >= rule.l:
        return UNSURE, surely
    return VIOLATED, surely


@compiled
def judge(rows: RowItems, groups: GroupedRows, rule: BeliefRule, begin: int, end: int, out: VerdictArrays) -> None:
    """Judge the groups `begin .. end - 1`; a group in which nobody links holds, for there is nothing to believe."""
    beliefs = empty_sums(rows.labels)
    scratch = np.empty(rows.labels, np.int64)
    words = np.empty(len(rows.full), np.uint64)
    squares, mass = 0.0, 0.0
    for p in rule.prior:
        squares += p * p
        mass += p
    for g in range(begin, end):
        members = groups.order[groups.starts[g] : groups.starts[g + 1]]
        n = max(1, len(members))
        scale, exact = _scale(members, groups.sizes, _ROOM // (n * max(rule.a, rule.b)))
        out.linked[g], pairs = _add_up(rows, members, groups.sizes, scale, beliefs, words)
        out.label[g], out.posterior[g] = _leader(beliefs, n * float(scale))
        out.reach[g], out.distance[g] = 0, 0.0
        if rule.kind == DIVERSITY:
            slack = np.int64(0) if exact else rule.a * pairs + rule.b * len(members)
            out.verdict[g], out.reach[g] = _judge_diversity(beliefs, scratch, rule, slack)
        else:
            d2 = distance2(beliefs, 1.0 / (n * float(scale)), rule.prior, squares, mass)
            error = _ROUNDING * (rows.labels + 16) + (0.0 if exact else 4.0 / scale)
            out.verdict[g] = UNSURE if abs(d2 - rule.t2) <= error else HOLDS if d2 < rule.t2 else VIOLATED
            out.distance[g] = np.sqrt(d2)
        if out.linked[g] == 0:
            out.verdict[g] = HOLDS
