"""DisclosureRisk: what may be known of a person, and what it would cost her if the rest were learned."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from tacit.calls import checked_call
from tacit.errors import ParameterError, RoleError
from tacit.knowledge.risk.attributes import Attributes, Missing
from tacit.knowledge.risk.records import Records
from tacit.knowledge.risk.score import Score, score_records
from tacit.parameters import PRIVATE, Parameters
from tacit.progress import Progress, monotone, silent
from tacit.table import Kind, Role, Table

Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]

CATEGORICAL_KNOWN, MEASURED_KNOWN, SENSITIVE_KNOWN = 0.8, 0.05, 0.001
"""How probably a column is publicly known where the owner does not say: guesses, which `tacit inspect` prints."""


class DisclosureRisk(Parameters):
    """The risk of a record, over everybody who may know any subset of its attributes.

    Of every non-empty set K of attributes: how probably it is known, times one over the number of records that match on
    it, times the weight of what is not in K; summed, times alpha.

    Parameters
    ----------
    known
        Column to the probability that it is publicly known of a person; columns not named are not known. By default .8
        for categorical quasi-identifiers, .05 for numbers and dates, .001 for sensitive columns.
    weights
        Column to how much it matters that it is learned, 0 to 1; by default 1 for every sensitive column.
    value_weights
        Column to value to weight, 0 to 1, which multiplies the column's; a value not named weighs nothing, a column not
        named weighs the same for every value.
    alpha
        A multiplier of all risks.
    missing
        What a suppressed cell means to whoever matches: "adversary" (she knows the true values, a blank may be any of
        them), "wildcard" (a blank matches everything, the victim's own too), "own" (a value like others, the paper's).

    Examples
    --------
    >>> table = Table(
    ...     {"age": [15, 15, 16], "sex": ["F", "M", "F"], "held": ["N", "Y", "N"]},
    ...     quasi_identifiers=["age", "sex"],
    ...     sensitive="held",
    ... )
    >>> risk = DisclosureRisk(known={"age": 0.05, "sex": 0.8}, value_weights={"held": {"Y": 1}})
    >>> risk.score(table, tolerance=0).high.round(4).tolist()
    [0.0, 0.865, 0.0]
    """

    known: dict[str, Share] | None = Field(None, description="how probably each column is publicly known, 0 to 1")
    weights: dict[str, Share] | None = Field(None, description="how much each column matters, 0 to 1")
    value_weights: dict[str, dict[Any, Share]] | None = Field(
        None, json_schema_extra=PRIVATE, description="how much each value of a column matters, 0 to 1"
    )
    alpha: float = Field(1.0, gt=0, allow_inf_nan=False, description="a multiplier of all risks, above 0")
    missing: Missing = Field("adversary", description='"adversary", "wildcard" or "own"')

    def resolved(self, table: Table) -> DisclosureRisk:
        """Return the risk with its defaults written out for a table, once its columns are found to be there."""
        shown = {c.name: c for c in table.columns if c.role in {Role.QUASI_IDENTIFIER, Role.SENSITIVE}}
        shown |= {name: table.column(name) for name in table.published_others}
        for given, what in ((self.known, "known"), (self.weights, "weights"), (self.value_weights, "value_weights")):
            for name in given or {}:
                if name not in shown:
                    place = f"the columns that are published (disclosure risk, {what})"
                    raise RoleError.missing_column(name, shown, place=place)
        known = self.known
        if known is None:
            measured = {Kind.NUMERIC, Kind.DATE}
            known = {
                name: SENSITIVE_KNOWN
                if column.role is Role.SENSITIVE
                else MEASURED_KNOWN
                if column.kind in measured
                else CATEGORICAL_KNOWN
                for name, column in shown.items()
                if column.role is not Role.OTHER
            }
        weights = dict.fromkeys(table.sensitive, 1.0) if self.weights is None else self.weights
        return self.model_copy(update={"known": known, "weights": weights})

    def require_weights(self) -> None:
        """Refuse a resolved risk in which no column weighs anything: a claim about it would be true of every table."""
        if not any((self.weights or {}).values()):
            raise ParameterError(
                "disclosure-risk: no column weighs anything, so every risk is 0.",
                hint="Name a sensitive column, or say weights = { column = 1 }.",
            )

    @checked_call(ahead=True)
    def score(
        self,
        table: Table,
        *,
        tolerance: float | None = None,
        delta: float | None = None,
        progress: Progress | None = None,
    ) -> Score:
        """Bound the risk of every record of a table.

        Parameters
        ----------
        table
            The microdata.
        tolerance
            How wide an interval may be; 0 is exact up to rounding, and feasible while few attributes are known. By
            default one percent of its upper end.
        delta
            With it, a record is done as soon as it is certainly above or not above delta; `tolerance` is then not
            asked for unless given.
        progress
            Told the stage and the share done.
        """
        for name, value in (("tolerance", tolerance), ("delta", delta)):
            if value is not None and not (0 <= value < math.inf):
                raise ParameterError(
                    f"disclosure-risk: {name} = {value!r} is not allowed.", hint="Give a number from 0 up."
                )
        tolerance = None if tolerance is None else float(tolerance)  # compiled loops take no other kind of number
        delta = None if delta is None else float(delta)
        records = Records.of(Attributes.of(self, table))
        tell = silent if progress is None else monotone(progress)
        return score_records(records, tolerance=tolerance, delta=delta, progress=tell)

    def public(self) -> dict[str, Any]:
        """Return the parameters; that there are weights of values may be known, which values they are may not."""
        shown = super().public()
        shown.pop("value_weights", None)
        return shown if self.value_weights is None else {**shown, "value_weights": "not published"}


DESCRIBED_RISK = BeforeValidator(
    lambda given: (
        DisclosureRisk(**{k: v for k, v in given.items() if k != "name"}) if isinstance(given, Mapping) else given
    )
)
"""Annotates a parameter that takes a risk or, in a recipe, its parameters."""
