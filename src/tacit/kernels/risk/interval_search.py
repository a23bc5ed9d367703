"""Disclosure risk of many victims at once, as intervals: depth-first over known sets.

Every known set K is visited at most once, through its attributes in order. At a node all children are counted in one
pass over its rows. A child of one person is summed in closed form; a child whose bounds are near each other is left
with them; the others are visited, for those victims only whose bounds are too far apart.

The *rest* of a node are the attributes behind its last one. PK is the product of the probabilities of a known set, F
how many people match it, and w the weight of what is not known.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FlagGrid, FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.risk.arguments import Goal, ReleasedRows, Victims
from tacit.kernels.risk.few_rows import FEW_PEOPLE, FewScratch, new_few_scratch, sum_of_few
from tacit.kernels.risk.sets import add_to_set
from tacit.kernels.risk.splitting import (
    Arena,
    Children,
    CodeCounts,
    Node,
    clear_counts,
    count_codes,
    follow,
    new_arena,
    new_children,
    new_counts,
    new_stack,
    node_at,
    people_in,
    place_victims,
    put_node,
    roomy,
    share_out,
    wider_stack,
)

_COMMON = 0.05
"""A share of the people of a node. If at most so many differ from the victim in an attribute, it is common: knowing it
hardly changes F, and the upper bound uses that. A larger share takes in more attributes, but each of them takes its
people off F in the bound. How the value was chosen was not written down."""

_ABOVE, _BELOW = 1.000000001, 0.999999999
"""Factors of the limit. A victim counts as decided within the search only this far from it, because the sums that are
kept while it runs take terms away again and are rounded; the bounds that are returned decide in the end."""

_SETS = 1024
"""Room for visited known sets at first, a power of two; the table grows by itself."""


class _Rest(NamedTuple):
    """Sums over the attributes from l on, [l] or [victim, l]."""

    products: Floats  # of PK(E) over the non-empty subsets E
    weight: FloatGrid  # of the weights
    spread: FloatGrid  # of PK(E) times the weight that is not in E, over the non-empty subsets E


class _Intervals(NamedTuple):
    """Per victim, the bounds of what is settled, and of everything so far with the unsettled nodes at their bounds."""

    low: Floats
    high: Floats
    so_low: Floats
    so_high: Floats
    steps: Ints  # how many terms were added up, which bounds the rounding


class _Entries(NamedTuple):
    """The victims of all nodes on the stack, one node after another."""

    who: NDArray[np.int32]  # the victim
    fixed: Floats  # the weight of what is not known before the rest
    low: Floats  # the bounds that the node has in her interval until it is visited
    high: Floats


class _Here(NamedTuple):
    """Of the node that is visited: its victims who are not done, and what was computed of them and of each child."""

    active: Ints  # the entries of those victims
    before: FloatGrid  # [victim, attribute]: the weight of what is not known before the attribute
    low: FloatGrid  # the bounds of the child
    high: FloatGrid
    need: FlagGrid  # whether the child is visited for her
    wanted: Ints  # [attribute]: for how many victims the child is visited


@compiled
def bound_risk(released: ReleasedRows, victims: Victims, goal: Goal) -> tuple[Floats, Floats, Ints, Ints]:
    """Bound the risk of every victim.

    Returns
    -------
    low, high, steps, keys
        The intervals; how many terms were added up for each victim, which bounds the rounding; and the known sets
        visited, as bit masks in an open hash table, -1 where a slot is free.
    """
    n, a = released.codes.shape
    v = victims.codes.shape[0]
    rest = _sums_of_rest(released.known, victims)
    intervals = _first_intervals(released.scale, victims, rest)
    entries = _first_entries(victims, intervals)
    here = _new_here(v, a)
    counts, children, few = new_counts(released), new_children(released, v), new_few_scratch()
    keys, used = np.full(_SETS, np.int64(-1)), 0
    arena = new_arena(released)
    stack, depth = new_stack(), 1
    put_node(stack, 0, Node(-1, 0, released.scale, people_in(arena, 0, n), 0, n, 0, v))
    while depth:
        depth -= 1
        node = node_at(stack, depth)
        live = _leave_done(node, entries, intervals, goal, here)
        if not live:
            continue
        count_codes(released, arena, node, counts)
        _bound_children(released, victims, goal, rest, node, live, counts, entries, intervals, here)
        clear_counts(released, arena, node, counts)
        if goal.visit:
            for l in range(node.last + 1, a):
                keys, used = add_to_set(keys, used, node.known_set | (np.int64(1) << l))
        top, who_top = node.row_end, node.who_end
        # The last attribute is pushed first and visited last; so the arena is free behind the node that is visited.
        for l in range(a - 1, node.last, -1):
            if not here.wanted[l]:
                continue
            many = follow(here.need, l, live, here.active, entries.who, children)
            arena, new_top, buckets = share_out(released, victims.codes, arena, top, node, l, many, children)
            if who_top + many > entries.who.shape[0]:
                entries = _wider_entries(entries, who_top + many)
            new_who_top = place_victims(children, buckets, many, who_top)
            _enter(l, many, children, here, entries)
            key, pk = node.known_set | (np.int64(1) << l), node.pk * released.known[l]
            pushed = False
            for b in range(buckets):
                begin, end = children.row_from[b], children.row_to[b]
                people = people_in(arena, begin, end)
                if people <= FEW_PEOPLE:
                    _settle_few(released, victims, arena, b, l, pk, children, entries, intervals, few)
                if children.who_to[b] == children.who_from[b]:
                    continue
                if depth == stack.last.shape[0]:
                    stack = wider_stack(stack)
                put_node(stack, depth, Node(l, key, pk, people, begin, end, children.who_from[b], children.who_to[b]))
                depth += 1
                pushed = True
            if pushed:
                top, who_top = new_top, new_who_top
    return intervals.low, intervals.high, intervals.steps, keys


@compiled
def _sums_of_rest(known: Floats, victims: Victims) -> _Rest:
    v, a = victims.codes.shape
    products = np.zeros(a + 1)
    for l in range(a - 1, -1, -1):
        products[l] = products[l + 1] * (1.0 + known[l]) + known[l]
    weight, spread = np.zeros((v, a + 1)), np.zeros((v, a + 1))
    for u in range(v):
        for l in range(a - 1, -1, -1):
            p, w = known[l], victims.gains[u, l]
            spread[u, l] = (1.0 + p) * spread[u, l + 1] + w * products[l + 1] + p * weight[u, l + 1]
            weight[u, l] = weight[u, l + 1] + w
    return _Rest(products, weight, spread)


@compiled
def _first_intervals(scale: float, victims: Victims, rest: _Rest) -> _Intervals:
    """Return intervals from 0 to the risk that each victim would have if she were alone with every known set."""
    v = victims.codes.shape[0]
    so_high = np.empty(v)
    for u in range(v):
        so_high[u] = scale * (victims.base[u] * rest.products[0] + rest.spread[u, 0])
    return _Intervals(np.zeros(v), np.zeros(v), np.zeros(v), so_high, np.zeros(v, np.int64))


@compiled
def _first_entries(victims: Victims, intervals: _Intervals) -> _Entries:
    """Return the entries of the root, which has all victims."""
    v = victims.codes.shape[0]
    room = 2 * v + 16
    entries = _Entries(np.empty(room, np.int32), np.empty(room), np.empty(room), np.empty(room))
    for u in range(v):
        entries.who[u], entries.fixed[u] = u, victims.base[u]
        entries.low[u], entries.high[u] = 0.0, intervals.so_high[u]
    return entries


@compiled
def _wider_entries(entries: _Entries, needed: int) -> _Entries:
    return _Entries(
        roomy(entries.who, needed),
        roomy(entries.fixed, needed),
        roomy(entries.low, needed),
        roomy(entries.high, needed),
    )


@compiled
def _new_here(v: int, a: int) -> _Here:
    return _Here(
        np.empty(v, np.int64),
        np.empty((v, a)),
        np.empty((v, a)),
        np.empty((v, a)),
        np.zeros((v, a), np.bool_),
        np.zeros(a, np.int64),
    )


@compiled
def _leave_done(node: Node, entries: _Entries, intervals: _Intervals, goal: Goal, here: _Here) -> int:
    """Leave the node with its bounds for the victims who are done; collect the others and return how many they are."""
    who, left_low, left_high = entries.who, entries.low, entries.high
    low, high, so_low, so_high, steps = intervals
    enough, active = goal.enough, here.active
    live = 0
    for k in range(node.who_begin, node.who_end):
        u = who[k]
        done = so_high[u] - so_low[u] <= enough[u]
        if goal.decide and not done:
            done = so_low[u] > goal.limit * _ABOVE or so_high[u] < goal.limit * _BELOW
        if done:
            low[u] += left_low[k]
            high[u] += left_high[k]
            steps[u] += 1
        else:
            active[live] = k
            live += 1
    return live


@compiled
def _bound_children(
    released: ReleasedRows,
    victims: Victims,
    goal: Goal,
    rest: _Rest,
    node: Node,
    live: int,
    counts: CodeCounts,
    entries: _Entries,
    intervals: _Intervals,
    here: _Here,
) -> None:
    """Replace the bounds of a node by its own term and the bounds of its children, for the victims who are not done.

    Below a child with f people, F is between 1 and f. So the lower bound divides every term by f. The upper bound
    divides by more than 1 only the terms whose attributes are all common: knowing them leaves at least f people, less
    those who differ from her in a common attribute. A child whose bounds are near each other is settled with them; the
    others are marked to be visited.
    """
    known, offsets, codes, gains = released.known, released.offsets, victims.codes, victims.gains
    by_code, blank = counts.by_code, counts.blank
    rest_products, rest_weight, rest_spread = rest
    low, high, so_low, so_high, steps = intervals
    active, before, child_low, child_high, need, wanted = here
    who, fixed, left_low, left_high = entries
    gap, pk, F = goal.gap, node.pk, node.people
    first, a = node.last + 1, known.shape[0]
    for l in range(first, a):
        wanted[l] = 0
    for i in range(live):
        k = active[i]
        u = who[k]
        term = 0.0 if first == 0 else pk / F * (fixed[k] + rest_weight[u, first])  # the empty set is no knowledge
        low[u] += term
        high[u] += term
        so_low[u] += term - left_low[k]
        so_high[u] += term - left_high[k]
        steps[u] += a - node.last
        spare = fixed[k]
        for l in range(first, a):
            before[i, l] = spare
            spare += gains[u, l]
        # The common attributes behind l: sums as in `_Rest`, and how many people differ from her in one of them.
        common_products, common_spread, common_weight, missing = 0.0, 0.0, 0.0, 0
        other_weight = 0.0  # the weight of the other attributes behind l
        for l in range(a - 1, first - 1, -1):
            p, w = known[l], gains[u, l]
            code = codes[u, l]
            f = F if code < 0 else by_code[offsets[l] + code] + blank[l]
            f = max(f, 1)
            own = pk * p / f * (before[i, l] + rest_weight[u, l + 1])
            below = pk * p * (before[i, l] * rest_products[l + 1] + rest_spread[u, l + 1])  # if she were alone there
            at_least = own + below / f
            need[i, l] = False
            if f == 1 or below == 0.0:
                at_most = at_least
            else:
                at_most = own + below
                if f > missing + 1:
                    common = pk * p * ((before[i, l] + other_weight) * common_products + common_spread)
                    if common < below:
                        at_most = own + common / (f - missing) + (below - common)
                    else:
                        at_most = own + below / (f - missing)
                need[i, l] = at_most - at_least > gap[u]
            so_low[u] += at_least
            so_high[u] += at_most
            if need[i, l]:
                child_low[i, l] = at_least
                child_high[i, l] = at_most
                wanted[l] += 1
            else:
                low[u] += at_least
                high[u] += at_most
            if F - f <= _COMMON * F:
                common_spread = (1.0 + p) * common_spread + w * common_products + p * common_weight
                common_weight += w
                common_products = common_products * (1.0 + p) + p
                missing += F - f
            else:
                other_weight += w


@compiled
def _enter(l: int, many: int, children: Children, here: _Here, entries: _Entries) -> None:
    """Write the entries of the victims who are followed into the children by attribute `l`."""
    place, entry, victim = children.place, children.entry, children.victim
    before, child_low, child_high = here.before, here.low, here.high
    who, fixed, left_low, left_high = entries
    for j in range(many):
        k, i = place[j], entry[j]
        who[k] = victim[j]
        fixed[k] = before[i, l]
        left_low[k] = child_low[i, l]
        left_high[k] = child_high[i, l]


@compiled
def _settle_few(
    released: ReleasedRows,
    victims: Victims,
    arena: Arena,
    b: int,
    l: int,
    pk: float,
    children: Children,
    entries: _Entries,
    intervals: _Intervals,
    few: FewScratch,
) -> None:
    """Sum a child with few people at once, for every victim for whom few of its rows differ; keep the other victims."""
    who, fixed, left_low, left_high = entries
    low, high, so_low, so_high, steps = intervals
    begin, end = children.row_from[b], children.row_to[b]
    kept = children.who_from[b]
    for k in range(children.who_from[b], children.who_to[b]):
        u = who[k]
        total = sum_of_few(released, victims, arena, begin, end, u, l + 1, fixed[k], few)
        if total < 0.0:
            who[kept], fixed[kept] = u, fixed[k]
            left_low[kept], left_high[kept] = left_low[k], left_high[k]
            kept += 1
            continue
        total *= pk
        steps[u] += 1
        low[u] += total
        high[u] += total
        so_low[u] += total - left_low[k]
        so_high[u] += total - left_high[k]
    children.who_to[b] = kept
