"""A node with few rows: the sum over all its known sets, at once.

If t rows of the node differ from the victim somewhere in the rest, which of them still match depends on the known
attributes only through t masks. Inclusion and exclusion over the 2^t unions turns the sum of PK / F over all subsets of
the rest into 2^t products, without entering any of them.
"""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled

FEW = 6  # distinct rows that may differ; 2^FEW products
FEW_PEOPLE = 64  # rows in all: keeps the alternating sum within a few units of rounding


@compiled
def sum_of_few(  # type: ignore[no-untyped-def]
    rows, weight, arena, begin, end, victims, gains, u, first, known, fixed, masks, masses, terms, unions
):
    """Sum PK(E) / F(E) * w(not E) over all subsets E of the attributes from `first` on; -1.0 if rows are too many.

    `fixed` is the weight of the attributes before `first` that are not known.
    """
    a = rows.shape[1]
    full = np.int64(0)
    for l in range(first, a):
        full |= np.int64(1) << l
    always = 0
    t = 0
    common = full
    for k in range(begin, end):
        row = arena[k]
        mask = np.int64(0)
        for l in range(first, a):
            code = rows[row, l]
            wanted = victims[u, l]
            if code < 0 or wanted < 0 or code == wanted:
                mask |= np.int64(1) << l
        if mask == full:
            always += weight[row]
            continue
        common &= mask
        found = -1
        for i in range(t):
            if masks[i] == mask:
                found = i
                break
        if found >= 0:
            masses[found] += weight[row]
            continue
        if t == FEW:
            return -1.0
        masks[t] = mask
        masses[t] = weight[row]
        t += 1
    # What every row agrees on is a factor; only the rest differs between the unions.
    product = 1.0
    spare = fixed
    for l in range(first, a):
        if (common >> l) & 1:
            product *= 1.0 + known[l]
            spare += gains[u, l] / (1.0 + known[l])
    size = 1 << t
    terms[0] = 0.0
    unions[0] = full
    for s in range(size):
        mass = float(always)
        for i in range(t):
            if (s >> i) & 1:
                mass += masses[i]
        terms[s] = 1.0 / max(1.0, mass)  # the victim herself is in the table, whatever the rows show
    for i in range(t):
        bit = 1 << i
        for s in range(size):
            if s & bit:
                terms[s] -= terms[s ^ bit]
    total = 0.0
    rest = full & ~common
    for s in range(size):
        if s:
            low = 0
            while not (s >> low) & 1:
                low += 1
            unions[s] = unions[s & (s - 1)] & masks[low]
        p = product
        w = spare
        l = first
        left = rest >> first
        while left:
            if left & 1:
                if (unions[s] >> l) & 1:
                    p *= 1.0 + known[l]
                    w += gains[u, l] / (1.0 + known[l])
                else:
                    w += gains[u, l]
            left >>= 1
            l += 1
        total += terms[s] * p * w
    return max(0.0, total)
