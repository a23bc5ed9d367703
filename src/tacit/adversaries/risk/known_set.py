"""Known sets: somebody knows a few attributes of a person, and looks who matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import Field

from tacit import sources
from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import Belief
from tacit.arrays import Floats, Ints
from tacit.errors import ParameterError, RoleError
from tacit.guarantees.people import counted
from tacit.knowledge.risk import DESCRIBED_RISK, DisclosureRisk, Records
from tacit.knowledge.risk.released import Released
from tacit.parameters import PRIVATE
from tacit.shapes import Published


@dataclass(frozen=True, eq=False)
class Matches(Belief):
    """Who matches each victim; one entry per victim.

    She links a victim to a row, whatever stands in it: `values` are null.

    Attributes
    ----------
    known_sets
        What she uses of each victim: the named set, or the one that adds most to the victim's risk.
    candidates
        How many published rows match each victim.
    """

    known_sets: tuple[tuple[str, ...], ...]
    candidates: npt.NDArray[np.int64]
    _shown: npt.NDArray[np.int32]
    _asked: npt.NDArray[np.int32]
    _columns: npt.NDArray[np.bool_]

    @property
    def posterior(self) -> npt.NDArray[np.float64]:
        """How probably she picks the right row; 0 where nobody matches."""
        return np.asarray((self.candidates > 0) / np.maximum(1, self.candidates), dtype=np.float64)

    @property
    def people(self) -> Ints:
        """One victim each."""
        return np.ones(len(self.candidates), np.int64)

    @property
    def values(self) -> pl.Series:
        """Null: she finds a row, not a value."""
        return pl.Series("value", [None], dtype=pl.String).new_from_index(0, len(self.candidates))

    @property
    def posteriors(self) -> Floats:
        """How probably she picks the right row; 0 where nobody matches."""
        return self.posterior

    @property
    def where(self) -> pl.Series:
        """The attributes by which each victim is looked up."""
        return pl.Series("where", [f"row, by {', '.join(names) or 'nothing'}" for names in self.known_sets])

    def rows(self, victim: int) -> npt.NDArray[np.int64]:
        """Return the published rows that match one victim."""
        K = np.flatnonzero(self._columns[victim])
        cells, asked = self._shown[:, K], self._asked[victim, K]
        return np.flatnonzero(((cells == asked) | (cells < 0) | (asked < 0)).all(axis=1))


class KnownSetAdversary(Adversary):
    """She knows some attributes of each victim, and takes every row that matches for equally likely.

    Knows
    -----
    Some attributes of a person, sensitive ones included, and that she is in the table.

    Infers
    ------
    For every victim how many published rows match: `Matches`. She links a person to a row, not to a value.

    Parameters
    ----------
    known_set
        The columns she knows; by default, of each victim, those of the known set that adds most to the victim's risk.
    risk
        How probably attributes are known, what matters, and what a blank means to her.
    victims
        A data frame with the columns she knows; by default every published row is a victim, known as published.

    Cost
    ----
    O(n log n) for n rows, for every different known set.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [15, 15, 16], "sex": ["F", "M", "F"], "held": ["N", "Y", "N"]}
    >>> release = tc.Release.foreign(frame, quasi_identifiers=["age", "sex"], sensitive="held")
    >>> KnownSetAdversary(known_set=["sex"]).attack(release).candidates.tolist()
    [2, 1, 2]

    References
    ----------
    Orooji and Knapp, "Improving suppression to reduce disclosure risk and enhance data utility", 2019.
    """

    knowledge: ClassVar[str] = "some attributes of a person, sensitive ones included, and that she is in the table"

    known_set: tuple[str, ...] | None = Field(None, description="the columns she knows")
    risk: Annotated[DisclosureRisk, DESCRIBED_RISK, Field(description="what may be known, and what matters")] = (
        DisclosureRisk()
    )
    victims: Any = Field(default=None, json_schema_extra=PRIVATE, description="a data frame of people")

    def attack(self, published: Published) -> Matches:
        """Find every victim's candidates."""
        shape = published.shape
        if not shape.flat:
            raise ParameterError(
                "known-set-adversary: the release has no row per person.", hint="Use another adversary."
            )
        names = [column.name for column in shape.columns]
        wanted = self.known_set or ()
        for name in wanted:
            if name not in names:
                raise RoleError.missing_column(name, names, place="the release")
        risk = self.risk
        if self.known_set is not None:
            risk = risk.model_copy(update={"known": dict.fromkeys(wanted, 1.0)})
        released = Released.shown(risk, shape)
        records = released.records
        a = records.attributes
        if self.victims is not None:
            return self._listed(released, sources.as_frame(self.victims))
        shown, asked = records.seen(own=False), records.victims
        if self.known_set is not None:
            columns = np.tile([name in wanted for name in a.names], (len(asked), 1))
        else:
            columns = records.population.heaviest(asked, records.gains)
        counts = _count(records, asked, columns)
        at = records.ids
        return Matches(_named(a.names, columns[at]), counts[at], shown[at], asked[at], columns[at])

    def _listed(self, released: Released, people: pl.DataFrame) -> Matches:
        """Look people up by the columns that they and the release share."""
        records = released.records
        a = records.attributes
        shared = [name for name in (self.known_set or a.names) if name in people.columns and name in a.names]
        if not shared:
            raise RoleError(
                f"The list of victims has none of the columns {', '.join(self.known_set or a.names)}.",
                hint=f"Its columns are {', '.join(people.columns)}.",
            )
        asked = np.full((people.height, len(a.names)), -1, dtype=np.int32)
        for j, name in enumerate(a.names):
            if name in shared:
                asked[:, j] = released.code(name, people[name])
        columns = np.tile([name in shared for name in a.names], (people.height, 1))
        shown = records.seen(own=False)
        counts = _count(records, asked, columns)
        return Matches(_named(a.names, columns), counts, shown[records.ids], asked, columns)

    def warn(self, published: Published) -> list[Notice]:
        """Say how many people a known set singles out, if one was named; a guarantee judges the risk over all sets."""
        if self.known_set is None or not published.shape.flat:
            return []
        alone = int((self.attack(published).candidates == 1).sum())
        if not alone:
            return []
        sentence = (
            f"somebody who knows {', '.join(self.known_set)} finds one row only for {counted(alone, published.unit)}"
        )
        return [Notice(self.name, sentence, 1.0, alone)]

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return the one who uses what hurts most, and one with two attributes."""
        return [cls(), cls(known_set=("age", "illness"))]


def _count(records: Records, asked: npt.NDArray[np.int32], columns: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Count the rows that match each victim on her known set, one known set at a time."""
    from tacit.kernels.risk.matching import count_sorted

    shown = records.seen(own=False)
    counts = np.zeros(len(asked), dtype=np.int64)
    patterns, which = np.unique(columns, axis=0, return_inverse=True)
    for p in range(len(patterns)):
        K = np.flatnonzero(patterns[p])
        mine = np.flatnonzero(which == p)
        rows = shown[:, K]
        blank = (rows < 0).any(axis=1)
        plain, weight = rows[~blank], records.times[~blank]
        order = np.lexsort(plain.T[::-1]) if len(K) else np.arange(len(plain))
        counts[mine] = count_sorted(
            np.ascontiguousarray(plain[order]),
            weight[order],
            np.ascontiguousarray(rows[blank]),
            records.times[blank],
            np.ascontiguousarray(asked[mine][:, K]),
        )
    return counts


def _named(names: Sequence[str], columns: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], ...]:
    patterns, which = np.unique(columns, axis=0, return_inverse=True)
    names_of = [tuple(name for name, used in zip(names, pattern, strict=True) if used) for pattern in patterns]
    return tuple(names_of[p] for p in which)
