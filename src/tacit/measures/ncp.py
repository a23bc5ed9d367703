"""NCP, the normalized certainty penalty: how much of a value's precision was given up, from 0 to 1.

A number or date costs the width of its interval over the range of the column; a value of a hierarchy the leaves under
its node less one, over the domain less one; a set its members less one, over the domain less one; that a value may be
missing besides costs what one member more of a set costs; a suppressed cell and every cell of a withheld row cost 1;
a constant column costs 0. Range and domain are the table's unless a hierarchy that lists its values, or an order,
declares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

from tacit.arrays import FlagGrid, Flags, Floats, Ints
from tacit.errors import RoleError
from tacit.shapes import ANYTHING, Cover, PublishedColumn, Shape, cover, extents
from tacit.shapes.cells import OR_MISSING
from tacit.table import Codes, Kind, PeopleCounts, Table


def ncp(shape: Shape, table: Table, *, weights: Mapping[str, float] | None = None) -> float:
    """Average the loss over quasi-identifiers and the rows of the table; a column may weigh more than another."""
    return mean_loss(column_losses(shape, table), weights)


def mean_loss(losses: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float:
    """Average the losses of columns, which `column_losses` returns; a column may weigh more than another."""
    for name in weights or {}:
        if name not in losses:
            raise RoleError.missing_column(name, losses, place="the quasi-identifiers of the release")
    shares = {name: 1.0 if weights is None else weights.get(name, 1.0) for name in losses}
    total = sum(shares.values())
    return sum(losses[name] * share for name, share in shares.items()) / total if total else 0.0


def column_losses(shape: Shape, table: Table) -> dict[str, float]:
    """Return the average loss of each quasi-identifier over the rows of the table.

    Several marginals are averaged over those that publish the column.
    """
    if shape.several:
        parts = [column_losses(part, table) for part in shape.parts.values()]
        names = list(dict.fromkeys(name for part in parts for name in part))
        return {name: float(np.mean([part[name] for part in parts if name in part])) for name in names}
    classes, n = shape.classes, len(table)
    losses = {}
    for j, name in enumerate(shape.quasi_identifiers):
        each = _class_losses(shape, name, table.codes(name))
        lost = float((each[classes.codes[:, j]] * classes.weights).sum())
        withheld = 0 if table.codes(name).cardinality <= 1 else n - shape.rows
        losses[name] = (lost + withheld) / n
    return losses


def blank_losses(blank: FlagGrid, values: Mapping[str, int]) -> dict[str, float]:
    """Return the average loss of columns in which nothing is blurred and some cells are suppressed.

    Parameters
    ----------
    blank
        Which cells are suppressed, rows by columns.
    values
        The columns, and how many values each has in the table.
    """
    shares = blank.mean(axis=0).tolist() if len(blank) else [0.0] * blank.shape[1]
    return {name: share if many > 1 else 0.0 for share, (name, many) in zip(shares, values.items(), strict=True)}


def losses_of_people(shape: Shape, table: Table, people: PeopleCounts) -> dict[str, float]:
    """Return the average loss of each quasi-identifier over the people of the table, each in one published group.

    What is published of a person is one cell per column, however many rows she has. `people` are those of the groups of
    one frame, which are its classes.
    """
    losses = {}
    for j, name in enumerate(shape.quasi_identifiers):
        each = _class_losses(shape, name, table.codes(name))
        lost = float((each[shape.classes.codes[:, j]] * people.sizes).sum())
        withheld = 0 if table.codes(name).cardinality <= 1 else table.units - int(people.sizes.sum())
        losses[name] = (lost + withheld) / table.units
    return losses


def _class_losses(shape: Shape, name: str, codes: Codes) -> Floats:
    classes, column = shape.classes, shape.column(name)
    return cell_losses(classes.labels[name], column, codes, lambda: classes.cover(name, column, codes.values))


def cell_losses(
    labels: pl.Series, column: PublishedColumn, codes: Codes, covered: Callable[[], Cover] | None = None
) -> Floats:
    """Return what each distinct published cell costs, against the values of the table.

    `covered` says which values the cells may stand for, where somebody keeps that.
    """
    losses = np.zeros(len(labels))
    blank = labels.is_null().to_numpy() if column.suppressed else np.zeros(len(labels), dtype=bool)
    if codes.cardinality <= 1:
        return losses
    if not column.blurred or labels.dtype != pl.String:
        return blank.astype(np.float64)
    listed = codes.tree is not None and codes.hierarchy is not None and codes.hierarchy.spec() is None
    if column.kind in {Kind.NUMERIC, Kind.DATE}:
        losses = _widths(labels, column, codes, declared=listed)
    else:
        covers = cover(labels, column, codes.values) if covered is None else covered()
        losses = set_losses(_sizes(covers), codes.cardinality)
    if codes.tree is not None and (listed or column.kind not in {Kind.NUMERIC, Kind.DATE}):
        nodes = [None if text is None else codes.tree.node(text) for text in labels]
        named = np.array([node is not None for node in nodes], dtype=bool)
        losses[named] = codes.tree.loss()[[node for node in nodes if node is not None]]
    losses[blank | (labels == ANYTHING).fill_null(False).to_numpy()] = 1.0
    return np.clip(losses, 0.0, 1.0)


def set_losses(sizes: Ints, domain: int) -> Floats:
    """Return what sets of so many values cost, in a domain of so many."""
    return np.asarray(np.maximum(0, sizes - 1) / max(1, domain - 1), dtype=np.float64)


def width_losses(low: Floats, high: Floats, least: float, largest: float) -> Floats:
    """Return what intervals cost in a column from `least` to `largest`; NaN where a bound is no number."""
    widths = np.minimum(high, largest) - np.maximum(low, least)
    return np.asarray(widths / (largest - least), dtype=np.float64)


def missing_losses(missing: Flags, domain: int) -> Floats:
    """Return what it costs besides that a number or date may be missing: one possibility more, as in a set."""
    return np.asarray(missing / max(1, domain - 1), dtype=np.float64)


def _sizes(cells: Cover) -> Ints:
    sizes = cells.stop - cells.start
    listed = cells.row >= 0
    sizes[listed] = cells.matrix[cells.row[listed]].sum(axis=1)
    return sizes


def _widths(labels: pl.Series, column: PublishedColumn, codes: Codes, *, declared: bool) -> Floats:
    missing = labels.str.ends_with(OR_MISSING).fill_null(False).to_numpy()
    besides = missing_losses(missing, codes.cardinality)
    texts = codes.texts.drop_nulls()
    own = extents(texts, column.kind)
    finite = np.isfinite(own.low)  # NaN and the infinite are values, but not far from anything
    if not finite.any():
        return besides
    low, high = float(own.low[finite].min()), float(own.high[finite].max())
    if declared and codes.tree is not None and codes.tree.low is not None and codes.tree.high is not None:
        low, high = float(codes.tree.low[0]), float(codes.tree.high[0])
    if high <= low:
        return besides
    published = extents(labels, column.kind)
    losses = width_losses(published.low, published.high, low, high)
    loose = np.isnan(losses)  # a node's name or a set: as wide as what it may stand for
    if loose.any():
        matches = cover(labels.filter(pl.Series(loose)), column, codes.values).matches()[:, : len(texts)]
        matches &= finite[None, :]
        lows = np.where(matches, own.low[None, :], np.inf).min(axis=1)
        highs = np.where(matches, own.high[None, :], -np.inf).max(axis=1)
        losses[loose] = np.maximum(0.0, highs - lows) / (high - low)
    return losses + besides
