"""Blanks: somebody computes from known counts how many blanks hide a value that matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import Belief, BeliefByColumn
from tacit.arrays import Floats, Ints
from tacit.knowledge.risk import DESCRIBED_RISK, Attributes, DisclosureRisk
from tacit.knowledge.risk.released import Released
from tacit.parameters import PRIVATE
from tacit.shapes import Published
from tacit.table import Table


@dataclass(frozen=True)
class Reading(Belief):
    """What the blanks of one column tell: how many there are, and how many hide a value that weighs something."""

    column: str
    blanks: int
    weighted: int

    @property
    def posterior(self) -> float:
        """How probably a blank hides something."""
        return self.weighted / self.blanks if self.blanks else 0.0

    @property
    def people(self) -> Ints:
        """Those whose cell is blank."""
        return np.array([self.blanks], dtype=np.int64)

    @property
    def values(self) -> pl.Series:
        """What she believes of them."""
        return pl.Series("value", ["a value that weighs something"])

    @property
    def posteriors(self) -> Floats:
        """How probably a blank hides something."""
        return np.array([self.posterior], dtype=np.float64)

    @property
    def where(self) -> pl.Series:
        """The column with the blanks."""
        return pl.Series("where", [f"blanks of {self.column}"])


class BlankAdversary(Adversary):
    """She knows how often each value occurs in the table, counts what is left, and blames the difference on the blanks.

    Knows
    -----
    How often each value occurs in the table, and why cells are suppressed.

    Infers
    ------
    How probably a blank hides a value that weighs something: `Reading`, one per column with blanks.

    Parameters
    ----------
    table
        The table whose counts she knows (from a yearly report, say); of its rows she knows nothing.
    risk
        Which values weigh something.

    Cost
    ----
    O(n a) for n rows and a attributes.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"sex": list("FFMM"), "held": list("YNNN")}
    >>> table = tc.Table(frame, quasi_identifiers="sex", sensitive="held")
    >>> risk = tc.DisclosureRisk(value_weights={"held": {"Y": 1}})
    >>> release = tc.ValueSuppression(risk=risk, delta=0.1).protect(table, seed=1)
    >>> BlankAdversary(table=table, risk=risk).attack(release)["held"].posterior
    0.5

    References
    ----------
    None: it is the reader that the rule about blanks is made for.
    """

    knowledge: ClassVar[str] = "how often each value occurs in the table, and why cells are suppressed"

    table: Any = Field(default=None, json_schema_extra=PRIVATE, description="the table whose counts are known")
    risk: Annotated[DisclosureRisk, DESCRIBED_RISK, Field(description="which values weigh something")] = (
        DisclosureRisk()
    )

    def attack(self, published: Published) -> BeliefByColumn[Reading]:
        """Return what she reads in each column; nothing where she knows no counts, or rows are missing besides."""
        shape = published.shape
        if not isinstance(self.table, Table) or not shape.flat or shape.rows != len(self.table):
            return BeliefByColumn({})
        had = Attributes.of(self.risk, self.table)
        left = Released.shown(self.risk, shape)
        readings = {}
        for j, name in enumerate(had.names):
            if not had.worth[j].any() or name not in left.attributes.names:
                continue
            k = left.attributes.names.index(name)
            blanks = int(left.blank[:, k].sum())
            if not blanks:
                continue
            before = int((had.worth[j][had.codes[j]] > 0).sum())
            shown = left.attributes.worth[k][left.attributes.codes[k]]
            readings[name] = Reading(name, blanks, before - int(np.count_nonzero(shown > 0)))
        return BeliefByColumn(readings)

    def warn(self, published: Published) -> list[Notice]:
        """Say how probable it is that a blank hides a value that matters, in the column where that is most probable."""
        beliefs = self.attack(published)
        if not beliefs:
            return []
        name = max(beliefs, key=lambda column: beliefs[column].posterior)
        reading = beliefs[name]
        sentence = f"somebody who knows how often each {name!r} occurs takes a blank for one that matters"
        return [Notice(self.name, f"{sentence} with {reading.posterior:.4f}", reading.posterior, reading.blanks)]

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return one who knows no counts."""
        return [cls()]
