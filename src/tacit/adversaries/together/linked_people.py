"""Linked people: who must be counted together, because one person's value says something of another's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.adversaries.together.fitting import Together
from tacit.adversaries.together.sighting import Sighting
from tacit.arrays import Flags, Ints


@dataclass(frozen=True, eq=False)
class LinkedPeople:
    """The components of people who are linked, and what people with one possible value leave of every group.

    Attributes
    ----------
    component, sizes
        Per person the number of her component, and per component how many people it has.
    entries
        Per component how many values of groups its people could have, over all tables.
    left
        Per table how often each value of each group is there, without those of people who have one possible value.
    tables
        Per person how many tables she is in.
    groups
        Per table the group of each person.
    """

    component: Ints
    sizes: Ints
    entries: Ints
    left: tuple[Ints, ...]
    tables: Ints
    groups: tuple[Ints, ...]

    @classmethod
    def of(cls, tables: Sequence[Sighting], belief: Together) -> LinkedPeople:
        """Link people who could have the same value of a common group; it is a graph of people and such values."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        count = len(belief.candidates)
        owner = np.repeat(np.arange(count), belief.candidates)
        certain = (belief.candidates == 1)[owner]
        people, values, left, base = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [], count
        for table in tables:
            at = table.entry(owner, belief.codes)
            known, free = certain & (at >= 0), ~certain & (at >= 0)
            taken = np.bincount(at[known], minlength=len(table.values.counts))
            left.append(np.maximum(0, table.values.counts - taken))
            people.append(owner[free])
            values.append(base + at[free])
            base += len(table.values.counts)
        one, other = np.concatenate(people), np.concatenate(values)
        links = coo_array((np.ones(len(one), dtype=np.int8), (one, other)), shape=(base, base))
        number = np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)
        used = np.unique(other)
        component = number[:count]
        many = int(number.max(initial=-1)) + 1
        inside = np.sum([table.group >= 0 for table in tables], axis=0) if tables else np.zeros(count, np.int64)
        return cls(
            component,
            np.bincount(component, minlength=many),
            np.bincount(number[used], minlength=many),
            tuple(left),
            np.asarray(inside, dtype=np.int64),
            tuple(table.group for table in tables),
        )

    def has_all(self, belief: Together) -> Flags:
        """Tell who could have every value of her component: nothing sets her apart from the others."""
        every = self.tables * belief.candidates == self.entries[self.component]
        return np.asarray(every | (belief.candidates <= 1))

    def in_turn(self, members: Ints) -> Ints:
        """Order the people of a component so that those of a group follow each other soon after it was begun."""
        inside: dict[tuple[int, int], list[int]] = {}
        for person in members.tolist():
            for part, group in enumerate(self.groups):
                if group[person] >= 0:
                    inside.setdefault((part, int(group[person])), []).append(person)
        # Small groups first: they are done with soonest.
        turn, seen = [int(members[0])], {int(members[0])}
        for person in turn:  # grows while it is walked
            mine = [inside[part, int(group[person])] for part, group in enumerate(self.groups) if group[person] >= 0]
            for others in sorted(mine, key=len):
                for other in others:
                    if other not in seen:
                        seen.add(other)
                        turn.append(other)
        turn += [person for person in members.tolist() if person not in seen]
        return np.array(turn, dtype=np.int64)
