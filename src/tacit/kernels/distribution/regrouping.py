"""Regrouping: swaps, moves and merges of near people until no group holds news."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.distribution.arguments import Knowledge, News, Tuples
from tacit.kernels.distribution.news import most_believed
from tacit.kernels.distribution.worlds import assign, balance, count_states

_IntGrid: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.int64]]
_Draws: TypeAlias = np.ndarray[tuple[int, int, int], np.dtype[np.uint32]]

MOST_STATES = 60_000
"""States. A group with more is never made: what cannot be counted is not accepted. The specification's."""

_EACH = 0.01
"""What every posterior that is news costs, besides how far it is beyond: otherwise a search would rather have many that
are barely news than one that is clearly so. The specification's."""

_GUESSED = 2
"""Rounds of scaling by which a posterior is guessed. On Adult 2, 4 and 12 rounds left out about the same tries; at most
one in thirty of those that would have lowered the cost was among them."""


class GroupTable(NamedTuple):
    """Groups that change: the group of each tuple, and of each group its members, their number and its cost."""

    group: Ints
    members: _IntGrid
    size: Ints
    cost: Floats


class Neighbours(NamedTuple):
    """Orders in which near tuples are close: `order[o]` lists the tuples and `place[o]` where each stands.

    Tuples up to `width` places away are tried.
    """

    order: _IntGrid
    place: _IntGrid
    width: int


@compiled
def _values_of(chosen: Ints, tuples: Tuples) -> tuple[Ints, Ints]:
    """Return the different values of some tuples, and how often each is there."""
    n = chosen.shape[0]
    values, counts = np.empty(n, np.int64), np.zeros(n, np.int64)
    m = 0
    for i in range(n):
        v = tuples.values[chosen[i]]
        at = 0
        while at < m and values[at] != v:
            at += 1
        if at == m:
            values[m] = v
            m += 1
        counts[at] += 1
    return values[:m].copy(), counts[:m].copy()


@compiled
def _needs_counting(values: Ints, known: Knowledge, news: News) -> bool:
    """Ask whether a group with these values could hold news: one without a protected value only where `cover` asks."""
    needed = values.shape[0] > 0 and news.cover < 1.0
    for v in values:
        needed |= known.entry_of[v] >= 0
    return needed


@compiled
def _beyond(posteriors: FloatGrid, rows: Ints, values: Ints, known: Knowledge, news: News, sums: Floats) -> float:
    """Return what it costs that posteriors under one attribute set are beyond what is no news; `sums` are zeros."""
    least = news.limits.min()  # nothing below the smallest limit is news, whatever was believed before
    cost = 0.0
    for i in range(rows.shape[0]):
        for v in range(values.shape[0]):
            if known.entry_of[values[v]] >= 0:
                sums[known.entry_of[values[v]]] += posteriors[i, v]
        for v in range(values.shape[0]):
            e = known.entry_of[values[v]]
            if e < 0:
                continue
            if sums[e] > least:
                beyond = sums[e] - most_believed(known.entry_chances[rows[i], e], news)
                cost += beyond + _EACH if beyond > 0.0 else 0.0
            sums[e] = 0.0
        if news.cover < 1.0:
            cost += _missing(rows[i], values, known, news.cover)
    return cost


@compiled
def _weigh(
    chosen: Ints, a: int, values: Ints, tuples: Tuples, known: Knowledge, rows: Ints, weights: FloatGrid
) -> None:
    """Fill the row of each tuple under an attribute set, and her probabilities of the values."""
    for i in range(chosen.shape[0]):
        rows[i] = known.signatures[tuples.cells[chosen[i]], a]
        for v in range(values.shape[0]):
            weights[i, v] = known.chances[rows[i], values[v]]


@compiled
def cost_of(chosen: Ints, tuples: Tuples, known: Knowledge, news: News, enough: float) -> float:
    """Return how much news a group of tuples would hold, over all attribute sets; infinite if it cannot be counted.

    Also infinite as soon as it is `enough` to be of no use: most tries of a search end there, and the attribute sets
    that are left need not be counted. A gain of 0 lets nothing exceed the limit, whatever was believed before; then the
    group alone is judged too, and a group holds at most one tuple of an entry.
    """
    n = chosen.shape[0]
    values, counts = _values_of(chosen, tuples)
    if not _needs_counting(values, known, news):
        return 0.0
    if count_states(counts, MOST_STATES) > MOST_STATES:
        return np.inf
    sums, rows = np.zeros(known.entry_chances.shape[1]), np.empty(n, np.int64)
    weights, posteriors = np.empty((n, values.shape[0])), np.empty((n, values.shape[0]))
    cost = _share_cost(values, counts, n, known, news) if news.gains[0] == 0.0 else 0.0
    for a in range(known.signatures.shape[1]):
        _weigh(chosen, a, values, tuples, known, rows, weights)
        if not assign(weights, counts, posteriors):
            return np.inf
        cost += _beyond(posteriors, rows, values, known, news, sums)
        if cost >= enough:
            return np.inf
    return cost


