"""Two releases: how many rows of one could be matched rightly with rows of another, at most."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from tacit.arrays import Flags, Ints
from tacit.measures.rates import Rate
from tacit.report.evidence.holdout import HoldOut
from tacit.shapes import Published, Shape
from tacit.table import Table


def matched(first: Ints, second: Ints) -> Rate:
    """Return the share of rows that are matched rightly, at most, by what tells them apart in each release.

    Rows of a class cannot be told apart. Whoever matches a row of class a with one of class b is right with
    |a and b| / (|a| |b|), and nobody can do better than to take the best b; that takes somebody who knows how the
    classes overlap, so it bounds everybody else.

    Parameters
    ----------
    first, second
        The class of each person in each release, -1 where she is not published.

    Examples
    --------
    >>> matched(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])).share, matched(np.arange(4), np.arange(4)).share
    (0.25, 1.0)
    """
    both = (first >= 0) & (second >= 0)
    frame = pl.DataFrame({"a": first[both], "b": second[both]})
    sizes = pl.DataFrame({"b": second[second >= 0]}).group_by("b").len("size")
    pairs = frame.group_by("a", "b").len("common").join(sizes, on="b")
    best = pairs.select("a", share=pl.col("common") / pl.col("size")).group_by("a").agg(pl.col("share").max())
    return Rate(float(best["share"].sum()), int(both.sum()))


def of_marginals(release: Published, table: Table) -> dict[tuple[str, str], Rate]:
    """Match rows between the tables of a release that has several, by what each tells of them."""
    inside = release.inside
    if inside is None or not isinstance(inside.group, Mapping) or len(inside.kept) != len(table):
        return {}
    everybody = np.ones(len(table), dtype=bool)
    parts = release.shape.parts
    classes = {name: _classes(parts[name], ids, table, everybody) for name, ids in inside.group.items()}
    names = list(classes)
    return {(a, b): matched(classes[a], classes[b]) for i, a in enumerate(names) for b in names[i + 1 :]}


def with_holdout(release: Published, table: Table, holdout: HoldOut) -> Rate | None:
    """Match rows of a release with rows of the second one, which was made of a part; None where rows have no groups."""
    here, there = release.inside, holdout.release.inside
    if here is None or there is None or len(here.kept) != len(table) or release.shape.several:
        return None
    if not isinstance(here.group, np.ndarray) or not isinstance(there.group, np.ndarray):
        return None
    everybody = np.ones(len(table), dtype=bool)
    first = _classes(release.shape, here.group, table, everybody)
    return matched(first, _classes(holdout.release.shape, there.group, table, holdout.part))


def _classes(shape: Shape, groups: Ints, table: Table, part: Flags) -> Ints:
    """Number what tells rows apart: the group, and what stands beside it as it is.

    Buckets publish quasi-identifiers as they are; blurred tables publish sensitive values in the row.
    """
    classes = np.full(len(table), -1, dtype=np.int64)
    classes[part] = groups
    beside = shape.quasi_identifiers if shape.shows_members else shape.sensitive
    for name in [each for each in beside if each in {*table.quasi_identifiers, *table.sensitive}]:
        codes = table.codes(name)
        keys = np.where(classes < 0, -1, classes * codes.cardinality + codes.codes)
        classes = np.where(keys < 0, -1, np.unique(keys, return_inverse=True)[1])  # small numbers again
    return classes
