"""Nodes of the search over known sets: which rows and which victims agree on what is known.

A node is one known set and one choice of its values: the rows that match it and the victims who have these values. The
rows of a node stand next to one another in an array that grows, the arena, and so do its victims in theirs. Children
are cut out of their parent, one attribute at a time. Only the attributes behind the last known one are still asked
about, so neighbours that agree in all of these become one row with the people of both: deep nodes are short. The code
-1 matches everything: in a row it is a blank that may be any value, in a victim a value that she is not known by.

Nodes are visited depth-first, and a child writes behind the end of its parent. What lies behind the end of the node
that is visited belongs to nodes that are done, and is overwritten.

Functions take the arrays out of a tuple before they loop over them: within a loop each access would count a reference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FlagGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.risk.arguments import ReleasedRows

_STACK = 64
"""Nodes that the stack has room for at first; it doubles when it is full. More take memory, fewer are copied sooner.
Either is negligible beside counting, so any small number would do."""


class Node(NamedTuple):
    """One known set, one choice of its values."""

    last: int  # the last attribute of the known set, -1 for the empty set
    known_set: int  # as a bit mask
    pk: float  # the product of the probabilities of the known set, and what the root began with
    people: int  # F: how many people match
    row_begin: int  # where its rows lie in the arena
    row_end: int
    who_begin: int  # where its victims lie in theirs
    who_end: int


class NodeStack(NamedTuple):
    """The nodes that are still to be visited; each array holds one entry of `Node`."""

    last: Ints
    known_set: Ints
    pk: Floats
    people: Ints
    row_begin: Ints
    row_end: Ints
    who_begin: Ints
    who_end: Ints


class Arena(NamedTuple):
    """The rows of all nodes on the stack, one node after another."""

    row: NDArray[np.int32]  # one of the released rows that stand for the entry
    people: Ints  # how many people they are


class CodeCounts(NamedTuple):
    """How many people of one node have each code."""

    by_code: Ints  # the codes of all attributes one after another; all 0 between two nodes
    blank: Ints  # per attribute: those with a blank


class Children(NamedTuple):
    """The children of one node by one attribute, while they are cut out: one for each value that its victims have."""

    slot: Ints  # [code]: the child that has it, -1 for none; all -1 between two calls
    victim: Ints  # the victims who are followed into a child
    entry: Ints  # [i]: which of the node's victims victim[i] is
    child: Ints  # [i]: the child of victim[i]
    place: Ints  # [i]: where victim[i] is written
    row_from: Ints  # [child]: where its rows lie in the arena
    row_to: Ints
    who_from: Ints  # [child]: where its victims lie in theirs
    who_to: Ints


@compiled
def roomy(array: NDArray[Any], needed: int) -> NDArray[Any]:
    """Return the array, or a larger copy of it if it has less room than is needed."""
    if needed <= array.shape[0]:
        return array
    larger = np.empty(max(needed, 2 * array.shape[0]), array.dtype)
    larger[: array.shape[0]] = array
    return larger


@compiled
def new_stack() -> NodeStack:
    """Return a stack with some room."""
    return NodeStack(
        np.empty(_STACK, np.int64),
        np.empty(_STACK, np.int64),
        np.empty(_STACK),
        np.empty(_STACK, np.int64),
        np.empty(_STACK, np.int64),
        np.empty(_STACK, np.int64),
        np.empty(_STACK, np.int64),
        np.empty(_STACK, np.int64),
    )


@compiled
def wider_stack(stack: NodeStack) -> NodeStack:
    """Return a copy of a full stack with twice the room."""
    size = 2 * stack.last.shape[0]
    return NodeStack(
        roomy(stack.last, size),
        roomy(stack.known_set, size),
        roomy(stack.pk, size),
        roomy(stack.people, size),
        roomy(stack.row_begin, size),
        roomy(stack.row_end, size),
        roomy(stack.who_begin, size),
        roomy(stack.who_end, size),
    )


@compiled
def put_node(stack: NodeStack, depth: int, node: Node) -> None:
    """Write a node to a place of the stack, which must have room."""
    stack.last[depth] = node.last
    stack.known_set[depth] = node.known_set
    stack.pk[depth] = node.pk
    stack.people[depth] = node.people
    stack.row_begin[depth] = node.row_begin
    stack.row_end[depth] = node.row_end
    stack.who_begin[depth] = node.who_begin
    stack.who_end[depth] = node.who_end


@compiled
def node_at(stack: NodeStack, depth: int) -> Node:
    """Read the node at a place of the stack."""
    return Node(
        stack.last[depth],
        stack.known_set[depth],
        stack.pk[depth],
        stack.people[depth],
        stack.row_begin[depth],
        stack.row_end[depth],
        stack.who_begin[depth],
        stack.who_end[depth],
    )


@compiled
def new_counts(released: ReleasedRows) -> CodeCounts:
    """Return counts of 0 for every code."""
    a = released.codes.shape[1]
    return CodeCounts(np.zeros(released.offsets[a], np.int64), np.zeros(a, np.int64))


@compiled
def new_children(released: ReleasedRows, v: int) -> Children:
    """Return room for the children of any node of `v` victims."""
    largest = 1
    for l in range(released.codes.shape[1]):
        largest = max(largest, released.offsets[l + 1] - released.offsets[l])
    return Children(
        np.full(largest, -1, np.int64),
        np.empty(v, np.int64),
        np.empty(v, np.int64),
        np.empty(v, np.int64),
        np.empty(v, np.int64),
        np.empty(v + 1, np.int64),
        np.empty(v + 1, np.int64),
        np.empty(v + 1, np.int64),
        np.empty(v + 1, np.int64),
    )


@compiled
def new_arena(released: ReleasedRows) -> Arena:
    """Return the rows of the root, which are all, and as much room again."""
    n = released.codes.shape[0]
    arena = Arena(np.empty(2 * n + 16, np.int32), np.empty(2 * n + 16, np.int64))
    for s in range(n):
        arena.row[s], arena.people[s] = s, released.weight[s]
    return arena


@compiled
def people_in(arena: Arena, begin: int, end: int) -> int:
    """Count the people behind the rows of a stretch of the arena."""
    each = arena.people
    people = 0
    for k in range(begin, end):
        people += each[k]
    return people


@compiled
def count_codes(released: ReleasedRows, arena: Arena, node: Node, counts: CodeCounts) -> None:
    """Count the codes of all attributes behind the node's last one, in one pass over its rows."""
    rows, offsets, entry, people = released.codes, released.offsets, arena.row, arena.people
    by_code, blank = counts.by_code, counts.blank
    a = rows.shape[1]
    first = node.last + 1
    for l in range(first, a):
        blank[l] = 0
    for k in range(node.row_begin, node.row_end):
        row = entry[k]
        many = people[k]
        for l in range(first, a):
            code = rows[row, l]
            if code < 0:
                blank[l] += many
            else:
                by_code[offsets[l] + code] += many


