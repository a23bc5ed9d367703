"""Counting and scoring: what beliefs teach about columns, and what a model says of each person and value."""

from __future__ import annotations

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints
from tacit.kernels.compiling import compiled
from tacit.kernels.learning.arguments import Candidates, CodeGrid, LogLinear

_DENSE = 4
"""A group that has at least one in so many of all values is scored for all of them, and those it has are taken: values
that stand side by side are added several at a time. Chosen by trial; nothing depends on it."""


@compiled
def weigh(codes: CodeGrid, starts: Ints, laid: Candidates, beliefs: Floats, table: FloatGrid, totals: Floats) -> None:
    """Add up beliefs by code and value: `table[starts[a] + code, v]`, and by value alone: `totals[v]`."""
    every = totals.shape[0]
    lines, whole = np.empty(codes.shape[1], np.int64), np.zeros(every)
    for g in range(laid.offsets.shape[0] - 1):
        values = laid.values[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        m, at = values.shape[0], laid.starts[g]
        dense = m * _DENSE >= every
        for place in range(laid.offsets[g], laid.offsets[g + 1]):
            known = _find_lines(codes, laid.rows[place], starts, lines)
            for k in range(m):
                totals[values[k]] += beliefs[at + k]
            if dense:  # nothing is added to the values that the group does not have
                for k in range(m):
                    whole[values[k]] = beliefs[at + k]
            for j in range(known):
                line = np.uint64(lines[j])
                if dense:
                    for v in range(every):
                        table[line, v] += whole[v]
                else:
                    for k in range(m):
                        table[line, values[k]] += beliefs[at + k]
            at += m
        if dense:
            for k in range(m):
                whole[values[k]] = 0.0


@compiled
def score(codes: CodeGrid, model: LogLinear, laid: Candidates, scores: Floats) -> None:
    """Fill the score of every entry."""
    every = model.bias.shape[0]
    lines, whole = np.empty(codes.shape[1], np.int64), np.empty(every)
    for g in range(laid.offsets.shape[0] - 1):
        values = laid.values[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        m, at = values.shape[0], laid.starts[g]
        dense = m * _DENSE >= every
        for place in range(laid.offsets[g], laid.offsets[g + 1]):
            known = _find_lines(codes, laid.rows[place], model.starts, lines)
            if dense:
                _add_lines(model, lines, known, whole)
                for k in range(m):
                    scores[at + k] = whole[values[k]]
            else:
                for k in range(m):
                    scores[at + k] = model.bias[values[k]]
                for j in range(known):
                    for k in range(m):
                        scores[at + k] += model.table[lines[j], values[k]]
            at += m


@compiled
def score_all(codes: CodeGrid, rows: Ints, model: LogLinear, scores: FloatGrid) -> None:
    """Fill the score of every value for some people."""
    lines = np.empty(codes.shape[1], np.int64)
    for i in range(rows.shape[0]):
        known = _find_lines(codes, rows[i], model.starts, lines)
        _add_lines(model, lines, known, scores[i])


@compiled
def _find_lines(codes: CodeGrid, row: int, starts: Ints, lines: Ints) -> int:
    """Fill the lines of a table that are about a person, one per column that is known of her; return how many."""
    known = 0
    for a in range(codes.shape[1]):
        if codes[row, a] >= 0:
            lines[known] = starts[a] + codes[row, a]
            known += 1
    return known


@compiled
def _add_lines(model: LogLinear, lines: Ints, known: int, out: Floats) -> None:
    """Fill the score of every value; columns are added in their order, four of them in one pass over the values."""
    table = model.table
    for v in range(out.shape[0]):
        out[v] = model.bias[v]
    for j in range(0, known - 3, 4):
        a, b = np.uint64(lines[j]), np.uint64(lines[j + 1])
        c, d = np.uint64(lines[j + 2]), np.uint64(lines[j + 3])
        for v in range(out.shape[0]):
            out[v] = out[v] + table[a, v] + table[b, v] + table[c, v] + table[d, v]
    for j in range(known - known % 4, known):
        line = np.uint64(lines[j])
        for v in range(out.shape[0]):
            out[v] += table[line, v]


@compiled
def to_chances(scores: FloatGrid) -> Floats:
    """Turn scores into probabilities, in place, and return the logarithm of the sum that each row was divided by."""
    n, m = scores.shape
    logs = np.empty(n)
    for i in range(n):
        top = scores[i, 0]
        for v in range(1, m):
            top = max(top, scores[i, v])
        total = 0.0
        for v in range(m):
            scores[i, v] = np.exp(scores[i, v] - top)
            total += scores[i, v]
        for v in range(m):
            scores[i, v] /= total
        logs[i] = top + np.log(total)
    return logs


@compiled
def look_up(laid: Candidates, begin: int, chances: FloatGrid, out: Floats) -> None:
    """Copy the chances of the values of a group to its entries, for the people at the places from `begin`.

    Row i of `chances` is the person at place `begin + i`.
    """
    end = begin + chances.shape[0]
    for g in range(np.searchsorted(laid.offsets, begin, "right") - 1, laid.offsets.shape[0] - 1):
        if laid.offsets[g] >= end:
            break
        values = laid.values[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        for place in range(max(begin, laid.offsets[g]), min(end, laid.offsets[g + 1])):
            at = laid.starts[g] + (place - laid.offsets[g]) * values.shape[0]
            for k in range(values.shape[0]):
                out[at + k] = chances[place - begin, values[k]]


@compiled
def best_entries(laid: Candidates, beliefs: Floats, posterior: Floats, value: Ints) -> None:
    """Fill, per place, the largest belief and its value; of equal ones the first value."""
    for g in range(laid.offsets.shape[0] - 1):
        values = laid.values[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        at = laid.starts[g]
        for place in range(laid.offsets[g], laid.offsets[g + 1]):
            posterior[place] = -1.0
            for k in range(values.shape[0]):
                if beliefs[at] > posterior[place]:
                    posterior[place] = beliefs[at]
                    value[place] = values[k]
                at += 1


@compiled
def at_values(laid: Candidates, entries: Floats, value: Ints, out: Floats) -> None:
    """Fill, per place, the entry of a value; the values of a group are sorted, and `value` is among them."""
    for g in range(laid.offsets.shape[0] - 1):
        values = laid.values[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        for place in range(laid.offsets[g], laid.offsets[g + 1]):
            first = laid.starts[g] + (place - laid.offsets[g]) * values.shape[0]
            out[place] = entries[first + np.searchsorted(values, value[place])]


@compiled
def share_out(laid: Candidates, beliefs: Floats) -> None:
    """Fill every entry with the share of the value in the group."""
    for g in range(laid.offsets.shape[0] - 1):
        counts = laid.counts[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        n, at = laid.offsets[g + 1] - laid.offsets[g], laid.starts[g]
        for _ in range(n):
            for k in range(counts.shape[0]):
                beliefs[at] = counts[k] / n
                at += 1


@compiled
def carry(before: Candidates, beliefs: Floats, place_of: Ints, laid: Candidates, scores: Floats) -> None:
    """Fill the scores of one grouping with what is believed after another; a value not believed there has none.

    `place_of` is the place of each row in the grouping before, -1 where it is in none: then nothing is known.
    """
    group_of = np.empty(before.rows.shape[0], np.int64)
    for g in range(before.offsets.shape[0] - 1):
        group_of[before.offsets[g] : before.offsets[g + 1]] = g
    for g in range(laid.offsets.shape[0] - 1):
        values = laid.values[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        at = laid.starts[g]
        for place in range(laid.offsets[g], laid.offsets[g + 1]):
            origin = place_of[laid.rows[place]]
            if origin < 0:
                scores[at : at + values.shape[0]] = 0.0
            else:
                h = group_of[origin]
                held = before.values[before.value_offsets[h] : before.value_offsets[h + 1]]
                first = before.starts[h] + (origin - before.offsets[h]) * held.shape[0]
                for k in range(values.shape[0]):
                    found = np.searchsorted(held, values[k])
                    inside = found < held.shape[0] and held[found] == values[k]
                    scores[at + k] = np.log(beliefs[first + found]) if inside else -np.inf
            at += values.shape[0]
