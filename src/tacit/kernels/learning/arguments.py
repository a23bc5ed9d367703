"""What the kernels of this folder are given, as named tuples of arrays.

Nothing is compiled here, so that rooms which only need the names do not load the compiler.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from tacit.arrays import FloatGrid, Floats, Ints

CodeGrid: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.int32]]
"""Per person and column a code, -1 where nothing is known."""


class Candidates(NamedTuple):
    """Who may have which values: the people and the values of each group, laid out group after group.

    Group g has the people `rows[offsets[g]:offsets[g + 1]]` and the values `values[value_offsets[g]:value_offsets[g +
    1]]`, each as often as `counts` says. What is computed for a person and a value is an entry: of the m values of a
    group, the k-th of its j-th person is entry `starts[g] + j * m + k`.
    """

    offsets: Ints
    rows: Ints
    value_offsets: Ints
    values: Ints
    counts: Ints
    starts: Ints


class LogLinear(NamedTuple):
    """A model of the sensitive value: its score is `bias[v]` plus `table[starts[a] + code, v]` for every column a.

    The probability of a value is in proportion to the exponential of its score.
    """

    starts: Ints
    table: FloatGrid
    bias: Floats


class Effort(NamedTuple):
    """How a group is matched.

    Worlds are counted where a group has at most `states` ways to have used some of its values. Otherwise rows and
    columns are scaled at most `scalings` times, until the columns miss their counts by no more than `tolerance` people.
    """

    states: int
    scalings: int
    tolerance: float