@compiled
def clear_counts(released: ReleasedRows, arena: Arena, node: Node, counts: CodeCounts) -> None:
    """Set the counts of a node back to 0: only the codes of its rows where they are fewer than all codes."""
    rows, offsets, by_code, entry = released.codes, released.offsets, counts.by_code, arena.row
    a = rows.shape[1]
    first = node.last + 1
    if (node.row_end - node.row_begin) * (a - first) >= offsets[a] - offsets[first]:
        by_code[offsets[first] : offsets[a]] = 0
        return
    for k in range(node.row_begin, node.row_end):
        row = entry[k]
        for l in range(first, a):
            if rows[row, l] >= 0:
                by_code[offsets[l] + rows[row, l]] = 0


@compiled
def follow(need: FlagGrid, l: int, live: int, active: Ints, who: NDArray[np.int32], children: Children) -> int:
    """Choose the victims of a node who need the children by attribute `l`, and return how many they are."""
    victim, entry = children.victim, children.entry
    many = 0
    for i in range(live):
        if need[i, l]:
            victim[many] = who[active[i]]
            entry[many] = i
            many += 1
    return many


@compiled
def share_out(
    released: ReleasedRows,
    codes: NDArray[np.int32],
    arena: Arena,
    top: int,
    node: Node,
    l: int,
    many: int,
    children: Children,
) -> tuple[Arena, int, int]:
    """Cut the children by attribute `l` out of a node's rows, for the first `many` victims in `children`.

    `codes` are those of all victims, and `top` is where the arena is free. Returns the arena, which may have grown, its
    new top and the number of children. Then `children` says where the rows of each child lie, and has in `who_to` how
    many victims it has.
    """
    rows, rest = released.codes, released.rest
    buckets, everyone = _assign_victims(codes, l, many, children)
    arena, top = _measure_children(rows, arena, top, node, l, buckets, everyone, children)
    entry, each = arena.row, arena.people
    slot, victim, row_from, row_to = children.slot, children.victim, children.row_from, children.row_to
    for k in range(node.row_begin, node.row_end):
        row, people = entry[k], each[k]
        code = rows[row, l]
        # First the child of its value, or every child, because a blank may be any value; then the child with all rows.
        begin = 0 if code < 0 else slot[code]
        end = buckets if code < 0 else slot[code] + 1
        for _ in range(2):
            for b in range(max(0, begin), end):
                at = row_to[b]
                if at > row_from[b] and rest[l + 1, entry[at - 1]] == rest[l + 1, row]:
                    each[at - 1] += people  # a neighbour that agrees with it in the rest
                else:
                    entry[at], each[at] = row, people
                    row_to[b] = at + 1
            if code < 0 or everyone < 0:
                break
            begin, end = everyone, everyone + 1
    for i in range(many):
        code = codes[victim[i], l]
        if code >= 0:
            slot[code] = -1
    return arena, top, buckets


