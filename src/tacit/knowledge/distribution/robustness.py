"""The parameters of r-robustness, which its guarantee and its method share."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from tacit.kernels.distribution.arguments import News
from tacit.knowledge.distribution.protected import ProtectedValues
from tacit.knowledge.distribution.several import as_distributions
from tacit.parameters import FILE, PRIVATE, Parameters

Support = Annotated[int, Field(strict=True, ge=1, description="an integer from 1 up")]
"""The least number of rows of which a share is known."""

View = Literal["exact", "paper"]
"""How worlds are weighed: "exact" gives every value its own probability, "paper" asks only who holds a value."""


Tier = tuple[Annotated[float, Field(gt=1)], Annotated[float, Field(ge=1, le=1e9)]]
"""A further r, and how much odds above 1/r may grow."""

_ROUNDING = 1e-9
"""The relative rounding that a comparison with 1/r forgives: probabilities are ratios of counts in floating point."""


class Robustness(Parameters):
    """What nobody may be linked to, how surely, and by somebody who knows what.

    Parameters
    ----------
    r
        Nobody's posterior exceeds 1/r; above 1.
    protected
        The values to protect: every value by default, or a list of values and of lists of values that count as one. It
        is not published.
    view
        "exact" (default): every value has its own probability. "paper": a value is either held or not, which is where
        the paper's theorem holds.
    distribution
        What the adversary knows: a path or data frame with columns of quasi-identifiers (null: not in the set), the
        sensitive column and `probability`. By default she knows the table's own, "table". "naive-bayes" and "logistic"
        are models of all quasi-identifiers at once, learned from the true table. Of a list, each must hold. It is not
        published.
    min_support
        Of the table's own distribution: a signature with fewer rows has the whole table's.
    gain
        No news: a posterior may exceed 1/r where its odds are at most `gain` times the odds that the adversary gave it
        before. By default nothing may exceed 1/r.
    tiers
        Further pairs (s, gain): a posterior may exceed 1/s only where its odds grew by at most that factor.
    cover
        Every value that she gave somebody more than `cover` before must be in that person's group; by default what is
        not in a group may be excluded of its people.
    """

    r: Annotated[float, Field(gt=1, description="a number above 1: nobody's posterior exceeds 1/r")]
    protected: ProtectedValues = Field(
        None, json_schema_extra=PRIVATE, description="values to protect, or lists of values that count as one"
    )
    view: View = Field("exact", description='"exact" or "paper"')
    distribution: Annotated[Any, BeforeValidator(as_distributions)] = Field(
        None,
        json_schema_extra=PRIVATE | FILE,
        description='a path or data frame of probabilities, "table", "naive-bayes", "logistic", or a list of these',
    )
    min_support: Support = 30
    gain: Annotated[float, Field(ge=1, le=1e9)] | None = Field(
        None, description="a number from 1 up: the most that odds above 1/r may grow"
    )
    tiers: tuple[Tier, ...] = Field((), description="pairs of r and gain that must hold as well")
    cover: Annotated[float, Field(ge=0, lt=1)] | None = Field(
        None, description="likelier values than this must be in the group"
    )

    @model_validator(mode="after")
    def _no_news_is_exact(self) -> Self:
        if self.gain is None and (self.tiers or self.cover is not None):
            raise ValueError("tiers and cover are about news; give gain as well")
        if self.gain is not None and self.view == "paper":
            raise ValueError('gain compares with what was believed of every value before: use view="exact"')
        return self

    def news(self) -> News | None:
        """Return what the kernels compare with; None where nothing may exceed 1/r."""
        if self.gain is None:
            return None
        pairs = [(self.r, self.gain), *self.tiers]
        return News(
            np.array([(1.0 + _ROUNDING) / r for r, _ in pairs]),
            np.array([gain for _, gain in pairs], dtype=np.float64),
            2.0 if self.cover is None else self.cover,
        )
