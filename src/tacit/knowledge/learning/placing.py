"""Placing: what it tells where a person stands among those who share a group with her.

A method that looks at values may put the older of two people where a value is needed. How it does that is public:
whoever tries it out on made-up values sees there how people with each value stand in their groups. The data owner need
not make anything up, and counts it in the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tacit.arrays import Flags, Ints
from tacit.kernels.learning.arguments import Candidates
from tacit.knowledge.learning.candidates import best, some_groups, true_values
from tacit.knowledge.learning.features import Features
from tacit.knowledge.learning.models import ModelName, learn
from tacit.knowledge.learning.observed import Observed
from tacit.knowledge.learning.reading import ROUGH
from tacit.table import Codes, Table

_PLACES = 3
"""Below, at and above the mean of the group."""

_ERRORS = 4.0
"""Standard errors up to which a difference is taken for chance. They are a little too small, because each half of the
groups is counted for the other: of 240 releases where nothing tells anything the largest difference was at 3.0."""


@dataclass(frozen=True, eq=False)
class Placed:
    """What it tells how people with each value stand in their groups.

    Attributes
    ----------
    right
        Per person, whether somebody is right who has counted it in all groups, beside which values go with which
        quasi-identifiers.
    gained
        Per group, how many more people she guesses right than somebody who does not look where people stand; both have
        counted in one half of the groups, and guess in the other.
    """

    right: Flags
    gained: Ints

    @property
    def share(self) -> float:
        """The share of people whose value she guesses right."""
        return float(self.right.mean()) if len(self.right) else 0.0

    @property
    def more(self) -> float:
        """The share of people whom she guesses right in groups that she did not count, and the other does not."""
        return float(self.gained.sum()) / max(1, len(self.right))

    @property
    def by_chance(self) -> bool:
        """Whether that may be chance, by how much groups differ in what she gains."""
        return bool(self.gained.sum() <= _ERRORS * np.sqrt((self.gained**2).sum()))


def read_by_place(
    seen: Observed, table: Table, truth: Ints, *, model: ModelName = "naive-bayes", smoothing: float = 0.5
) -> Placed | None:
    """Say how often somebody is right who has counted, over all groups, who has what and stands where.

    She does not know who has which value: she knows which values go with which quasi-identifiers, those with an
    order each together with where a person stands, and matches by that.

    Parameters
    ----------
    seen
        One table, with everybody of `table` in the order of its rows.
    table
        What it was made from.
    truth
        The value of each row, as a position in the dictionary.
    model, smoothing
        How she learns.

    Returns
    -------
    Placed
        One entry per person, or per group, in the order of the table that was seen; None where no column has an order.
    """
    from tacit.kernels.learning.matching import match

    names = [name for name in dict.fromkeys(seen.features.names) if table.column(name).kind.is_ordered]
    ordered = {name: _ranks(table.codes(name)) for name in names}
    if not ordered:
        return None
    laid, values = seen.tables[0], len(seen.dictionary)
    with_places = placed(seen.features, ordered, laid)

    def right(features: Features, counted: Candidates, asked: Candidates) -> Flags:
        known, beliefs = true_values(truth[counted.rows])
        learned = learn(model, features, known._replace(rows=counted.rows), beliefs, values, smoothing=smoothing)
        scores = learned.scores(features, asked)
        match(asked, scores, ROUGH)
        return np.asarray(best(asked, scores).value == truth[asked.rows])

    number = np.arange(len(laid.offsets) - 1)
    gained = np.zeros(len(number), dtype=np.int64)
    for half in (0, 1):
        counted, asked = some_groups(laid, number[number % 2 != half]), some_groups(laid, number[number % 2 == half])
        more = right(with_places, counted, asked).astype(np.int64) - right(seen.features, counted, asked)
        group = np.repeat(number[number % 2 == half], np.diff(asked.offsets))
        np.add.at(gained, group, more)
    return Placed(right(with_places, laid, laid), gained)


def _ranks(codes: Codes) -> Ints:
    """Return the rank of each row, -1 of a null: codes of ordered columns ascend."""
    ranks = codes.codes.astype(np.int64)
    return ranks if codes.null is None else np.where(ranks == codes.null, -1, ranks)


def placed(features: Features, ranks: Mapping[str, Ints], laid: Candidates) -> Features:
    """Tell apart, in columns with ranks, whether a person is below, at or above the mean rank of her group.

    Whoever has no rank (-1) is at the mean, and is left out of it.

    Examples
    --------
    >>> from tacit.knowledge.learning.candidates import candidates
    >>> from tacit.table import Groups, Histogram
    >>> age = np.array([4, 7, 7, -1])
    >>> groups, one = Groups(np.array([0, 0, 1, 1]), 2), np.zeros(4, np.int64)
    >>> laid = candidates(groups, Histogram.of(groups.ids, 2, one, 1))
    >>> same = Features(("age",), np.zeros((4, 1), np.int32), (1,), {})
    >>> placed(same, {"age": age}, laid).codes[:, 0].tolist()
    [0, 2, 1, 1]
    """
    sizes = np.diff(laid.offsets)
    group = np.repeat(np.arange(len(sizes)), sizes)
    codes, counts = features.codes.copy(), list(features.sizes)
    for name, rank in ranks.items():
        at = features.names.index(name)
        own = rank[laid.rows]
        has = own >= 0
        many = np.bincount(group, weights=has, minlength=len(sizes))[group]
        total = np.bincount(group, weights=own * has, minlength=len(sizes))[group]
        place = 1 + (np.sign(own * many - total) * has).astype(np.int32)
        known = codes[laid.rows, at] >= 0
        codes[laid.rows, at] = np.where(known, codes[laid.rows, at] * _PLACES + place, -1)
        counts[at] *= _PLACES
    return Features(features.names, codes, tuple(counts), features.spreads)
