"""Observed: what a reader sees of one sensitive column, in the files alone or with the people given to her."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.kernels.learning.arguments import Candidates
from tacit.knowledge.distribution.published_worlds import place
from tacit.knowledge.learning.blurred import published_features
from tacit.knowledge.learning.candidates import candidates, groups_of_some, some_groups
from tacit.knowledge.learning.features import Features
from tacit.shapes import Inside, Shape
from tacit.table import Groups, Histogram, Table, encode


@dataclass(frozen=True, eq=False)
class Observed:
    """One sensitive column, with the people and groups of the tables that publish it.

    Attributes
    ----------
    column, dictionary
        The sensitive column and its values.
    features
        What is known of the people.
    tables
        Who may have which values, one per table that is read together.
    people
        How many people are published.
    told
        Whether the people were given to her, so that it is not from the published files alone.
    """

    column: str
    dictionary: pl.Series
    features: Features
    tables: tuple[Candidates, ...]
    people: int
    told: bool = False

    def sampled(self, most: int | None) -> Observed:
        """Keep whole groups, spread over all, with about so many people at most.

        Of several tables these are groups of the last one, which beliefs are about, with all groups of the others that
        their people are in.
        """
        laid = self.tables[-1]
        if most is None or len(laid.rows) <= most:
            return self
        step = -(-len(laid.rows) // most)
        asked = some_groups(laid, np.arange(0, len(laid.offsets) - 1, step))
        people = np.zeros(self.features.people, dtype=bool)
        people[asked.rows] = True
        before = (some_groups(each, np.flatnonzero(groups_of_some(each, people))) for each in self.tables[:-1])
        return replace(self, tables=(*before, asked))


def observed(shape: Shape, name: str, people: pl.DataFrame | None = None) -> Observed | None:
    """See one column of a table as it is published; None if it does not show all values of its groups, or no cells.

    `people` are the quasi-identifiers of everybody who is published, where somebody has them; they are looked up by
    their cells in a table that does not say who is in which group.
    """
    return next(iter(_observed(shape, [name], people)), None)


def observed_columns(shape: Shape, people: pl.DataFrame | None = None) -> Iterator[Observed]:
    """See every sensitive column of a table that can be seen; what is known of the people is read once for all."""
    return _observed(shape, shape.sensitive, people)


def _observed(shape: Shape, names: Sequence[str], people: pl.DataFrame | None) -> Iterator[Observed]:
    shown = {name: histogram for name in names if (histogram := _shown(shape, name)) is not None}
    if not shown:
        return
    told = people is not None and not shape.shows_members
    if told:
        assert people is not None  # noqa: S101  (said above)
        groups, height = place(shape, people), people.height
        if groups is None:
            return
        known = [each for each in shape.quasi_identifiers if each in people.columns]
        features = Features.of({each: (encode(people[each]), shape.column(each).kind) for each in known}, height)
    else:
        groups, features, height = shape.membership, published_features(shape), shape.people.height
    for name, histogram in shown.items():
        laid = candidates(groups, histogram)
        yield Observed(name, shape.dictionary(name), features, (laid,), height, told)


def observed_inside(shape: Shape, inside: Inside, table: Table, name: str) -> Observed | None:
    """See a release as somebody does who has the quasi-identifiers of everybody in the table, and knows their groups.

    Several tables are read together. None where the release has no groups, or changed values.
    """
    numbers = inside.group if isinstance(inside.group, Mapping) else {"": inside.group}
    parts = {part: each for part, each in shape.parts.items() if _shown(each, name) is not None}
    if not parts or name not in table.sensitive or any(numbers.get(part) is None for part in parts):
        return None
    if any(not each.column(name).whole for each in parts.values()):
        return None
    known = [q for q in table.quasi_identifiers if any(q in each.quasi_identifiers for each in parts.values())]
    if not known:
        return None
    columns = {each: (table.codes(each), table.column(each).kind) for each in known}
    codes = table.codes(name)
    tables = tuple(_grouped(np.asarray(numbers[part]), inside, codes.codes, codes.cardinality) for part in parts)
    return Observed(name, codes.values, Features.of(columns, len(table)), tables, int(inside.kept.sum()), True)


def _grouped(
    number: Ints, inside: Inside, codes: np.ndarray[tuple[int], np.dtype[np.int32]], values: int
) -> Candidates:
    """Lay out the groups that rows were published in."""
    kept = inside.kept & (number >= 0)
    ids = np.full(len(number), -1, dtype=np.int64)
    distinct, ids[kept] = np.unique(number[kept], return_inverse=True)
    groups = Groups(ids, len(distinct))
    return candidates(groups, Histogram.of(ids, groups.count, codes, values))


def _shown(shape: Shape, name: str) -> Histogram | None:
    """Return the values of each group, if all of them are shown and people have quasi-identifiers."""
    if not shape.quasi_identifiers or not shape.grouped:
        return None
    histogram = shape.statistics.histograms.get(name)
    if histogram is None or not shape.statistics.count or not np.array_equal(histogram.sizes(), shape.statistics.sizes):
        return None
    return histogram
