"""Fragmenting: cutting a large table so that every fragment fits in memory and can be protected by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from tacit.arrays import Flags
from tacit.engines.base import COUNT, FRAGMENT, Route, Rows
from tacit.engines.cuts import Axis, Cuts
from tacit.engines.exchanging import exchange
from tacit.engines.keyed import keyed_hash
from tacit.errors import Infeasible
from tacit.guarantees import GroupGuarantee
from tacit.methods.base import Method
from tacit.methods.large.table import LargeTable
from tacit.methods.linkage.mondrian import Attribute
from tacit.table import Groups, GroupStats, Kind, Layout
from tacit.table.layout import ROW

_SAMPLE = 400_000
"""Rows by which cuts are chosen: enough to halve a thousand fragments well. Chosen by hand."""
_ENOUGH = 4
"""A cut leaves at least so many times the rows of the smallest group on each side, in the sample. Chosen by hand."""


class Sampled:
    """Keeps about so many of a million rows, by a keyed hash of their numbers."""

    def __init__(self, key: bytes, share: float) -> None:
        self.key, self.share = key, share

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return the rows that are kept."""
        if self.share >= 1:
            return batch
        hashes = keyed_hash(self.key, batch.column(ROW).to_numpy())
        return batch.filter(pa.array(hashes < np.uint64(self.share * 2**64)))


