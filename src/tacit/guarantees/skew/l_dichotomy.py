"""l-dichotomy: nobody can tell which value was too frequent (R-suppression paper, corrected)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, get_args

from pydantic import Field

from tacit.arrays import Ints
from tacit.errors import ParameterError
from tacit.guarantees.base import Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, PartVerdict
from tacit.guarantees.skew.eligibility import BLANKS_NEEDED, Eligibility, blank_columns, judged_with_blanks
from tacit.knowledge.skew import eligible, is_invertible, proved_bound
from tacit.knowledge.skew.declared import KnownSuppression, countable_column, known_suppression, known_suppressions
from tacit.knowledge.skew.posterior import Prior, posterior
from tacit.knowledge.skew.replay import replayed
from tacit.shapes import EVERY_STEP, Claim
from tacit.table import Table


@dataclass(frozen=True)
class Replay:
    """Whether the rows were withheld as a proved algorithm withholds them.

    Attributes
    ----------
    part
        The verdict; "none" where nothing was withheld.
    sentence
        What a data owner should read.
    needed
        What was not checked, and what would be needed to check it.
    posterior
        The largest posterior that a value was the most frequent one: proved, or computed as a counterexample.
    """

    part: PartVerdict
    sentence: str
    needed: str | None = None
    posterior: Fraction | None = None


class LDichotomy(Guarantee):
    """The published rows are l-eligible, and any of l values could have been the most frequent one of the table.

    It is a property of the algorithm that withheld rows, and it is about the whole input table. The audit asks which
    algorithm that was, whether it is proved for it, whether no other step withheld rows, and, with the table at hand,
    whether the published counts are an outcome of the algorithm on this table. Without the table that last part is not
    checked, and the verdict is None. What was drawn cannot be checked by anybody. If nothing was withheld, no value was
    too frequent, and there is nothing to hide.

    Against
    -------
    Somebody who knows the algorithm, l, how many rows the table had, and perhaps how often values occur, but who has no
    reason to suspect one value more than another.

    Promise
    -------
    She believes of no value with more than 1/l that it was the most frequent one. Proved for Shift, V-Shift and Safe-D
    in `docs/threats/skew.md#why-it-holds`.

    Parameters
    ----------
    l
        Integer from 1 up.

    Cost
    ----
    Time O(n + m log m) for n rows and m values; for an algorithm without a proof up to some seconds more, to look for
    a counterexample.

    Examples
    --------
    >>> import tacit as tc
    >>> ill = ["flu"] * 10 + ["cold"] * 4 + ["mumps"] * 2 + ["gout", "lupus"]
    >>> table = tc.Table({"age": range(18), "ill": ill}, quasi_identifiers="age", sensitive="ill")
    >>> release = tc.ShiftSuppression(l=3).protect(table)
    >>> finding = tc.audit(release, table).findings[0]
    >>> finding.holds, finding.parts.replayed
    (True, 'holds')

    References
    ----------
    Xu, Wang, Fu and Wong, Publishing skewed sensitive microdata, 2010; the proofs are this project's own.
    """

    knowledge: ClassVar[str] = (
        "the algorithm, the size of the table, and how often values occur, but not which value occurs how often"
    )
    reader: ClassVar[str] = "knows the algorithm and suspected no value more than another beforehand"
    needs_all_rows: ClassVar[bool] = True
    hides_a_value: ClassVar[bool] = True

    l: Annotated[int, Field(strict=True, ge=1, description="an integer from 1 up")]

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the published counts, and whether the algorithm leads to them."""
        published, replay = self._judge_published(evidence), self._replay(evidence, claim)
        needed = replay.needed
        sentence = replay.sentence
        if published == "fails":
            sentence = f"a value is in more than 1/{self.l} of the published rows"
        elif published == "not checked":
            needed = needed or BLANKS_NEEDED
        return self.finding(
            sentence,
            published=published,
            withheld="none" if replay.part == "none" else "apart",
            blanks=published if blank_columns(evidence) else "none",
            replayed=replay.part,
            exactness="certified",
            posterior=None if replay.posterior is None else float(replay.posterior),
            bound=1.0 / self.l,
            needed=needed,
        )

    def _judge_published(self, evidence: Evidence) -> PartVerdict:
        """Ask for eligibility of the published rows."""
        if blank_columns(evidence):
            return judged_with_blanks(evidence, self.l)
        return "holds" if bool(Eligibility(l=self.l).satisfied(evidence.totals).all()) else "fails"

    def _replay(self, evidence: Evidence, claim: Claim) -> Replay:
        """Find out which algorithm withheld the rows, and whether something is proved for it."""
        published, source, inside = evidence.published, evidence.source, evidence.inside
        contradiction = _contradiction(evidence)
        if contradiction is not None:
            return Replay("fails", contradiction)
        if published.shape.rows == (published.size if source is None else len(source)):
            return Replay("none", "no value was too frequent, and nothing is withheld")
        suppression = known_suppression(published, None if claim.step == EVERY_STEP else claim.step)
        if suppression is None:
            return Replay(
                "not checked",
                "not guaranteed: it is not known which algorithm withheld rows, if any were withheld",
                needed="which algorithm withheld rows: the promise is proved for some algorithms only",
            )
        if any(other.step < suppression.step for other in known_suppressions(published)):
            return Replay("fails", "an earlier step withheld rows, so the promise is not about the whole table")
        proved = proved_bound(suppression.algorithm, suppression.l, "most_frequent")
        if proved is None or proved * self.l > 1:
            return self._counterexample(evidence, suppression)
        if inside is not None and any(gone.rows.any() for gone in inside.withheld if gone.step != suppression.step):
            return Replay("fails", "another step withheld rows too, so the promise is not about the whole table")
        holds = (
            f"the most frequent value could be any of {suppression.l}, proved for whoever suspected no value more than "
            f"another beforehand"
        )
        counted = evidence.counted
        if counted is not None:
            if counted.others_withheld(suppression.step):
                return Replay("fails", "another step withheld rows too, so the promise is not about the whole table")
            return replay_counts(counted.before, counted.after, counted.domains, suppression, holds, proved)
        if source is None:
            return Replay(
                "not checked",
                f"{holds}, if rows were withheld as the method says; that was not checked",
                needed="whether the published counts are what the algorithm leaves of the table: give the table",
            )
        if inside is None and suppression.step:
            return Replay(
                "not checked",
                f"{holds}, if no step before withheld rows; that was not checked",
                needed="whether the steps before the suppression withheld rows: give the private part of the release",
            )
        return _replay_on(source, evidence, suppression, holds, proved)

    def _counterexample(self, evidence: Evidence, suppression: KnownSuppression) -> Replay:
        """Compute what somebody believes who knows an algorithm for which nothing is proved."""
        published = evidence.published
        beliefs: list[Fraction] = []
        column = countable_column(published)
        if column is not None and published.size is not None and is_invertible(suppression.algorithm):
            counts = evidence.totals.histograms[column].totals()
            for prior in get_args(Prior):
                try:
                    believed = posterior(
                        counts[counts > 0],
                        published.size,
                        suppression.l,
                        algorithm=suppression.algorithm,
                        prior=prior,
                    )
                except ParameterError:  # no table leads to these counts, or a value of the domain was not published
                    continue
                beliefs += believed.most_frequent or ()
        largest = max(beliefs, default=None)
        if largest is not None and largest * self.l > 1:
            return Replay(
                "fails",
                f"somebody who knows the algorithm names the most frequent value with {float(largest):.4f}",
                posterior=largest,
            )
        return Replay(
            "not checked",
            f"not guaranteed: nothing is proved for {suppression.algorithm} with l = {suppression.l}",
            needed=f"a proof that {suppression.algorithm} with l = {suppression.l} hides the most frequent value",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(l=2)]


