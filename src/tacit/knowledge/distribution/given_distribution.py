"""A distribution that is given: probabilities from a census, a paper, a registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tacit import sources
from tacit.arrays import Ints
from tacit.errors import ParameterError, nearest
from tacit.knowledge.distribution.distribution import Distribution, signature_keys
from tacit.table import as_text, positions

PROBABILITY = "probability"


@dataclass(frozen=True, eq=False)
class GivenDistribution:
    """Frames of probabilities, one per attribute set: columns of the set, the sensitive column, `probability`.

    What a signature does not list shares what is left of 1, in proportion to the whole distribution; a signature that
    is not listed has the whole distribution.
    """

    frames: tuple[pl.DataFrame, ...]

    def listed(self, sensitive: str) -> pl.Series:
        """Return the sensitive values that are listed, as text."""
        return pl.concat([as_text(frame[sensitive]) for frame in self._with(sensitive)]).unique(maintain_order=True)

    def bind(self, columns: Sequence[str], sensitive: str, values: pl.Series, whole: Any) -> Distribution:
        """Match it with a table's quasi-identifiers and sensitive values; `whole` are the counts of the values."""
        listed = self.listed(sensitive)
        texts = as_text(values)
        extra = listed.filter(~listed.is_in(texts.to_list()))
        every = pl.concat([texts.alias("value"), extra.alias("value")])
        prior = np.concatenate([np.asarray(whole, dtype=np.float64), np.zeros(len(extra))])
        prior /= max(1.0, prior.sum())
        split = [part for frame in self._with(sensitive) for part in _split(frame, columns, sensitive)]
        for chosen, part in split:
            if not chosen:
                prior = _rows(part, [], sensitive, every, prior)[1][0]
        dictionaries = {
            name: pl.concat([as_text(part[name]) for chosen, part in split if name in chosen]).unique().sort()
            if any(name in chosen for chosen, _ in split)
            else pl.Series(name, [], dtype=pl.String)
            for name in columns
        }
        rows, keys, starts, sets, at = [prior[None, :]], [], [], [], 1
        for chosen, part in split:
            if not chosen:
                continue
            signature, chances = _rows(part, chosen, sensitive, every, prior)
            codes = [positions(as_text(signature[name]), dictionaries[name]) for name in chosen]
            key = signature_keys(codes, [len(dictionaries[name]) for name in chosen])
            order = np.argsort(key)
            keys.append(key[order])
            rows.append(chances[order])
            starts.append(at)
            at += len(order)
            sets.append(tuple(list(columns).index(name) for name in chosen))
        if len(set(sets)) < len(sets):
            raise ParameterError("The distribution gives one attribute set twice.", hint="Put its rows together.")
        first: Ints = np.array(starts, dtype=np.int64)
        chances = np.ascontiguousarray(np.concatenate(rows))
        return Distribution(tuple(columns), dictionaries, every, tuple(sets), tuple(keys), first, chances)

    def plain(self) -> Any:
        """Return what `as_given` takes: columns of plain values, in a list where each attribute set has its own."""
        tables = [
            {c.name: as_text(c).to_list() if c.dtype.is_temporal() else c.to_list() for c in frame.drop("_own")}
            for frame in self.frames
        ]
        return tables if any(frame["_own"].any() for frame in self.frames) else tables[0]

    def _with(self, sensitive: str) -> list[pl.DataFrame]:
        about_it = [frame for frame in self.frames if sensitive in frame.columns]
        if not about_it:
            raise ParameterError(
                f"The distribution has no column {sensitive!r}.",
                hint=f"Its columns are {', '.join(self.frames[0].columns)}; the sensitive column must be one of them.",
            )
        return about_it


def require_match(distribution: Distribution, listed: pl.Series, people: pl.DataFrame, values: pl.Series) -> None:
    """Raise `ParameterError` where a distribution says nothing about some people and values.

    It says nothing if it lists none of the sensitive values, no value of a quasi-identifier that it is about, or
    nobody's signature. Everybody would then have the same probabilities, and a promise against somebody who knows the
    distribution would hold whatever is published.

    Parameters
    ----------
    distribution
        What is said to be known, bound to the table.
    listed
        The sensitive values that were listed when it was given.
    people
        Columns of quasi-identifiers.
    values
        The values of the sensitive column.
    """
    _require_common(listed, values)
    if not distribution.sets:
        return
    used = {j for chosen in distribution.sets for j in chosen}
    columns = [name for j, name in enumerate(distribution.columns) if j in used]
    for name in columns:
        if name in people.columns:
            _require_common(distribution.dictionaries[name], people[name].unique(maintain_order=True))
    cells = people.select([name for name in distribution.columns if name in people.columns]).unique()
    codes = [
        distribution.encode(name, cells[name]) if name in cells.columns else np.full(cells.height, -1, dtype=np.int64)
        for name in distribution.columns
    ]
    if cells.height and not distribution.signatures(codes, cells.height).any():
        raise ParameterError(
            f"Nobody has a combination of {', '.join(columns)} that the distribution lists.",
            hint="Spell the values as the table does.",
        )


