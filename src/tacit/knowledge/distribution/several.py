"""Several distributions at once: the table's own, models that a reader could learn, and one that is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import polars as pl

from tacit.arrays import FloatGrid, Ints
from tacit.errors import ParameterError
from tacit.kernels.distribution.arguments import GROUP_ALONE, Signatures
from tacit.knowledge.distribution.distribution import Distribution, signature_keys
from tacit.knowledge.distribution.given_distribution import GivenDistribution, as_given
from tacit.knowledge.learning import Features, ModelName, learn, true_values
from tacit.table import Table, positions

Known = Literal["table", "naive-bayes", "logistic"]
"""What can be known of a table without a file: its own shares, or a model of all quasi-identifiers at once that was
learned from the true table, which is the best that a reader of any release can hope to learn with it."""

_MOST_CHANCES = 400_000_000
"""Probabilities of a learned model, 8 bytes each: one per value for everybody with other quasi-identifiers."""


@dataclass(frozen=True, eq=False)
class SeveralDistributions:
    """Distributions each of which must hold.

    Attributes
    ----------
    known
        Those that are computed from the table.
    given
        One that is given, None if there is none.
    """

    known: tuple[Known, ...]
    given: GivenDistribution | None

    @property
    def learned(self) -> tuple[ModelName, ...]:
        """The models among them."""
        return tuple(name for name in self.known if name != "table")

    def plain(self) -> Any:
        """Return what `as_distributions` takes."""
        parts = [] if self.given is None else self.given.plain()
        return [*self.known, *(parts if isinstance(parts, list) else [parts])]


def as_distributions(given: Any) -> Any:
    """Take what `as_given` takes, one of the words of `Known`, or a list of these.

    Examples
    --------
    >>> as_distributions(["table", "logistic"]).known, as_distributions("table")
    (('table', 'logistic'), None)
    """
    if isinstance(given, SeveralDistributions):
        return given
    words: tuple[Known, ...] = get_args(Known)
    parts = list(given) if isinstance(given, list | tuple) else [given]
    known = [word for part in parts if isinstance(part, str) for word in words if part == word]
    if not known:
        return as_given(given)
    if len(set(known)) < len(known):
        raise ValueError(f"a list of distributions names {max(known, key=known.count)!r} twice")
    others = [part for part in parts if not (isinstance(part, str) and part in words)]
    if known == ["table"] and not others:
        return None
    return SeveralDistributions(tuple(known), as_given(others if len(others) > 1 else others[0]) if others else None)


def learned_distribution(table: Table, sensitive: str, model: ModelName) -> Distribution:
    """Learn p(value | all quasi-identifiers) from the true values: one attribute set, a signature per cell.

    Examples
    --------
    >>> frame = {"sex": ["f", "f", "m", "m"], "ill": ["gout", "gout", "flu", "flu"]}
    >>> table = Table(frame, quasi_identifiers="sex", sensitive="ill")
    >>> learned_distribution(table, "ill", "naive-bayes").frame()["probability"].round(3).to_list()
    [0.167, 0.833, 0.833, 0.167]
    """
    columns, codes = table.quasi_identifiers, table.codes(sensitive)
    cells = table.groups()
    if cells.count * codes.cardinality > _MOST_CHANCES:
        raise ParameterError(
            f"A model of {codes.cardinality:,} values for {cells.count:,} different people is too large.",
            hint='Use distribution="table", or round values that differ too finely.',
        )
    features = Features.of_table(table)
    laid, beliefs = true_values(codes.codes.astype(np.int64))
    learned = learn(model, features, laid, beliefs, codes.cardinality)
    first = cells.first()
    chances = learned.chances(features, first)
    dictionaries = {name: table.codes(name).texts for name in columns}
    key = signature_keys(
        [table.codes(name).codes[first].astype(np.int64) for name in columns], [len(d) for d in dictionaries.values()]
    )
    order = np.argsort(key)
    counts = codes.counts()
    whole = (counts / max(1, int(counts.sum())))[None, :]
    return Distribution(
        columns,
        dictionaries,
        codes.texts,
        (tuple(range(len(columns))),),
        (key[order],),
        np.array([1], dtype=np.int64),
        np.ascontiguousarray(np.concatenate([whole, chances[order]])),
        model,
    )


@dataclass(frozen=True, eq=False)
class JoinedDistribution(Distribution):
    """Several distributions of the same columns as one, whose attribute sets are those of all of them.

    `dictionaries` and `values` are those of all parts together; `chances` are the parts' one after another.
    """

    parts: tuple[Distribution, ...] = ()

    @classmethod
    def join(cls, parts: Sequence[Distribution]) -> Distribution:
        """Join them; one alone stays what it is."""
        if len(parts) == 1:
            return parts[0]
        first = parts[0]
        dictionaries = {
            name: pl.concat([part.dictionaries[name].alias(name) for part in parts]).unique(maintain_order=True)
            for name in first.columns
        }
        values = pl.concat([part.values.alias("value") for part in parts]).unique(maintain_order=True)
        sets = tuple(chosen for part in parts for chosen in part.sets)
        nothing = Distribution(first.columns, dictionaries, values, sets, (), np.zeros(0, np.int64), np.zeros((0, 0)))
        joined = cls(**{**vars(nothing), "parts": tuple(parts)})
        return replace(joined, chances=joined.aligned(values))

    def signatures(self, codes: Sequence[np.ndarray[Any, Any]], rows: int) -> Signatures:
        """Return the row of `chances` of each cell under each attribute set of each part."""
        out, at = [], 0
        for part in self.parts:
            own = []
            for column, given in zip(self.columns, codes, strict=True):
                translated: Ints = positions(self.dictionaries[column], part.dictionaries[column])
                padded = np.append(translated, -1)
                own.append(padded[np.where(np.asarray(given) >= 0, given, len(translated))])
            out.append(part.signatures(own, rows) + np.int32(at))
            at += len(part.chances)
        return np.ascontiguousarray(np.concatenate(out, axis=1)) if out else np.zeros((rows, 0), dtype=np.int32)

    def aligned(self, values: pl.Series) -> FloatGrid:
        """Return the probabilities of all parts with one column per given value."""
        return np.ascontiguousarray(np.concatenate([part.aligned(values) for part in self.parts]))

    def set_name(self, number: int) -> str:
        """Name an attribute set, and the model where there is one."""
        for part in self.parts:
            if number < len(part.sets):
                return part.set_name(number)
            number -= len(part.sets)
        return super().set_name(GROUP_ALONE)