def plan_fragments(
    large: LargeTable, rows: Rows, size: int, method: Method, reference: GroupStats, key: bytes
) -> Route:
    """Choose cuts such that every fragment satisfies what the method needs of it, and counts no more rows than fit.

    Parameters
    ----------
    large, rows, size
        The table, those of its rows that are left, and how many these are.
    method
        The method that will work inside the fragments.
    reference
        All rows as one group.
    key
        The secret key of the step.
    """
    layout, engine = large.layout, large.engine
    axes = [axis_of(layout, name) for name in layout.quasi_identifiers]
    most = engine.fragment_rows
    sample = np.zeros((0, len(axes)), dtype=np.int64)
    if size > most and axes:
        drawn = engine.map(rows, Sampled(key, _SAMPLE / size), layout.schema)
        codes = engine.collect(drawn)
        sample = np.stack([codes.column(axis.column).to_numpy() for axis in axes], axis=1)
    # Cuts are even in the sample, so a fragment of the whole is a little larger or smaller than that of the sample.
    room = max(2.0, 0.8 * most * len(sample) / max(1, size))
    cuts = Cuts.plan(axes, sample, room, enough=max(1, min(_ENOUGH, len(sample) // 8)))
    if cuts.count > 1:
        stats = _counted(large, rows, cuts, key)
        share = method.exchanged_until
        if share is not None and len(layout.sensitive) == 1:
            exchanged = _exchanged(large, rows, cuts, stats, method, reference, key)
            if exchanged is not None:
                return exchanged
        united = _sound(stats, method.of_fragments, reference, cuts)
        stats = stats if united.count == cuts.count else _counted(large, rows, united, key)
        cuts = united
    largest = size if cuts.count == 1 else int(stats.sizes.max())
    if largest > 2 * most and size > most:
        raise Infeasible(
            f"{method} cannot be cut into fragments that fit in memory: one would have {largest:,} of {size:,} rows, "
            f"and {most:,} fit. In smaller ones not every guarantee would hold.",
            hint="Use a machine with more memory, finer quasi-identifiers, or ask for less.",
        )
    return cuts


def axis_of(layout: Layout, name: str) -> Axis:
    """Lay a quasi-identifier out for cutting: numbers and orders as they are, hierarchies by their nodes."""
    column = next(column for column in layout.columns if column.name == name)
    codes = layout.codes[name]
    attribute = Attribute.of(column, codes, "auto")
    many = codes.cardinality
    place = np.arange(many, dtype=np.int64)
    block = place.copy()
    width = np.linspace(0.0, 1.0, many) if many > 1 else np.zeros(many)
    if attribute.by_hierarchy and codes.tree is not None:
        levels = codes.tree.levels[:, : many - (codes.null is not None)]
        order = np.lexsort(levels)
        place[order] = np.arange(len(order))
        height = next((h for h in range(len(levels) - 1, 0, -1) if len(np.unique(levels[h])) >= 8), 0)
        block[: len(order)] = levels[height][order]
    elif column.kind in {Kind.NUMERIC, Kind.DATE} and many > 1:
        numbers = attribute.numbers()
        known = np.isfinite(numbers)
        span = float(numbers[known].max() - numbers[known].min()) if known.any() else 0.0
        width = np.where(known, (numbers - numbers[known].min(initial=0.0)) / span, 1.0) if span else width
        width = np.maximum.accumulate(width)
    return Axis(layout.represented(name), place, block, np.asarray(width, dtype=np.float64))


class Marked:
    """Adds to coded rows the fragment that cuts send them to."""

    def __init__(self, cuts: Cuts) -> None:
        self.cuts = cuts

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return the rows with their fragment."""
        return batch.append_column(FRAGMENT, pa.array(self.cuts(batch)))


def _counted(large: LargeTable, rows: Rows, cuts: Cuts, key: bytes) -> GroupStats:
    """Count the sensitive values of every fragment, over all rows, and its people where they have several."""
    layout = large.layout
    marked = large.engine.map(rows, Marked(cuts), layout.schema.append(pa.field(FRAGMENT, pa.int32())))
    parts = {}
    for name in layout.sensitive:
        counted = large.engine.count(marked, [FRAGMENT, layout.coded(name)])
        ids = counted[FRAGMENT].to_numpy().astype(np.int64)
        codes, many = counted[layout.coded(name)].to_numpy(), counted[COUNT].to_numpy()
        from tacit.table import Histogram

        parts[name] = Histogram.of(ids, cuts.count, codes, layout.codes[name].cardinality, weights=many)
    if parts:
        sizes = next(iter(parts.values())).sizes()
    else:
        counted = large.engine.count(marked, [FRAGMENT])
        sizes = Groups(counted[FRAGMENT].to_numpy().astype(np.int64), cuts.count).sizes(counted[COUNT].to_numpy())
    trees = {name: tree for name in parts if (tree := layout.codes[name].tree) is not None}
    return GroupStats(sizes, parts, trees, large.people(rows, key, cuts))


def _exchanged(
    large: LargeTable, rows: Rows, cuts: Cuts, stats: GroupStats, method: Method, reference: GroupStats, key: bytes
) -> Route | None:
    """Let fragments exchange rows until no value is too frequent in any; None where that cannot be."""
    share, (name,) = method.exchanged_until, large.layout.sensitive
    if share is None or all(bool(g.satisfied(stats, reference).all()) for g in method.of_fragments):
        return cuts
    histogram = stats.histograms[name]
    counts = np.zeros((cuts.count, histogram.cardinality), dtype=np.int64)
    counts[histogram.entry_groups(), histogram.values] = histogram.counts
    return exchange(large.engine, rows, cuts, large.layout.coded(name), counts, share, key)


def _sound(stats: GroupStats, guarantees: Sequence[GroupGuarantee], reference: GroupStats, cuts: Cuts) -> Cuts:
    """Unite fragments in which a guarantee does not hold with their neighbours."""

    def sound(chosen: Flags) -> bool:
        """Judge some fragments as one group."""
        group = Groups(np.where(chosen, 0, -1), 1)
        histograms = {name: h.grouped(group.ids, 1) for name, h in stats.histograms.items()}
        people = None if stats.people is None else stats.people.grouped(group)
        united = GroupStats(np.array([int(stats.sizes[chosen].sum())]), histograms, stats.trees, people)
        return int(united.sizes[0]) > 0 and all(bool(g.satisfied(united, reference).all()) for g in guarantees)

    return cuts.united(sound)
