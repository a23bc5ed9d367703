"""Blurred cells as features: an interval, a set or a node is spread evenly over the codes that it may be."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.arrays import FloatGrid, Floats
from tacit.knowledge.learning.features import FeatureCode, Features, coded
from tacit.shapes import PublishedColumn, Shape, cover, extents
from tacit.shapes.cells import ANYTHING, members, unquote
from tacit.table import Codes, Kind, as_text, encode

_MOST_SHARES = 4_000_000
"""Cells times values of one column. Above it every cell is a code of its own, so that memory stays bounded."""


def published_features(shape: Shape) -> Features:
    """Code the published quasi-identifiers of everybody."""
    return Features.made((_column(shape, name) for name in shape.quasi_identifiers), shape.people.height)


def _column(shape: Shape, name: str) -> tuple[str, Codes, list[FeatureCode]]:
    column, encoded = shape.column(name), encode(shape.people[name])
    spread = _spread(encoded, column) if column.blurred else None
    if spread is not None:
        every = np.arange(encoded.cardinality, dtype=np.int64)
        return name, encoded, [FeatureCode(every, encoded.cardinality, spread)]
    return name, encoded, coded(encoded, Kind.CATEGORICAL if encoded.values.dtype == pl.String else column.kind)


def _spread(encoded: Codes, column: PublishedColumn) -> FloatGrid | None:
    """Return, per published cell, the shares of the plain codes that it may be; None where cells are as good."""
    texts = as_text(encoded.values)
    if column.kind in {Kind.NUMERIC, Kind.DATE}:
        bounds = extents(texts, column.kind)
        return _over_bins(bounds.low, bounds.high, encoded.counts())
    values = _plain_values(texts)
    if not len(values) or len(texts) * len(values) > _MOST_SHARES:
        return None
    fits = cover(encoded.values, column, values).matches()
    unknown = np.flatnonzero(~fits.any(axis=1))  # names of nodes whose values are nowhere published
    wide = np.zeros((len(texts), len(values) + len(unknown)))
    wide[:, : len(values)] = fits
    wide[unknown, len(values) + np.arange(len(unknown))] = 1.0
    return np.asarray(wide / wide.sum(axis=1, keepdims=True), dtype=np.float64)


def _plain_values(texts: pl.Series) -> pl.Series:
    """Return the values that cells name: by themselves, or in sets."""
    found: dict[str, None] = {}
    for text in texts.drop_nulls():
        if text.startswith("{") and text.endswith("}"):
            found |= {each: None for each in members(text) if each is not None}
        elif text != ANYTHING:
            found[unquote(text)] = None
    return pl.Series(sorted(found), dtype=pl.String)


def _over_bins(low: Floats, high: Floats, counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> FloatGrid | None:
    """Spread ranges of a line over at most ten bins with about equally many middles."""
    finite = np.isfinite(low) & np.isfinite(high)
    if not finite.any():
        return None
    least, most = float(low[finite].min()), float(high[finite].max())
    begin, end = np.clip(low, least, most), np.clip(high, least, most)
    middle = encode(pl.Series("", (begin + end)[finite] / 2).gather(np.repeat(np.arange(finite.sum()), counts[finite])))
    bins = coded(middle, Kind.NUMERIC)[0]
    first = np.array([middle.values.to_numpy()[bins.lookup == b].min() for b in range(bins.size)])
    edges = np.concatenate([[-np.inf], first[1:], [np.inf]])
    inner = np.clip(np.minimum(end[:, None], edges[None, 1:]) - np.maximum(begin[:, None], edges[None, :-1]), 0.0, None)
    point = begin == end
    inner[point] = (edges[None, :-1] <= begin[point, None]) & (begin[point, None] < edges[None, 1:])
    # A cell that is no range may be anything.
    inner[np.isnan(inner).any(axis=1) | (inner.sum(axis=1) <= 0.0)] = 1.0
    return np.asarray(inner / inner.sum(axis=1, keepdims=True), dtype=np.float64)
