"""A histogram of risk on a log scale: how many rows in each decade."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.knowledge.risk.score import Score


@dataclass(frozen=True)
class RiskHistogram:
    """Rows per decade of risk.

    Attributes
    ----------
    none
        Rows without any risk.
    decades
        Decade d holds risks above 10^d and up to 10^(d+1): who is above a delta of 10^d is in d or later. All that are
        smaller than the first are counted in it.
    counts
        Rows of each.
    """

    none: int
    decades: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, score: Score, lowest: int = -6) -> RiskHistogram:
        """Count the middles of the intervals."""
        middle = score.middle
        some = middle > 0
        at = np.maximum(np.ceil(np.log10(middle[some])) - 1, lowest).astype(np.int64)
        decades, counts = np.unique(at, return_counts=True)
        span = range(int(decades[0]), int(decades[-1]) + 1) if len(decades) else range(0)
        rows = dict(zip(decades.tolist(), counts.tolist(), strict=True))
        return cls(int((~some).sum()), tuple(span), tuple(rows.get(d, 0) for d in span))

    @property
    def bins(self) -> tuple[tuple[str, int], ...]:
        """Labels and counts, from no risk to the largest."""
        return (("none", self.none), *((_label(d), n) for d, n in zip(self.decades, self.counts, strict=True)))

    def __str__(self) -> str:
        decades = [f"{count:,} from {_label(d)}" for d, count in zip(self.decades, self.counts, strict=True)]
        return ", ".join([f"{self.none:,} without any risk", *decades])


def _label(decade: int) -> str:
    return f"{10.0**decade:g} to {10.0 ** (decade + 1):g}"
