"""The equivalence attack: one person's value becomes known, and with it, table by table, those of others.

If all but one value of a group are used up, the rest of its people are certain. Whoever is certain in one table is
known in every other table about the same people, and may decide somebody there. Only somebody who knows who has which
value, the data owner, can follow that for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import Ints, offsets_of
from tacit.shapes import Inside
from tacit.table import Table

_MOST_STEPS = 50_000_000
"""Members of groups that are looked at, over all people: about half a second. Above it, the people that are left are
not asked about, and the result says so."""

_MOST_COUNTS = 50_000_000
"""Groups times values whose counts are kept. Above it nothing is computed."""


@dataclass(frozen=True, eq=False)
class Equivalence:
    """What one known value decides.

    Attributes
    ----------
    decided
        Per published person, how many others become certain if her value is known; -1 where it was not followed.
    """

    decided: Ints

    @property
    def followed(self) -> int:
        """How many people were asked about."""
        return int((self.decided >= 0).sum())

    @property
    def telling(self) -> int:
        """How many people's values, once known, make somebody else certain."""
        return int((self.decided > 0).sum())

    @property
    def most(self) -> int:
        """The most others whom one person's value decides."""
        return max(0, int(self.decided.max(initial=0)))

    @classmethod
    def of(cls, tables: Sequence[Ints], values: Ints, cardinality: int) -> Equivalence | None:
        """Follow every person's value through groups; `tables` are group numbers per person, -1 for none.

        Those who are certain anyway are known from the beginning, and decide nobody.

        Examples
        --------
        >>> pairs = [np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])]
        >>> Equivalence.of(pairs, np.array([0, 1, 0, 1]), 2).decided.tolist()
        [3, 3, 3, 3]
        """
        from tacit.kernels.learning.facts import Tables, decided

        people = len(values)
        group_of = np.full((people, len(tables)), -1, dtype=np.int64)
        members, sizes, count = [], [], 0
        for t, numbers in enumerate(tables):
            inside = numbers >= 0
            distinct, ids = np.unique(numbers[inside], return_inverse=True)
            group_of[inside, t] = ids + count
            rows = np.flatnonzero(inside)
            members.append(rows[np.argsort(ids, kind="stable")])
            sizes.append(np.bincount(ids, minlength=len(distinct)))
            count += len(distinct)
        if count * cardinality > _MOST_COUNTS:
            return None
        held = np.zeros((count, cardinality), dtype=np.int64)
        for t in range(len(tables)):
            inside = group_of[:, t] >= 0
            np.add.at(held, (group_of[inside, t], values[inside]), 1)
        everybody = np.concatenate([np.zeros(0, np.int64), *members])
        starts = offsets_of(np.concatenate([np.zeros(0, np.int64), *sizes]))
        laid = Tables(starts, everybody, group_of, values.astype(np.int64), held.sum(axis=1), held)
        return cls(decided(laid, _MOST_STEPS))

    @classmethod
    def inside(cls, inside: Inside, table: Table, name: str) -> Equivalence | None:
        """Follow everybody who is published, in all tables of a release; None where it has no groups."""
        if inside.group is None or name not in table.sensitive or len(inside.kept) != len(table):
            return None
        numbers = list(inside.group.values()) if isinstance(inside.group, Mapping) else [inside.group]
        codes = table.codes(name)
        kept = inside.kept
        return cls.of(
            [np.asarray(each)[kept] for each in numbers], codes.codes[kept].astype(np.int64), codes.cardinality
        )
