"""The equivalence attack: one person's value becomes known, and with it, table by table, those of others.

If all but one value of a group are used up, the rest of its people are certain. Whoever is certain in one table is
known in every other table about the same people, and may decide somebody there. Only somebody who knows who has which
value, the data owner, can follow that for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.arrays import Ints, offsets_of
from tacit.shapes import Inside
from tacit.table import Codes, Table, as_text, positions

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
    def of(
        cls, tables: Sequence[Ints], values: Ints, cardinality: int, nobody: Sequence[tuple[Ints, Ints]] = ()
    ) -> Equivalence | None:
        """Follow every person's value through groups; `tables` are group numbers per person, -1 for none.

        Those who are certain anyway are known from the beginning, and decide nobody. Rows that are nobody's, `nobody`,
        have a group and a value per table: a reader cannot tell them from others, so their values are never used up.

        Examples
        --------
        >>> pairs = [np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0])]
        >>> Equivalence.of(pairs, np.array([0, 1, 0, 1]), 2).decided.tolist()
        [3, 3, 3, 3]
        """
        from tacit.kernels.learning.facts import Tables, decided

        people = len(values)
        group_of = np.full((people, len(tables)), -1, dtype=np.int64)
        members, sizes, shared, count = [], [], [], 0
        for t, numbers in enumerate(tables):
            inside = numbers >= 0
            distinct, ids = np.unique(numbers[inside], return_inverse=True)
            if nobody:
                shared.append(_with_somebody(distinct, *nobody[t], count))
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
        for groups, made_up in shared:
            np.add.at(held, (groups, made_up), 1)
        everybody = np.concatenate([np.zeros(0, np.int64), *members])
        starts = offsets_of(np.concatenate([np.zeros(0, np.int64), *sizes]))
        laid = Tables(starts, everybody, group_of, values.astype(np.int64), held.sum(axis=1), held)
        return cls(decided(laid, _MOST_STEPS))

    @classmethod
    def inside(cls, inside: Inside, table: Table, name: str) -> Equivalence | None:
        """Follow everybody who is published, in all tables of a release; None where it has no groups."""
        if inside.group is None or name not in table.sensitive or len(inside.kept) != len(table):
            return None
        numbers = inside.group if isinstance(inside.group, Mapping) else {"": inside.group}
        codes, kept = table.codes(name), inside.kept
        tables = [np.asarray(each)[kept] for each in numbers.values()]
        values = codes.codes[kept].astype(np.int64)
        if inside.counterfeits is None:
            return cls.of(tables, values, codes.cardinality)
        made_up, cardinality = _numbered(inside.counterfeits.values, codes)
        nobody = [(np.asarray(inside.counterfeits.group[table]), made_up) for table in numbers]
        return cls.of(tables, values, cardinality, nobody)


def _with_somebody(numbers: Ints, groups: Ints, values: Ints, first: int) -> tuple[Ints, Ints]:
    """Return the places, from `first` on, of the groups that somebody is in, and the values that go with them."""
    place = np.minimum(np.searchsorted(numbers, groups), max(0, len(numbers) - 1))
    known = numbers[place] == groups if len(numbers) else np.zeros(len(groups), dtype=bool)
    return first + place[known], values[known]


def _numbered(values: pl.Series, codes: Codes) -> tuple[Ints, int]:
    """Return the codes of values, new ones for those that no row of the table has, and how many codes there are."""
    texts = as_text(values)
    found = codes.positions(texts)
    new = texts.filter(pl.Series(found < 0)).unique(maintain_order=True)
    found[found < 0] = codes.cardinality + positions(texts.filter(pl.Series(found < 0)), new)
    return found, codes.cardinality + len(new)
