"""The reader who learns: nothing but the published files, one model over all groups, and a matching inside each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from tacit import sources
from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import BeliefByColumn
from tacit.adversaries.learning.learned import Learned
from tacit.adversaries.learning.sentences import NOTICEABLE, expected_sentence, promised
from tacit.errors import RoleError
from tacit.knowledge.learning import ModelName, Observed, Prior, calibrated, observed_columns, read, tempered
from tacit.parameters import PRIVATE
from tacit.shapes import Published


class LearningAdversary(Adversary):
    """She learns from all groups together which values go with which quasi-identifiers, and matches inside each group.

    Knows
    -----
    Nothing but the published files.

    Infers
    ------
    A model p(value | quasi-identifiers), learned in rounds from what she believes so far; and of every person, over all
    ways to deal the values of her group out, how probable each value is. Beliefs are exact for the model where the
    worlds of a group can be counted; in larger groups they are scaled to the group's counts. Beside it stands what the
    same model says of people as if they were in no group: that is knowledge about the population, which no table of
    true rows can hide.

    Parameters
    ----------
    model
        "naive-bayes": columns tell independently, given the value. "logistic": weights for all columns are fitted
        together; it is slower, and often stronger.
    rounds
        How many rounds she tries at most. She reports the one that makes held-out groups likeliest.
    smoothing
        People added to every count of naive Bayes.
    calibrate
        Whether she believes her model only as far as the held-out groups bear it out. Otherwise she takes it for true,
        and is surer than she should be of a release that resists her.
    sample
        At most so many people are asked about, in whole groups that are spread over all; everybody by default. Of
        several tables these are groups of the last one, and the groups of the others that their people are in are read.
    people
        Of a table that does not say who is in which group: a data frame of the quasi-identifiers of everybody who is
        published, which she looks up by their cells. By default everybody is known by the published cells alone.

    Cost
    ----
    O(n q v) per round for n people, q quasi-identifiers and v values in a group, and the count of the worlds of each
    group, at most 4,096 states.

    Examples
    --------
    >>> import tacit as tc
    >>> people = {"group": [1, 1, 2, 2, 3, 3, 3], "sex": ["f", "m", "f", "m", "f", "f", "m"]}
    >>> values = {"group": [1, 1, 2, 2, 3, 3], "ill": ["gout", "flu"] * 3, "count": [1, 1, 1, 1, 1, 2]}
    >>> release = tc.Release.foreign(
    ...     {"quasi_identifiers": people, "sensitive": values}, quasi_identifiers="sex", sensitive="ill"
    ... )
    >>> LearningAdversary(rounds=1).attack(release)["ill"].frame()["posterior"].round(2).to_list()
    [0.53, 0.53, 0.53, 0.53, 0.68, 0.68, 0.64]

    References
    ----------
    Kifer, "Attacks on privacy and deFinetti's theorem", SIGMOD 2009.
    """

    knowledge: ClassVar[str] = "nothing but the published files, and learns from all groups together"

    model: Annotated[ModelName, Field(description='"naive-bayes" or "logistic"')] = "naive-bayes"
    rounds: Annotated[int, Field(strict=True, ge=1, le=1000, description="the most rounds of learning")] = 25
    smoothing: Annotated[float, Field(gt=0, le=1e6, description="people added to every count of naive Bayes")] = 0.5
    calibrate: Annotated[bool, Field(description="whether held-out groups say how far she trusts her model")] = True
    sample: Annotated[int | None, Field(ge=1, description="the most people that are read, everybody by default")] = None
    people: Any = Field(default=None, json_schema_extra=PRIVATE, description="a data frame of people")

    def attack(self, published: Published) -> BeliefByColumn[Learned]:
        """Return, per sensitive column, what she believes of everybody; of several tables, the one that tells most."""
        people = None if self.people is None else sources.as_frame(self.people)
        beliefs: dict[str, Learned] = {}
        for shape in published.shape.parts.values():
            for seen in observed_columns(shape, people):
                learned, name = self.learn(seen), seen.column
                if name not in beliefs or learned.expected > beliefs[name].expected:
                    beliefs[name] = learned
        if not beliefs:
            raise RoleError(
                "The release shows no groups with all their values to learn from, or the people do not fit them.",
                hint="Name the sensitive columns, and give exactly the people who are published, or none.",
            )
        return BeliefByColumn(beliefs)

    def learn(self, seen: Observed) -> Learned:
        """Learn one column from what is seen."""
        part = seen.sampled(self.sample)
        values = len(part.dictionary)
        reading = read(
            part.features,
            part.tables,
            values,
            model=self.model,
            rounds=self.rounds,
            smoothing=self.smoothing,
            calibrate=self.calibrate,
        )
        believed = tempered(reading.model, reading.trust.temperature)
        before = Prior.of(calibrated(believed, part.features, reading.laid), part.features, reading.laid)
        return Learned(part.column, part.dictionary, reading, before, part.people, part.told)

    def warn(self, published: Published) -> list[Notice]:
        """Say how many people's values she expects to guess right, where learning helps her."""
        try:
            beliefs = self.attack(published)
        except RoleError:
            return []
        return self.notices(beliefs, promised(published))

    def notices(self, beliefs: BeliefByColumn[Learned], promise: float | None) -> list[Notice]:
        """Say the same of beliefs that are at hand, beside what is promised to somebody who does not learn."""
        return [
            Notice(self.name, expected_sentence(belief, promise), float(belief.max_posterior), len(belief.row), True)
            for belief in beliefs.columns.values()
            if belief.expected > belief.expected_unlearned + NOTICEABLE
        ]

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return both models."""
        return [cls(), cls(model="logistic", rounds=2, sample=200)]
