"""A histogram of risk on a log scale: how many rows in each decade."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.knowledge.risk.score import Score


@dataclass(frozen=True)
class Histogram:
    """Rows per decade of risk.

    Attributes
    ----------
    none
        Rows without any risk.
    decades
        Decade d holds risks from 10^d up to 10^(d+1); all below the first are counted in it.
    counts
        Rows of each.
    """

    none: int
    decades: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, score: Score, lowest: int = -6) -> Histogram:
        """Count the middles of the intervals."""
        middle = score.middle
        some = middle > 0
        at = np.maximum(np.floor(np.log10(middle[some])), lowest).astype(np.int64)
        decades, counts = np.unique(at, return_counts=True)
        span = range(int(decades[0]), int(decades[-1]) + 1) if len(decades) else range(0)
        found = dict(zip(decades.tolist(), counts.tolist(), strict=True))
        return cls(int((~some).sum()), tuple(span), tuple(found.get(d, 0) for d in span))

    def __str__(self) -> str:
        told = [f"1e{d}: {count:,}" for d, count in zip(self.decades, self.counts, strict=True)]
        return ", ".join([f"0: {self.none:,}", *told])
