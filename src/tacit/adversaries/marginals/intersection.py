"""Intersection: somebody finds a person in every marginal, and keeps the values that all of them allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit import sources
from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import Belief, Exactness, repeated
from tacit.adversaries.linkage import flat_covers, read_as
from tacit.adversaries.marginals.membership import common_values, group_index, known_members, one_sensitive, tables_of
from tacit.arrays import Floats, Ints
from tacit.errors import RoleError
from tacit.parameters import PRIVATE
from tacit.shapes import Published, Shape, cover
from tacit.table import Groups, encode

BitSets = np.ndarray[tuple[int, int], np.dtype[np.uint64]]
"""Sets of values, one per victim: value `v` is bit `v % 64` of word `v // 64`."""

_STRETCHES = 16
"""Stretches of victims that threads share: several per thread, because victims take unequal times. Chosen by trial."""


@dataclass(frozen=True, eq=False)
class Intersection(Belief):
    """What is left for every victim after all marginals; one entry per victim.

    Attributes
    ----------
    column
        The sensitive column.
    bits
        The values that she may have, as bits in the order of the dictionary.
    dictionary
        All published values.
    candidates
        How many values she may have; 0 where she fits nowhere in some marginal.
    """

    column: str
    bits: BitSets
    dictionary: pl.Series
    candidates: Ints

    @property
    def posterior(self) -> Floats:
        """One over the number of candidates; 0 for a victim who fits nowhere in some marginal."""
        return np.asarray(np.where(self.candidates > 0, 1.0 / np.maximum(1, self.candidates), 0.0), dtype=np.float64)

    @property
    def pinned(self) -> int:
        """How many victims have one possible value."""
        return int((self.candidates == 1).sum())

    @property
    def people(self) -> Ints:
        """One victim each."""
        return np.ones(len(self.candidates), np.int64)

    @property
    def values(self) -> pl.Series:
        """The first value that each victim may have, the only one where she is pinned; null where she has none."""
        word = (self.bits != 0).argmax(axis=1) if self.bits.shape[1] else np.zeros(len(self.bits), np.int64)
        bits = self.bits[np.arange(len(self.bits)), word]
        lowest = np.maximum(bits & (~bits + np.uint64(1)), np.uint64(1))  # a power of two: its logarithm is exact
        codes = pl.Series(word * 64 + np.log2(lowest.astype(np.float64)).astype(np.int64), dtype=pl.Int64)
        return self.dictionary.gather(codes.set(pl.Series(self.candidates == 0), None))

    @property
    def posteriors(self) -> Floats:
        """One over the number of candidates; 0 for a victim who fits nowhere in some marginal."""
        return self.posterior

    @property
    def where(self) -> pl.Series:
        """The sensitive column."""
        return repeated(self.column, len(self.candidates))

    @property
    def exactness(self) -> Exactness:
        """Approximate: what other people rule out is not counted."""
        return "approximate"

    def possible(self, victim: int) -> list[Any]:
        """Return the values that one victim may have."""
        bits = self.bits[victim]
        return [v for i, v in enumerate(self.dictionary.to_list()) if int(bits[i >> 6]) >> (i & 63) & 1]


class IntersectionAdversary(Adversary):
    """She knows people by their quasi-identifiers, finds their groups in every marginal and intersects the values.

    A curious reader does this by hand. It works for tables of any size.

    Knows
    -----
    Some quasi-identifiers of people who are in the table, every marginal and, in the worst case, their groups.

    Infers
    ------
    For every victim, the values that all marginals allow; her posterior is one over their number. It is not exact:
    values that are ruled out for one person may rule out values for another, which `WorldAdversary` counts too.

    Parameters
    ----------
    victims
        Any data frame with quasi-identifiers of people who are in the table.
    members
        The worst case: per marginal the public number of each victim's group, where she knows it. Otherwise all groups
        whose cells fit may be hers.

    Cost
    ----
    O(v g) comparisons for each marginal, v being the different victims and g the different groups; with known groups
    O(v).

    Examples
    --------
    >>> import tacit as tc
    >>> frames = {
    ...     "a": {"age": ["[19, 20]", "[19, 20]"], "ill": ["flu", "cold"]},
    ...     "z": {"zip": ["12", "20"], "ill": ["cold", "flu"]},
    ... }
    >>> release = tc.Release.foreign(frames, quasi_identifiers=["age", "zip"], sensitive="ill")
    >>> IntersectionAdversary(victims={"age": [19, 20], "zip": [12, 20]}).attack(release).pinned
    2

    References
    ----------
    Xiao and Tao, "m-invariance", SIGMOD 2007, section 2: the intersection of two releases.
    """

    knowledge: ClassVar[str] = "the quasi-identifiers of people in the table, and every marginal that was published"

    victims: Any = Field(json_schema_extra=PRIVATE, description="a data frame of people")
    members: Any = Field(default=None, json_schema_extra=PRIVATE, description="marginal to group numbers of victims")

    @classmethod
    def of(cls, published: Published) -> IntersectionAdversary:
        """Return the worst case, as the data owner knows it: she knows everybody's group everywhere."""
        people, members = known_members(published)
        return cls(victims=people, members=members)

    def attack(self, published: Published) -> Intersection:
        """Intersect, for every victim, the values of her groups."""
        from tacit.kernels.marginals.intersection import sizes

        parts = tables_of(published.shape)
        people = sources.as_frame(self.victims)
        column = one_sensitive(parts)
        dictionary, meant = common_values(parts, column)
        words = -(-len(dictionary) // 64)
        left = np.full((people.height, words), ~np.uint64(0), dtype=np.uint64)
        used = False
        for name, part in parts.items():
            allowed = self._allowed(name, part, column, meant[name], people, words)
            if allowed is not None:
                left &= allowed
                used = True
        if not used:
            raise RoleError(
                f"The list of victims has none of the quasi-identifiers "
                f"{', '.join(published.shape.quasi_identifiers)}.",
                hint=f"Its columns are {', '.join(people.columns)}.",
            )
        return Intersection(column, left, dictionary, sizes(left))

    def _allowed(
        self, name: str, part: Shape, column: str, meant: Ints, people: pl.DataFrame, words: int
    ) -> BitSets | None:
        """Return the values that one marginal allows each victim; None where nothing known of them is in it."""
        from tacit.kernels.marginals.intersection import ClassValues, gather, set_bits
        from tacit.kernels.threads import in_parallel, stretches

        if isinstance(self.members, Mapping) and name in self.members:
            histogram = part.statistics.histograms[column]
            bits = set_bits(histogram.offsets, meant[histogram.values], words)
            return np.asarray(bits[group_index(name, part, self.members[name], people.height)])
        names = [each for each in part.quasi_identifiers if each in people.columns]
        if not names:
            return None
        classes = part.classes
        covers, positions = [], []
        for each in names:
            encoded = encode(read_as(people[each], part.column(each)))
            covers.append(cover(classes.labels[each], part.column(each), encoded.values))
            positions.append(covers[-1].position[encoded.codes])
        flat = flat_covers(covers)
        alike = Groups.of(positions, flat.width.tolist(), rows=people.height)
        asked = np.stack([position[alike.first()] for position in positions], axis=1)
        spread = classes.spreads[column]
        codes = classes.places(names)
        bits = set_bits(spread.offsets, meant[spread.values], words)
        allowed = np.zeros((len(asked), words), dtype=np.uint64)
        given = (asked, ClassValues(codes, bits), flat)
        in_parallel(gather, [(*given, begin, end, allowed) for begin, end in stretches(len(asked), _STRETCHES)])
        return allowed[alike.ids]

    def warn(self, published: Published) -> list[Notice]:
        """Say how many people are pinned to one value."""
        pinned = self.attack(published).pinned
        if not pinned:
            return []
        who = "row" if pinned == 1 else "rows"
        sentence = (
            f"somebody who looks every row of a list of people up in all tables learns the value of {pinned:,} {who} "
            "for sure"
        )
        return [Notice(self.name, sentence, 1.0, pinned)]

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return one with a few people."""
        return [cls(victims={"age": [30, 40], "town": ["Bath", "Cork"]})]
