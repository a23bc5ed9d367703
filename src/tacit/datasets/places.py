"""Places: postcodes of five digits, many of them with leading zeros, in districts where people of one origin gather.

None begins with 00: those are kept for planted people.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.random import Generator

from tacit.arrays import Ints
from tacit.datasets.nations import CONTINENT_OF, SHARES
from tacit.datasets.shares import Shares

_DISTRICTS = Shares.read("""
                 011  012  014  021  024  027  060  062  090  105  107  112
 North-America     9    8    7   14   10    6   11    7    6    9    8    5
 South-America     4    3    2   18    6    2    6    3   22   12   14    8
 Europe           12   14    9    9    8   10    8    9    3    7    7    4
 Asia              5    4    3   10   22   16    9    4    4   13    6    4
 Africa            3    3    2   16    4    2    7    3   20   10   22    8
 Oceania          12    9    8    8    9    9    9    9    8    8    6    5
""")
_ROW = {"North America": 0, "South America": 1, "Europe": 2, "Asia": 3, "Africa": 4, "Oceania": 5}
_CODES_PER_DISTRICT = 12
"""How many postcodes a district has; chosen by hand."""


def draw_postcodes(generator: Generator, nation: Ints) -> pl.Series:
    """Draw where people live, given their nationality (a code into the nations' shares)."""
    row = np.array([_ROW[CONTINENT_OF[name]] for name in SHARES], dtype=np.int64)
    district = _DISTRICTS.draw(generator, row[nation])
    rank = 1.0 / np.arange(1, _CODES_PER_DISTRICT + 1)  # the town's centre has the most people, the rim few
    place = Shares.one([f"{7 * i + 1:02d}" for i in range(_CODES_PER_DISTRICT)], rank)
    codes = [start + end for start in _DISTRICTS.values for end in place.values]
    drawn = district * _CODES_PER_DISTRICT + place.alike(generator, len(nation))
    return pl.Series("postcode", codes, dtype=pl.String).gather(drawn)
