"""Shown groups: what a release shows of everybody, so that other releases can be read beside it.

It holds each person's group in every published table, and how often each sensitive value stands in each group. It lies
in the private part of a release that was made with a ledger, and never leaves the house: the files do not say who is in
which group.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import Flags, Ints, WordGrid
from tacit.shapes import Inside, Published, Shape
from tacit.table import Groups, Histogram, Role, Table, as_text

SHOWN_FILE = "groups.bin"
"""Its name in the private part."""


@dataclass(frozen=True, eq=False)
class ShownTable:
    """One published table.

    Attributes
    ----------
    group
        Per row of the input its group, -1 where nothing is told of it. Rows that were withheld as a group are one more.
    values, texts
        Per sensitive column how often each value stands in each group, and the values behind the codes.
    """

    group: Ints
    values: Mapping[str, Histogram]
    texts: Mapping[str, list[str]]


@dataclass(frozen=True, eq=False)
class ShownGroups:
    """All tables of a release.

    Attributes
    ----------
    tables
        What each of them shows.
    people
        The keyed hashes of the persons, None where rows are known by their places.
    apart
        Per row whether it was withheld because its value is too frequent.
    """

    tables: Mapping[str, ShownTable]
    people: WordGrid | None
    apart: Flags | None = None

    @property
    def rows(self) -> int:
        """How many rows the input had."""
        return len(next(iter(self.tables.values())).group)

    @classmethod
    def of(cls, release: Published, people: WordGrid | None) -> ShownGroups | None:
        """Read what a release shows of its input; None where values are blank or changed, or people have several rows.

        Groups that have no number in the files are told from the private part. If two of them show the same cells, a
        reader could not tell them apart; here she can.
        """
        inside = release.inside
        if inside is None or inside.table is None or inside.table.people is not None:
            return None
        columns = [c for c in release.shape.columns if c.role is Role.SENSITIVE]
        if not columns or any(c.suppressed or c.changed for c in columns):
            return None
        tables = {}
        for name, part in release.shape.parts.items():
            group = _groups(name, part, inside, inside.table)
            if group is None:
                return None
            tables[name] = _with_withheld(part, group, inside, inside.table)
        apart = [withheld.rows for withheld in inside.withheld if withheld.judged == "apart"]
        return cls(tables, people, np.asarray(np.any(apart, axis=0)) if apart else None)

    def plain(self) -> dict[str, Any]:
        """Return it for a file."""
        content: dict[str, Any] = {"tables": list(self.tables), "columns": {}}
        if self.people is not None:
            content["people"] = self.people
        if self.apart is not None:
            content["apart"] = self.apart
        for name, table in self.tables.items():
            content[f"group:{name}"] = table.group.astype(np.int32)
            content["columns"][name] = {column: table.texts[column] for column in table.values}
            for column, held in table.values.items():
                for part in ("offsets", "values", "counts"):
                    content[f"{part}:{name}:{column}"] = getattr(held, part).astype(np.int32)
        return content

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> ShownGroups:
        """Read what `plain` returned."""
        tables = {}
        for name in content["tables"]:
            texts = content["columns"][name]
            values = {}
            for column, words in texts.items():
                offsets, codes, counts = (
                    content[f"{part}:{name}:{column}"].astype(np.int64) for part in ("offsets", "values", "counts")
                )
                values[column] = Histogram(offsets, codes, counts, len(words))
            tables[name] = ShownTable(content[f"group:{name}"].astype(np.int64), values, texts)
        return cls(tables, content.get("people"), content.get("apart"))


def _groups(name: str, part: Shape, inside: Inside, table: Table) -> Ints | None:
    """Return the group of every published row, numbered as in the statistics where the files number groups."""
    known = inside.group.get(name) if isinstance(inside.group, Mapping) else inside.group
    group: Ints = np.full(len(inside.kept), -1, dtype=np.int64)
    if known is None or not part.grouped:  # rows as they were: whoever has the same cells is not told apart
        names = [column for column in part.quasi_identifiers if column in table.quasi_identifiers]
        codes = [table.codes(column) for column in names]
        every = Groups.of([c.codes for c in codes], [c.cardinality for c in codes], rows=len(table))
        group[inside.kept] = every.ids[inside.kept]
        return group
    mine = known[inside.kept]
    if part.numbers is None:
        group[inside.kept] = np.unique(mine, return_inverse=True)[1]
        return group
    numbers = part.numbers.to_numpy()
    at = np.minimum(np.searchsorted(numbers, mine), max(0, len(numbers) - 1))
    if (numbers[at] != mine).any():
        return None
    group[inside.kept] = at
    return group


def _with_withheld(part: Shape, group: Ints, inside: Inside, table: Table) -> ShownTable:
    """Count the values of every group; whoever was withheld because of her group is in one more."""
    count = part.statistics.count if part.numbers is not None else int(group.max(initial=-1)) + 1
    hidden = np.zeros(len(group), dtype=bool)
    for withheld in inside.withheld:
        hidden |= withheld.rows if withheld.judged == "group" else False
    hidden &= ~inside.kept
    group = np.where(hidden, count, group)
    values, texts = {}, {}
    for name in part.sensitive:
        codes = table.codes(name)
        words = as_text(codes.values).to_list()
        own = group if part.numbers is None else np.where(hidden, count, -1)
        held = Histogram.of(own, count + 1, codes.codes, codes.cardinality)
        if part.numbers is not None:  # counterfeits are published too, and only the files have them
            shown = part.statistics.histograms[name]
            at = {word: place for place, word in enumerate(words)}
            meant = [at.setdefault(word, len(at)) for word in as_text(part.dictionary(name)).to_list()]
            words = list(at)
            public = shown.recoded(np.array(meant, dtype=np.int64), len(words))
            held = Histogram.from_entries(
                np.concatenate([public.entry_groups(), held.entry_groups()]),
                np.concatenate([public.values, held.values]),
                np.concatenate([public.counts, held.counts]),
                count + 1,
                len(words),
            )
        values[name], texts[name] = held, words
    return ShownTable(group, values, texts)
