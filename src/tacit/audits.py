"""Audit: every claim is judged again, and other adversaries are heard.

What was published is judged from the public frames alone; who was withheld and what blanks hide, from the table or the
private part where these are at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from tacit import markup
from tacit.adversaries import (
    Adversary,
    BeliefByColumn,
    EligibilityAdversary,
    Learned,
    LearningAdversary,
    LinkageAdversary,
    Notice,
)
from tacit.adversaries.learning import promised
from tacit.adversaries.several_rows import in_some_row
from tacit.calls import checked_call
from tacit.errors import AuditFailed, ParameterError, RoleError, TacitError
from tacit.guarantees import Evidence, Finding, Guarantee
from tacit.measures.small_counts import SmallCounts
from tacit.shapes import EVERY_STEP, Claim, Published
from tacit.table import Table

__all__ = ["Audit", "audit"]

VERDICT = {True: "holds", False: "does not hold", None: "cannot be checked"}
READER = LearningAdversary(sample=100_000)
"""Who learns from every release that is audited. Of a larger release she reads groups with so many people, spread over
all of them: enough to tell how often she is right to a third of a percent, in a second or less."""

ALSO_FOUND = "also found"
"""What stands before a warning, which is about no claim."""


@dataclass(frozen=True)
class Audit:
    """The verdict on a release.

    Attributes
    ----------
    findings
        One per claim.
    warnings
        What adversaries that no claim is about learn, and what the method says of its own limits.
    learned
        What a reader believes who learns from the published files, which anybody can compute; None where she was not
        asked, or the release shows no groups.
    """

    findings: tuple[Finding, ...]
    warnings: tuple[Notice, ...] = ()
    learned: BeliefByColumn[Learned] | None = field(default=None, compare=False, repr=False)

    @property
    def holds(self) -> bool | None:
        """True if every part of every claim was checked and holds, False if one does not.

        None if a part of a claim was not checked, or if nothing is claimed.
        """
        verdicts = [finding.holds for finding in self.findings]
        if False in verdicts:
            return False
        return None if None in verdicts or not verdicts else True

    @property
    def passes(self) -> bool:
        """Whether the release may be published: every claim holds, or nothing is claimed."""
        return all(finding.holds is True for finding in self.findings)

    @property
    def max_posterior(self) -> float | None:
        """The largest posterior that a claim is about."""
        return max((f.posterior for f in self.findings if f.posterior is not None), default=None)

    def public(self, hide: SmallCounts | None = None) -> Audit:
        """Return what everybody may read of it: no figure that rests on what is not published.

        Parameters
        ----------
        hide
            What decides which counts may be shown, where small ones may not be.
        """
        heard = tuple(warning for warning in self.warnings if not warning.secret)
        found = tuple(finding.public() for finding in self.findings)
        if hide is not None:
            heard = tuple(
                replace(
                    warning,
                    sentence=hide.text(warning.sentence),
                    people=hide.number(warning.people),
                    posterior=None if warning.posterior is None else hide.at_most(warning.posterior),
                )
                for warning in heard
            )
            found = tuple(_without_small_counts(finding, hide) for finding in found)
        return Audit(found, heard, self.learned)

    @checked_call(ahead=True)
    def require(self, place: str = "Nothing was written", *, allow_unchecked: bool = False) -> None:
        """Raise `AuditFailed` unless every claim holds.

        Parameters
        ----------
        place
            What the message begins with: the release it is about, or what did not happen because of it.
        allow_unchecked
            Let a claim pass of which a part could not be checked, as long as no part fails.
        """
        accepted = (True, None) if allow_unchecked else (True,)
        rejected = [finding for finding in self.findings if finding.holds not in accepted]
        if rejected:
            reasons = [f"{finding.title} {VERDICT[finding.holds]} ({finding.reason})" for finding in rejected]
            raise AuditFailed(f"{place}: {'; '.join(reasons)}.")

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict for JSON."""
        return {
            "holds": self.holds,
            "max_posterior": self.max_posterior,
            "findings": [finding.as_dict() for finding in self.findings],
            "warnings": [asdict(warning) for warning in self.warnings],
        }

    def __repr__(self) -> str:
        lines = [f"{f.title}  {VERDICT[f.holds]}  {f.reason}" for f in self.findings] or ["nothing is claimed"]
        lines += [f"{ALSO_FOUND}  {warning.sentence}" for warning in self.warnings]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = ("guarantee", "verdict", "what was found", "largest posterior", "figures")
        rows: list[tuple[str, ...]] = [
            (
                f.title,
                VERDICT[f.holds],
                f.reason,
                "" if f.posterior is None else f"{f.posterior:.4f}",
                f.exactness,
            )
            for f in self.findings
        ]
        rows += [(ALSO_FOUND, "", notice.sentence, "", "") for notice in self.warnings]
        return markup.grid(head, rows) if rows else markup.sentence("nothing is claimed")


