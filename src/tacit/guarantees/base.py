"""What a guarantee is: parameters, the knowledge it is about, and a predicate over counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from tacit.arrays import Flags, Floats
from tacit.errors import Infeasible, ParameterError
from tacit.guarantees.evidence import Evidence
from tacit.parameters import Parameters
from tacit.shapes import Claim
from tacit.table import GroupStats

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule

Exactness = Literal["exact", "certified", "not guaranteed"]


@dataclass(frozen=True)
class Finding:
    """The verdict on one claim.

    Attributes
    ----------
    guarantee
        What was claimed, as text.
    holds
        True, False, or None where it cannot be checked.
    exactness
        Whether the figures are exact, bounds, or neither.
    posterior
        The largest posterior that the claim is about, if it is about one.
    bound
        What the posterior must not exceed.
    where
        The group or record where it is largest, in words of the public frames.
    sentence
        What a data owner should read.
    withheld
        What the same claim says of the rows that were not published: "holds", "fails", "none", "apart", "not checked".
    secret
        Whether sentence, posterior and place rest on what is not published: then only the verdict is public.
    """

    guarantee: str
    holds: bool | None
    exactness: Exactness
    sentence: str
    posterior: float | None = None
    bound: float | None = None
    where: str | None = None
    withheld: str = "none"
    parameters: dict[str, Any] | None = None
    secret: bool = False

    def public(self) -> Finding:
        """Return what everybody may read of it."""
        if not self.secret:
            return self
        told = "judged with what is not published; the figures are for the data owner"
        return replace(self, posterior=None, bound=None, where=None, sentence=told)


class Guarantee(Parameters):
    """A promise about what an adversary cannot learn.

    A subclass states in `knowledge` what the adversary knows, and in `check` how the promise is tested on evidence that
    is counted from the public frames.
    """

    knowledge: ClassVar[str] = ""
    final: ClassVar[bool] = False
    """Whether the promise holds only while no later step withholds a row."""
    skipped_checks: ClassVar[dict[str, str]] = {}

    @abstractmethod
    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Test the claim on a release."""

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return instances with usual parameters, for `tacit.checks`."""
        return []


class GroupGuarantee(Guarantee):
    """A promise about every group of rows that an outsider cannot tell apart.

    The predicate sees only counts, so the local engine and a cluster ask the same object.
    """

    @abstractmethod
    def satisfied(self, stats: GroupStats, reference: GroupStats | None = None) -> Flags:
        """Say of every group whether the promise holds in it.

        Some compare a group with all published rows: these are the `reference`, by default the groups together.
        """

    @abstractmethod
    def measure(self, stats: GroupStats) -> int | float | Fraction:
        """Return the strongest parameter that all groups satisfy; 0 for no group."""

    @abstractmethod
    def posterior(self, stats: GroupStats) -> Floats:
        """Return of every group the posterior that the promise bounds."""

    @abstractmethod
    def bound(self) -> float | None:
        """Return what the posterior may not exceed; None where the promise bounds something else."""

    @abstractmethod
    def sentence(self, stats: GroupStats) -> str:
        """Say in plain words what the groups show."""

    @abstractmethod
    def obstacle(self, stats: GroupStats, names: Any) -> Infeasible:
        """Explain why a table with these counts (one group) cannot satisfy it, and what it could satisfy.

        `names` maps a sensitive column to the value behind each code.
        """

    def conditions(self, reference: GroupStats) -> list[Rule]:
        """Return the promise as rules that compiled cuts can ask, one or more per sensitive column.

        `reference` are all rows that will be published.
        """
        raise ParameterError(f"{self.name} cannot guide a grouping.", hint="Use a guarantee about groups.")

    def evidence(self, evidence: Evidence) -> GroupStats:
        """Choose what is judged: the groups of the release."""
        return evidence.groups

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the published groups of every marginal, and the withheld rows as one more."""
        findings = [self._judge(part, claim) for part in evidence.parts()]
        return max(findings, key=lambda finding: (not finding.holds, finding.posterior or 0.0))

    def _judge(self, evidence: Evidence, claim: Claim) -> Finding:
        stats = self.evidence(evidence)
        kept = self.satisfied(stats)
        posterior = self.posterior(stats)
        worst = int(np.argmax(posterior)) if len(posterior) else None
        hidden, withheld = evidence.withheld(claim), "none"
        if hidden is None:
            withheld = "not checked"
        elif isinstance(hidden, str):
            withheld = hidden
        elif hidden.sizes[0]:
            withheld = "holds" if bool(self.satisfied(hidden, evidence.reference)[0]) else "fails"
        where = None if worst is None or stats is not evidence.groups else evidence.whereabouts(worst)
        return Finding(
            guarantee=self.name,
            holds=bool(kept.all()) and withheld != "fails",
            exactness="exact",
            sentence=self._tell(stats, kept, withheld),
            posterior=None if worst is None else float(posterior[worst]),
            bound=self.bound(),
            where=where,
            withheld=withheld,
            parameters=self.public(),
        )

    def _tell(self, stats: GroupStats, kept: Flags, withheld: str) -> str:
        if not stats.count or not int(stats.sizes.sum()):
            return "nothing is published"
        text = self.sentence(stats)
        if not kept.all():
            text += f"; {int((~kept).sum()):,} of {stats.count:,} groups break it"
        return text + {
            "fails": "; it fails for the rows that were withheld, read as one more group",
            "not checked": "; withheld rows: not checked",
        }.get(withheld, "")
