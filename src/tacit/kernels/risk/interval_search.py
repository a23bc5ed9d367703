"""Disclosure risk of many victims at once, as intervals: depth-first over known sets.

Every known set K is visited at most once, through its attributes in order. At a node all children are counted in one
pass; a child of one row is summed in closed form, a child whose gap between the bounds is small is left, the others are
entered, with the victims who need it only.
"""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled
from tacit.kernels.risk.few_rows import FEW, FEW_PEOPLE, sum_of_few
from tacit.kernels.risk.sets import add_to_set
from tacit.kernels.risk.splitting import clear_counts, count_codes, roomy, share_out

COMMON = 0.05  # an attribute on which all but so small a share of the node agrees with the victim


@compiled
def bound_risk(  # type: ignore[no-untyped-def]
    rows, weight, victims, gains, base, known, offsets, scale, gap, enough, limit, decide, visit
):
    """Bound the risk of every victim.

    Parameters
    ----------
    rows, weight
        Distinct rows (codes by attributes, -1 matches everything) and how often each occurs.
    victims
        Codes of the victims, in the same attributes; -1 is not known.
    gains, base
        Weight of each victim's attributes, and of what is never known.
    known
        Probability that an attribute is known.
    offsets
        Where the codes of each attribute begin among the codes of all.
    scale
        What every term is multiplied with.
    gap
        Per victim, the largest difference between bounds that may be left in a node.
    enough
        Per victim, the width of the interval that will do.
    limit, decide
        With `decide`, a victim is done once she is above or not above `limit`.
    visit
        Whether to keep which known sets were visited.

    Returns
    -------
    low, high, steps, keys
        The intervals; how many terms were added up for each victim, which bounds the rounding; and the known sets
        visited, as bit masks in an open hash table, -1 where a slot is free.
    """
    n, a = rows.shape
    v = victims.shape[0]
    low, high = np.zeros(v), np.zeros(v)
    so_low, so_high = np.zeros(v), np.zeros(v)
    steps = np.zeros(v, np.int64)
    keys, used = np.full(1024, np.int64(-1)), 0
    others = np.ones(a + 1)
    others_some = np.zeros(a + 1)  # products over the rest, and the same less the empty set
    for l in range(a - 1, -1, -1):
        others[l] = others[l + 1] * (1.0 + known[l])
        others_some[l] = others_some[l + 1] * (1.0 + known[l]) + known[l]
    rest = np.zeros((v, a + 1))  # weight of the rest
    # Sum over non-empty subsets E of the rest of PK(E) times the weight of the rest that is not in E.
    spread = np.zeros((v, a + 1))
    total = 0
    for s in range(n):
        total += weight[s]
    for u in range(v):
        for l in range(a - 1, -1, -1):
            p, w = known[l], gains[u, l]
            spread[u, l] = (1.0 + p) * spread[u, l + 1] + w * others_some[l + 1] + p * rest[u, l + 1]
            rest[u, l] = rest[u, l + 1] + w
        so_high[u] = scale * (base[u] * others_some[0] + spread[u, 0])
    largest = 0
    for l in range(a):
        largest = max(largest, offsets[l + 1] - offsets[l])
    counts, blanks = np.zeros(offsets[a], np.int64), np.zeros(a, np.int64)
    slot = np.full(largest, -1, np.int64)
    arena = np.empty(2 * n + 16, np.int32)
    for s in range(n):
        arena[s] = s
    who = np.empty(2 * v + 16, np.int32)
    fixed, from_low, from_high = np.empty(2 * v + 16), np.empty(2 * v + 16), np.empty(2 * v + 16)
    for u in range(v):
        who[u], fixed[u], from_low[u], from_high[u] = u, base[u], 0.0, so_high[u]
    stack_size = 64
    node_last, node_set = np.empty(stack_size, np.int64), np.empty(stack_size, np.int64)
    node_pk, node_count = np.empty(stack_size), np.empty(stack_size, np.int64)
    node_rows, node_who = np.empty((stack_size, 2), np.int64), np.empty((stack_size, 2), np.int64)
    node_last[0], node_set[0], node_pk[0], node_count[0] = -1, 0, scale, total
    node_rows[0, 0], node_rows[0, 1], node_who[0, 0], node_who[0, 1] = 0, n, 0, v
    depth = 1
    # What one node needs: its victims, and of each of them and each child the bounds; need marks what is entered.
    active = np.empty(v, np.int64)
    before = np.empty((v, a))
    child_low, child_high = np.empty((v, a)), np.empty((v, a))
    need = np.zeros((v, a), np.bool_)
    some = np.zeros(a, np.int64)
    chosen, chosen_at, bucket_of = np.empty(v, np.int64), np.empty(v, np.int64), np.empty(v, np.int64)
    row_from, row_to = np.empty(v + 1, np.int64), np.empty(v + 1, np.int64)
    chosen_count, who_from = np.empty(v + 1, np.int64), np.empty(v + 1, np.int64)
    masks, masses = np.empty(FEW, np.int64), np.empty(FEW)
    terms, unions = np.empty(1 << FEW), np.empty(1 << FEW, np.int64)
    while depth:
        depth -= 1
        last, here, pk, F = node_last[depth], node_set[depth], node_pk[depth], node_count[depth]
        begin, end = node_rows[depth, 0], node_rows[depth, 1]
        who_begin, who_end = node_who[depth, 0], node_who[depth, 1]
        first = last + 1
        live = 0
        for k in range(who_begin, who_end):
            u = who[k]
            done = so_high[u] - so_low[u] <= enough[u]
            if decide and not done:
                done = so_low[u] > limit * 1.000000001 or so_high[u] < limit * 0.999999999
            if done:
                low[u] += from_low[k]
                high[u] += from_high[k]
                steps[u] += 1
            else:
                active[live] = k
                live += 1
        if not live:
            continue
        count_codes(rows, weight, arena, begin, end, first, offsets, counts, blanks)
        for l in range(first, a):
            some[l] = 0
        for i in range(live):
            k = active[i]
            u = who[k]
            mine = 0.0 if last < 0 else pk / F * (fixed[k] + rest[u, first])  # the empty set is no knowledge
            low[u] += mine
            high[u] += mine
            so_low[u] += mine - from_low[k]
            so_high[u] += mine - from_high[k]
            steps[u] += a - last
            spare = fixed[k]
            for l in range(first, a):
                before[i, l] = spare
                spare += gains[u, l]
            # Walk back, and keep apart the attributes on which nearly the whole node agrees with her: knowing them
            # hardly changes F.
            common_some, common_spread, common_rest, missing, other_rest = 0.0, 0.0, 0.0, 0, 0.0
            for l in range(a - 1, first - 1, -1):
                p, w = known[l], gains[u, l]
                code = victims[u, l]
                f = F if code < 0 else counts[offsets[l] + code] + blanks[l]
                f = max(f, 1)
                own = pk * p / f * (before[i, l] + rest[u, l + 1])
                more = pk * p * (before[i, l] * others_some[l + 1] + spread[u, l + 1])
                at_least = own + more / f
                need[i, l] = False
                if f == 1 or more == 0.0:
                    at_most = at_least
                else:
                    at_most = own + more
                    if f > missing + 1:
                        mild = pk * p * ((before[i, l] + other_rest) * common_some + common_spread)
                        if mild < more:
                            at_most = own + mild / (f - missing) + (more - mild)
                        else:
                            at_most = own + more / (f - missing)
                    need[i, l] = at_most - at_least > gap[u]
                so_low[u] += at_least
                so_high[u] += at_most
                if need[i, l]:
                    child_low[i, l] = at_least
                    child_high[i, l] = at_most
                    some[l] += 1
                else:
                    low[u] += at_least
                    high[u] += at_most
                if F - f <= COMMON * F:
                    common_spread = (1.0 + p) * common_spread + w * common_some + p * common_rest
                    common_rest += w
                    common_some = common_some * (1.0 + p) + p
                    missing += F - f
                else:
                    other_rest += w
        if visit:
            for l in range(first, a):
                keys, used = add_to_set(keys, used, here | (np.int64(1) << l))
        clear_counts(rows, arena, begin, end, first, offsets, counts)
        top, who_top = end, who_end
        for l in range(a - 1, first - 1, -1):
            if not some[l]:
                continue
            many = 0
            for i in range(live):
                if need[i, l]:
                    chosen[many] = who[active[i]]
                    chosen_at[many] = i
                    many += 1
            kept_top = top
            arena, top, buckets = share_out(
                rows, arena, begin, end, victims, chosen, many, l, arena, top, slot, bucket_of, row_from, row_to,
                chosen_count,
            )  # fmt: skip
            who = roomy(who, who_top + many)
            fixed = roomy(fixed, who_top + many)
            from_low = roomy(from_low, who_top + many)
            from_high = roomy(from_high, who_top + many)
            at = who_top
            for b in range(buckets):
                who_from[b] = at
                at += chosen_count[b]
                chosen_count[b] = who_from[b]
            for i in range(many):
                b = bucket_of[i]
                k = chosen_count[b]
                chosen_count[b] += 1
                who[k] = chosen[i]
                fixed[k] = before[chosen_at[i], l]
                from_low[k] = child_low[chosen_at[i], l]
                from_high[k] = child_high[chosen_at[i], l]
            pushed = False
            for b in range(buckets):
                f = 0
                for k in range(row_from[b], row_to[b]):
                    f += weight[arena[k]]
                if f <= FEW_PEOPLE:
                    kept = who_from[b]
                    for k in range(who_from[b], chosen_count[b]):
                        u = who[k]
                        found = sum_of_few(
                            rows, weight, arena, row_from[b], row_to[b], victims, gains, u, l + 1, known, fixed[k],
                            masks, masses, terms, unions,
                        )  # fmt: skip
                        if found < 0.0:
                            who[kept], fixed[kept] = who[k], fixed[k]
                            from_low[kept], from_high[kept] = from_low[k], from_high[k]
                            kept += 1
                            continue
                        found *= pk * known[l]
                        steps[u] += 1
                        low[u] += found
                        high[u] += found
                        so_low[u] += found - from_low[k]
                        so_high[u] += found - from_high[k]
                    chosen_count[b] = kept
                if chosen_count[b] == who_from[b]:
                    continue
                pushed = True
                if depth == stack_size:
                    stack_size *= 2
                    node_last, node_set = roomy(node_last, stack_size), roomy(node_set, stack_size)
                    node_pk, node_count = roomy(node_pk, stack_size), roomy(node_count, stack_size)
                    wider, wider_who = np.empty((stack_size, 2), np.int64), np.empty((stack_size, 2), np.int64)
                    wider[:depth], wider_who[:depth] = node_rows[:depth], node_who[:depth]
                    node_rows, node_who = wider, wider_who
                node_last[depth], node_set[depth] = l, here | (np.int64(1) << l)
                node_pk[depth], node_count[depth] = pk * known[l], f
                node_rows[depth, 0], node_rows[depth, 1] = row_from[b], row_to[b]
                node_who[depth, 0], node_who[depth, 1] = who_from[b], chosen_count[b]
                depth += 1
            if pushed:
                who_top = at
            else:
                top = kept_top
    return low, high, steps, keys
