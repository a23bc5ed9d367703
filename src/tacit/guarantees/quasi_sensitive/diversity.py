"""QS (c, l)-diversity: somebody who knows which items go with which label believes no label too much."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.errors import Infeasible
from tacit.guarantees.base import Guarantee
from tacit.guarantees.quasi_sensitive.base import QSGuarantee
from tacit.knowledge.quasi_sensitive import ExactBelief, LabelVerdicts, Linking, Prior
from tacit.table import Table

if TYPE_CHECKING:
    from tacit.kernels.quasi_sensitive.measure import BeliefRule

_EXACT = 10**6
"""The largest denominator of a parameter that is taken as a fraction: decimal numbers of six places are exact."""
KNOWN = {"flu": ["cough", "fever", "headache"], "cold": ["cough", "sneezing"], "gout": ["joint pain"]}
"""A small label table, for examples."""


class QSDiversity(QSGuarantee):
    """In every group, the likeliest label is believed at most c times as much as all labels from the l-th on together.

    With p1 >= p2 >= ... the beliefs over labels: p1 <= c (p_l + p_(l+1) + ...).

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, has a table that says which
    items go with which label, and takes every label that fits a row for equally likely.

    Promise
    -------
    From l = 2 on she believes no label of anybody with more than c / (1 + c):
    docs/threats/quasi_sensitive.md#what-is-promised. The rows that were withheld, read as one more group, satisfy it
    too.

    Parameters
    ----------
    c
        A positive number; taken as the nearest fraction with a denominator up to a million.
    l
        An integer from 1 up.
    knowledge
        The label table: a mapping of labels to items, a data frame, or a file. It is never published.
    column
        The items column it is about; by default the only one.
    of
        About whom it is: "everybody" in the table, or those "published".

    Cost
    ----
    O(n w e / 64 + g e) to judge n rows of up to w items in g groups with e labels; a group that is too near to the
    bound for 64-bit numbers is judged in fractions.

    Examples
    --------
    >>> import tacit as tc
    >>> knowledge = {"flu": ["cough", "headache"], "hepatitis B": ["dark urine", "headache"]}
    >>> published = {"age": [30, 30], "symptoms": [["cough"], ["headache"]]}
    >>> release = tc.Release.foreign(published, quasi_identifiers="age", sensitive=(), items="symptoms")
    >>> tc.audit(release, claims=[QSDiversity(c=1, l=2, knowledge=knowledge)]).findings[0].posterior
    0.75

    References
    ----------
    Shi, Xiong and Fung, "Anonymizing data with quasi-sensitive attribute values", CIKM 2010.
    """

    by_position: ClassVar[str | None] = "c"
    c: Annotated[float, Field(gt=0, le=1e6, description="a number above 0")]
    l: Annotated[int, Field(strict=True, ge=1, description="an integer from 1 up")]

    @cached_property
    def ratio(self) -> Fraction:
        """The number c, exactly."""
        return Fraction(self.c).limit_denominator(_EXACT)

    @property
    def needs_table(self) -> bool:
        """False: what was believed before plays no part, so the published rows are enough."""
        return False

    def rule(self, prior: Prior | None) -> BeliefRule:
        """Return c and l for the kernels."""
        from tacit.kernels.quasi_sensitive.measure import DIVERSITY, BeliefRule

        return BeliefRule(DIVERSITY, self.ratio.numerator, self.ratio.denominator, self.l, 0.0, np.zeros(0), 0.0)

    def believed(self, table: Table | None) -> None:
        """Return nothing: what was believed beforehand plays no part."""

    def exactly(self, belief: ExactBelief, prior: Prior | None) -> bool:
        """Compare in fractions."""
        reached = belief.reach(self.ratio)
        return reached is None or reached >= self.l

    def measure(self, linking: Linking) -> int | None:
        """Return the largest l that all groups satisfy; None if nobody links."""
        verdicts = linking.judge(self.rule(None))
        linked = verdicts.linked > 0
        return int(verdicts.reach[linked].min()) if linked.any() else None

    def sentence(self, verdicts: LabelVerdicts) -> str:
        """Tell the largest belief."""
        most = float(verdicts.posterior.max())
        groups = f"{len(verdicts.linked):,} groups"
        return f"{groups}; somebody with the label table believes no label with more than {most:.4f}"

    def bound(self) -> float:
        """Return c / (1 + c), or c for l = 1."""
        return min(1.0, self.c) if self.l == 1 else self.c / (1.0 + self.c)

    def obstacle(self) -> Infeasible | None:
        """Say so if even a group without any items breaks it: such a group needs 1 <= c (labels - l + 1)."""
        labels = len(self.labels)
        if self.ratio * (labels - self.l + 1) >= 1:
            return None
        best = labels + 1 - ceil(1 / self.ratio)
        ways = [f"the largest l that works is {best}"] if best >= 1 else []
        ways += [f"the smallest c that works is 1/{labels - self.l + 1}"] if self.l <= labels else []
        way_out = "; ".join(ways) or f"use an l of at most {labels}"
        return Infeasible(
            f"{self} cannot be met: the label table has {labels:,} labels, and everything removed leaves all of them "
            "equally likely.",
            hint=f"{way_out[0].upper()}{way_out[1:]}.",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(c=1, l=2, knowledge=KNOWN)]
