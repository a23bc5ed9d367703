"""What the kernels of this folder are given, as named tuples of arrays, and the codes of what they answer.

Nothing is compiled here, so that rooms which only need the names do not load the compiler.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from tacit.arrays import FloatCube, FloatGrid, Floats, Ints, SingleCube, Singles

Signatures: TypeAlias = np.ndarray[tuple[int, int], np.dtype[np.int32]]
"""Per cell and attribute set, a row of probabilities."""

EXACT, CERTIFIED, UNDECIDED, IMPOSSIBLE = 0, 1, 2, 3
"""How a group's largest posterior is known.

EXACT: it was counted. CERTIFIED: too many worlds to count, but a bound of it is within what is allowed. UNDECIDED: too
many worlds to count, and the bound is beyond what is allowed. IMPOSSIBLE: no world agrees with the distribution.
"""

GROUP_ALONE = -1
"""The attribute set of somebody who knows nothing but who is in the group and which values are in it."""


class Knowledge(NamedTuple):
    """What the adversary knows, and what she is after.

    `signatures[c, a]` is the row of `chances` for cell c under attribute set a; row 0 is the whole distribution.
    `chances[s, v]` is the probability of value v. Values that count as one form an entry: `entry_of[v]` is the entry of
    value v, -1 if it is not protected, and `entry_chances[s, e]` the probability of entry e.
    """

    signatures: Signatures
    chances: FloatGrid
    entry_of: Ints
    entry_chances: FloatGrid


class Members(NamedTuple):
    """Who is in which group, laid out group after group.

    Group g has the people `cells[offsets[g]:offsets[g + 1]]`, each a row of `Knowledge.signatures`, and holds the
    values `values[value_offsets[g]:value_offsets[g + 1]]`, each as often as `counts` says.
    """

    offsets: Ints
    cells: Ints
    value_offsets: Ints
    values: Ints
    counts: Ints


class Tuples(NamedTuple):
    """The rows of the table: the cell of each, and its value."""

    cells: Ints
    values: Ints


class Standard(NamedTuple):
    """When a group is accepted.

    `r` is the parameter, `bound` what a posterior may not exceed (1/r and a hair for rounding). `exact_view` accepts by
    the posterior of the exact view, otherwise the paper's bound on the odds decides.
    """

    r: float
    bound: float
    exact_view: bool


class News(NamedTuple):
    """When a posterior is no news, tier by tier.

    A posterior is within tier t if it is at most `limits[t]`, or if its odds are at most `gains[t]` times those of the
    prior. A value whose prior is above `cover` must be in the group; 2 asks for none.
    """

    limits: Floats
    gains: Floats
    cover: float


class FreeTuples(NamedTuple):
    """The tuples that are in no group yet, in an order of nearness, so that taken ones are skipped quickly.

    `pool[i]` is the tuple at place i, counted from 1 (0 and the place behind the last are the ends), and `rank` the
    place of each tuple. `after[i]` leads to the first free place from i upwards and `before[i]` to the first from i
    downwards: `next_free` follows them.
    """

    pool: Ints
    rank: Ints
    after: Ints
    before: Ints


class CellLists(NamedTuple):
    """The cells, listed once per attribute set by signature and then by nearness.

    `masks[a]` are the columns of attribute set a as bits. `lists[a]` are the cells in the order of set a, and
    `spots[a]` where each cell stands in it. Cell c has the tuples `tuples[starts[c]:starts[c + 1]]`, of which `left[c]`
    are free.
    """

    masks: Ints
    lists: Signatures
    spots: Signatures
    starts: Ints
    tuples: Ints
    left: Ints


class HidingEffort(NamedTuple):
    """How hard `hide` tries.

    `prices[c]` says how much the tuples of cell c are worth to other seeds and `thrift` how much that counts: 0 makes
    the smallest groups, 1 spares what others need. `countable` keeps to groups whose worlds can be counted. More seeds
    without a group than `patience` end the search. `sparing` makes values dearer that the group has few of, so that it
    may have more tuples until its worlds are too many: 0 does not.
    """

    prices: Floats
    thrift: float
    countable: bool
    patience: int
    sparing: float = 0.0


class EntryLists(NamedTuple):
    """The free tuples listed entry by entry, those of no entry last, each list by nearness.

    `pool[i - 1]` is the tuple at place i, `nearness` its rank in the order of nearness, and list e has the places
    `starts[e] + 1` to `starts[e + 1]`. `after` and `before` skip taken places as in `FreeTuples`. Of each list `reach`
    tuples are looked at on either side.
    """

    pool: Ints
    nearness: Ints
    starts: Ints
    after: Ints
    before: Ints
    reach: int


class LinkedGroups(NamedTuple):
    """Groups that grow: the group of each tuple (-1: none), the first tuple of each group, and the one after a tuple.

    `links` is -1 at the end of a group.
    """

    group: Ints
    heads: Ints
    links: Ints


class Seeds(NamedTuple):
    """Protected tuples that look for a group each: the rows of their cells, their values, and their nearness ranks.

    `tried[s]` are the values that the others in the group of seed s may have, -1 behind the last.
    """

    signatures: Signatures
    values: Ints
    nearness: Ints
    tried: Signatures


class Market(NamedTuple):
    """The unprotected tuples by class, that is, by value and cell, and what they cost.

    The classes of value y are those from `starts[y]` to `starts[y + 1]`, by `nearness`. Class c has the rows
    `signatures[c]` and `room[c]` tuples, of which `asked[c]` are asked for. A tuple costs the class's `price`, and for
    each that is missing then `rise` times as much again. `chances[v, s]` is the probability of value v in row s, and
    `odds[v, s]` are the odds of the protected entry that v belongs to. Without rows in `odds` nobody asks for them.
    """

    starts: Ints
    nearness: Ints
    signatures: Signatures
    room: Ints
    asked: Ints
    price: Floats
    rise: float
    chances: FloatGrid
    odds: FloatGrid


class Weights(NamedTuple):
    """Of one protected value x: p(s : x) / p(s : y) of every class, y being its own value, per attribute set.

    `rough` and `inverse` are the weights and one over them, set by set, in single precision: to compare all classes.
    """

    exact: FloatGrid
    rough: Singles
    inverse: Singles


class KeptWeights(NamedTuple):
    """The weights for several protected values: those of x lie in the slot `slots[x]` if `values` says x there."""

    slots: Ints
    values: Ints
    exact: FloatCube
    rough: SingleCube
    inverse: SingleCube


class Choices(NamedTuple):
    """What each seed chose: the classes of its others, and how many these are (0: no group).

    `cost` is what a group of each value that may be tried cost when it was last searched: infinite where none was
    found, 0 where none was searched yet.
    """

    members: Signatures
    size: Ints
    cost: FloatGrid


class Search(NamedTuple):
    """How a seed searches a group that meets r.

    It tries the `values` that were cheapest last time. It looks at `width` classes of a value and lists `kept` of them.
    While a first group grows, it takes `notes` of the best for each tuple, at most `noted` in all. Then it lets up to
    `released` tuples go at random and lets the group grow again, `tries` times.
    """

    r: float
    values: int
    width: int
    kept: int
    notes: int
    noted: int
    tries: int
    released: int
