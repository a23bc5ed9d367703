"""Linkage: somebody looks a person up by her quasi-identifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit import sources
from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.looked_up import Doubt, Guesses, Linkage, Reason, most_exposed, together
from tacit.arrays import Ints, offsets_of, places_of
from tacit.errors import RoleError
from tacit.guarantees.people import counted
from tacit.parameters import PRIVATE
from tacit.shapes import Cover, ExpectedCounts, Published, PublishedColumn, Shape, cover, extents
from tacit.table import Groups, Kind, PeopleCounts, as_text, encode
from tacit.table.groups import Unit
from tacit.table.kinds import declare

if TYPE_CHECKING:
    from tacit.kernels.linkage import CellCovers


class LinkageAdversary(Adversary):
    """She has a list of people with some of the quasi-identifiers, and knows that they are in the table.

    Knows
    -----
    Some or all quasi-identifiers of a person, and that she is in the table.

    Infers
    ------
    All rows whose cells may be the victim's are equally likely to be hers; the posterior of a sensitive value is its
    share among them. It is exact for any shape, made by this tool or not. A cell that cannot be read may be anybody's;
    `doubts` of the result counts such cells.

    Parameters
    ----------
    victims
        Any data frame with at least one of the quasi-identifiers; columns of other names are not used. By default every
        published person is a victim, known by all her quasi-identifiers as published.

    Cost
    ----
    O(c) for c classes of rows with equal cells, if everybody is a victim. For v different victims in a list, O(v c) at
    worst; victims who agree on their first columns share the search in these.

    Examples
    --------
    >>> from tacit.shapes import Generalized, Published
    >>> from tacit.table import Table
    >>> table = Table({"age": [30, 30, 41], "ill": ["flu", "cold", "flu"]}, quasi_identifiers="age", sensitive="ill")
    >>> release = Published(Generalized.publish(table, np.ones(3, bool), np.arange(3)))
    >>> LinkageAdversary(victims={"age": [41, 30, 99]}).attack(release).frame().rows()
    [(1, 'flu', 1.0), (2, 'cold', 0.5), (0, None, 0.0)]

    References
    ----------
    Samarati, "Protecting respondents' identities in microdata release", TKDE 2001.
    """

    knowledge: ClassVar[str] = "some or all quasi-identifiers of a person, and that she is in the table"

    victims: Any = Field(default=None, json_schema_extra=PRIVATE, description="a data frame of people")

    def attack(self, published: Published) -> Linkage:
        """Find every victim's candidates and what they say of her."""
        shapes = published.shape.parts
        if self.victims is None:
            return together([_everybody(shape) for shape in shapes.values()])
        known = sources.as_frame(self.victims)
        columns_of = {
            name: [q for q in shape.quasi_identifiers if q in known.columns] for name, shape in shapes.items()
        }
        if not any(columns_of.values()):
            every = ", ".join(published.shape.quasi_identifiers)
            raise RoleError(
                f"The list of victims has none of the quasi-identifiers {every}.",
                hint=f"Its columns are {', '.join(known.columns)}.",
            )
        return most_exposed([_look_up(shapes[name], names, known) for name, names in columns_of.items() if names])

    def posterior(self, published: Published, victim: Mapping[str, Any], column: str) -> dict[Any, float]:
        """Return what she believes of one victim: every possible value with its posterior.

        Of several marginals, she reads the first that publishes the column.
        """
        shapes = [shape for shape in published.shape.parts.values() if column in shape.classes.spreads]
        if not shapes:
            raise RoleError.missing_column(
                column, published.shape.sensitive, place="the sensitive columns of the release"
            )
        shape, classes = shapes[0], shapes[0].classes
        spread = classes.spreads[column]
        fits = np.ones(len(classes.weights), dtype=bool)
        for j, name in enumerate(shape.quasi_identifiers):
            if name in victim:
                value = read_as(pl.Series(name, [victim[name]]), shape.column(name))
                fits &= cover(classes.labels[name], shape.column(name), value).matches()[:, 0][classes.codes[:, j]]
        entries = np.repeat(fits, np.diff(spread.offsets))
        mass = np.bincount(spread.values[entries], weights=spread.weights[entries], minlength=len(spread.dictionary))
        total = float(classes.weights[fits].sum())  # suppressed cells count, and are no value
        order = np.argsort(-mass, kind="stable")
        return {spread.dictionary[int(code)]: float(mass[code] / total) for code in order if mass[code] > 0}

    def warn(self, published: Published) -> list[Notice]:
        """Say how many people are pinned to one value."""
        unit: Unit = "people" if published.shape.shows_people else published.unit
        if self.victims is not None:
            return self._notices(self.attack(published), "", "people")
        places = {f" of {name!r}" if name else "": shape for name, shape in published.shape.parts.items()}
        return [notice for place, shape in places.items() for notice in self._notices(_everybody(shape), place, unit)]

    def _notices(self, linkage: Linkage, place: str, unit: Unit) -> list[Notice]:
        warnings = []
        for name, belief in linkage.beliefs.items():
            sure = belief.posterior >= 1.0
            certain = int(sure.sum() if linkage.listed else linkage.candidates[sure].sum())
            if certain:
                verb = "is" if certain == 1 else "are"
                who = "1 row" if (certain, unit) == (1, "rows") else counted(certain, unit)
                all_have = "everybody has" if unit == "people" else "all have"
                warnings.append(
                    Notice(
                        self.name,
                        f"somebody who knows the quasi-identifiers learns {name!r} for sure: {who} {verb} in "
                        f"groups{place} where {all_have} the same value",
                        1.0,
                        certain,
                    )
                )
        return warnings

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return the adversary who knows everybody."""
        return [cls()]


def _people_of(shape: Shape) -> Ints:
    """Count the people of each class where a file says whose its rows are, else the rows."""
    if shape.persons is None or not shape.flat:
        return shape.classes.weights
    return PeopleCounts.of(shape.membership, shape.persons, {}).sizes


def _everybody(shape: Shape) -> Linkage:
    """Treat all people with the same cells as one victim; what else tells classes apart, she does not know."""
    classes = shape.classes
    sizes = [len(labels) for labels in classes.labels.values()]
    people = Groups.of(list(classes.codes.T), sizes, rows=len(classes.weights))
    rows = np.bincount(people.ids, weights=classes.weights, minlength=people.count).astype(np.int64)
    candidates = np.bincount(people.ids, weights=_people_of(shape), minlength=people.count).astype(np.int64)
    beliefs = {}
    for name, spread in classes.spreads.items():
        size = max(1, len(spread.dictionary))
        keys = np.repeat(people.ids, np.diff(spread.offsets)) * size + spread.values
        pairs, at = np.unique(keys, return_inverse=True)
        mass = np.bincount(at, weights=spread.weights, minlength=len(pairs))
        victim, value = pairs // size, pairs % size
        order = np.lexsort((value, -mass, victim))
        known, first = np.unique(victim[order], return_index=True)
        top = order[first]
        codes, posterior = np.full(people.count, -1, np.int64), np.zeros(people.count)
        codes[known], posterior[known] = value[top], mass[top] / np.maximum(1, rows[known])
        beliefs[name] = Guesses(codes, posterior, spread.dictionary)
    return Linkage(candidates, beliefs, listed=False)


def read_as(values: pl.Series, column: PublishedColumn) -> pl.Series:
    """Read a victim's values the way the published column is meant.

    One that cannot be read is an error that names it, but for a column that another tool published: how that is meant
    was guessed from its cells, so its values are then compared one by one.
    """
    readable = {Kind.NUMERIC: values.dtype.is_numeric(), Kind.DATE: values.dtype in (pl.Date, pl.Datetime)}
    if readable.get(column.kind, True):
        return values
    try:
        return declare(values, column.kind.value)[0]
    except RoleError:
        if not column.foreign:
            raise
        # Numbers stay numbers: a cell that is cut, such as *5, is about their digits without a decimal point.
        return values if values.dtype.is_numeric() else as_text(values)


def _look_up(shape: Shape, names: Sequence[str], known: pl.DataFrame) -> Linkage:
    from tacit.kernels.linkage import ClassSpread, link

    classes = shape.classes
    covers: list[Cover] = []
    positions = []
    for name in names:
        encoded = encode(read_as(known[name], shape.column(name)))
        column_cover = cover(classes.labels[name], shape.column(name), encoded.values)
        covers.append(column_cover)
        positions.append(column_cover.position[encoded.codes])
    order = sorted(range(len(names)), key=lambda j: (not _plain(covers[j]), -len(classes.labels[names[j]])))
    names, covers, positions = [names[j] for j in order], [covers[j] for j in order], [positions[j] for j in order]
    codes = classes.places(names)
    lookup = _plain(covers[0])
    arranged = np.argsort(covers[0].start[codes[:, 0]], kind="stable") if lookup else np.arange(len(codes))
    flat = flat_covers(covers)
    people = Groups.of(positions, flat.width.tolist(), rows=known.height)  # equal victims are asked once
    asked = np.stack([position[people.first()] for position in positions], axis=1)
    beliefs, candidates = {}, np.zeros(known.height, np.int64)
    nothing = ExpectedCounts(np.zeros(len(codes) + 1, np.int64), np.zeros(0, np.int64), np.zeros(0), pl.Series([None]))
    for name, spread in (dict(classes.spreads) or {"": nothing}).items():  # she finds rows all the same
        lengths = np.diff(spread.offsets)[arranged]
        entries = places_of(spread.offsets[:-1][arranged], lengths)
        behind = ClassSpread(
            codes[arranged],
            classes.weights[arranged],
            offsets_of(lengths),
            spread.values[entries],
            spread.weights[entries],
            len(spread.dictionary),
        )
        rows, best, mass = link(asked, flat, behind, lookup=lookup)
        posterior = mass / np.maximum(1, rows)
        beliefs[name] = Guesses(best[people.ids], posterior[people.ids], spread.dictionary)
        candidates = rows[people.ids]
    if shape.persons is not None:  # the same rows are found, and their people counted
        there = ClassSpread(
            codes[arranged], _people_of(shape)[arranged], nothing.offsets, nothing.values, nothing.weights, 1
        )
        candidates = link(asked, flat, there, lookup=lookup)[0][people.ids]
    doubts = _doubts(shape, names, covers, codes, lost=bool((candidates == 0).any()))
    return Linkage(candidates, {name: beliefs[name] for name in classes.spreads}, doubts=doubts)


def _doubts(
    shape: Shape, names: Sequence[str], covers: Sequence[Cover], codes: np.ndarray[Any, Any], *, lost: bool
) -> tuple[Doubt, ...]:
    """Name the cells that could not be read and, where victims were not found, words that may be names of nodes."""
    doubts = []
    for j, (name, read) in enumerate(zip(names, covers, strict=True)):
        column, labels = shape.column(name), shape.classes.labels[name]
        unsure: dict[Reason, Any] = {"unread": read.unread}
        if lost and column.foreign and column.blurred and column.hierarchy is None:
            nothing = (read.row < 0) & (read.stop == read.start)
            unsure["node"] = nothing & np.isnan(extents(as_text(labels), Kind.NUMERIC).low)
        for reason, cells in unsure.items():
            rows = int(shape.classes.weights[cells[codes[:, j]]].sum())
            if rows:
                doubts.append(Doubt(name, rows, as_text(labels)[int(np.argmax(cells))], reason))
    return tuple(doubts)


def _plain(column: Cover) -> bool:
    """Whether every cell stands for at most one value."""
    return bool((column.row < 0).all() and (column.stop - column.start <= 1).all())


def flat_covers(covers: Sequence[Cover]) -> CellCovers:
    """Lay the covers of all columns out one after another."""
    from tacit.kernels.linkage import CellCovers

    return CellCovers(
        offsets_of([len(column.start) for column in covers]),
        np.concatenate([column.start for column in covers]),
        np.concatenate([column.stop for column in covers]),
        np.concatenate([column.row for column in covers]),
        np.concatenate([column.matrix.ravel() for column in covers]),
        offsets_of([column.matrix.size for column in covers]),
        np.array([column.matrix.shape[1] for column in covers], dtype=np.int64),
    )