def _contradiction(evidence: Evidence) -> str | None:
    """Say why release, private part and table cannot belong together; None if no contradiction is seen."""
    published, source = evidence.published, evidence.source
    if source is not None:
        absent = set(published.shape.sensitive) - {column.name for column in source.columns}
        if absent:
            return f"the release is not a part of the table, which has no column {min(absent)!r}"
        if published.size not in {None, len(source)}:
            return (
                f"the release is not a part of the table: it was made from another number of rows than {len(source):,}"
            )
    return evidence.contradiction


def _replay_on(
    source: Table, evidence: Evidence, suppression: KnownSuppression, holds: str, proved: Fraction
) -> Replay:
    """Run the arithmetic of the algorithm on the counts of the table."""
    names = evidence.published.shape.sensitive
    before = {name: source.counts(name) for name in names}
    after = {name: _published_counts(source, evidence, name) for name in names}
    return replay_counts(before, after, {name: source.domain_size(name) for name in names}, suppression, holds, proved)


def replay_counts(
    before: Mapping[str, Ints],
    after: Mapping[str, Ints | None],
    domains: Mapping[str, int | None],
    suppression: KnownSuppression,
    holds: str,
    proved: Fraction,
) -> Replay:
    """Run the arithmetic of the algorithm on counts: of the table, and of what is published."""
    l, algorithm = suppression.l, suppression.algorithm
    broken = [name for name in before if not eligible(before[name], l)]
    if not broken:
        return Replay("fails", "no value of the table was too frequent, and yet rows are withheld")
    if len(broken) > 1:
        return Replay("fails", "in more than one sensitive column a value was too frequent; the proof is about one")
    for name, counts in after.items():
        if counts is None:
            return Replay(
                "not checked",
                f"{holds}, if rows were withheld as the method says; that was not checked",
                needed=f"how often the values behind the blank cells of {name!r} occur: give the private part",
            )
        if name not in broken:
            continue  # rows of this column are missing only because they were withheld for the other column
        if not replayed(before[name], counts, l, algorithm, domains[name]):
            return Replay("fails", "the published counts are not what the algorithm leaves of this table")
    return Replay("holds", holds, posterior=proved)


def _published_counts(source: Table, evidence: Evidence, name: str) -> Ints | None:
    """Count the published values in the codes of the table; None where blank cells hide them."""
    if evidence.inside is not None:
        return source.counts(name, evidence.inside.kept)
    missing = evidence.missing_values.get(name)
    return None if missing is None else source.counts(name) - missing
