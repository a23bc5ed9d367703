"""What a guarantee is: parameters, the knowledge it is about, and a predicate over counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import Flags, Floats, Ints
from tacit.errors import Infeasible, ParameterError
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Exactness, Finding, Parts, PartVerdict, worst
from tacit.guarantees.people import certain, in_people, rows_only
from tacit.parameters import Parameters
from tacit.shapes import Claim
from tacit.table import GroupStats, Table

if TYPE_CHECKING:
    from tacit.kernels.mondrian.rules import Rule

Of = Literal["everybody", "published"]
WHOLE = 720_720
"""What beliefs about a person add up to where they are judged as counts: every whole number up to 16 divides it, so
that equal beliefs in up to 16 values are whole numbers."""


class Guarantee(Parameters):
    """A promise about what an adversary cannot learn.

    A subclass states in `knowledge` what the adversary knows, and in `check` how the promise is tested on evidence that
    is counted from the public frames.
    """

    knowledge: ClassVar[str] = ""
    needs_all_rows: ClassVar[bool] = False
    """Whether the promise is about the whole input, and so is void if another step, before or after, withholds rows."""
    hides_a_value: ClassVar[bool] = False
    """Whether the promise is that a value cannot be named, so that several releases which hide the same value may
    together expose it."""
    reader: ClassVar[str] = ""
    """How somebody comes to the posterior that the promise bounds, to follow "what somebody could believe who"."""
    counts_people: ClassVar[bool] = False
    """Whether it counts people where a person may have several rows; others are about single records."""
    iso_20889: ClassVar[str | None] = None
    """What ISO/IEC 20889 calls the model; None where no word of it was verified."""
    skipped_checks: ClassVar[dict[str, str]] = {}

    @abstractmethod
    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Test the claim on a release."""

    def finding(
        self,
        sentence: str,
        *,
        published: PartVerdict,
        withheld: PartVerdict = "none",
        blanks: PartVerdict = "none",
        replayed: PartVerdict = "none",
        exactness: Exactness = "exact",
        posterior: float | None = None,
        bound: float | None = None,
        where: str | None = None,
        secret: bool = False,
        needed: str | None = None,
    ) -> Finding:
        """Return the verdict on this promise; the parameters are those of `Finding` and `Parts`.

        A promise of which a part was not checked is not guaranteed, whatever is known of the others.
        """
        parts = Parts(published, withheld, blanks, replayed)
        return Finding(
            guarantee=self.name,
            parts=parts,
            exactness="not guaranteed" if parts.holds is None else exactness,
            sentence=sentence,
            posterior=posterior,
            bound=bound,
            where=where,
            parameters=self.public(),
            secret=secret,
            needed=needed,
        )

    def weakened(self) -> Guarantee:
        """Return the promise that can be judged where nothing tells who is missing; by default the same."""
        return self

    @property
    def judged_together(self) -> bool:
        """Whether beliefs about values tell if the promise is kept beside other releases, see `kept_together`."""
        return False

    def kept_together(self, beliefs: GroupStats, rows: Ints, reference: GroupStats) -> Flags:
        """Say of everybody whether the promise is kept by what a reader of several releases believes of her.

        Parameters
        ----------
        beliefs
            One group per person, whose counts are parts of `WHOLE`: how likely each value is to the reader.
        rows
            How many rows of her group in the release that made the promise may still be hers.
        reference
            All published rows of that release.
        """
        return np.ones(beliefs.count, dtype=bool)

    @classmethod
    def known_again(cls, kept: Mapping[str, Any], knowledge: Any) -> Mapping[str, Any]:
        """Return the private parameters of a claim that is read back, given what its owner kept of them.

        A guarantee about a table that is never written takes it from `knowledge`, if somebody supplies it again, and
        raises `KnowledgeMissing` where the table cannot be had. All others return what was kept.
        """
        return kept

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return instances with usual parameters, for `tacit.checks`."""
        return []


class GuaranteeOfPeople(Guarantee):
    """A promise about everybody in the table, or, weaker, about those who were published.

    Parameters
    ----------
    of
        About whom it is: "everybody" in the table, so that the rows that were withheld, read as one more group, must
        satisfy it too; or "published", a weaker promise about the published rows alone.
    """

    of: Of = Field("everybody", description='about whom it is: "everybody" in the table, or those "published"')

    def public(self) -> dict[str, Any]:
        """Return the parameters that may be published; that it is about everybody goes without saying."""
        shown = super().public()
        shown.pop("of", None)
        return shown if self.of == "everybody" else {**shown, "of": self.of}

    def __repr_args__(self) -> Any:
        return [(key, value) for key, value in super().__repr_args__() if key != "of" or value != "everybody"]

    def weakened(self) -> Guarantee:
        """Return the promise about the published rows alone, unless it was said that it is about everybody."""
        return self if "of" in self.model_fields_set else self.model_copy(update={"of": "published"})


class GroupGuarantee(GuaranteeOfPeople):
    """A promise about every group of rows that an outsider cannot tell apart.

    The predicate sees only counts, so the local engine and a cluster ask the same object.
    """

    reader: ClassVar[str] = "takes all matchings of people and published values for equally likely"
    needs_values: ClassVar[bool] = True
    """Whether the predicate looks at sensitive values; otherwise the number of rows of a group is enough."""

    compares_with_published: ClassVar[bool] = False
    """Whether a group is compared with all published rows: then withholding a row changes what is true of others."""

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

    def require(self, table: Table, whole: GroupStats | None = None, reference: GroupStats | None = None) -> None:
        """Raise `Infeasible`, with what stands in the way, if not even all rows as one group satisfy the promise.

        `whole` are the counts of all rows, for a caller who has them; `reference` all rows that will be published,
        where these are only some of them.
        """
        counts = table.whole() if whole is None else whole
        if not self.satisfied(counts, reference).all():
            raise self.refusal(counts, {name: table.codes(name).values for name in table.sensitive})

    def refusal(self, stats: GroupStats, names: Any) -> Infeasible:
        """Explain why all rows as one group do not satisfy it: by what stands in the way, counted in people or rows."""
        rows, people = rows_only(stats), in_people(stats)
        if stats.people is None or not self.satisfied(rows).all():
            return self.obstacle(rows if self.needs_values else people, names)
        if not self.satisfied(people).all():
            return self.obstacle(people, names)
        return Infeasible(
            f"{self} cannot be met: one person has {int(stats.people.most.max()):,} of {int(stats.sizes.sum()):,} "
            "rows, so many that one of them must have the most frequent value.",
            hint="Keep fewer rows of that person, or ask for k-anonymity alone.",
        )

    @property
    def judged_together(self) -> bool:
        """Whether beliefs tell if the promise is kept: they are judged like the counts of a group."""
        return True

    def kept_together(self, beliefs: GroupStats, rows: Ints, reference: GroupStats) -> Flags:
        """Judge beliefs as if they were the counts of a group."""
        return self.satisfied(beliefs, reference)

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
        return worst([self._judge(part, claim) for part in evidence.parts()])

    def _judge(self, evidence: Evidence, claim: Claim) -> Finding:
        if evidence.people_unknown(values=self.needs_values):
            return self.finding(
                "people have several rows each, and the files do not tell whose they are",
                published="not checked",
                withheld="not checked",
                bound=self.bound(),
                needed=PEOPLE_NEEDED,
            )
        judged = self.evidence(evidence)
        by_group = judged is not evidence.totals and judged.count == evidence.groups.count
        blank = evidence.published.shape.suppressed_group if by_group else None
        groups = np.delete(np.arange(judged.count), [] if blank is None else [blank])
        stats = judged if blank is None else judged.take(groups)
        held = self.satisfied(stats)
        posterior = self.posterior(stats)
        most = int(np.argmax(posterior)) if len(posterior) else None
        missing = self._judge_withheld(evidence, claim)
        withheld, about_suppressed = missing, ""
        if blank is not None:  # another tool withheld these rows, and left them in the table
            hidden = judged.take(np.array([blank]))
            sound = bool(self.satisfied(hidden, stats)[0])
            about_suppressed = of_suppressed(int(hidden.sizes[0]), sound=sound)
            withheld = ("holds" if missing == "none" else missing) if sound else "fails"
        return self.finding(
            self._tell(stats, held, missing, about_suppressed),
            published="holds" if bool(held.all()) else "fails",
            withheld=withheld,
            posterior=None if most is None else float(posterior[most]),
            bound=self.bound(),
            where=None if most is None or not by_group else evidence.whereabouts(int(groups[most])),
            needed=WITHHELD_NEEDED if withheld == "not checked" else None,
            secret=stats.people is not None and not evidence.published.shape.shows_people,
        )

    def _judge_withheld(self, evidence: Evidence, claim: Claim) -> PartVerdict:
        """Judge the rows that were not published as one more group."""
        if self.of == "published":
            return "none"
        hidden = evidence.withheld(claim) if self.needs_values else evidence.withheld_rows(claim)
        if hidden is None:
            return "not checked"
        if isinstance(hidden, str):
            return hidden
        if not hidden.sizes[0]:
            return "none"
        return "holds" if bool(self.satisfied(hidden, evidence.reference)[0]) else "fails"

    def _tell(self, stats: GroupStats, held: Flags, withheld: PartVerdict, about_suppressed: str = "") -> str:
        text = self._counted(stats) if int(stats.sizes.sum()) else "nothing is published"
        if not held.all():
            text += f"; {int((~held).sum()):,} of {stats.count:,} groups break it"
        return text + about_suppressed + of_whom(self.of, withheld)

    def _counted(self, stats: GroupStats) -> str:
        """Say what the groups show, counted in people and in rows where these differ."""
        if stats.people is None:
            return self.sentence(stats)
        people = self.sentence(in_people(stats))
        torn, known = int(stats.people.torn.sum()), int(certain(stats).sum()) if self.needs_values else 0
        text = f"{people}, in people; {self.sentence(rows_only(stats))}, in rows" if self.needs_values else people
        text += f"; rows of one person are in several groups, {torn:,} times" if torn else ""
        if known:
            text += f"; in {known:,} groups somebody who knows how many rows a person has is certain of a value"
        return text


PEOPLE_NEEDED = (
    "whose rows are whose: give the private part of the release and the table, with its column of persons named"
)
WITHHELD_NEEDED = "the rows that were withheld: give the table that the release was made from"


def of_whom(of: Of, withheld: PartVerdict) -> str:
    """Return what a sentence adds about the people it is not about, or does not hold for; nothing where all is well."""
    if of == "published":
        return "; this is about the published rows alone"
    return of_withheld(withheld)


def of_suppressed(rows: int, *, sound: bool) -> str:
    """Return what a sentence adds about rows that another tool left in the table without a quasi-identifier."""
    who = "1 row" if rows == 1 else f"{rows:,} rows"
    verdict = "it holds" if sound else "it fails"
    return f"; {verdict} for {who} with every quasi-identifier suppressed, read as withheld and as one more group"


def of_withheld(withheld: PartVerdict) -> str:
    """Return what a sentence adds about the rows that were not published; nothing where all is well."""
    return {
        "fails": "; it fails for the rows that were withheld, read as one more group",
        "not checked": "; the rows that were withheld were not checked",
    }.get(withheld, "")
