"""Linkage: somebody looks a person up by her quasi-identifiers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit import sources
from tacit.adversaries.base import Adversary, Notice
from tacit.errors import RoleError
from tacit.parameters import PRIVATE
from tacit.shapes import Classes, Cover, Published, PublishedColumn, Shape, cover
from tacit.table import Groups, Kind, as_text, encode

Ints = np.ndarray[tuple[int], np.dtype[np.int64]]
Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Belief:
    """What she believes of one sensitive column: per victim the likeliest value and its posterior."""

    codes: Ints
    posterior: Floats
    dictionary: pl.Series

    def values(self) -> pl.Series:
        """Return the likeliest value of each victim, null for one without a candidate."""
        codes = pl.Series(self.codes, dtype=pl.Int64)
        return self.dictionary.gather(codes.set(codes < 0, None))


@dataclass(frozen=True, eq=False)
class Linkage:
    """What linkage gives: how many rows a victim may be, and what that says of her.

    Attributes
    ----------
    candidates
        Per victim, the number of published rows that may be hers; 0 where none fits.
    beliefs
        Per sensitive column, the likeliest value and its posterior.
    """

    candidates: Ints
    beliefs: Mapping[str, Belief]

    @property
    def max_posterior(self) -> float:
        """The largest posterior of any victim and column."""
        return max((float(b.posterior.max()) for b in self.beliefs.values() if len(b.posterior)), default=0.0)

    def frame(self) -> pl.DataFrame:
        """Return one row per victim."""
        columns: dict[str, Any] = {"candidates": self.candidates}
        for name, belief in self.beliefs.items():
            columns[name] = belief.values()
            columns[f"{name} (posterior)"] = belief.posterior
        return pl.DataFrame(columns)


class LinkageAdversary(Adversary):
    """She has a list of people with some of the quasi-identifiers, and knows that they are in the table.

    All rows whose cells may be the victim's are equally likely to be hers; the posterior of a sensitive value is its
    share among them. It is exact for any shape, made by this tool or not.

    Parameters
    ----------
    victims
        Any data frame with at least one of the quasi-identifiers; columns of other names are not used. By default every
        published person is a victim, known by all her quasi-identifiers as published.

    Examples
    --------
    >>> from tacit.shapes import Generalized, Published
    >>> from tacit.table import Table
    >>> table = Table({"age": [30, 30, 41], "ill": ["flu", "cold", "flu"]}, quasi_identifiers="age", sensitive="ill")
    >>> release = Published(Generalized.publish(table, np.ones(3, bool), np.arange(3)))
    >>> LinkageAdversary(victims={"age": [41, 30, 99]}).attack(release).frame().rows()
    [(1, 'flu', 1.0), (2, 'cold', 0.5), (0, None, 0.0)]
    """

    knowledge: ClassVar[str] = "some or all quasi-identifiers of a person, and that she is in the table"

    victims: Any = Field(default=None, json_schema_extra=PRIVATE, description="a data frame of people")

    def attack(self, published: Published) -> Linkage:
        """Find every victim's candidates and what they say of her."""
        shape = published.shape
        if self.victims is None:
            return _everybody(shape.classes)
        known = sources.as_frame(self.victims)
        names = [name for name in shape.quasi_identifiers if name in known.columns]
        if not names:
            raise RoleError(
                f"The list of victims has none of the quasi-identifiers {', '.join(shape.quasi_identifiers)}.",
                hint=f"Its columns are {', '.join(known.columns)}.",
            )
        return _look_up(shape, names, known)

    def posterior(self, published: Published, victim: Mapping[str, Any], column: str) -> dict[Any, float]:
        """Return what she believes of one victim: every possible value with its posterior."""
        shape = published.shape
        classes, spread = shape.classes, shape.classes.spreads[column]
        fits = np.ones(len(classes.weights), dtype=bool)
        for j, name in enumerate(shape.quasi_identifiers):
            if name in victim:
                value = _as_kind(pl.Series(name, [victim[name]]), shape.column(name))
                fits &= cover(classes.labels[name], shape.column(name), value).matches()[:, 0][classes.codes[:, j]]
        entries = np.repeat(fits, np.diff(spread.offsets))
        mass = np.bincount(spread.values[entries], weights=spread.weights[entries], minlength=len(spread.dictionary))
        total = mass.sum()
        order = np.argsort(-mass, kind="stable")
        return {spread.dictionary[int(code)]: float(mass[code] / total) for code in order if mass[code] > 0}

    def warn(self, published: Published) -> list[Notice]:
        """Say how many people are pinned to one value."""
        linkage = self.attack(published)
        warnings = []
        for name, belief in linkage.beliefs.items():
            weights = (
                published.shape.classes.weights if self.victims is None else np.ones(len(belief.posterior), np.int64)
            )
            certain = int(weights[belief.posterior >= 1.0].sum())
            if certain:
                verb = "is" if certain == 1 else "are"
                who = "person" if certain == 1 else "people"
                warnings.append(
                    Notice(
                        self.name,
                        f"somebody who knows the quasi-identifiers learns {name!r} for sure: {certain:,} {who} {verb} "
                        f"in groups where everybody has the same value",
                        1.0,
                        certain,
                    )
                )
        return warnings

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return the adversary who knows everybody."""
        return [cls()]


def _everybody(classes: Classes) -> Linkage:
    """Treat every class as a victim of its own cells."""
    beliefs = {}
    for name, spread in classes.spreads.items():
        group = np.repeat(np.arange(len(classes.weights)), np.diff(spread.offsets))
        order = np.lexsort((spread.values, -spread.weights, group))
        first = spread.offsets[:-1]
        top = order[first] if len(first) else np.zeros(0, np.int64)
        share = spread.weights[top] / np.maximum(1, classes.weights)
        beliefs[name] = Belief(spread.values[top], share, spread.dictionary)
    return Linkage(classes.weights, beliefs)


def _as_kind(values: pl.Series, column: PublishedColumn) -> pl.Series:
    """Read a victim's values the way the published column is meant."""
    if column.kind is Kind.NUMERIC and not values.dtype.is_numeric():
        return values.cast(pl.Float64, strict=False)
    if column.kind is Kind.DATE and values.dtype == pl.String:
        return values.str.to_date("%Y-%m-%d", strict=False)
    return as_text(values) if column.kind not in {Kind.NUMERIC, Kind.DATE} else values


