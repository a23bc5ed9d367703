"""Further facts: how few things more a reader must hear of a group to be sure of somebody in it.

She takes all matchings of a group for equally likely. A fact is the value of a neighbour in the group, or a value that
the person does not have. After k neighbours with other values are known, a value that c of g people have is hers with
c / (g - k); after values are excluded that e people have, with c / (g - e). Both are most telling of the most frequent
value, and of the most frequent other values first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tacit.arrays import Ints
from tacit.table import Histogram


@dataclass(frozen=True, eq=False)
class Facts:
    """The smallest number of further facts per group.

    Attributes
    ----------
    people
        How many people each group has.
    neighbours_half, neighbours_certain
        Neighbours' values that must be known until some belief about somebody else exceeds one half, or is certainty.
    excluded_half, excluded_certain
        Values that somebody must be known not to have until a belief about her exceeds one half, or is certainty.
    """

    people: Ints
    neighbours_half: Ints
    neighbours_certain: Ints
    excluded_half: Ints
    excluded_certain: Ints

    @classmethod
    def of(cls, histogram: Histogram) -> Facts:
        """Count them for every group, in one pass over its values from the most frequent to the rarest.

        Examples
        --------
        >>> groups = Histogram.of(np.zeros(7, np.int64), 1, np.array([0, 0, 0, 1, 1, 2, 3]), 4)
        >>> facts = Facts.of(groups)
        >>> facts.neighbours_half.tolist(), facts.neighbours_certain.tolist()
        ([2], [4])
        >>> facts.excluded_half.tolist(), facts.excluded_certain.tolist()
        ([1], [3])
        """
        from tacit.kernels.learning.facts import exclusions

        sizes, largest, distinct = histogram.sizes(), histogram.largest(), histogram.distinct()
        return cls(
            sizes,
            np.maximum(0, sizes - 2 * largest + 1),
            sizes - largest,
            exclusions(histogram.offsets, histogram.counts),
            np.maximum(0, distinct - 1),
        )

    def rows(self) -> Iterable[tuple[str, Ints]]:
        """Return what each count is about, in words, with the counts."""
        return (
            ("neighbours' values until somebody's is believed with more than one half", self.neighbours_half),
            ("neighbours' values until somebody's is certain", self.neighbours_certain),
            ("values excluded until one is believed with more than one half", self.excluded_half),
            ("values excluded until one is certain", self.excluded_certain),
        )
