"""The known set that adds most to the risk of a victim: the same search, with the best term so far as the bound."""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled
from tacit.kernels.risk.splitting import clear_counts, count_codes, roomy, share_out

SAME = 1e-12  # relative difference below which two terms are the same number, differently rounded


@compiled
def _better(term, key, best, best_key, place):  # type: ignore[no-untyped-def]
    """Compare two known sets: by their terms, then fewest attributes, then first in column order."""
    if term > best * (1.0 + SAME):
        return True
    if term < best * (1.0 - SAME) or term <= 0.0:
        return False
    mine, other = 0, 0
    for l in range(place.shape[0]):
        mine += (key >> l) & 1
        other += (best_key >> l) & 1
    if mine != other:
        return mine < other
    # The first column that only one of them has decides; `place` is the column's rank in the table.
    at, whose = place.shape[0], False
    for l in range(place.shape[0]):
        in_mine, in_other = (key >> l) & 1, (best_key >> l) & 1
        if in_mine != in_other and place[l] < at:
            at, whose = place[l], in_mine == 1
    return whose


@compiled
def heaviest_sets(rows, weight, victims, gains, base, known, offsets, place):  # type: ignore[no-untyped-def]
    """Return, per victim, the known set with the largest PK / F * w (a bit mask, 0 if all are 0) and that number."""
    n, a = rows.shape
    v = victims.shape[0]
    best, best_key = np.zeros(v), np.zeros(v, np.int64)
    rest = np.zeros((v, a + 1))
    for u in range(v):
        for l in range(a - 1, -1, -1):
            rest[u, l] = rest[u, l + 1] + gains[u, l]
    largest = 1
    for l in range(a):
        largest = max(largest, offsets[l + 1] - offsets[l])
    counts, blanks = np.zeros(offsets[a], np.int64), np.zeros(a, np.int64)
    slot = np.full(largest, -1, np.int64)
    arena, who, fixed = np.empty(2 * n + 16, np.int32), np.empty(2 * v + 16, np.int32), np.empty(2 * v + 16)
    total = 0
    for s in range(n):
        arena[s] = s
        total += weight[s]
    for u in range(v):
        who[u], fixed[u] = u, base[u]
    size = 64
    node_last, node_set = np.empty(size, np.int64), np.empty(size, np.int64)
    node_pk, node_count = np.empty(size), np.empty(size, np.int64)
    node_from, node_to = np.empty(size, np.int64), np.empty(size, np.int64)
    who_begin, who_end = np.empty(size, np.int64), np.empty(size, np.int64)
    node_last[0], node_set[0], node_pk[0], node_count[0] = -1, 0, 1.0, total
    node_from[0], node_to[0], who_begin[0], who_end[0] = 0, n, 0, v
    depth = 1
    need, before = np.zeros((v, a), np.bool_), np.empty((v, a))
    some = np.zeros(a, np.int64)
    chosen, chosen_at, bucket_of = np.empty(v, np.int64), np.empty(v, np.int64), np.empty(v, np.int64)
    row_from, row_to = np.empty(v + 1, np.int64), np.empty(v + 1, np.int64)
    chosen_count = np.empty(v + 1, np.int64)
    while depth:
        depth -= 1
        last, here, pk, F = node_last[depth], node_set[depth], node_pk[depth], node_count[depth]
        begin, end, mine, their = node_from[depth], node_to[depth], who_begin[depth], who_end[depth]
        first = last + 1
        count_codes(rows, weight, arena, begin, end, first, offsets, counts, blanks)
        for l in range(first, a):
            some[l] = 0
        for k in range(mine, their):
            u = who[k]
            i = k - mine
            spare = fixed[k]
            for l in range(first, a):
                before[i, l] = spare
                spare += gains[u, l]
                code = victims[u, l]
                f = F if code < 0 else max(1, counts[offsets[l] + code] + blanks[l])
                left = pk * known[l] * (before[i, l] + rest[u, l + 1])
                key = here | (np.int64(1) << l)
                if _better(left / f, key, best[u], best_key[u], place):
                    best[u], best_key[u] = left / f, key
                # Attributes come best-known first: whatever is added later multiplies by no more than the next one.
                need[i, l] = f > 1 and l + 1 < a and left * known[l + 1] >= best[u] * (1.0 - SAME) and left > 0.0
                some[l] += need[i, l]
        clear_counts(rows, arena, begin, end, first, offsets, counts)
        top, who_top = end, their
        for l in range(a - 1, first - 1, -1):
            if not some[l]:
                continue
            many = 0
            for k in range(mine, their):
                if need[k - mine, l]:
                    chosen[many], chosen_at[many] = who[k], k - mine
                    many += 1
            arena, top, buckets = share_out(
                rows, arena, begin, end, victims, chosen, many, l, arena, top, slot, bucket_of, row_from, row_to,
                chosen_count,
            )  # fmt: skip
            who, fixed = roomy(who, who_top + many), roomy(fixed, who_top + many)
            for b in range(buckets):
                f = 0
                for k in range(row_from[b], row_to[b]):
                    f += weight[arena[k]]
                if depth == size:
                    size *= 2
                    node_last, node_set = roomy(node_last, size), roomy(node_set, size)
                    node_pk, node_count = roomy(node_pk, size), roomy(node_count, size)
                    node_from, node_to = roomy(node_from, size), roomy(node_to, size)
                    who_begin, who_end = roomy(who_begin, size), roomy(who_end, size)
                node_last[depth], node_set[depth] = l, here | (np.int64(1) << l)
                node_pk[depth], node_count[depth] = pk * known[l], f
                node_from[depth], node_to[depth] = row_from[b], row_to[b]
                who_begin[depth] = who_top
                who_top += chosen_count[b]
                who_end[depth] = who_top
                chosen_count[b] = who_begin[depth]
                depth += 1
            for i in range(many):
                at = chosen_count[bucket_of[i]]
                chosen_count[bucket_of[i]] += 1
                who[at], fixed[at] = chosen[i], before[chosen_at[i], l]
    return best_key, best
