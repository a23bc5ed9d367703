"""Pipeline: one method after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field, InstanceOf

from tacit.errors import Infeasible, ParameterError
from tacit.methods.base import Job, Method, Outcome
from tacit.table import Table


class Pipeline(Method):
    """Several methods in a row: each gets the rows that the one before kept.

    What is published is the last step's; rows withheld by any step are withheld, cells suppressed by any step are
    suppressed, groups are those of the last step that forms groups. Every step draws from a generator of its own.

    Parameters
    ----------
    steps
        The methods, in order.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [30, 30, 41, 41], "ill": ["a", "b", "a", "c"]}
    >>> table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    >>> two = Pipeline([tc.SmallGroups(guarantee=tc.KAnonymity(k=2)), tc.SmallGroups(guarantee=tc.Eligibility(l=2))])
    >>> two.protect(table)
    Release: generalized, 4 rows; claims k-anonymity(k=2), eligibility(l=2)
    """

    methods: Annotated[
        tuple[InstanceOf[Method], ...], Field(min_length=1, alias="steps", description="the methods, in order")
    ]

    def __init__(self, steps: Sequence[Method] = (), /, **given: Any) -> None:
        if "steps" in given and steps:
            raise ParameterError("pipeline: steps are given twice.")
        super().__init__(**{"steps": tuple(steps), **given})

    @property
    def remembers(self) -> bool:  # type: ignore[override]
        """Whether one of the steps takes a ledger."""
        return any(method.remembers for method in self.methods)

    def run(self, table: Table, job: Job) -> Outcome:
        """Run as one step of another pipeline."""
        raise ParameterError("A pipeline is not a step of another pipeline.", hint="Put its steps in the outer one.")

    def steps(self, table: Table, job: Job) -> list[Outcome]:
        """Run every step on what the one before kept."""
        outcomes: list[Outcome] = []
        for index, (method, source) in enumerate(
            zip(self.methods, job.randomness.spawn(len(self.methods)), strict=True)
        ):
            done, share = index / len(self.methods), 1 / len(self.methods)

            def report(stage: str, part: float, done: float = done, share: float = share) -> None:
                job.progress(stage, done + share * part)

            if not len(table):
                raise Infeasible(
                    f"{method.name} has no rows to work on: the steps before it withheld all of them.",
                    hint="Ask less of the earlier steps.",
                )
            outcome = method.run(table, replace(job, randomness=source, progress=report))
            if not outcome.kept.all() and any(g.final for past in outcomes for g in past.guarantees):
                final = next(g for past in outcomes for g in past.guarantees if g.final)
                raise Infeasible(
                    f"{method.name} would withhold {int((~outcome.kept).sum()):,} rows after a step that claims "
                    f"{final}, which holds only while nothing more is withheld.",
                    hint="Withhold first, or use a grouping step that withholds nothing.",
                )
            last = index + 1 == len(self.methods)
            if not last and outcome.onward is None and outcome.cells is not None and outcome.cells.any():
                raise ParameterError(
                    f"{method.name} suppresses cells, which the next step would publish.", hint="Make it the last step."
                )
            outcomes.append(outcome)
            table = outcome.onward if outcome.onward is not None else table.filter(outcome.kept)
        return outcomes

    def public(self) -> dict[str, Any]:
        """Return the steps with their public parameters."""
        return {"steps": [method.describe() for method in self.methods]}

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return two steps of the smallest method."""
        from tacit.guarantees import Eligibility, KAnonymity
        from tacit.methods.linkage.small_groups import SmallGroups

        return [cls([SmallGroups(guarantee=KAnonymity(k=2)), SmallGroups(guarantee=Eligibility(l=2))])]
