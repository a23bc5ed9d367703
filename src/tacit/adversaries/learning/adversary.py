"""The reader who learns: nothing but the published files, one model over all groups, and a matching inside each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from tacit.adversaries.base import Adversary, Notice
from tacit.adversaries.belief import BeliefByColumn
from tacit.adversaries.learning.learned import Learned
from tacit.errors import RoleError
from tacit.knowledge.learning import Features, ModelName, Prior, calibrated, candidates, read, some_groups
from tacit.shapes import Published, Shape
from tacit.table import encode

_NOTICEABLE = 0.01
"""A share of people. A reader who expects to guess so much more right than one who learns nothing is worth a word."""


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
    sample
        At most so many people are read, in whole groups that are spread over all; everybody by default.

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
    sample: Annotated[int | None, Field(ge=1, description="the most people that are read, everybody by default")] = None

    def attack(self, published: Published) -> BeliefByColumn[Learned]:
        """Return, per sensitive column, what she believes of everybody."""
        beliefs: dict[str, Learned] = {}
        for shape in published.shape.parts.values():
            for name in shape.sensitive:
                learned = None if name in beliefs else self._read(shape, name)
                if learned is not None:
                    beliefs[name] = learned
        if not beliefs:
            raise RoleError(
                "The release has no groups with a sensitive column to learn from.",
                hint="Release.foreign names the sensitive columns of what others published.",
            )
        return BeliefByColumn(beliefs)

    def _read(self, shape: Shape, name: str) -> Learned | None:
        """Learn one column from one table; None where the values of its groups are not all shown."""
        histogram = shape.statistics.histograms.get(name)
        if histogram is None or not len(shape.statistics.sizes) or not shape.quasi_identifiers:
            return None
        if not np.array_equal(histogram.sizes(), shape.statistics.sizes):
            return None
        people = shape.people
        columns = {each: (encode(people[each]), shape.column(each).kind) for each in shape.quasi_identifiers}
        features = Features.of(columns, people.height)
        laid = candidates(shape.membership, histogram)
        if self.sample is not None and len(laid.rows) > self.sample:
            step = -(-len(laid.rows) // self.sample)
            laid = some_groups(laid, np.arange(0, len(laid.offsets) - 1, step))
        reading = read(
            features, [laid], histogram.cardinality, model=self.model, rounds=self.rounds, smoothing=self.smoothing
        )
        before = Prior.of(calibrated(reading.model, features, laid), features, laid)
        return Learned(name, shape.dictionary(name), reading, before, people.height)

    def warn(self, published: Published) -> list[Notice]:
        """Say how many people's values she expects to guess right, where learning helps her."""
        try:
            beliefs = self.attack(published)
        except RoleError:
            return []
        notices = []
        for name, belief in beliefs.items():
            if belief.expected > belief.expected_unlearned + _NOTICEABLE:
                sentence = (
                    f"a reader who learns from the files themselves expects to guess {name!r} right for "
                    f"{belief.expected:.0%} of the people, where the groups alone let her guess "
                    f"{belief.expected_unlearned:.0%}; knowing only the population she would guess "
                    f"{belief.expected_before:.0%}"
                )
                notices.append(Notice(self.name, sentence, float(belief.max_posterior), len(belief.row)))
        return notices

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return both models."""
        return [cls(), cls(model="logistic", rounds=2, sample=200)]