def _require_common(listed: pl.Series, there: pl.Series) -> None:
    if len(listed) and (positions(as_text(listed), as_text(there)) < 0).all():
        texts = [str(text) for text in as_text(there)]
        raise ParameterError(
            f"The distribution lists no value that column {there.name!r} has; its first is {listed[0]!r}.",
            hint=nearest(str(listed[0]), texts, what="Values"),
        )


def as_given(given: Any) -> Any:
    """Take None, a path, a data frame, or a list of them (one per attribute set)."""
    if given is None or isinstance(given, GivenDistribution | Distribution):
        return given
    several = isinstance(given, list | tuple)
    frames = tuple(_read(part) for part in (given if several else [given]))
    if not frames:
        raise ValueError("a distribution needs at least one frame")
    for frame in frames:
        if not frame.height:
            raise ValueError("a distribution needs at least one row")
        if PROBABILITY not in frame.columns:
            raise ValueError(f"a distribution needs a column 'probability'; it has {', '.join(frame.columns)}")
        chances = frame[PROBABILITY].cast(pl.Float64, strict=False)
        if chances.null_count() or not ((chances >= 0) & (chances <= 1)).all():
            raise ValueError("a probability of the distribution is missing or not between 0 and 1")
    # In one frame for several attribute sets, null means: not in the set. In a frame of its own, null is a value.
    return GivenDistribution(tuple(f.with_columns(pl.lit(several).alias("_own")) for f in frames))


def _read(part: Any) -> pl.DataFrame:
    if isinstance(part, str | Path):
        return sources.read(part, nulls=("", "*"), separator=None, text=[])
    if isinstance(part, Mapping) and not part:
        raise ValueError("a distribution needs at least one frame")
    return sources.as_frame(part)


def _split(frame: pl.DataFrame, columns: Sequence[str], sensitive: str) -> list[tuple[list[str], pl.DataFrame]]:
    """Cut a frame by which of its columns are given."""
    known = [name for name in columns if name in frame.columns]
    strange = [c for c in frame.columns if c not in {*columns, sensitive, PROBABILITY, "_own"}]
    if strange:
        raise ParameterError(
            f"The distribution has a column {strange[0]!r}, which is not a quasi-identifier.",
            hint=f"Quasi-identifiers: {', '.join(columns)}.",
        )
    if not frame.height or bool(frame["_own"][0]) or not known:
        return [(known, frame)] if frame.height else []
    marks = frame.select([pl.col(name).is_not_null() for name in known])
    parts = frame.with_columns(marks.select(pl.concat_list(pl.all()).alias("_set"))).partition_by("_set")
    return [([n for n, given in zip(known, part["_set"][0], strict=True) if given], part) for part in parts]


def _rows(
    part: pl.DataFrame, chosen: Sequence[str], sensitive: str, every: pl.Series, prior: Any
) -> tuple[pl.DataFrame, np.ndarray[Any, Any]]:
    """Return the signatures of one attribute set and their probabilities of every value."""
    if chosen:
        numbered = part.with_columns(pl.struct(chosen).rank("dense").alias("_row") - 1)
        signature = numbered.unique("_row").sort("_row").select(chosen)
        row = numbered["_row"].cast(pl.Int64).to_numpy()
    else:
        signature, row = pl.DataFrame(), np.zeros(part.height, dtype=np.int64)
    value = positions(as_text(part[sensitive]), every)
    chances = np.full((int(row.max()) + 1, len(every)), np.nan)
    if len(np.unique(row * len(every) + value)) < len(row):
        raise ParameterError("The distribution gives one signature and value twice.", hint="Give each pair once.")
    chances[row, value] = part[PROBABILITY].cast(pl.Float64).to_numpy()
    listed = ~np.isnan(chances)
    chances[~listed] = 0.0
    total = chances.sum(axis=1)
    if (total > 1.0 + 1e-6).any():
        raise ParameterError(
            f"The probabilities of one signature sum to {float(total.max()):.4g}.", hint="They must sum to at most 1."
        )
    rest = np.where(listed, 0.0, prior[None, :])
    share = rest.sum(axis=1)
    # Where the rest of 1 belongs to values that the whole table does not have, nothing says how to share it out: it is
    # left away, and posteriors, which are ratios, do not depend on it.
    chances += np.where(share > 0, (1.0 - total).clip(0.0) / np.where(share > 0, share, 1.0), 0.0)[:, None] * rest
    return signature, chances
