"""Candidates: who may have which values, from groups and their histograms, or from a table that says it outright."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacit.arrays import Flags, Floats, Ints, offsets_of, places_of
from tacit.kernels.learning.arguments import Candidates
from tacit.table import Groups, Histogram

__all__ = ["Best", "Candidates", "best", "candidates", "groups_of_some", "shares", "some_groups", "true_values"]


class Best(NamedTuple):
    """Of every place the largest belief, and the value that it is about."""

    posterior: Floats
    value: Ints


def candidates(groups: Groups, histogram: Histogram) -> Candidates:
    """Lay out the people (-1: in no group) and the values of each group."""
    inside = np.flatnonzero(groups.ids >= 0)
    rows = inside[np.argsort(groups.ids[inside], kind="stable")]
    sizes = groups.sizes()
    return Candidates(
        offsets_of(sizes),
        rows,
        histogram.offsets,
        histogram.values,
        histogram.counts,
        offsets_of(sizes * histogram.distinct()),
    )


def true_values(codes: Ints) -> tuple[Candidates, Floats]:
    """Say of everybody which value she has, and believe it: what a model of the true table is learned from."""
    people = np.arange(len(codes) + 1, dtype=np.int64)
    ones = np.ones(len(codes), dtype=np.int64)
    return Candidates(people, people[:-1], people, codes.astype(np.int64), ones, people), np.ones(len(codes))


def shares(laid: Candidates) -> Floats:
    """Return, per entry, the share of the value in the group: the belief of somebody who learned nothing."""
    from tacit.kernels.learning.scoring import share_out

    beliefs = np.empty(laid.starts[-1])
    share_out(laid, beliefs)
    return beliefs


def best(laid: Candidates, beliefs: Floats) -> Best:
    """Return, per place, the largest belief and its value; of equal ones the first."""
    from tacit.kernels.learning.scoring import best_entries

    people = len(laid.rows)
    found = Best(np.zeros(people), np.zeros(people, np.int64))
    best_entries(laid, beliefs, found.posterior, found.value)
    np.minimum(found.posterior, 1.0, out=found.posterior)
    return found


def groups_of_some(laid: Candidates, people: Flags) -> Flags:
    """Tell which groups hold any of some people."""
    groups = len(laid.offsets) - 1
    group = np.repeat(np.arange(groups), np.diff(laid.offsets))
    return np.bincount(group[people[laid.rows]], minlength=groups) > 0


def some_groups(laid: Candidates, chosen: Ints) -> Candidates:
    """Return some of the groups."""
    sizes, distinct = np.diff(laid.offsets)[chosen], np.diff(laid.value_offsets)[chosen]
    people = places_of(laid.offsets[:-1][chosen], sizes)
    entries = places_of(laid.value_offsets[:-1][chosen], distinct)
    return Candidates(
        offsets_of(sizes),
        laid.rows[people],
        offsets_of(distinct),
        laid.values[entries],
        laid.counts[entries],
        offsets_of(sizes * distinct),
    )
