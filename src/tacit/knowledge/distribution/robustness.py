"""The parameters of r-robustness, which its guarantee and its method share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from tacit.knowledge.distribution.given_distribution import as_given
from tacit.knowledge.distribution.protected import ProtectedValues
from tacit.parameters import FILE, PRIVATE, Parameters

Support = Annotated[int, Field(strict=True, ge=1, description="an integer from 1 up")]
"""The least number of rows of which a share is known."""

View = Literal["exact", "paper"]
"""How worlds are weighed: "exact" gives every value its own probability, "paper" asks only who holds a value."""


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
        sensitive column and `probability`. By default she knows the table's own. It is not published.
    min_support
        Of the table's own distribution: a signature with fewer rows has the whole table's.
    """

    r: Annotated[float, Field(gt=1, description="a number above 1: nobody's posterior exceeds 1/r")]
    protected: ProtectedValues = Field(
        None, json_schema_extra=PRIVATE, description="values to protect, or lists of values that count as one"
    )
    view: View = Field("exact", description='"exact" or "paper"')
    distribution: Annotated[Any, BeforeValidator(as_given)] = Field(
        None, json_schema_extra=PRIVATE | FILE, description="a path or data frame of probabilities"
    )
    min_support: Support = 30
