"""Small counts: which numbers may be shown where no count below a limit may be, nor be derived from others.

All counts of one report are about the same rows. A count is shown only if it is zero or large enough, and if it lies
as far from every count that is shown already, from none and from all: otherwise somebody who subtracts one from the
other would have a small count. Of a list of counts that add up, either all are shown or none: otherwise the one that is
missing would be what is left of the sum.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil

_COUNT = re.compile(
    r"(?<![\w.,/=\[{'-])(?<!= )(?<!\d )(\d{1,3}(?:,\d{3})+|\d+)(?![\w/]|[.,]\d|[ ]?%|-\w)( \(\d+(?:\.\d+)?%\))?"
)
"""A whole number that stands alone, with its share behind it. Parameters (k=5, l = 3), fractions, decimals and shares
are no counts; a number that is a count and is not meant as one is hidden too, which is on the safe side."""


@dataclass(frozen=True)
class SmallCounts:
    """What decides which counts are shown.

    Attributes
    ----------
    smallest
        The smallest count that may be shown, besides zero.
    totals
        Counts that are known anyway: how many rows are published.

    Examples
    --------
    >>> hide = SmallCounts(11, (1000,))
    >>> hide.text("3 of 1,000 rows; 40 (4.0%) are alone, 995 (99.5%) are not, k=5")
    'fewer than 11 of 1,000 rows; 40 (4.0%) are alone, a hidden number are not, k=5'
    >>> hide.all_shown([40, 45])
    False
    """

    smallest: int
    totals: tuple[int, ...] = ()
    _shown: set[int] = field(default_factory=set, repr=False, compare=False)

    def may_show(self, count: int, beside: Sequence[int] = ()) -> bool:
        """Tell whether a count is far enough from none, all, and every count that is shown."""
        return all(
            count == other or abs(count - other) >= self.smallest for other in (0, *self.totals, *self._shown, *beside)
        )

    def all_shown(self, counts: Sequence[int]) -> bool:
        """Show a list of counts if all of them may be, and remember them; say whether they are shown."""
        for at, count in enumerate(counts):
            if not self.may_show(count, counts[:at]):
                return False
        self._shown.update(counts)
        return True

    def word(self, count: int) -> str:
        """Return what stands instead of a count that is not shown."""
        return f"fewer than {self.smallest}" if 0 < count < self.smallest else "a hidden number"

    def counts(self, text: str) -> list[int]:
        """Return the counts that stand in a text."""
        return [int(found[1].replace(",", "")) for found in _COUNT.finditer(text)]

    def text(self, text: str, *, show: bool = True) -> str:
        """Write a text without the counts that may not be shown; without any but the totals if `show` is false."""

        def written(found: re.Match[str]) -> str:
            count = int(found[1].replace(",", ""))
            if count == 0 or count in self.totals or (show and self.all_shown([count])):
                return found[0]
            return self.word(count)

        return _COUNT.sub(written, text)

    def number(self, count: int | None) -> int | None:
        """Return a count if it may be shown."""
        return count if count is not None and self.all_shown([count]) else None

    def at_most(self, probability: float, bound: float | None = None) -> float:
        """Round a largest probability up to a tenth: 8/9 would tell that a group has nine rows.

        What is not certain stays below 1, and what keeps to a bound, which is public, is not rounded above it.

        Examples
        --------
        >>> [SmallCounts(11).at_most(p) for p in (8 / 9, 0.2, 10 / 11, 1.0)]
        [0.9, 0.2, 0.99, 1.0]
        >>> SmallCounts(11).at_most(0.24, bound=0.25), SmallCounts(11).at_most(0.26, bound=0.25)
        (0.25, 0.3)
        """
        value = float(probability)
        if bound is not None and value <= bound:
            return min(self.at_most(value), float(bound))
        tenth = min(1.0, ceil(value * 10 - 1e-9) / 10)
        uncertain = [bound for bound in (tenth, 0.99, 0.999, value) if value <= bound < 1.0]
        return uncertain[0] if uncertain else 1.0
