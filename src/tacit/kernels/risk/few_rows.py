"""A node with few rows: the sum over all its known sets at once.

The *rest* are the attributes behind the last known one. If t distinct rows of the node differ from the victim somewhere
in the rest, which of them still match depends on the known attributes only through t masks. Inclusion and exclusion
over the 2^t sets of rows turns the sum of PK / F over all subsets of the rest into 2^t products, so that none of the
subsets has to be visited.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.risk.arguments import ReleasedRows, Victims
from tacit.kernels.risk.splitting import Arena

__all__ = ["FEW_PEOPLE", "FewScratch", "new_few_scratch", "sum_of_few"]

_FEW = 6
"""Distinct rows that may differ from the victim. The sum has 2^6 products then; one row more doubles them, one less
makes the search visit more nodes. How the value was chosen was not written down."""

FEW_PEOPLE = 64
"""People in a node that is summed at once. The terms of the alternating sum are of the size of 1 / F, so a limit keeps
what cancels, and with it the rounding, within a few units of the last place. How the value was chosen was not written
down."""

_TOO_MANY = -1
"""In place of a number of rows: there are more than `_FEW`."""


class FewScratch(NamedTuple):
    """Working arrays of `sum_of_few`, made once."""

    masks: Ints  # [i]: where the i-th distinct row agrees with the victim
    people: Floats  # [i]: how many people have that row
    terms: Floats  # [s]: the alternating sum of 1 / F of a set s of rows
    agreed: Ints  # [s]: where all rows of the set s agree with the victim


@compiled
def new_few_scratch() -> FewScratch:
    """Return the working arrays."""
    return FewScratch(np.empty(_FEW, np.int64), np.empty(_FEW), np.empty(1 << _FEW), np.empty(1 << _FEW, np.int64))


@compiled
def sum_of_few(
    released: ReleasedRows,
    victims: Victims,
    arena: Arena,
    begin: int,
    end: int,
    u: int,
    first: int,
    fixed: float,
    scratch: FewScratch,
) -> float:
    """Sum PK(E) / F(E) * w(not E) over all subsets E of the attributes from `first` on; -1.0 if rows are too many.

    The rows are those from `begin` to `end` of the arena, the victim is `u`, and `fixed` is the weight of what comes
    before `first` and is not known.
    """
    a = released.codes.shape[1]
    full = np.int64(0)
    for l in range(first, a):
        full |= np.int64(1) << l
    t, always, common = _differing_rows(released, victims, arena, begin, end, u, first, full, scratch)
    if t == _TOO_MANY:
        return -1.0
    _alternate(scratch, t, always)
    return _sum_over_sets(released.known, victims.gains, u, first, fixed, full, common, t, scratch)


@compiled
def _differing_rows(
    released: ReleasedRows,
    victims: Victims,
    arena: Arena,
    begin: int,
    end: int,
    u: int,
    first: int,
    full: int,
    scratch: FewScratch,
) -> tuple[int, int, int]:
    """Collect the distinct rows that differ from the victim in the rest.

    Returns how many they are (or `_TOO_MANY`), how many people differ nowhere, and the mask on which all rows agree.
    """
    rows, codes, entry, each = released.codes, victims.codes, arena.row, arena.people
    masks, people = scratch.masks, scratch.people
    a = rows.shape[1]
    t = 0
    always = 0
    common = full
    for k in range(begin, end):
        row = entry[k]
        mask = np.int64(0)
        for l in range(first, a):
            code = rows[row, l]
            wanted = codes[u, l]
            if code < 0 or wanted < 0 or code == wanted:
                mask |= np.int64(1) << l
        if mask == full:
            always += each[k]
            continue
        common &= mask
        i = 0
        while i < t and masks[i] != mask:
            i += 1
        if i < t:
            people[i] += each[k]
            continue
        if t == _FEW:
            return _TOO_MANY, always, common
        masks[t] = mask
        people[t] = each[k]
        t += 1
    return t, always, common


@compiled
def _alternate(scratch: FewScratch, t: int, always: int) -> None:
    """Fill `terms`: for each set of rows, the alternating sum of 1 / F over its subsets (a Moebius transform)."""
    terms, people = scratch.terms, scratch.people
    size = 1 << t
    for s in range(size):
        matching = float(always)
        for i in range(t):
            if (s >> i) & 1:
                matching += people[i]
        terms[s] = 1.0 / max(1.0, matching)  # the victim herself is in the table, whatever the rows show
    for i in range(t):
        bit = 1 << i
        for s in range(size):
            if s & bit:
                terms[s] -= terms[s ^ bit]


@compiled
def _sum_over_sets(
    known: Floats,
    gains: NDArray[np.float64],
    u: int,
    first: int,
    fixed: float,
    full: int,
    common: int,
    t: int,
    scratch: FewScratch,
) -> float:
    """Add up, over the sets of rows, the term of the set times the sum of PK(E) * w(not E) over the E it agrees on."""
    masks, agreed, terms = scratch.masks, scratch.agreed, scratch.terms
    # The attributes on which every row agrees give the same factor to every set; only the others are looked at again.
    product = 1.0
    spare = fixed
    for l in range(first, known.shape[0]):
        if (common >> l) & 1:
            product *= 1.0 + known[l]
            spare += gains[u, l] / (1.0 + known[l])
    differing = full & ~common
    agreed[0] = full
    total = 0.0
    for s in range(1 << t):
        if s:
            lowest = 0
            while not (s >> lowest) & 1:
                lowest += 1
            agreed[s] = agreed[s & (s - 1)] & masks[lowest]
        p = product
        w = spare
        l = first
        left = differing >> first
        while left:
            if left & 1:
                if (agreed[s] >> l) & 1:
                    p *= 1.0 + known[l]
                    w += gains[u, l] / (1.0 + known[l])
                else:
                    w += gains[u, l]
            left >>= 1
            l += 1
        total += terms[s] * p * w
    return max(0.0, total)
