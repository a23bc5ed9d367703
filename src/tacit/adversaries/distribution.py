"""Distribution knowledge: somebody knows how the sensitive value is distributed, by every set of quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import BeforeValidator, Field

from tacit import sources
from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import Belief, BeliefByColumn, Exactness
from tacit.arrays import Flags, Floats, Ints
from tacit.errors import RoleError
from tacit.guarantees.people import counted
from tacit.knowledge.distribution import (
    Distribution,
    GivenDistribution,
    GroupWorlds,
    ProtectedEntries,
    View,
    as_given,
    require_match,
)
from tacit.knowledge.distribution.protected import ProtectedValues
from tacit.knowledge.distribution.published_worlds import estimated, published_worlds
from tacit.knowledge.distribution.robustness import Support
from tacit.parameters import PRIVATE
from tacit.shapes import Published, Shape
from tacit.table import Table

_NOTICEABLE = 0.5
"""A posterior. Up to one half a reader would as soon bet against the value, and nothing is said."""

_ROUNDING = 1e-9
"""The relative rounding that a comparison with 1/r forgives, as in r-robustness."""


@dataclass(frozen=True, eq=False)
class Inference(Belief):
    """What she believes of everybody: the largest posterior over attribute sets, and of which value.

    There is one entry per person, in the order of `row`.

    Attributes
    ----------
    column
        The sensitive column.
    row
        The row of the people (the table of quasi-identifiers, the table, or the people given) that each is.
    posterior, value, attributes
        The largest posterior, the value it is about (a code of `dictionary`), and the number of the attribute set, -1
        where no set says more than the group alone.
    exact
        False where the exact view has too many worlds, and the posterior of the paper's view stands in.
    """

    column: str
    row: Ints
    posterior: Floats
    value: Ints
    attributes: Ints
    exact: Flags
    dictionary: pl.Series
    distribution: Distribution

    @property
    def people(self) -> Ints:
        """One person each."""
        return np.ones(len(self.row), np.int64)

    @property
    def values(self) -> pl.Series:
        """The value that she believes most of each, null where she believes none."""
        codes = pl.Series(self.value, dtype=pl.Int64)
        return self.dictionary.gather(codes.set(codes < 0, None))

    @property
    def posteriors(self) -> Floats:
        """The largest posterior of each."""
        return self.posterior

    @property
    def where(self) -> pl.Series:
        """The column, and the set of quasi-identifiers that tells her most."""
        sets = [self.distribution.set_name(number) for number in range(-1, len(self.distribution.sets))]
        named = pl.Series("where", [f"{self.column}, by {name}" for name in sets], dtype=pl.String)
        return named.gather(self.attributes + 1)

    @property
    def exactness(self) -> Exactness:
        """Approximate where the posterior of the paper's view stands in for somebody's."""
        return "exact" if self.exact.all() else "approximate"

    @property
    def max_posterior(self) -> float:
        """The largest posterior of anybody."""
        return float(self.posterior.max()) if len(self.posterior) else 0.0

    def frame(self) -> pl.DataFrame:
        """Return one row per person, in the order of the people."""
        names = pl.Series([self.distribution.set_name(number) for number in range(-1, len(self.distribution.sets))])
        order = np.argsort(self.row)
        return pl.DataFrame(
            {
                "value": self.dictionary.gather(np.maximum(self.value, 0)).gather(order),
                "posterior": self.posterior[order],
                "attributes": names.gather(self.attributes[order] + 1),
                "exact": self.exact[order],
            }
        )


class DistributionAdversary(Adversary):
    """She knows who is in the table and how the sensitive value is distributed, and weighs the possible worlds.

    A world assigns a group's values to its people; its probability is the product of what the distribution says of
    each.

    Knows
    -----
    Who is in every published group, with all quasi-identifiers (of a generalized release she is told by `people`), and
    for every set of quasi-identifiers how the sensitive value is distributed.

    Infers
    ------
    Of every person the largest posterior of a value she is after, over all sets of quasi-identifiers, and the set that
    gives it. It is exact where the worlds of a group can be counted; elsewhere the posterior of the paper's view stands
    in and is marked.

    Parameters
    ----------
    distribution
        A path or data frame of probabilities (columns of quasi-identifiers, null for one that is not in the set, the
        sensitive column, `probability`), or a `Table` whose distribution she knows. By default she estimates it from
        the release itself.
    min_support
        Of a distribution that is counted: a signature with fewer rows has the whole one.
    view
        "exact": every value has its own probability. "paper": a value is held or not.
    people
        Who is in a generalized release: a data frame of quasi-identifiers. A bucketized release says it itself.
    protected
        The values she is after, every one by default.

    Cost
    ----
    With c cells of equal quasi-identifiers and s attribute sets (2^q - 1 for q quasi-identifiers): s groupings of c
    cells, and for each group and set the count of its worlds, at most 65,536 states.

    Examples
    --------
    >>> import tacit as tc
    >>> people = {"group": [1, 1], "land": ["American", "Japanese"]}
    >>> values = {"group": [1, 1], "ill": ["heart", "flu"], "count": [1, 1]}
    >>> release = tc.Release.foreign(
    ...     {"quasi_identifiers": people, "sensitive": values}, quasi_identifiers="land", sensitive="ill"
    ... )
    >>> known = {"land": ["American", "Japanese"], "ill": ["heart", "heart"], "probability": [0.1, 0.003]}
    >>> DistributionAdversary(distribution=known).attack(release)["ill"].frame()["posterior"].round(4).to_list()
    [0.9736, 0.9736]

    References
    ----------
    Wong, Fu, Wang, Xu, Pei and Yu, Anonymization with Worst-Case Distribution-Based Background Knowledge, 2009.
    """

    knowledge: ClassVar[str] = "who is in the table, and the distribution of the sensitive value by quasi-identifiers"

    distribution: Annotated[
        Any,
        BeforeValidator(lambda given: given if isinstance(given, Table) else as_given(given)),
        Field(json_schema_extra=PRIVATE, description="a path or data frame of probabilities, or a table"),
    ] = None
    min_support: Support = 30
    view: Annotated[View, Field(description='"exact" or "paper"')] = "exact"
    people: Any = Field(default=None, json_schema_extra=PRIVATE, description="a data frame of people")
    protected: Annotated[
        ProtectedValues,
        Field(json_schema_extra=PRIVATE, description="values she is after, or lists of values that count as one"),
    ] = None

    def attack(self, published: Published) -> BeliefByColumn[Inference]:
        """Return, per sensitive column, what she believes of everybody."""
        inferences: dict[str, Inference] = {}
        for shape in published.shape.parts.values():
            for name in shape.sensitive:
                if name not in inferences:
                    inferences[name] = self._infer(shape, name)
        return BeliefByColumn(inferences)

    def problematic(self, published: Published, *, r: float) -> dict[str, int]:
        """Count, per sensitive column, the people whom she links to a value she is after with more than 1/r."""
        bound = (1.0 + _ROUNDING) / r
        return {name: int((belief.posterior > bound).sum()) for name, belief in self.attack(published).items()}

    def worlds(self, shape: Shape, name: str) -> tuple[GroupWorlds, Distribution]:
        """Return what she sees of a shape, and what she knows."""
        distribution = self._known(shape, name)
        people = None if self.people is None or shape.shows_members else sources.as_frame(self.people)
        worlds = published_worlds(shape, name, distribution, people)
        if worlds is None:
            raise RoleError(
                "The people do not fit the published groups: each must be in one, and each group be filled.",
                hint="Give exactly the people who are published, or none.",
            )
        return worlds, distribution

    def _infer(self, shape: Shape, name: str) -> Inference:
        worlds, distribution = self.worlds(shape, name)
        dictionary = shape.dictionary(name)
        elsewhere = [distribution.values] if self.distribution is not None else []
        protected = ProtectedEntries.of(self.protected, dictionary.alias(name), elsewhere=elsewhere)
        posterior, value, where, exact = worlds.believe(protected, exact_view=self.view == "exact")
        return Inference(name, worlds.rows, posterior, value, where, exact, dictionary, distribution)

    def _known(self, shape: Shape, name: str) -> Distribution:
        if isinstance(self.distribution, Distribution):
            return self.distribution
        if isinstance(self.distribution, Table):
            return Distribution.of(self.distribution, min_support=self.min_support, sensitive=name)
        if isinstance(self.distribution, GivenDistribution):
            totals = shape.totals.histograms[name].totals()
            bound = self.distribution.bind(shape.quasi_identifiers, name, shape.dictionary(name), totals)
            if shape.shows_members:
                listed = self.distribution.listed(name)
                require_match(bound, listed, shape.people, listed)
            return bound
        return estimated(shape, name, self.min_support)

    def warn(self, published: Published) -> list[Notice]:
        """Say for how many people she is surer than the group makes her, and sure of more than a half."""
        notices = []
        for name, belief in self.attack(published).items():
            exposed = (belief.posterior > _NOTICEABLE) & (belief.attributes >= 0)
            people = int(exposed.sum())
            if people:
                top = float(belief.posterior[exposed].max())
                who = counted(people, published.unit)
                sentence = (
                    f"somebody who knows how {name!r} is distributed can guess it for {who} with a probability above "
                    f"one half, and up to {top:.2f}, where the published group alone would leave her less sure"
                )
                notices.append(Notice(self.name, sentence, top, people))
        return notices

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return both views."""
        return [cls(), cls(view="paper", min_support=5)]
