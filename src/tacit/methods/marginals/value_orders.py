"""Orders of values: which values a bucket takes first, the same in every release and different from region to region.

Somebody keeps her signature for ever. If many people near each other share one, then those who stay can be grouped anew
when some of them leave, and fewer places need a newcomer or a counterfeit. If people far from each other share one,
then grouping them anew blurs much. So the people of a region share signatures, and those of two regions seldom do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from tacit.arrays import Ints
from tacit.methods.linkage.mondrian import Attribute
from tacit.table import Codes, Groups, as_text

_PEOPLE = 1_000
"""The people whom a region has at least, on average. With smaller ones more places stay empty, with larger ones people
are grouped anew with others far away. Chosen by trial on the census."""

_PRIME = 2**31 - 1
"""Multiples of a number below a prime come in an order that looks random, and one more value does not change it."""


def dearest(attributes: Sequence[Attribute]) -> list[Codes]:
    """Return the attributes, those in which a difference costs most first: they have few values."""
    return sorted((attribute.codes for attribute in attributes), key=lambda codes: codes.cardinality)


@dataclass(frozen=True, eq=False)
class ValueOrders:
    """The value of each row, the region that it is in, and an order of all values per region.

    Attributes
    ----------
    value, width
        The value of each row, as a code below `width`; a value has the same code in every release.
    region
        The region of each row.
    place
        At (region, value) the place of the value in the order of the region.
    """

    value: Ints
    width: int
    region: Ints
    place: np.ndarray[tuple[int, int], np.dtype[np.int32]]

    @classmethod
    def of(cls, attributes: Sequence[Attribute], value: Ints, width: int) -> ValueOrders:
        """Make regions of the attributes in which a difference costs most, as many of them as leave enough people."""
        chosen: list[Codes] = []
        regions = 1
        for codes in dearest(attributes):
            if regions * codes.cardinality * _PEOPLE > len(value):
                break
            chosen.append(codes)
            regions *= codes.cardinality
        every = Groups.of([c.codes for c in chosen], [c.cardinality for c in chosen], rows=len(value))
        words = [as_text(c.values).to_list() for c in chosen]
        place = np.empty((every.count, width), dtype=np.int32)
        for region, row in enumerate(every.first().tolist()):
            name = "\0".join(str(text[c.codes[row]]) for text, c in zip(words, chosen, strict=True))
            step = 1 + crc32(name.encode()) % (_PRIME - 1)
            place[region, np.argsort((1 + np.arange(width)) * step % _PRIME)] = np.arange(width)
        return cls(value, width, every.ids, place)

    def codes(self, part: Ints, first: Ints) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """Return the place of each row's value in the order of its part, which is that of the part's first row.

        `part` is -1 for rows that are in none; their places mean nothing.
        """
        codes = self.place[self.region[first][part], self.value]
        codes.flags.writeable = False  # as a table's codes are: the kernel is compiled once
        return codes
