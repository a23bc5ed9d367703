"""Pipeline: one method after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field, InstanceOf

from tacit.errors import Infeasible, ParameterError
from tacit.guarantees import Guarantee
from tacit.methods.base import Job, Method, Outcome
from tacit.table import Table


class Pipeline(Method):
    """Several methods in a row: each gets the rows that the one before kept.

    What is published is the last step's; rows withheld by any step are withheld, cells suppressed by any step are
    suppressed, groups are those of the last step that forms groups. Every step draws from a generator of its own.

    A step whose promise is about the whole table, as l-dichotomy is, must be the only one that withholds rows. A
    pipeline that shows otherwise by its steps is refused when it is made, any other when it is run.

    Against
    -------
    Everybody against whom one of the steps is.

    Promise
    -------
    What the steps promise, each about the rows it was given; the audit judges all of it on what is published. What a
    step may promise after rows were withheld is discussed in `docs/threats/skew.md#what-it-does-not-promise`.

    Parameters
    ----------
    steps
        The methods, in order.

    Cost
    ----
    That of the steps, one after the other; n rows are aligned with the input once per step.

    Examples
    --------
    >>> import tacit as tc
    >>> frame = {"age": [30, 30, 41, 41], "ill": ["a", "b", "a", "c"]}
    >>> table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    >>> two = Pipeline([tc.SmallGroups(guarantee=tc.KAnonymity(k=2)), tc.SmallGroups(guarantee=tc.Eligibility(l=2))])
    >>> two.protect(table)
    Release: generalized, 4 rows; claims k-anonymity(k=2), eligibility(l=2)

    References
    ----------
    Of a suppression that is followed by a grouping: Xu, Wang, Fu and Wong, Publishing skewed sensitive microdata, 2010.
    """

    methods: Annotated[
        tuple[InstanceOf[Method], ...], Field(min_length=1, alias="steps", description="the methods, in order")
    ]

    def __init__(self, steps: Sequence[Method] = (), /, **given: Any) -> None:
        if "steps" in given and steps:
            raise ParameterError("pipeline: steps are given twice.")
        super().__init__(**{"steps": tuple(steps), **given})
        _refuse_promises_after_suppression(self.methods)

    def refuse_several_rows(self, table: Table) -> None:
        """Refuse a table in which a person has several rows, where one of the steps is about single records."""
        for method in self.methods:
            method.refuse_several_rows(table)

    def refuse_missing(self, table: Table) -> None:
        """Refuse rows to be withheld if the first step cannot: the others do not see them."""
        self.methods[0].refuse_missing(table)

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
            outcomes.append(outcome)
            self._refuse_withholding_around_promises(outcomes)
            last = index + 1 == len(self.methods)
            if not last and outcome.onward is None and outcome.cells is not None and outcome.cells.any():
                raise ParameterError(
                    f"{method.name} suppresses cells, which the next step would publish.", hint="Make it the last step."
                )
            if not last:
                table = outcome.onward() if outcome.onward is not None else table.filter(outcome.kept)
        return outcomes

    def _refuse_withholding_around_promises(self, outcomes: Sequence[Outcome]) -> None:
        """Refuse rows withheld by one step if another one promises something about the whole table."""
        withholding = [(step, int((~past.kept).sum())) for step, past in enumerate(outcomes) if not past.kept.all()]
        refuse_withholding_around_promises(self.methods, [past.guarantees for past in outcomes], withholding)

    def public(self) -> dict[str, Any]:
        """Return the steps with their public parameters."""
        return {"steps": [method.describe() for method in self.methods]}

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return two steps of the smallest method."""
        from tacit.guarantees import Eligibility, KAnonymity
        from tacit.methods.linkage.small_groups import SmallGroups

        return [cls([SmallGroups(guarantee=KAnonymity(k=2)), SmallGroups(guarantee=Eligibility(l=2))])]


def refuse_withholding_around_promises(
    methods: Sequence[Method], promises: Sequence[Sequence[Guarantee]], withholding: Sequence[tuple[int, int]]
) -> None:
    """Refuse rows withheld by one step if another one promises something about the whole table.

    Parameters
    ----------
    methods, promises
        The steps, and what those that were done promise.
    withholding
        The steps that withheld rows, and how many.
    """
    for step, claimed in enumerate(promises):
        promise = next((promise for promise in claimed if promise.needs_all_rows), None)
        for other, rows in withholding:
            if promise is not None and other != step:
                order = "after" if other > step else "before"
                raise Infeasible(
                    f"{methods[other].name} would withhold {rows:,} rows {order} {methods[step].name}, "
                    f"which claims {promise}: that is about the whole table, and holds only if no other step "
                    f"withholds rows.",
                    hint="Let the suppression be the first step, and the others withhold nothing.",
                )


def _refuse_promises_after_suppression(methods: Sequence[Method]) -> None:
    """Refuse a step that promises something about the whole table after one that withholds too frequent values."""
    for index, method in enumerate(methods):
        earlier = next((past for past in methods[:index] if past.withholds_frequent_values), None)
        if earlier is not None and method.needs_all_rows:
            raise ParameterError(
                f"pipeline: {method} after {earlier} could not promise anything about the whole table, because it does "
                f"not see the rows that {earlier.name} withholds.",
                hint=f"Leave out one of the two: {method.name} needs no other suppression.",
            )