@compiled
def _assign_victims(codes: NDArray[np.int32], l: int, many: int, children: Children) -> tuple[int, int]:
    """Give each victim the child of her value. Returns how many children there are, and which one has all rows.

    That child is for the victims who are not known by this attribute; -1 if there is no such victim.
    """
    slot, victim, child = children.slot, children.victim, children.child
    row_to, who_to = children.row_to, children.who_to
    buckets = 0
    everyone = -1
    for i in range(many):
        code = codes[victim[i], l]
        b = everyone if code < 0 else slot[code]
        if b < 0:
            b = buckets
            buckets += 1
            if code < 0:
                everyone = b
            else:
                slot[code] = b
            who_to[b] = 0
            row_to[b] = 0
        child[i] = b
        who_to[b] += 1
    return buckets, everyone


@compiled
def _measure_children(
    rows: NDArray[np.int32],
    arena: Arena,
    top: int,
    node: Node,
    l: int,
    buckets: int,
    everyone: int,
    children: Children,
) -> tuple[Arena, int]:
    """Find how many rows each child has at most, and where they begin. Returns the arena and its new top.

    Afterwards `row_to` is where the next row of each child is to be written.
    """
    slot, row_from, row_to, entry = children.slot, children.row_from, children.row_to, arena.row
    blank = 0
    for k in range(node.row_begin, node.row_end):
        code = rows[entry[k], l]
        if code < 0:
            blank += 1
        elif slot[code] >= 0:
            row_to[slot[code]] += 1
    if everyone >= 0:
        row_to[everyone] = node.row_end - node.row_begin - blank
    for b in range(buckets):
        row_from[b] = top
        top += row_to[b] + blank
        row_to[b] = row_from[b]
    return Arena(roomy(arena.row, top), roomy(arena.people, top)), top


@compiled
def place_victims(children: Children, buckets: int, many: int, who_top: int) -> int:
    """Find where each victim is written, those of one child next to one another; returns where the last of them ends.

    `who_to` has how many victims each child has, and is afterwards where they end.
    """
    child, place, who_from, who_to = children.child, children.place, children.who_from, children.who_to
    for b in range(buckets):
        who_from[b] = who_top
        who_top += who_to[b]
        who_to[b] = who_from[b]
    for i in range(many):
        b = child[i]
        place[i] = who_to[b]
        who_to[b] += 1
    return who_top
