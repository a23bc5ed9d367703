"""Quasi-sensitive items: somebody has a table of labels and their items, and infers labels from sets of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import BeforeValidator, Field, InstanceOf, WithJsonSchema

from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import Belief, repeated
from tacit.arrays import Floats, Ints
from tacit.errors import RoleError
from tacit.guarantees.people import counted
from tacit.knowledge.quasi_sensitive import (
    LabelTable,
    Linking,
    Prior,
    PriorName,
    PublishedSets,
    as_label_table,
    prior_of,
    published_sets,
)
from tacit.parameters import PRIVATE
from tacit.shapes import Published, cover
from tacit.table import Groups, encode
from tacit.table.kinds import declare

_EXAMPLE = {"flu": ["cough", "fever", "headache"], "cold": ["cough", "sneezing"], "gout": ["joint pain"]}


@dataclass(frozen=True, eq=False)
class LabelBeliefs(Belief):
    """What she believes of every group of a published table; one entry per group.

    Attributes
    ----------
    sizes, linked
        The rows of each group, and how many of them link to a label.
    label, posterior
        The label that she believes most, null where nobody in the group links to a label; and how much she believes it.
    distance
        The Euclidean distance of her beliefs from the prior.
    linking, published
        The rows that the beliefs are computed from, linked to labels, and the published table that they are in.
    """

    sizes: Ints
    linked: Ints
    label: pl.Series
    posterior: Floats
    distance: Floats
    linking: Linking
    published: PublishedSets

    @property
    def people(self) -> Ints:
        """The people of each group."""
        return self.sizes

    @property
    def values(self) -> pl.Series:
        """The label she believes most of each group, null where nobody links to a label."""
        return self.label

    @property
    def posteriors(self) -> Floats:
        """How much she believes the label of `values`."""
        return self.posterior

    @property
    def where(self) -> pl.Series:
        """The items column."""
        return repeated(f"label, by {self.published.attribute}", len(self.sizes))

    @property
    def max_posterior(self) -> float:
        """The largest belief in any label of any group."""
        return float(self.posterior.max(initial=0.0))

    def beta(self, group: int) -> dict[str, float]:
        """Return beta, her belief about a group: every possible label with its probability, the likeliest first."""
        return _ranked(self.linking.labels, self.linking.probabilities(group))

    def frame(self) -> pl.DataFrame:
        """Return one row per group, with its cells."""
        cells = self.published.people.select(self.published.shape.quasi_identifiers)[self.published.groups.first()]
        return cells.with_columns(
            pl.Series("people", self.sizes),
            pl.Series("linked", self.linked),
            self.label,
            pl.Series("posterior", self.posterior),
            pl.Series("distance", self.distance),
        )


class LabelAdversary(Adversary):
    """She knows which items go with which label, looks a person up, and infers the label from the items of the group.

    Knows
    -----
    Every quasi-identifier of a person, that she is in the table, and which items go with which label.

    Infers
    ------
    A row may have any label whose items include all of its own, each as likely as the other. What she believes of a
    person is the mean over the rows that may be hers. It is exact for these assumptions.

    Parameters
    ----------
    knowledge
        The label table: a mapping of labels to items, a data frame, or a file.
    prior
        What she believed beforehand, for the distance: "data" (the published table as a whole), "uniform" or "size".
    column
        The items column; by default the only one.

    Cost
    ----
    O(n w e / 64 + g e) for n rows of up to w items in g groups and e labels.

    Examples
    --------
    >>> from tacit.shapes import Generalized, Published
    >>> from tacit.table import Table
    >>> table = Table({"age": [30, 41], "symptoms": [["cough"], ["cough", "fever"]]}, quasi_identifiers="age",
    ...               items="symptoms")
    >>> sets = {"symptoms": table.item_sets("symptoms")}
    >>> shape = Generalized.publish(table, np.ones(2, bool), np.arange(2), items=sets)
    >>> she = LabelAdversary(knowledge={"flu": ["cough", "fever"], "cold": ["cough", "sneezing"]})
    >>> she.posterior(Published(shape), {"age": 41})
    {'flu': 1.0}
    >>> she.attack(Published(shape)).posterior.tolist()
    [0.5, 1.0]

    References
    ----------
    Shi, Xiong and Fung, "Anonymizing data with quasi-sensitive attribute values", CIKM 2010.
    """

    knowledge: ClassVar[str] = (
        "every quasi-identifier of a person, that she is in the table, and which items go with which label"
    )

    # `knowledge` is the class's text about what she knows, so the label table of an instance has another name.
    labels: Annotated[
        InstanceOf[LabelTable], BeforeValidator(as_label_table), WithJsonSchema({"type": ["string", "object"]})
    ] = Field(alias="knowledge", json_schema_extra=PRIVATE, description="a table of labels and items")
    prior: PriorName = Field("data", description='"data", "uniform" or "size"')
    column: str | None = Field(None, description="the items column, by default the only one")

    def attack(self, published: Published) -> LabelBeliefs:
        """Return what she believes of every group; of several marginals, of the one with the largest belief."""
        parts = self._sets(published)
        if not parts:
            raise RoleError("The release has no items column to read labels from.", hint="Name it in `items`.")
        return max((self._believe(part) for part in parts), key=lambda beliefs: beliefs.max_posterior)

    def posterior(self, published: Published, victim: Mapping[str, Any]) -> dict[str, float]:
        """Return what she believes of one victim, the likeliest label first.

        Nothing is returned if no row can be the victim's, or if none of these rows links to a label. `victim` maps
        quasi-identifiers to the victim's values; the adversary does not know the quasi-identifiers that are not given.
        """
        for part in self._sets(published):
            names = [name for name in part.shape.quasi_identifiers if name in victim]
            if not names and part.shape.quasi_identifiers:
                continue
            fits = np.ones(len(part.sets), dtype=bool)
            for name in names:
                column, cells = part.shape.column(name), encode(part.people[name])
                value = pl.Series(name, [victim[name]])
                if column.kind.value in {"numeric", "date"} and value.dtype == pl.String:
                    value = declare(value, column.kind.value)[0]
                fits &= cover(cells.values, column, value).matches()[:, 0][cells.codes]
            linking = Linking.of(self.labels, part.sets, Groups(np.where(fits, 0, -1), 1))
            return _ranked(self.labels, linking.probabilities(0))
        raise RoleError(
            f"Nothing that is known of the victim ({', '.join(victim) or 'nothing'}) is published beside items.",
            hint=f"The quasi-identifiers are {', '.join(published.shape.quasi_identifiers) or 'none'}.",
        )

    def warn(self, published: Published) -> list[Notice]:
        """Say for how many people a label is certain."""
        notices = []
        for part in self._sets(published):
            beliefs = self._believe(part)
            certain = int(beliefs.sizes[beliefs.posterior >= 1.0].sum())
            if certain:
                who = counted(certain, published.unit)
                notices.append(
                    Notice(
                        self.name,
                        f"somebody who knows which {part.attribute} go with which label names the label of {who} "
                        "for sure",
                        1.0,
                        certain,
                    )
                )
        return notices

    def _sets(self, published: Published) -> list[PublishedSets]:
        """Return the published tables that show items; refuse a label table that knows none of these items.

        People without items are the exception: all items that the label table knows may have been removed from them.
        """
        parts = published_sets(published.shape, self.column)
        if parts and not any((np.diff(part.sets.offsets) == 0).any() for part in parts):
            vocabulary = pl.concat([part.sets.vocabulary.cast(pl.String).alias("item") for part in parts])
            distinct = vocabulary.unique(maintain_order=True)
            self.labels.require_match(self.name, parts[0].attribute, distinct, "nothing can be inferred")
        return parts

    def _believe(self, part: PublishedSets) -> LabelBeliefs:
        from tacit.kernels.quasi_sensitive.measure import CLOSENESS, BeliefRule

        linking = Linking.of(self.labels, part.sets, part.groups)
        rule = BeliefRule(CLOSENESS, 1, 1, 0, 0.0, self._believed(part).values, 0.0)
        verdicts = linking.judge(rule)
        names = pl.Series("label", self.labels.labels, dtype=pl.String)
        codes = pl.Series(verdicts.label, dtype=pl.Int64)
        label = names.gather(codes.set(codes < 0, None)).alias("label")
        return LabelBeliefs(
            part.groups.sizes(), verdicts.linked, label, verdicts.posterior, verdicts.distance, linking, part
        )

    def _believed(self, part: PublishedSets) -> Prior:
        return prior_of(self.prior, self.labels, Linking.of(self.labels, part.sets))

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return a small table, with two priors."""
        return [cls(knowledge=_EXAMPLE), cls(knowledge=_EXAMPLE, prior="uniform")]


def _ranked(labels: LabelTable, beliefs: Floats) -> dict[str, float]:
    order = np.argsort(-beliefs, kind="stable")
    return {labels.labels[int(code)]: float(beliefs[code]) for code in order if beliefs[code] > 0}
