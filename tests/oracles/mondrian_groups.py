"""Slow twins of the Mondrian kernels that move cells between groups: lists, sets and everything counted anew.

A crowd is a list of cells; a cell is a point (a position per attribute) and the sensitive values of its rows, a tuple
per row. Groups are lists of places in the crowd, the member that came last first.
"""

from __future__ import annotations

import math

_TINY = 1e-9


class Crowd:
    """Cells, what their blur costs and what a group of them must satisfy.

    `widths` has one function per attribute, from a set of positions to what it costs a row. `accepts` judges a list of
    rows. No group of fewer than `smallest` rows is ever accepted.
    """

    def __init__(self, cells, widths, accepts, smallest):
        self.cells, self.widths, self.judge, self.smallest = cells, widths, accepts, smallest

    def rows(self, members):
        return [row for i in members for row in self.cells[i][1]]

    def weight(self, members):
        return len(self.rows(members))

    def cost(self, members):
        """What one row of a group loses."""
        points = [self.cells[i][0] for i in members]
        return sum(width({point[a] for point in points}) for a, width in enumerate(self.widths))

    def loss(self, members):
        """What all rows of a group lose together."""
        return self.weight(members) * self.cost(members) if members else 0.0

    def accepts(self, members):
        rows = self.rows(members)
        return len(rows) >= self.smallest and self.judge(rows)


def settle(crowd, labels, count):
    """Cells of label -1 are one group if that is accepted; else each joins the nearest of 16 groups that takes it.

    Those that nobody takes get whole groups to join them, until all together are accepted.
    """
    groups = [[i for i, label in enumerate(labels) if label == g] for g in range(count)]
    waiting = [i for i, label in enumerate(labels) if label < 0]
    if not waiting:
        return list(labels), count
    if crowd.accepts(waiting):
        return [count if label < 0 else label for label in labels], count + 1

    def by_distance(i):
        extra = {g: crowd.loss([i, *group]) - crowd.loss(group) for g, group in enumerate(groups) if group}
        return sorted(extra, key=lambda g: (extra[g], g))

    rest = []
    for i in waiting:
        home = next((g for g in by_distance(i)[:16] if crowd.accepts([i, *groups[g]])), None)
        (rest if home is None else groups[home]).insert(0, i)
    if rest:
        for g in by_distance(rest[0]):
            if crowd.accepts(rest):
                break
            rest += groups[g]
            groups[g] = []
    out = list(labels)
    for g, group in enumerate([*groups, rest]):
        for i in group:
            out[i] = g
    return out, count + bool(rest)


def exchange(crowd, sizes, block, rounds):
    """Improve groups that lie one after the other (`sizes` members each), in blocks of at most `block` members."""
    labels, place, g0 = [], 0, 0
    while g0 < len(sizes):
        g1 = g0 + 1
        while g1 < len(sizes) and sum(sizes[g0 : g1 + 1]) <= block:
            g1 += 1
        groups = []
        for size in sizes[g0:g1]:
            groups.append(list(range(place, place + size)))
            place += size
        _improve(crowd, groups, rounds)
        home = {i: g0 + g for g, group in enumerate(groups) for i in group}
        labels += [home[i] for i in sorted(home)]
        g0 = g1
    return labels


def _improve(crowd, groups, rounds):
    members = sorted(i for group in groups for i in group)
    for _ in range(rounds if len(groups) > 1 else 0):
        changes = 0
        for i in members:
            g = next(g for g, group in enumerate(groups) if i in group)
            left = [j for j in groups[g] if j != i]
            if crowd.cost(groups[g]) == 0 or crowd.weight(left) < crowd.smallest:
                continue
            host, _ = _host(crowd, groups, i, g, crowd.loss(groups[g]) - crowd.loss(left) - _TINY)
            if host is not None and crowd.accepts(left):
                groups[g] = left
                groups[host].insert(0, i)
                changes += 1
        for g in range(len(groups)):
            if groups[g] and crowd.cost(groups[g]) > 0:
                changes += _dissolve(crowd, groups, g)
        if not changes:
            break


def _host(crowd, groups, i, own, budget):
    """The other group that takes `i` at the least extra loss below the budget."""
    best, least = None, budget
    for g, group in enumerate(groups):
        if g == own or not group:
            continue
        extra = crowd.loss([i, *group]) - crowd.loss(group)
        if extra < least and crowd.accepts([i, *group]):
            best, least = g, extra
    return best, least


def _dissolve(crowd, groups, g):
    budget = crowd.loss(groups[g]) - _TINY
    before, went = [list(group) for group in groups], []
    while groups[g]:
        i = groups[g][0]
        host, extra = _host(crowd, groups, i, g, budget)
        if host is None:
            groups[:] = before
            groups[g] = [*reversed(went), *[j for j in before[g] if j not in went]]
            return False
        budget -= extra
        groups[g].remove(i)
        groups[host].insert(0, i)
        went.append(i)
    return True