def _without_small_counts(finding: Finding, hide: SmallCounts) -> Finding:
    """Write a finding without small counts; where it was worst is a small group, so that is left out."""
    needed = None if finding.needed is None else hide.text(finding.needed)
    posterior = None if finding.posterior is None else hide.at_most(finding.posterior, finding.bound)
    return replace(finding, sentence=hide.text(finding.sentence), needed=needed, posterior=posterior, where=None)


@checked_call()
def audit(
    release: Published,
    table: Table | None = None,
    *,
    claims: Guarantee | Sequence[Guarantee] | None = None,
    adversaries: Sequence[Adversary] | None = None,
) -> Audit:
    """Judge a release.

    Parameters
    ----------
    release
        What is published, made by this tool or not.
    table
        What it was made from, if the auditor has it: without it nothing is said of rows that are missing.
    claims
        Guarantees to judge besides those that the release claims. Where nothing tells who is missing (a table that
        somebody else published, and no original beside it) a promise about groups is judged of the published rows
        alone, and the finding says so.
    adversaries
        Whose inferences to report as warnings; by default somebody who knows the quasi-identifiers, and somebody who
        learns from the published files.

    Examples
    --------
    >>> import tacit as tc
    >>> foreign = tc.Release.foreign(
    ...     {"age": ["[30, 39]"] * 2 + ["41"], "ill": ["flu", "cold", "flu"]}, quasi_identifiers="age", sensitive="ill"
    ... )
    >>> tc.audit(foreign, claims=[tc.KAnonymity(k=2)]).holds
    False
    """
    if not isinstance(release, Published):
        raise RoleError(
            f"A release is audited, not a {type(release).__name__}.", hint="Say tacit.Release.foreign(frame, ...)."
        )
    if table is not None and not isinstance(table, Table):
        raise RoleError(
            f"The table behind a release is a Table, not a {type(table).__name__}.",
            hint="Say tacit.Table(frame, ...), with the same roles.",
        )
    for adversary in adversaries or ():
        if not isinstance(adversary, Adversary):
            raise ParameterError(
                f"An audit asks adversaries, and {type(adversary).__name__} is none.",
                hint="Give values such as tacit.LinkageAdversary(), or none at all for the usual ones.",
            )
    evidence = Evidence(release, table)
    further = [claims] if isinstance(claims, Guarantee) else list(claims or ())
    if release.method is None and release.size is None and table is None:  # nothing tells who is missing
        further = [guarantee.weakened() for guarantee in further]
    asked = (*release.claims, *(Claim(guarantee, step=EVERY_STEP) for guarantee in further))
    findings = tuple(_judge(claim.guarantee, evidence, claim) for claim in asked)
    warnings = [Notice("method", text) for text in release.warnings]
    for adversary in [LinkageAdversary(), EligibilityAdversary()] if adversaries is None else adversaries:
        warnings += adversary.warn(release)
        warnings += in_some_row(evidence) if isinstance(adversary, LinkageAdversary) else []
    learned, notices = _learned(release, evidence.several_rows) if adversaries is None else (None, [])
    return Audit(findings, (*warnings, *notices), learned)


def _learned(release: Published, each_row: bool) -> tuple[BeliefByColumn[Learned] | None, list[Notice]]:
    """Ask somebody who learns from the files themselves; nobody claims anything about her, so nothing stops here.

    Where people have several rows, each row is read by itself, and she says so.
    """
    try:
        beliefs = READER.attack(release)
        if each_row:
            beliefs = BeliefByColumn({name: replace(each, each_row=True) for name, each in beliefs.columns.items()})
    except RoleError:  # there are no groups to learn from
        return None, []
    except (Exception, MemoryError) as error:
        reason = error.message if isinstance(error, TacitError) else f"{type(error).__name__}: {error}".splitlines()[0]
        sentence = f"what a reader could learn from the files themselves was not computed: {reason}".rstrip(".")
        return None, [Notice(READER.name, sentence)]
    return beliefs, READER.notices(beliefs, promised(release))


def _judge(guarantee: object, evidence: Evidence, claim: Claim) -> Finding:
    if not isinstance(guarantee, Guarantee):
        raise AuditFailed(f"{guarantee!r} is claimed, which is not a guarantee.")
    if evidence.several_rows and not guarantee.counts_people:
        return guarantee.finding(
            "it is about single records, and people have several rows each",
            published="not checked",
            withheld="not checked",
            needed="a release of a table with one row per person",
        )
    finding = guarantee.check(evidence, claim)
    if evidence.contradiction is None or finding.parts.replayed == "fails":
        return finding
    # What does not belong together proves nothing about anybody, however good it looks.
    return replace(finding.but(replayed="fails"), sentence=f"{evidence.contradiction}; {finding.sentence}")
