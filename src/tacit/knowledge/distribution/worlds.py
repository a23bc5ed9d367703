"""Worlds: who is in each group, which values are in it, and what the adversary knows of each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Flags, FloatGrid, Floats, Ints, offsets_of
from tacit.knowledge.distribution.distribution import Distribution, Signatures
from tacit.knowledge.distribution.protected import Protected
from tacit.table import Groups, Histogram, encode

EXACT, CERTIFIED, UNDECIDED, IMPOSSIBLE = range(4)


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Of every group: the largest posterior of a protected entry, how it is known, and under which attribute set.

    `status` is EXACT (the posterior), CERTIFIED (a bound of it, within what is allowed), UNDECIDED (a bound beyond what
    is allowed, and too many worlds to count) or IMPOSSIBLE (no world agrees with the distribution).
    """

    posterior: Floats
    status: Ints
    where: Ints

    def held(self, bound: float) -> Flags:
        """Say which groups are within the bound for sure."""
        return np.asarray((self.posterior <= bound) & (self.status <= CERTIFIED))


@dataclass(frozen=True, eq=False)
class Worlds:
    """Groups of tuples with their values, laid out group after group.

    Attributes
    ----------
    offsets, cells
        Group g holds the tuples `cells[offsets[g]:offsets[g + 1]]`; a cell is a row of `signatures`.
    rows
        For each of them, the row of the people it came from.
    histogram
        The values of each group.
    signatures
        Of each cell and attribute set, the row of `chances`.
    chances
        Probabilities per signature, one column per code of the histogram.
    """

    offsets: Ints
    cells: Ints
    rows: Ints
    histogram: Histogram
    signatures: Signatures
    chances: FloatGrid

    @classmethod
    def of(
        cls,
        people: pl.DataFrame,
        groups: Groups,
        histogram: Histogram,
        values: pl.Series,
        distribution: Distribution,
    ) -> Worlds:
        """Put people (columns of quasi-identifiers) into groups (-1: in none) whose values are counted."""
        codes = []
        for name in distribution.columns:
            if name in people.columns:
                found = encode(people[name])
                codes.append(distribution.encode(name, found.values)[found.codes])
            else:
                codes.append(np.full(people.height, -1, dtype=np.int64))
        return cls.laid_out(codes, groups, histogram, values, distribution)

    @classmethod
    def laid_out(
        cls, codes: list[Any], groups: Groups, histogram: Histogram, values: pl.Series, distribution: Distribution
    ) -> Worlds:
        """Do the same from codes of the distribution's own dictionaries."""
        sizes = [len(distribution.dictionaries[name]) + 1 for name in distribution.columns]
        cells = Groups.of([c + 1 for c in codes], sizes, rows=len(groups.ids))
        first = cells.first()
        signatures = distribution.signatures([c[first] for c in codes], cells.count)
        inside = np.flatnonzero(groups.ids >= 0)
        rows = inside[np.argsort(groups.ids[inside], kind="stable")]
        offsets = offsets_of(groups.sizes())
        return cls(offsets, cells.ids[rows], rows, histogram, signatures, distribution.aligned(values))

    def judge(self, protected: Protected, *, full: bool, bound: float) -> Verdicts:
        """Judge every group."""
        from tacit.kernels.distribution.judging import judge_many

        if not protected.count:
            groups = len(self.offsets) - 1
            return Verdicts(np.zeros(groups), np.zeros(groups, dtype=np.int64), np.full(groups, -1, dtype=np.int64))
        h = self.histogram
        return Verdicts(
            *judge_many(
                self.offsets,
                self.cells,
                h.offsets,
                h.values,
                h.counts,
                self.signatures,
                self.chances,
                protected.entry_of,
                protected.sums(self.chances),
                full,
                bound,
            )
        )

    def believe(self, *, full: bool, protected: Protected) -> tuple[Floats, Ints, Ints, Any]:
        """Return per tuple the largest posterior of an entry, a value of it, the attribute set, and whether exact."""
        from tacit.kernels.distribution.beliefs import believe

        h = self.histogram
        found = believe(
            self.offsets,
            self.cells,
            h.offsets,
            h.values,
            h.counts,
            self.signatures,
            self.chances,
            protected.entry_of,
            protected.sums(self.chances),
            full,
        )
        return found[0], found[1], found[2], found[3]
