"""The known set that adds most to the risk of a victim: the same search, with the largest term so far as the bound."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FlagGrid, FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.risk.arguments import ReleasedRows, Victims
from tacit.kernels.risk.splitting import (
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

_SAME = 1e-12
"""Relative difference below which two terms count as the same number, differently rounded. A term is a product of at
most some sixty factors, a sum and a quotient, each rounded to a relative 2^-53, which is far less in all."""


class _Best(NamedTuple):
    """Per victim, the largest term so far and its known set; and what is needed to find them."""

    term: Floats
    known_set: Ints  # as a bit mask, 0 if all terms are 0
    place: Ints  # per attribute: the rank of its column in the table
    rest: FloatGrid  # [victim, l]: the weight of the attributes from l on


class _Here(NamedTuple):
    """Of the node that is visited, by its victims and the attributes behind its last one."""

    need: FlagGrid  # whether a larger term may lie below the child
    before: FloatGrid  # the weight of what is not known before the attribute
    wanted: Ints  # per attribute: how many victims need the child


@compiled
def _better(term: float, key: int, best: float, best_key: int, place: Ints) -> bool:
    """Compare two known sets: by their terms, then fewest attributes, then first in column order."""
    if term > best * (1.0 + _SAME):
        return True
    if term < best * (1.0 - _SAME) or term <= 0.0:
        return False
    size, best_size = 0, 0
    for l in range(place.shape[0]):
        size += (key >> l) & 1
        best_size += (best_key >> l) & 1
    if size != best_size:
        return size < best_size
    # The first column that only one of them has decides.
    first, in_key = place.shape[0], False
    for l in range(place.shape[0]):
        mine, theirs = (key >> l) & 1, (best_key >> l) & 1
        if mine != theirs and place[l] < first:
            first, in_key = place[l], mine == 1
    return in_key


@compiled
def _weigh_children(
    released: ReleasedRows,
    victims: Victims,
    node: Node,
    counts: CodeCounts,
    who: NDArray[np.int32],
    fixed: Floats,
    best: _Best,
    here: _Here,
) -> None:
    """Compare the term of every child with the best of its victims, and mark the children that must be visited."""
    known, offsets, codes, gains = released.known, released.offsets, victims.codes, victims.gains
    by_code, blank = counts.by_code, counts.blank
    best_term, best_set, place, rest = best.term, best.known_set, best.place, best.rest
    needed, before, wanted = here.need, here.before, here.wanted
    a = codes.shape[1]
    first = node.last + 1
    for l in range(first, a):
        wanted[l] = 0
    for k in range(node.who_begin, node.who_end):
        u = who[k]
        i = k - node.who_begin
        spare = fixed[k]
        for l in range(first, a):
            before[i, l] = spare
            code = codes[u, l]
            f = node.people if code < 0 else max(1, by_code[offsets[l] + code] + blank[l])
            # The term of the child if she were alone with it; nothing below the child is larger.
            alone = node.pk * known[l] * (spare + rest[u, l + 1])
            key = node.known_set | (np.int64(1) << l)
            if _better(alone / f, key, best_term[u], best_set[u], place):
                best_term[u], best_set[u] = alone / f, key
            # Attributes come best-known first: whatever is added later multiplies by no more than the next one.
            may_grow = f > 1 and l + 1 < a and alone > 0.0
            need = may_grow and alone * known[l + 1] >= best_term[u] * (1.0 - _SAME)
            needed[i, l] = need
            wanted[l] += need
            spare += gains[u, l]


@compiled
def _enter(l: int, many: int, children: Children, before: FloatGrid, who: NDArray[np.int32], fixed: Floats) -> None:
    """Write down the victims who are followed into the children by attribute `l`."""
    place, victim, entry = children.place, children.victim, children.entry
    for i in range(many):
        k = place[i]
        who[k], fixed[k] = victim[i], before[entry[i], l]


@compiled
def _new_best(victims: Victims, place: Ints) -> _Best:
    v, a = victims.codes.shape
    rest = np.zeros((v, a + 1))
    for u in range(v):
        for l in range(a - 1, -1, -1):
            rest[u, l] = rest[u, l + 1] + victims.gains[u, l]
    return _Best(np.zeros(v), np.zeros(v, np.int64), place, rest)


@compiled
def heaviest_sets(released: ReleasedRows, victims: Victims, place: Ints) -> tuple[Ints, Floats]:
    """Return, per victim, the known set with the largest PK / F * w (a bit mask, 0 if all are 0) and that number.

    Alpha multiplies all terms alike and is left out. `place` is the rank of each attribute's column in the table.
    """
    n, a = released.codes.shape
    v = victims.codes.shape[0]
    best = _new_best(victims, place)
    here = _Here(np.zeros((v, a), np.bool_), np.empty((v, a)), np.zeros(a, np.int64))
    counts, children = new_counts(released), new_children(released, v)
    active = np.empty(v, np.int64)
    arena, who, fixed = new_arena(released), np.empty(2 * v + 16, np.int32), np.empty(2 * v + 16)
    for u in range(v):
        who[u], fixed[u] = u, victims.base[u]
    stack, depth = new_stack(), 1
    put_node(stack, 0, Node(-1, 0, 1.0, people_in(arena, 0, n), 0, n, 0, v))
    while depth:
        depth -= 1
        node = node_at(stack, depth)
        count_codes(released, arena, node, counts)
        _weigh_children(released, victims, node, counts, who, fixed, best, here)
        clear_counts(released, arena, node, counts)
        live = node.who_end - node.who_begin
        for i in range(live):
            active[i] = node.who_begin + i
        top, who_top = node.row_end, node.who_end
        for l in range(a - 1, node.last, -1):
            if not here.wanted[l]:
                continue
            many = follow(here.need, l, live, active, who, children)
            arena, top, buckets = share_out(released, victims.codes, arena, top, node, l, many, children)
            who, fixed = roomy(who, who_top + many), roomy(fixed, who_top + many)
            who_top = place_victims(children, buckets, many, who_top)
            _enter(l, many, children, here.before, who, fixed)
            key, pk = node.known_set | (np.int64(1) << l), node.pk * released.known[l]
            for b in range(buckets):
                if depth == stack.last.shape[0]:
                    stack = wider_stack(stack)
                begin, end = children.row_from[b], children.row_to[b]
                people = people_in(arena, begin, end)
                put_node(stack, depth, Node(l, key, pk, people, begin, end, children.who_from[b], children.who_to[b]))
                depth += 1
    return best.known_set, best.term