def pool(crowd, levels, shares, visits):
    """Close the cheapest accepted buckets first, over all vectors of levels in the order of their mean cost.

    `levels[a][h]` maps a position to its node at level h, `shares[a][h]` to what that node costs.
    """
    q, m = len(levels), len(crowd.cells)
    total = crowd.weight(range(m))
    mean = [
        [sum(len(rows) * share[point[a]] for point, rows in crowd.cells) / total for share in shares[a]]
        for a in range(q)
    ]
    labels = [-1] * m
    # (turn, number of making, vector, first attribute that may still be raised, whether its successors are made)
    queue, made, groups, seen = [[0.0, 0, (0,) * q, 0, False]], 1, 0, 0
    while queue and -1 in labels and seen < visits * m:
        queue.sort(key=lambda entry: entry[:2])
        turn, number, vector, last, raised = queue.pop(0)
        if not raised:
            for a in range(last, q):
                if vector[a] + 1 < len(levels[a]):
                    higher = (*vector[:a], vector[a] + 1, *vector[a + 1 :])
                    cost = 0.0
                    for b in range(q):
                        cost += mean[b][higher[b]]
                    queue.append([max(cost, turn), made, higher, a, False])
                    made += 1
        free = [i for i in range(m) if labels[i] < 0]
        seen += len(free)
        buckets = {}
        for i in free:
            node = tuple(levels[a][vector[a]][crowd.cells[i][0][a]] for a in range(q))
            buckets.setdefault(node, []).append(i)
        due = math.inf
        for bucket in buckets.values():
            if crowd.weight(bucket) < crowd.smallest:
                continue
            cost = 0.0
            for a in range(q):
                cost += shares[a][vector[a]][crowd.cells[bucket[0]][0][a]]
            if cost > turn * 1.05 + 1e-9:
                due = min(due, cost)
            elif crowd.accepts(bucket):
                for i in bucket:
                    labels[i] = groups
                groups += 1
        if due < math.inf:
            queue.append([due, number, vector, last, True])
    return labels, groups


def deal(crowd, groups, ranked, bends, guarded):
    """Halve every group of single rows by dealing each sensitive value, as long as both halves are accepted.

    The `guarded` columns are dealt: the tightest alone, and all together. `ranked[a]` puts the positions of some
    members in the order in which the attribute is cut. Returns sets of members.
    """
    done, stack = [], [list(group) for group in groups]
    while stack:
        group = stack.pop()
        best, lowest = None, math.inf
        for a in range(len(crowd.widths)):
            order = ranked[a]([crowd.cells[i][0][a] for i in group])
            if len(group) < 2 * crowd.smallest or len(order) == 1:
                continue
            columns = _by_tightness(crowd, group, guarded)
            for dealt in (columns[:1], columns)[: max(1, min(2, len(columns)))]:
                for b in range(bends, -2, -1):
                    left = _half(crowd, group, a, order, max(b, 0) / max(1, bends), dealt, odd=b < 0)
                    right = [i for i in group if i not in left]
                    if left and right and crowd.accepts(left) and crowd.accepts(right):
                        loss = crowd.loss(left) + crowd.loss(right)
                        if loss < lowest:
                            best, lowest = left, loss
                        break
        if best is None:
            done.append(frozenset(group))
        else:
            stack += _parted(group, best)
    return set(done)


def _by_tightness(crowd, group, guarded):
    """The column first whose most frequent value has most members; of equally tight ones that of fewer values."""
    held = {c: [crowd.cells[i][1][0][c] for i in group] for c in guarded}
    return sorted(guarded, key=lambda c: (-max(map(held[c].count, held[c])), len(set(held[c])), c))


def _half(crowd, group, a, order, bend, columns, odd):
    along = {i: order.index(crowd.cells[i][0][a]) for i in group}
    middle = next(j for j in range(len(order)) if 2 * sum(place <= j for place in along.values()) >= len(group))
    taken = set()
    value = {i: tuple(crowd.cells[i][1][0][c] for c in columns) for i in group}
    tight = sorted({values[:1] for values in value.values()})

    def turned(values):  # up and down in turn, from one value of the tightest column to the next
        down = -1 if len(columns) > 1 and tight.index(values[:1]) % 2 else 1
        return values[:1], tuple(down * each for each in values[1:])

    combinations = sorted(set(value.values()), key=turned)
    carried = 0.0
    for at, values in enumerate(combinations):
        having = sorted((i for i in group if value[i] == values), key=along.__getitem__)
        share = (1 - bend) * len(having) / 2 + bend * sum(along[i] <= middle for i in having) + carried
        many = min(math.floor(share), len(having))
        carried = share - many
        if at + 1 == len(combinations) or combinations[at + 1][:1] != values[:1]:
            if carried >= 0.5 and many < len(having) and (odd or along[having[many]] <= middle):
                many += 1
            carried = 0.0
        taken |= set(having[:many])
    return taken


def _parted(group, left):
    """Both sides, in the order that exchanging misplaced members from the two ends leaves them in."""
    group = list(group)
    i, j = 0, len(group) - 1
    while i <= j:
        if group[i] in left:
            i += 1
        elif group[j] not in left:
            j -= 1
        else:
            group[i], group[j] = group[j], group[i]
    return [group[:i], group[i:]]
