"""What the searches over known sets are given: the rows of a release, and the victims who are looked for in them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import FloatGrid, Floats, Ints


class ReleasedRows(NamedTuple):
    """The distinct rows of a release, in the attributes that may be known, best-known first."""

    codes: NDArray[np.int32]  # [row, attribute]; -1 is a blank that matches everything
    rest: NDArray[np.int32]  # [l, row]: a number that rows share only if they agree in every attribute from l on
    weight: Ints  # how often each row occurs
    known: Floats  # the probability that each attribute is known
    offsets: Ints  # where the codes of each attribute begin among the codes of all
    scale: float  # alpha, which every term of a risk is multiplied with


class Victims(NamedTuple):
    """The people who are looked for, as they are known, in the same attributes."""

    codes: NDArray[np.int32]  # [victim, attribute]; -1 is a value that she is not known by
    gains: FloatGrid  # [victim, attribute]: what is lost if the value is learned
    base: Floats  # the same, summed over the columns that are never known


class Goal(NamedTuple):
    """When the interval of a victim is narrow enough."""

    gap: Floats  # per victim: the largest difference between the bounds of a node that may stay
    enough: Floats  # per victim: the width of the whole interval at which her search ends; -1.0 for never
    limit: float  # what her risk is compared with
    decide: bool  # whether it is: then her search also ends once she is certainly above the limit or not above it
    visit: bool  # whether to keep which known sets were visited
