"""Nodes of the search over known sets: which rows and which victims agree on what is known.

A node is one known set and one choice of its values: the rows that match it and the victims who have it. Rows and
victims of a node stay contiguous in a growing arena; children are cut out of their parent, one attribute at a time. The
code -1 matches everything: of a row, a blank that may be any value; of a victim, a value she is not known by.
"""

from __future__ import annotations

import numpy as np

from tacit.kernels.compiling import compiled


@compiled
def roomy(array, needed):  # type: ignore[no-untyped-def]
    """Return the array, or a larger copy of it."""
    if needed <= array.shape[0]:
        return array
    larger = np.empty(max(needed, 2 * array.shape[0]), array.dtype)
    larger[: array.shape[0]] = array
    return larger


@compiled
def count_codes(rows, weight, members, begin, end, first, offsets, counts, blanks):  # type: ignore[no-untyped-def]
    """Count the codes of all attributes from `first` on, in one pass over the rows of a node; counts must be zero."""
    a = rows.shape[1]
    for l in range(first, a):
        blanks[l] = 0
    for k in range(begin, end):
        row = members[k]
        many = weight[row]
        for l in range(first, a):
            code = rows[row, l]
            if code < 0:
                blanks[l] += many
            else:
                counts[offsets[l] + code] += many


@compiled
def clear_counts(rows, members, begin, end, first, offsets, counts):  # type: ignore[no-untyped-def]
    """Set the counts of a node back to zero: those of its rows where they are fewer than the codes, else all."""
    a = rows.shape[1]
    if (end - begin) * (a - first) >= offsets[a] - offsets[first]:
        counts[offsets[first] : offsets[a]] = 0
        return
    for k in range(begin, end):
        row = members[k]
        for l in range(first, a):
            if rows[row, l] >= 0:
                counts[offsets[l] + rows[row, l]] = 0


@compiled
def share_out(  # type: ignore[no-untyped-def]
    rows, members, begin, end, victims, chosen, many, l, arena, top, slot, bucket_of, row_from, row_to, chosen_count
):
    """Cut the children of one attribute out of a node's rows.

    `chosen[:many]` are victims. Returns the arena, its new top and the number of children; child b has the rows
    `arena[row_from[b]:row_to[b]]` and `chosen_count[b]` victims, and `bucket_of[i]` is the child of the i-th victim.
    """
    buckets = 0
    everyone = -1
    for i in range(many):
        code = victims[chosen[i], l]
        if code < 0:
            if everyone < 0:
                everyone = buckets
                chosen_count[buckets] = 0
                row_to[buckets] = 0
                buckets += 1
            b = everyone
        else:
            b = slot[code]
            if b < 0:
                b = buckets
                slot[code] = b
                chosen_count[b] = 0
                row_to[b] = 0
                buckets += 1
        bucket_of[i] = b
        chosen_count[b] += 1
    blank = 0
    for k in range(begin, end):
        code = rows[members[k], l]
        if code < 0:
            blank += 1
        elif slot[code] >= 0:
            row_to[slot[code]] += 1
    if everyone >= 0:
        row_to[everyone] = end - begin - blank
    at = top
    for b in range(buckets):
        row_from[b] = at
        at += row_to[b] + blank
        row_to[b] = row_from[b]
    arena = roomy(arena, at)
    for k in range(begin, end):
        row = members[k]
        code = rows[row, l]
        if code < 0:
            for b in range(buckets):
                arena[row_to[b]] = row
                row_to[b] += 1
        else:
            b = slot[code]
            if b >= 0:
                arena[row_to[b]] = row
                row_to[b] += 1
            if everyone >= 0:
                arena[row_to[everyone]] = row
                row_to[everyone] += 1
    for i in range(many):
        code = victims[chosen[i], l]
        if code >= 0:
            slot[code] = -1
    return arena, at, buckets