@compiled
def find_worst(
    groups: GroupTable, failing: Ints, tuples: Tuples, known: Knowledge, news: News
) -> tuple[Ints, Ints, Ints]:
    """Find, in each group that holds news, the posterior that is beyond what is none by most.

    Return the tuple, the attribute set and the value; -1 where no world is possible or there are too many.
    """
    who = np.full(failing.shape[0], -1, np.int64)
    where, what = who.copy(), who.copy()
    for f in range(failing.shape[0]):
        chosen = groups.members[failing[f], : groups.size[failing[f]]]
        values, counts = _values_of(chosen, tuples)
        if count_states(counts, MOST_STATES) > MOST_STATES:
            continue
        n, m = chosen.shape[0], values.shape[0]
        rows, weights, posteriors = np.empty(n, np.int64), np.empty((n, m)), np.empty((n, m))
        worst = 0.0
        for a in range(known.signatures.shape[1]):
            _weigh(chosen, a, values, tuples, known, rows, weights)
            if not assign(weights, counts, posteriors):
                continue
            for i in range(n):
                for v in range(m):
                    e = known.entry_of[values[v]]
                    if e < 0:
                        continue
                    total = 0.0
                    for w in range(m):
                        total += posteriors[i, w] if known.entry_of[values[w]] == e else 0.0
                    beyond = total - most_believed(known.entry_chances[rows[i], e], news)
                    if beyond > worst:
                        worst = beyond
                        who[f], where[f], what[f] = chosen[i], a, values[v]
    return who, where, what


@compiled
def guess_cost(chosen: Ints, tuples: Tuples, known: Knowledge, news: News, enough: float) -> float:
    """Guess `cost_of` without counting worlds, mostly too low: posteriors are scaled to the values' counts instead.

    It serves to leave out tries, and never to accept one. The guess ends as soon as it is `enough`.
    """
    n = chosen.shape[0]
    values, counts = _values_of(chosen, tuples)
    if not _needs_counting(values, known, news):
        return 0.0
    if count_states(counts, MOST_STATES) > MOST_STATES:
        return np.inf
    sums, rows = np.zeros(known.entry_chances.shape[1]), np.empty(n, np.int64)
    weights = np.empty((n, values.shape[0]))
    cost = 0.0
    for a in range(known.signatures.shape[1]):
        _weigh(chosen, a, values, tuples, known, rows, weights)
        balance(weights, counts, _GUESSED)
        cost += _beyond(weights, rows, values, known, news, sums)
        if cost >= enough:
            break
    return cost


@compiled
def _share_cost(values: Ints, counts: Ints, n: int, known: Knowledge, news: News) -> float:
    """Return what it costs that an entry is in too large a share of the n rows; infinite where it is there twice."""
    held = np.zeros(known.entry_chances.shape[1], np.int64)
    for v in range(values.shape[0]):
        if known.entry_of[values[v]] >= 0:
            held[known.entry_of[values[v]]] += counts[v]
    cost = 0.0
    for number in held:
        if number > 1:
            return np.inf
        cost += number / n - news.limits[0] + _EACH if number / n > news.limits[0] else 0.0
    return cost


@compiled
def _missing(row: int, values: Ints, known: Knowledge, cover: float) -> float:
    """Return what it costs that values which are likelier than `cover` are not in the group."""
    cost = 0.0
    for v in range(known.chances.shape[1]):
        if known.entry_of[v] >= 0 and known.chances[row, v] > cover:
            there = False
            for w in values:
                there |= w == v
            cost += 0.0 if there else _EACH + known.chances[row, v] - cover
    return cost


@compiled
def cost_all(groups: GroupTable, tuples: Tuples, known: Knowledge, news: News) -> None:
    """Fill the cost of every group."""
    for g in range(groups.size.shape[0]):
        groups.cost[g] = cost_of(groups.members[g, : groups.size[g]], tuples, known, news, np.inf)


@compiled
def _near(i: int, draw: int, near: Neighbours) -> int:
    """Return a tuple near a tuple, by one of the orders; -1 beyond their ends."""
    o = draw % near.order.shape[0]
    step = 1 + (draw >> 8) % near.width
    at = near.place[o, i] + (step if (draw >> 4) & 1 else -step)
    return near.order[o, at] if 0 <= at < near.order.shape[1] else -1


@compiled
def _replaced(groups: GroupTable, g: int, out: int, into: int, to: Ints) -> int:
    """Write the members of a group without one tuple and with another (-1: none); return how many there are."""
    n = 0
    for k in range(groups.size[g]):
        if groups.members[g, k] != out:
            to[n] = groups.members[g, k]
            n += 1
    if into >= 0:
        to[n] = into
        n += 1
    return n


