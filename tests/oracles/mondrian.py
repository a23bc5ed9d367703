"""Slow and obvious twins of the Mondrian kernels: every guarantee by its definition, in fractions; NCP by its words."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np


def distinct(histogram, l):
    return sum(c > 0 for c in histogram) >= l


def entropy(histogram, l):
    """Exactly: H >= log l as n^n >= l^n * prod c^c, in whole numbers."""
    n = sum(histogram)
    product = l**n
    for c in histogram:
        product *= c**c
    return n**n >= product


def recursive(histogram, c, l):
    counts = sorted(histogram, reverse=True)
    return counts[0] < c * sum(counts[l - 1 :])


def frequency(histogram, share):
    return max(histogram) <= share * sum(histogram)


def _gaps(histogram, reference):
    n, whole = sum(histogram), sum(reference)
    return [Fraction(c, n) - Fraction(r, whole) for c, r in zip(histogram, reference, strict=True)]


def equal_distance(histogram, reference):
    return sum(abs(g) for g in _gaps(histogram, reference)) / 2


def ordered_distance(histogram, reference):
    gaps = _gaps(histogram, reference)
    return sum(abs(sum(gaps[: i + 1])) for i in range(len(gaps) - 1)) / max(1, len(gaps) - 1)


def tree_distance(histogram, reference, parent, height):
    """Earth mover's distance on a tree: what flows over each edge times how far up it reaches, by recursion."""
    gaps = _gaps(histogram, reference)
    root = len(parent) - 1
    cost = Fraction(0)

    def surplus(node):
        nonlocal cost
        if node < len(gaps):
            return gaps[node]
        flows = [surplus(j) for j in range(len(parent)) if parent[j] == node and j != node]
        cost += Fraction(height[node]) * min(sum(f for f in flows if f > 0), -sum(f for f in flows if f < 0))
        return sum(flows)

    surplus(root)
    return cost / max(1, height[root])


def shares_within(histogram, limits, *, caps):
    n = sum(histogram)
    pairs = zip(histogram, limits, strict=True)
    return all(Fraction(c, n) <= limit if caps else Fraction(c, n) >= limit for c, limit in pairs)


def ncp(attributes, codes, group):
    """By the definition, one group and one attribute at a time."""
    total = 0.0
    for g in set(group.tolist()):
        rows = codes[group == g]
        for a, attribute in enumerate(attributes):
            total += len(rows) * _blur(attribute, rows[:, a])
    return total / codes.size


def _blur(attribute, column):
    present = sorted(set(column.tolist()))
    if hasattr(attribute, "span"):
        values = [attribute.values[v] for v in present]
        if any(math.isnan(v) for v in values):
            return 0.0 if all(math.isnan(v) for v in values) else 1.0
        return (max(values) - min(values)) / attribute.span if attribute.span > 0 else 0.0
    if attribute.domain == 1:
        return 0.0
    if hasattr(attribute, "codes"):
        return (len(present) - 1) / (attribute.domain - 1)
    for level in attribute.levels:
        nodes = {int(level[v]) for v in present}
        if len(nodes) == 1:
            return (int(attribute.leaves[nodes.pop()]) - 1) / (attribute.domain - 1)
    return 1.0


def histograms(sensitive, values, group):
    """One histogram per group and column."""
    out = {}
    for g in set(group.tolist()):
        columns = []
        for c, count in enumerate(values):
            tally = Counter(sensitive[group == g, c].tolist())
            columns.append([tally[v] for v in range(count)])
        out[g] = columns
    return out


def cells(codes):
    """Sizes of the sets of equal rows."""
    return sorted(np.unique(codes, axis=0, return_counts=True)[1].tolist())
