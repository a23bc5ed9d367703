"""QS t-closeness: what the items say of a group is near to what was believed beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from tacit.errors import Infeasible, RoleError
from tacit.guarantees.base import Guarantee
from tacit.guarantees.quasi_sensitive.base import QSGuarantee
from tacit.guarantees.quasi_sensitive.diversity import KNOWN
from tacit.knowledge.quasi_sensitive import ExactBelief, LabelVerdicts, Linking, Prior, PriorName, prior_of
from tacit.table import Table

if TYPE_CHECKING:
    from tacit.kernels.quasi_sensitive.measure import BeliefRule

_EXACT = 10**6
"""The largest denominator of a parameter that is taken as a fraction: decimal numbers of six places are exact."""


class QSCloseness(QSGuarantee):
    """In every group, the belief over labels is within Euclidean distance t of what was believed beforehand.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, has a table that says which
    items go with which label, and takes every label that fits a row for equally likely.

    Promise
    -------
    What she believes of anybody differs from the prior by at most t, the Euclidean distance of the two vectors of
    beliefs: docs/threats/quasi_sensitive.md#what-is-promised. The rows that were withheld, read as one more group,
    satisfy it too.

    Parameters
    ----------
    t
        A number from 0 up; taken as the nearest fraction with a denominator up to a million.
    knowledge
        The label table: a mapping of labels to items, a data frame, or a file. It is never published.
    prior
        What is believed beforehand: "data" (the belief over the whole original table), "uniform", or "size"
        (proportional to the number of items of a label).
    column
        The items column it is about; by default the only one.
    of
        About whom it is: "everybody" in the table, or those "published".

    Cost
    ----
    O(n w e / 64 + g e) to judge n rows of up to w items in g groups with e labels; a group that is too near to the
    bound for floating-point numbers is judged in fractions.

    Examples
    --------
    >>> import tacit as tc
    >>> knowledge = {"flu": ["cough", "headache"], "hepatitis B": ["dark urine", "headache"]}
    >>> published = {"age": [30, 30], "symptoms": [["cough"], ["headache"]]}
    >>> release = tc.Release.foreign(published, quasi_identifiers="age", sensitive=(), items="symptoms")
    >>> claims = [QSCloseness(t=t, knowledge=knowledge, prior="uniform") for t in (0.4, 0.3)]
    >>> [finding.holds for finding in tc.audit(release, claims=claims).findings]
    [True, False]

    References
    ----------
    Shi, Xiong and Fung, "Anonymizing data with quasi-sensitive attribute values", CIKM 2010.
    """

    by_position: ClassVar[str | None] = "t"
    t: Annotated[float, Field(ge=0, le=2, description="a number from 0 up")]
    prior: PriorName = Field("data", description='"data", "uniform" or "size"')

    @cached_property
    def limit(self) -> Fraction:
        """The number t, exactly."""
        return Fraction(self.t).limit_denominator(_EXACT)

    @property
    def needs_table(self) -> bool:
        """Whether the prior comes from the data."""
        return self.prior == "data"

    def rule(self, prior: Prior | None) -> BeliefRule:
        """Return t and the prior for the kernels."""
        from tacit.kernels.quasi_sensitive.measure import CLOSENESS, BeliefRule

        if prior is None:
            raise RoleError(f"{self} needs a prior.", hint="Ask `believed` for one.")
        return BeliefRule(CLOSENESS, 1, 1, 0, float(self.limit**2), prior.values, 0.0)

    def believed(self, table: Table | None) -> Prior:
        """Return what is believed beforehand; "data" needs the whole original table."""
        if self.prior != "data":
            return prior_of(self.prior, self.labels)
        if table is None:
            raise RoleError(
                "The prior 'data' needs the original table.", hint="Give the table, or say uniform or size."
            )
        return prior_of("data", self.labels, self.linking(table))

    def exactly(self, belief: ExactBelief, prior: Prior | None) -> bool:
        """Compare squares of fractions."""
        return prior is not None and belief.distance2(prior.exact) <= self.limit**2

    def measure(self, linking: Linking, prior: Prior) -> float | None:
        """Return the largest distance of a group in which somebody links; None if nobody does. It is not public."""
        return _farthest(linking.judge(self.rule(prior)))

    def sentence(self, verdicts: LabelVerdicts) -> str:
        """Tell how far the beliefs are from what was believed beforehand."""
        farthest = _farthest(verdicts)
        sentence = f"{len(verdicts.linked):,} groups, compared with what was believed beforehand ({self.prior!r})"
        return sentence if farthest is None else f"{sentence}; the largest distance is {farthest:.4f}, t is {self.t}"

    def bound(self) -> float | None:
        """Return nothing: what a belief may be depends on what was believed before."""
        return None

    def obstacle(self) -> Infeasible | None:
        """Return nothing: which groups can be near to the prior depends on the rows."""
        return None

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(t=0.4, knowledge=KNOWN), cls(t=0.5, knowledge=KNOWN, prior="size")]


def _farthest(verdicts: LabelVerdicts) -> float | None:
    """Return the largest distance of a group in which somebody links; None if nobody does."""
    linked = verdicts.linked > 0
    return float(verdicts.distance[linked].max()) if linked.any() else None
