"""What the two quasi-sensitive guarantees share: a label table, rows that link, and an exact verdict on every group."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import BeforeValidator, Field, InstanceOf, WithJsonSchema, model_validator

from tacit.arrays import Flags
from tacit.errors import Infeasible, KnowledgeMissing, RoleError
from tacit.guarantees.base import WITHHELD_NEEDED, GuaranteeOfPeople, of_whom
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, PartVerdict, worst
from tacit.guarantees.quasi_sensitive.left_out import has_more_items, left_out
from tacit.knowledge.quasi_sensitive import (
    ExactBelief,
    LabelTable,
    LabelVerdicts,
    Linking,
    Prior,
    PublishedSets,
    as_label_table,
    published_sets,
    supplied,
)
from tacit.knowledge.skew.declared import known_suppressions
from tacit.parameters import FILE, PRIVATE
from tacit.shapes import EVERY_STEP, Claim
from tacit.table import Groups, Table

if TYPE_CHECKING:
    from tacit.kernels.quasi_sensitive.measure import BeliefRule

_TABLE_SCHEMA = {
    "anyOf": [{"type": "string"}, {"type": "object"}],
    "description": "a file of labels and items, or labels with their items",
}
Labels = Annotated[InstanceOf[LabelTable], BeforeValidator(as_label_table), WithJsonSchema(_TABLE_SCHEMA)]


class QSGuarantee(GuaranteeOfPeople):
    """A promise about what somebody with a table of labels and items believes of the people of every group.

    Parameters
    ----------
    knowledge
        The label table: a mapping of labels to items, a data frame, or a file. It is never published.
    column
        The items column it is about; by default the only one.
    """

    knowledge: ClassVar[str] = (
        "every quasi-identifier of a person, that she is in the table, and a table that says which items go with "
        "which label"
    )

    # `knowledge` is the class's text about what she knows, so the label table of an instance has another name.
    labels: Labels = Field(
        alias="knowledge",
        json_schema_extra=PRIVATE | FILE,
        description="a table of labels and items: a mapping, a data frame or a file",
    )
    column: str | None = Field(None, description="the items column it is about, by default the only one")

    reader: ClassVar[str] = "has the label table and takes every label that fits a row for equally likely"

    @model_validator(mode="before")
    @classmethod
    def _by_either_name(cls, given: Any) -> Any:
        """Accept `labels` for `knowledge`, so that a guarantee can be made again from `dict(guarantee)`."""
        if not isinstance(given, dict):
            return given
        return {"knowledge" if key == "labels" else key: value for key, value in given.items()}

    @classmethod
    def known_again(cls, kept: Mapping[str, Any], knowledge: Any) -> Mapping[str, Any]:
        """Take the label table that is supplied, or read it again from where it was; it must say the same."""
        reference = kept.get("knowledge")
        if knowledge is not None:
            return {**kept, "knowledge": supplied(knowledge, reference)}
        if reference is None:
            raise KnowledgeMissing("the label table it is about is not published, so it must be supplied")
        return {**kept, "knowledge": as_label_table(reference)}

    @property
    @abstractmethod
    def needs_table(self) -> bool:
        """Whether the promise can be judged only by somebody who has the original table."""

    @abstractmethod
    def rule(self, prior: Prior | None) -> BeliefRule:
        """Return the promise in the form that the kernels compare groups with."""

    @abstractmethod
    def believed(self, table: Table | None) -> Prior | None:
        """Return what is believed beforehand, by the whole original table; None where it plays no part."""

    @abstractmethod
    def exactly(self, belief: ExactBelief, prior: Prior | None) -> bool:
        """Judge one belief in exact arithmetic."""

    @abstractmethod
    def sentence(self, verdicts: LabelVerdicts) -> str:
        """Say in plain words what the groups show, for the data owner: it rests on the label table."""

    @abstractmethod
    def bound(self) -> float | None:
        """Return what no belief may exceed, if that is known."""

    @abstractmethod
    def obstacle(self) -> Infeasible | None:
        """Explain why no group can satisfy it, whatever is removed; None if one can."""

    def attribute(self, table: Table) -> str:
        """Return the items column of a table that the promise is about."""
        if self.column is not None:
            if self.column not in table.items:
                raise RoleError.missing_column(self.column, table.items, place="the items columns of the table")
            return self.column
        if len(table.items) != 1:
            names = ", ".join(table.items) or "none"
            raise RoleError(
                f"{self.name} is about one items column; the table has {len(table.items)} ({names}).",
                hint="Name a column of sets in `items`." if not table.items else "Say which: column=...",
            )
        return table.items[0]

    def require_match(self, attribute: str, vocabulary: pl.Series) -> None:
        """Refuse a label table that knows none of the items of a column: the promise would be about nothing."""
        self.labels.require_match(self.name, attribute, vocabulary, "nothing would be promised")

    def linking(self, table: Table, groups: Groups | None = None) -> Linking:
        """Bind the rows of a table to the label table."""
        return Linking.of(self.labels, table.item_sets(self.attribute(table)), groups)

    def judge(self, linking: Linking, prior: Prior | None) -> tuple[Flags, LabelVerdicts]:
        """Say of every group whether the promise holds in it.

        A group that is so near to the bound that rounding would decide is judged again, in exact fractions.
        """
        from tacit.kernels.quasi_sensitive.judging import HOLDS, UNSURE

        verdicts = linking.judge(self.rule(prior))
        held = np.asarray(verdicts.verdict == HOLDS)
        for group in np.flatnonzero(verdicts.verdict == UNSURE).tolist():
            held[group] = self.exactly(linking.belief(group), prior)
        return held, verdicts

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the groups of every published table that shows the items, and the withheld rows as one more group.

        All figures rest on the label table, which is not published: only the verdict is public.
        """
        parts = published_sets(evidence.published.shape, self.column)
        if not parts:
            return self._without_items(evidence, claim)
        if not self._matches(evidence, parts):
            return self._unchecked(
                "none of the published items goes with a label",
                "whether items that go with a label were removed: give the table",
            )
        if self.needs_table and evidence.source is None:
            return self._unchecked(
                "the table behind what was believed beforehand is not at hand",
                "what was believed beforehand: give the table",
            )
        prior = self.believed(_reached(evidence, claim))
        withheld, replayed = self._judge_withheld(evidence, claim, parts, prior)
        return worst([self.judge_part(part, prior, withheld, replayed, evidence) for part in parts])

    def _without_items(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge a release that does not show the items column; refuse one that cannot have had such a column."""
        shape, source = evidence.published.shape, evidence.source
        if source is None and (claim.step == EVERY_STEP or evidence.published.method is None):
            if self.column is not None and shape.items:
                raise RoleError.missing_column(self.column, shape.items, place="the items columns of the release")
            raise RoleError(
                f"{self.name} is about an items column; the release has none.",
                hint="Name the column that holds sets of items: items=...",
            )
        if source is None:
            return self._unchecked("no items are published", "which items there are: give the table")
        self.require_match(self.attribute(source), source.item_sets(self.attribute(source)).vocabulary)
        prior = self.believed(_reached(evidence, claim))
        withheld, replayed = self._judge_withheld(evidence, claim, (), prior)
        return self.finding(
            "no items are published" + of_whom(self.of, withheld),
            published="holds",
            withheld=withheld,
            replayed=replayed,
            bound=self.bound(),
            secret=True,
            needed=WITHHELD_NEEDED if withheld == "not checked" else None,
        )

    def _unchecked(self, sentence: str, needed: str) -> Finding:
        return self.finding(
            sentence,
            published="not checked",
            withheld="none" if self.of == "published" else "not checked",
            bound=self.bound(),
            secret=True,
            needed=needed,
        )

    def _matches(self, evidence: Evidence, parts: Sequence[PublishedSets]) -> bool:
        """Tell whether the label table knows some item; refuse it if nothing can explain that it knows none.

        One thing can: people without items are published, and the original table is not at hand. Then it may be that
        all items that the label table knows were removed.
        """
        part, source = parts[0], evidence.source
        vocabulary = pl.concat([each.sets.vocabulary.cast(pl.String).alias("item") for each in parts])
        if source is not None:
            known = source.item_sets(self._attribute(source, part)).vocabulary.cast(pl.String).alias("item")
            vocabulary = pl.concat([vocabulary, known])
        vocabulary = vocabulary.unique(maintain_order=True)
        removed = source is None and bool((np.diff(part.sets.offsets) == 0).any())
        if removed and len(vocabulary) and not self.labels.knows(vocabulary).any():
            return False
        self.require_match(part.attribute, vocabulary)
        return True

    def _attribute(self, table: Table, part: PublishedSets) -> str:
        """Return the column of a table that is behind a published one."""
        return part.attribute if part.attribute in table.items else self.attribute(table)

    def judge_part(
        self,
        part: PublishedSets,
        prior: Prior | None,
        withheld: PartVerdict,
        replayed: PartVerdict,
        evidence: Evidence,
    ) -> Finding:
        """Judge one published table."""
        linking = Linking.of(self.labels, part.sets, part.groups)
        held, verdicts = self.judge(linking, prior)
        most = int(np.argmax(verdicts.posterior)) if len(verdicts.posterior) else None
        needed = None
        if withheld == "not checked":
            has_table = evidence.source is not None and evidence.inside is None
            needed = "which rows were withheld: give the private part of the release" if has_table else WITHHELD_NEEDED
        sentence = self._tell(linking, held, verdicts)
        if replayed == "fails":
            sentence += "; the release is no part of the table that was given"
        return self.finding(
            sentence + of_whom(self.of, withheld),
            published="holds" if bool(held.all()) else "fails",
            withheld=withheld,
            replayed=replayed,
            posterior=None if most is None else float(verdicts.posterior[most]),
            bound=self.bound(),
            where=None if most is None else part.whereabouts(most),
            secret=True,
            needed=needed,
        )

    def _judge_withheld(
        self, evidence: Evidence, claim: Claim, parts: Sequence[PublishedSets], prior: Prior | None
    ) -> tuple[PartVerdict, PartVerdict]:
        """Judge the rows that were withheld by their original items, as one more group.

        The second verdict says whether the release is a part of the table at all, as far as that can be told.
        """
        source, inside = evidence.source, evidence.inside
        if source is None:
            return ("none" if self.of == "published" else _withheld_unseen(evidence, claim)), "none"
        if _is_no_part(evidence, [(part, self._attribute(source, part)) for part in parts]):
            return ("none" if self.of == "published" else "not checked"), "fails"
        if self.of == "published":
            return "none", "none"
        if inside is not None:
            missing = evidence.missing(claim)
            if missing is None or not len(missing):
                return _withheld_unseen(evidence, claim), "none"
            return self._judge_rows(missing, prior), "none"
        nobody = len(source) == evidence.published.shape.rows
        if not nobody and (not parts or known_suppressions(evidence.published)):
            return "not checked", "none"
        verdicts: list[PartVerdict] = []
        replayed: PartVerdict = "none"
        for part in parts:
            rows = left_out(part, source, self._attribute(source, part))
            if isinstance(rows, str):
                replayed = "fails" if rows == "no part" else replayed
                verdicts.append("none" if nobody else "not checked")
            else:
                verdicts.append(self._judge_rows(source.filter(rows), prior) if rows.any() else "none")
        order: tuple[PartVerdict, ...] = ("fails", "not checked", "holds")
        return next((verdict for verdict in order if verdict in verdicts), "none"), replayed

    def _judge_rows(self, rows: Table, prior: Prior | None) -> PartVerdict:
        held, _ = self.judge(self.linking(rows), prior)
        return "holds" if bool(held.all()) else "fails"

    def _tell(self, linking: Linking, held: Flags, verdicts: LabelVerdicts) -> str:
        """Say what the groups show, how many rows and groups link to no label, and how many groups break it."""
        if not len(held):
            return "nothing is published"
        sentence = self.sentence(verdicts)
        rows, linked = len(linking.sets), int(verdicts.linked.sum())
        if linked < rows:
            sentence += f"; rows that link to no label: {rows - linked:,} of {rows:,}"
        unlinked = int((verdicts.linked == 0).sum())
        if unlinked:
            sentence += f"; groups that hold because nobody in them links to a label: {unlinked:,}"
        if not held.all():
            sentence += f"; {int((~held).sum()):,} of {len(held):,} groups break it"
        return sentence


def _withheld_unseen(evidence: Evidence, claim: Claim) -> PartVerdict:
    """Say what can be said of the withheld rows where none of them can be judged."""
    inside = evidence.inside
    if inside is None:
        return "none" if evidence.published.size == evidence.published.shape.rows else "not checked"
    hidden = [each for each in inside.withheld if claim.step in {each.step, EVERY_STEP} and each.rows.any()]
    if any(each.judged == "group" for each in hidden):
        return "not checked"
    return "apart" if hidden else "none"


def _is_no_part(evidence: Evidence, parts: Sequence[tuple[PublishedSets, str]]) -> bool:
    """Tell whether a release is surely no part of the table: of another length, or with more of an item than it has."""
    source, inside, published = evidence.source, evidence.inside, evidence.published
    if source is None:
        return False
    if published.size not in {None, len(source)} or published.shape.rows > len(source):
        return True
    rows = source if inside is None else source.filter(inside.kept)
    return any(has_more_items(part, rows.item_sets(attribute)) for part, attribute in parts)


def _reached(evidence: Evidence, claim: Claim) -> Table | None:
    """Return the rows that the claim's step was given; the whole table if it is not known which these were."""
    source, inside = evidence.source, evidence.inside
    if source is None or inside is None:
        return source
    gone = np.zeros(len(source), dtype=bool)
    for hidden in inside.withheld:
        if hidden.step < claim.step:
            gone |= hidden.rows
    return source.filter(~gone) if gone.any() else source