def _look_up(shape: Shape, names: Sequence[str], known: pl.DataFrame) -> Linkage:
    from tacit.kernels.linking import link

    classes = shape.classes
    covers: list[Cover] = []
    positions = []
    for name in names:
        encoded = encode(_as_kind(known[name], shape.column(name)))
        found = cover(classes.labels[name], shape.column(name), encoded.values)
        covers.append(found)
        positions.append(found.position[encoded.codes])
    order = sorted(range(len(names)), key=lambda j: (not _plain(covers[j]), -len(classes.labels[names[j]])))
    names, covers, positions = [names[j] for j in order], [covers[j] for j in order], [positions[j] for j in order]
    every = list(shape.quasi_identifiers)
    codes = np.ascontiguousarray(classes.codes[:, [every.index(name) for name in names]])
    lookup = _plain(covers[0])
    arranged = np.argsort(covers[0].start[codes[:, 0]], kind="stable") if lookup else np.arange(len(codes))
    widths = np.array([found.matrix.shape[1] for found in covers], dtype=np.int64)
    people = Groups.of(positions, [int(width) for width in widths], rows=known.height)  # equal victims are asked once
    asked = np.stack([position[people.first()] for position in positions], axis=1)
    flat = _flatten(covers)
    beliefs, candidates = {}, np.zeros(known.height, np.int64)
    for name, spread in classes.spreads.items():
        lengths = np.diff(spread.offsets)[arranged]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        entries = np.arange(int(offsets[-1])) + np.repeat(spread.offsets[:-1][arranged] - offsets[:-1], lengths)
        found, best, mass = link(
            asked,
            codes[arranged],
            lookup,
            *flat,
            widths,
            classes.weights[arranged],
            offsets,
            spread.values[entries],
            spread.weights[entries],
            len(spread.dictionary),
            2 * (os.cpu_count() or 1),
        )
        posterior = mass / np.maximum(1, found)
        beliefs[name] = Belief(best[people.ids], posterior[people.ids], spread.dictionary)
        candidates = found[people.ids]
    return Linkage(candidates, beliefs)


def _plain(found: Cover) -> bool:
    """Whether every cell stands for at most one value."""
    return bool((found.row < 0).all() and (found.stop - found.start <= 1).all())


def _flatten(covers: Sequence[Cover]) -> tuple[Any, ...]:
    label_base = np.concatenate([[0], np.cumsum([len(found.start) for found in covers])]).astype(np.int64)
    matrix_base = np.concatenate([[0], np.cumsum([found.matrix.size for found in covers])]).astype(np.int64)
    return (
        label_base,
        np.concatenate([found.start for found in covers]),
        np.concatenate([found.stop for found in covers]),
        np.concatenate([found.row for found in covers]),
        np.concatenate([found.matrix.ravel() for found in covers]),
        matrix_base,
    )