@compiled
def _settle(groups: GroupTable, g: int, members: Ints, cost: float) -> None:
    groups.size[g] = members.shape[0]
    groups.cost[g] = cost
    for k in range(members.shape[0]):
        groups.members[g, k] = members[k]
        groups.group[members[k]] = g


@compiled
def exchange_news(
    groups: GroupTable,
    failing: Ints,
    anchors: Ints,
    tuples: Tuples,
    known: Knowledge,
    news: News,
    near: Neighbours,
    draws: _Draws,
    rise: float,
) -> int:
    """Swap or move members of groups that hold news with other tuples, where that lowers the cost of both groups.

    The others are near `anchors[f]` for the f-th failing group; where that is -1, near the member that changes place.
    `draws[f, t]` are three random numbers for try t of that group. All changes for one group together may raise the
    cost by up to `rise`, which leads out of a dead end where no change lowers it. Returns how many changes were made.
    """
    cap = groups.members.shape[1]
    one, two = np.empty(cap + 1, np.int64), np.empty(cap + 1, np.int64)
    changes = 0
    for f in range(failing.shape[0]):
        g, left = failing[f], rise
        for t in range(draws.shape[1]):
            if groups.size[g] == 0 or groups.cost[g] <= 0.0:
                break
            i = groups.members[g, np.int64(draws[f, t, 0]) % groups.size[g]]
            j = _near(i if anchors[f] < 0 else anchors[f], np.int64(draws[f, t, 1]), near)
            if j < 0 or groups.group[j] == g:
                continue
            h = groups.group[j]
            kind = np.int64(draws[f, t, 2]) % 4  # 0 and 1: swap; 2: take the neighbour in; 3: join the neighbour
            if (kind == 2 and groups.size[g] == cap) or (kind == 3 and groups.size[h] == cap):
                continue
            n = _replaced(groups, g, -1 if kind == 2 else i, -1 if kind == 3 else j, one)
            m = _replaced(groups, h, -1 if kind == 3 else j, -1 if kind == 2 else i, two)
            before = groups.cost[g] + groups.cost[h]
            most = before + left + _EACH  # a guess may take what is barely none for news
            guessed = guess_cost(one[:n], tuples, known, news, most)
            other = guess_cost(two[:m], tuples, known, news, most - guessed) if guessed < most else np.inf
            if not guessed + other < most and before < np.inf:
                continue
            first = cost_of(one[:n], tuples, known, news, before + left)
            if not first < before + left or not first + other < most:
                continue
            second = cost_of(two[:m], tuples, known, news, before + left - first)
            if first + second < before + left - 1e-12 or (before == np.inf and first + second < np.inf):
                left -= max(0.0, first + second - before)
                _settle(groups, g, one[:n], first)
                _settle(groups, h, two[:m], second)
                changes += 1
    return changes


@compiled
def merge_news(
    groups: GroupTable, failing: Ints, tuples: Tuples, known: Knowledge, news: News, near: Neighbours, draws: _Draws
) -> int:
    """Merge groups that hold news with the best of some near groups, where that lowers the cost; count the merges."""
    cap = groups.members.shape[1]
    together = np.empty(cap, np.int64)
    merges = 0
    for f in range(failing.shape[0]):
        g = failing[f]
        if groups.size[g] == 0 or groups.cost[g] <= 0.0:
            continue
        best, lowest = np.int64(-1), 0.0
        for t in range(draws.shape[1]):
            i = groups.members[g, np.int64(draws[f, t, 0]) % groups.size[g]]
            j = _near(i, np.int64(draws[f, t, 1]), near)
            h = -1 if j < 0 else groups.group[j]
            if h < 0 or h == g or groups.size[g] + groups.size[h] > cap:
                continue
            n = groups.size[g]
            together[:n] = groups.members[g, :n]
            together[n : n + groups.size[h]] = groups.members[h, : groups.size[h]]
            most = groups.cost[g] + groups.cost[h] - lowest
            chosen = together[: n + groups.size[h]]
            if not guess_cost(chosen, tuples, known, news, most + _EACH) < most + _EACH:
                continue
            cost = cost_of(chosen, tuples, known, news, most)
            saved = groups.cost[g] + groups.cost[h] - cost
            if saved > lowest:
                best, lowest = h, saved
        if best >= 0:
            n, m = groups.size[g], groups.size[best]
            together[:n] = groups.members[g, :n]
            together[n : n + m] = groups.members[best, :m]
            cost = cost_of(together[: n + m], tuples, known, news, np.inf)
            _settle(groups, g, together[: n + m], cost)
            groups.size[best] = 0
            groups.cost[best] = 0.0
            merges += 1
    return merges
