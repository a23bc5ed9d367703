"""What an outsider who knows the people sees: from the public frames to worlds."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.knowledge.distribution.distribution import Distribution
from tacit.knowledge.distribution.worlds import GroupWorlds
from tacit.shapes import Shape, cover
from tacit.table import Groups, Table, as_text, encode

_BLOCK = 4_000_000
"""Pairs of published class and person that are compared at a time, one byte each and column: bounds the memory, and is
large enough that the loop over blocks costs nothing. Chosen by trial."""


def estimated(shape: Shape, sensitive: str, min_support: int) -> Distribution:
    """Estimate the distribution from the public frames: what a group holds is shared by its members."""
    classes, spread = shape.classes, shape.classes.spreads[sensitive]
    names = shape.quasi_identifiers
    dictionaries = {name: classes.labels[name].cast(pl.String) for name in names}
    cell = np.repeat(np.arange(len(classes.weights)), np.diff(spread.offsets))
    codes = [classes.cells.column(name).astype(np.int64) for name in names]
    values = spread.dictionary.cast(pl.String)
    return Distribution.counted(names, dictionaries, values, codes, (cell, spread.values, spread.weights), min_support)


def published_worlds(
    shape: Shape,
    sensitive: str,
    distribution: Distribution,
    people: pl.DataFrame | None = None,
    together: Ints | None = None,
) -> GroupWorlds | None:
    """Put people into the published groups; None for a shape that has no groups, or people who cannot be placed.

    A bucketized release says itself who is in a group. Of a generalized one the adversary needs the people, as a data
    frame; without it everybody is known by the published cells alone. `together` is as in `place`.
    """
    histogram = shape.statistics.histograms.get(sensitive)
    if histogram is None or not np.array_equal(histogram.sizes(), shape.statistics.sizes):
        return None
    values = shape.dictionary(sensitive)
    if people is None or shape.shows_members or not shape.flat:
        return GroupWorlds.of(shape.people, shape.membership, histogram, values, distribution)
    placed = place(shape, people, together)
    return None if placed is None else GroupWorlds.of(people, placed, histogram, values, distribution)


def place(shape: Shape, people: pl.DataFrame, together: Ints | None = None) -> Groups | None:
    """Find the published group of every person; None unless each fits one group, and each group is filled.

    Published cells may overlap, so that a person fits several groups. `together` numbers the people whom the auditor
    knows to be in one group: they are placed as one, where all of them fit, and most closely.
    """
    names = [name for name in shape.quasi_identifiers if name in people.columns]
    encoded = [encode(people[name]) for name in names]
    codes, sizes = [c.codes for c in encoded], [c.cardinality for c in encoded]
    persons = Groups.of(codes, sizes, rows=people.height)
    known = persons if together is None else Groups.of([together], [int(together.max()) + 1], rows=people.height)
    pairs = Groups.of([known.ids, persons.ids], [known.count, persons.count], rows=people.height)
    first, classes = pairs.first(), shape.classes
    every = list(shape.quasi_identifiers)
    matches = [
        cover(classes.labels[name], shape.column(name), c.values).matches()
        for name, c in zip(names, encoded, strict=True)
    ]
    owner = known.ids[first]  # ascending: pairs are numbered by the first key
    bounds = np.searchsorted(owner, np.arange(known.count + 1))
    wide = np.ones(len(classes.weights))
    for j, name in enumerate(names):
        wide *= matches[j].sum(axis=1)[classes.codes[:, every.index(name)]]
    place_of = np.empty(known.count, dtype=np.int64)
    step = max(1, _BLOCK // max(1, len(classes.weights)))
    begin = 0
    while begin < known.count:
        end = max(begin + 1, int(np.searchsorted(bounds, bounds[begin] + step, side="right")) - 1)
        part = first[bounds[begin] : bounds[end]]
        fits = np.ones((len(classes.weights), len(part)), dtype=bool)
        for j, name in enumerate(names):
            fits &= matches[j][classes.codes[:, every.index(name)]][:, codes[j][part]]
        all_fit = np.logical_and.reduceat(fits, bounds[begin:end] - bounds[begin], axis=1)
        number = all_fit.sum(axis=0)
        if (number == 0).any() or (together is None and (number > 1).any()):
            return None
        place_of[begin:end] = np.argmin(np.where(all_fit, wide[:, None], np.inf), axis=0)
        begin = end
    ids = place_of[known.ids]
    filled = np.bincount(ids, minlength=len(classes.weights))
    return Groups(ids, len(classes.weights)) if (filled == classes.weights).all() else None


def withheld_worlds(part: Table, sensitive: str, distribution: Distribution) -> GroupWorlds:
    """Read some rows of the table as one group."""
    groups = Groups(np.zeros(len(part), dtype=np.int64), 1)
    histogram = part.statistics(groups).histograms[sensitive]
    people = part.frame.select(part.quasi_identifiers)
    return GroupWorlds.of(people, groups, histogram, part.codes(sensitive).values, distribution)


def missing_people(source: Table, shape: Shape) -> Table | None:
    """Return rows of the table with the quasi-identifiers of those who are not published.

    None if the frames hold somebody who is not in the table, or lack a quasi-identifier.
    """
    people, names = shape.people, list(source.quasi_identifiers)
    if not names or any(name not in people.columns for name in names):
        return None
    encoded = [encode(pl.concat([as_text(source.frame[name]), as_text(people[name])])) for name in names]
    cells = Groups.of([c.codes for c in encoded], [c.cardinality for c in encoded], rows=len(source) + people.height)
    mine, theirs = cells.ids[: len(source)], cells.ids[len(source) :]
    left: Ints = np.bincount(mine, minlength=cells.count) - np.bincount(theirs, minlength=cells.count)
    if (left < 0).any():
        return None
    order = np.argsort(mine, kind="stable")
    within = np.arange(len(order)) - np.searchsorted(mine[order], mine[order])
    keep = np.zeros(len(source), dtype=bool)
    keep[order] = within < left[mine[order]]
    return source.filter(keep)
