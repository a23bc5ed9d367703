"""A table that changed: who keeps her signature, who is new, and where a counterfeit is needed.

The plan is a function of codes and counts; nothing here looks at a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tacit.arrays import Ints

NOBODY = -1
"""The signature of somebody who has none yet."""


@dataclass(frozen=True, eq=False)
class Stream:
    """The people of this release, and the signatures that the ledger knows, in one coding of the values.

    Attributes
    ----------
    value
        The value of each person.
    signature
        The number of her signature, or `NOBODY`.
    rank
        Her place in an order in which similar people are near each other; every place from 0 up once.
    offsets, values
        Signature `s` has the values `values[offsets[s]:offsets[s + 1]]`, in ascending order.
    width
        How many values there are.
    """

    value: Ints
    signature: Ints
    rank: Ints
    offsets: Ints
    values: Ints
    width: int

    @cached_property
    def owner(self) -> Ints:
        """The signature of every entry of `values`."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @cached_property
    def entry(self) -> Ints:
        """The place of each person's value in her signature: an entry of `values`; -1 where there is none."""
        from tacit.kernels.marginals.filling import entries

        return np.asarray(entries(self.signature, self.value, self.offsets, self.values))

    def changed(self) -> Ints:
        """Return who now has a value that is not in the signature she was published with."""
        return np.flatnonzero((self.signature != NOBODY) & (self.entry < 0))

    def lacking(self) -> Ints:
        """Return how many rows of each entry its signature lacks, so that all of its values are equally frequent."""
        members = np.bincount(self.entry[self.entry >= 0], minlength=len(self.values)).astype(np.int64)
        most = np.maximum.reduceat(members, self.offsets[:-1]) if len(self.offsets) > 1 else members
        return np.repeat(most, np.diff(self.offsets)) - members


@dataclass(frozen=True, eq=False)
class Places:
    """Rows that signatures lack: the entry of each (its signature and value), and a member who lacks a partner."""

    entry: Ints
    like: Ints

    @classmethod
    def of(cls, stream: Stream) -> Places:
        """List what is lacking, each beside somebody of the most frequent value who has no partner near her.

        Whoever has that value has a partner of every other value in her group, so a group that gets a counterfeit has a
        person too.
        """
        from tacit.kernels.counting_order import counted_order
        from tacit.kernels.marginals.filling import unpaired

        lacking = stream.lacking()
        by_rank = np.empty(len(stream.rank), dtype=np.int64)
        by_rank[stream.rank] = np.arange(len(by_rank))
        order, start = counted_order(stream.entry, len(lacking), by_rank)
        full = _first_full(lacking, stream.offsets)[stream.owner]
        entry = np.repeat(np.arange(len(lacking)), lacking)
        return cls(entry, order[unpaired(stream.rank[order], start, full, lacking)])


def _first_full(lacking: Ints, offsets: Ints) -> Ints:
    """Return one entry of each signature that lacks nothing; there is always one."""
    full = np.flatnonzero(lacking == 0)
    return full[np.searchsorted(full, offsets[:-1])] if len(full) else np.zeros(0, np.int64)


def surplus(count: Ints, m: int) -> Ints:
    """Return how many newcomers of each value must be set apart, so that the others are m-eligible or none.

    Examples
    --------
    >>> surplus(np.array([5, 1]), 2), surplus(np.array([2, 1]), 3), surplus(np.array([2, 2]), 2)
    (array([4, 0]), array([2, 1]), array([0, 0]))
    """
    left = count.copy()
    while m * (most := int(left.max(initial=0))) > (total := int(left.sum())):
        left[int(np.argmax(left))] -= -(-(m * most - total) // (m - 1))  # as few as make this value no longer too many
    return count - left
