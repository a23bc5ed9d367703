"""What the two quasi-sensitive guarantees share: a label table, rows that link, and an exact verdict on every group."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import BeforeValidator, Field, InstanceOf, WithJsonSchema, model_validator

from tacit.arrays import Flags
from tacit.errors import Infeasible, RoleError
from tacit.guarantees.base import WITHHELD_NEEDED, GuaranteeOfPeople, of_whom
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, PartVerdict, worst
from tacit.knowledge.quasi_sensitive import Belief, LabelTable, Linking, Prior, Verdicts, as_label_table, published_sets
from tacit.parameters import FILE, PRIVATE
from tacit.shapes import Claim
from tacit.table import Groups, Table

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

    # The class says what is known, an instance also holds it: hence two names.
    labels: Labels = Field(
        alias="knowledge",
        json_schema_extra=PRIVATE | FILE,
        description="a table of labels and items: a mapping, a data frame or a file",
    )
    column: str | None = Field(None, description="the items column it is about, by default the only one")

    @model_validator(mode="before")
    @classmethod
    def _by_either_name(cls, given: Any) -> Any:
        """Take back what `dict(guarantee)` gives."""
        if not isinstance(given, dict):
            return given
        return {"knowledge" if key == "labels" else key: value for key, value in given.items()}

    @abstractmethod
    def rule(self, prior: Prior | None) -> Any:
        """Return the promise for the kernels."""

    @abstractmethod
    def believed(self, table: Table | None) -> Prior | None:
        """Return what is believed beforehand, by the whole original table; None where it plays no part."""

    @abstractmethod
    def exactly(self, belief: Belief, prior: Prior | None) -> bool:
        """Judge one belief in exact arithmetic."""

    @abstractmethod
    def sentence(self, found: Verdicts) -> str:
        """Say in plain words what the groups show, without any figure of the original table."""

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
            told = ", ".join(table.items) or "none"
            raise RoleError(
                f"{self.name} is about one items column; the table has {len(table.items)} ({told}).",
                hint="Name a column of sets in `items`." if not table.items else "Say which: column=...",
            )
        return table.items[0]

    def linking(self, table: Table, groups: Groups | None = None) -> Linking:
        """Bind the rows of a table to the label table."""
        return Linking.of(self.labels, table.item_sets(self.attribute(table)), groups)

    def judge(self, linking: Linking, prior: Prior | None) -> tuple[Flags, Verdicts]:
        """Say of every group whether the promise holds in it; what is too near to tell is judged in fractions."""
        from tacit.kernels.quasi_sensitive.judging import HOLDS, UNSURE

        found = linking.judge(self.rule(prior))
        held = np.asarray(found.verdict == HOLDS)
        for group in np.flatnonzero(found.verdict == UNSURE).tolist():
            held[group] = self.exactly(linking.belief(group), prior)
        return held, found

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the published groups of every table that shows the items, and the withheld rows as one more."""
        parts = published_sets(evidence.published.shape, self.column)
        withheld = self._withheld(evidence, claim)
        if not parts:
            told = "no items are published" + of_whom(self.of, withheld)
            return self.finding(told, published="holds", withheld=withheld, bound=self.bound())
        try:
            prior = self.believed(_reached(evidence, claim))
        except RoleError:
            return self.finding(
                "the table behind the prior is not at hand",
                published="not checked",
                withheld="not checked",
                bound=self.bound(),
                needed="what was believed beforehand: give the table",
            )
        findings = []
        for part in parts:
            linking = Linking.of(self.labels, part.sets, part.groups)
            held, found = self.judge(linking, prior)
            told = self._told(linking, held, found) + of_whom(self.of, withheld)
            most = int(np.argmax(found.posterior)) if len(found.posterior) else None
            findings.append(
                self.finding(
                    told,
                    published="holds" if bool(held.all()) else "fails",
                    withheld=withheld,
                    posterior=None if most is None else float(found.posterior[most]),
                    bound=self.bound(),
                    where=None if most is None else part.whereabouts(most),
                    needed=WITHHELD_NEEDED if withheld == "not checked" else None,
                )
            )
        return worst(findings)

    def _withheld(self, evidence: Evidence, claim: Claim) -> PartVerdict:
        """Judge the rows that the claim's step withheld by their original items, as one more group."""
        if self.of == "published":
            return "none"
        missing = evidence.missing(claim)
        if missing is None:
            return "none" if evidence.published.size == evidence.published.shape.rows else "not checked"
        if not len(missing):
            return "none"
        try:
            held, _ = self.judge(self.linking(missing), self.believed(_reached(evidence, claim)))
        except RoleError:
            return "not checked"
        return "holds" if bool(held.all()) else "fails"

    def _told(self, linking: Linking, held: Flags, found: Verdicts) -> str:
        if not len(held):
            return "nothing is published"
        told = self.sentence(found)
        rows, linked = len(linking.sets), int(found.linked.sum())
        if linked < rows:
            told += f"; rows that link to no label: {rows - linked:,} of {rows:,}"
        silent = int((found.linked == 0).sum())
        if silent:
            told += f"; groups that hold because nobody in them links: {silent:,}"
        if not held.all():
            told += f"; {int((~held).sum()):,} of {len(held):,} groups break it"
        return told


def _reached(evidence: Evidence, claim: Claim) -> Table | None:
    """Return the rows that the claim's step was given; the whole table where nothing tells."""
    source, inside = evidence.source, evidence.inside
    if source is None or inside is None:
        return source
    gone = np.zeros(len(source), dtype=bool)
    for hidden in inside.withheld:
        if hidden.step < claim.step:
            gone |= hidden.rows
    return source.filter(~gone) if gone.any() else source
