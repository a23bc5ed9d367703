"""(k,e)-anonymity (Zhang, Koudas, Srivastava and Yu 2007)."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Annotated, Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit.arrays import Flags
from tacit.errors import Infeasible, RoleError
from tacit.guarantees.base import PEOPLE_NEEDED, WITHHELD_NEEDED, Guarantee, GuaranteeOfPeople, of_whom
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, PartVerdict, worst
from tacit.guarantees.people import certain
from tacit.shapes import Claim
from tacit.table import Histogram

Numbers = np.ndarray[tuple[int], np.dtype[Any]]


class KEAnonymity(GuaranteeOfPeople):
    """Every group has at least k different sensitive numbers, and the largest and the smallest are at least e apart.

    Diverse numbers may still be nearly the same: a group with the salaries 50,001, 50,002 and 50,003 is 3-diverse and
    tells the salary. So the range of the numbers counts as well as how many there are.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, and looks her group up.

    Promise
    -------
    She cannot narrow the sensitive number to fewer than k values, nor to an interval shorter than e. Nothing is said of
    how probable each value is: most rows of a group may have the same one. Where that follows from, and where it stops:
    docs/threats/linkage.md#numbers-that-are-near-each-other.

    Parameters
    ----------
    k
        The least number of different values in a group.
    e
        The least range of a group: its largest value less its smallest, in the unit of the column.

    Cost
    ----
    O(v) for v different pairs of group and value.

    Examples
    --------
    >>> pay = Histogram.of(np.array([0, 0, 1, 1]), 2, np.array([0, 1, 2, 3]), 4)
    >>> KEAnonymity(k=2, e=1000).satisfied(pay, np.array([20_000, 21_000, 50_000, 50_900])).tolist()
    [True, False]

    References
    ----------
    Zhang, Koudas, Srivastava and Yu, "Aggregate query answering on anonymized tables", ICDE 2007.
    """

    knowledge: ClassVar[str] = "every quasi-identifier of a person, and that she is in the table"

    counts_people: ClassVar[bool] = True

    k: Annotated[int, Field(strict=True, ge=1, description="the least number of different values of a group")]
    e: Annotated[float, Field(ge=0, allow_inf_nan=False, description="the least range of a group, a number from 0 up")]

    def limit(self, numbers: Numbers) -> int | float:
        """Return e as a number of the same type: whole numbers are at least e apart if they are at least ceil(e)."""
        return ceil(self.e) if numbers.dtype.kind == "i" else float(self.e)

    def satisfied(self, histogram: Histogram, numbers: Numbers) -> Flags:
        """Say of every group whether it has enough values, far enough apart; a group of nobody is fine.

        `numbers` are the numbers behind the codes of the histogram.
        """
        from tacit.kernels.value_ranges import wide_enough

        different = histogram.distinct()
        filled = np.flatnonzero(different)
        held = np.ones(len(different), dtype=bool)
        if len(filled):
            value = numbers[histogram.values]
            begins = histogram.offsets[filled]
            lows, highs = np.minimum.reduceat(value, begins), np.maximum.reduceat(value, begins)
            held[filled] = (different[filled] >= self.k) & wide_enough(lows, highs, self.limit(numbers))
        return held

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Judge the published groups of every table, and the withheld rows as one more group."""
        return worst([self._judge(part, claim, name) for part in evidence.parts() for name in self._columns(part)])

    def _columns(self, evidence: Evidence) -> Sequence[str]:
        if not evidence.published.shape.sensitive:
            raise RoleError(f"{self} is about a sensitive column, and none is named.", hint="Name one in `sensitive`.")
        return evidence.published.shape.sensitive

    def _judge(self, evidence: Evidence, claim: Claim, name: str) -> Finding:
        shape = evidence.published.shape
        if shape.column(name).suppressed:
            return self.finding(
                f"cells of {name!r} are suppressed, and a blank may stand for any number",
                published="not checked",
                blanks="not checked",
                needed=f"what the blank cells of {name!r} hide",
            )
        if evidence.people_unknown(values=True):
            return self.finding(
                "people have several rows each, and the files do not tell whose they are",
                published="not checked",
                withheld="not checked",
                needed=PEOPLE_NEEDED,
            )
        histogram = evidence.groups.histograms[name]
        held = self.satisfied(histogram, numbers_of(shape.dictionary(name)))
        people = evidence.groups.people
        held &= np.True_ if people is None else (people.torn == 0) & ~certain(evidence.groups)
        share = histogram.largest() / np.maximum(1, histogram.sizes())
        most = int(np.argmax(share)) if len(share) else None
        withheld = self._judge_withheld(evidence, claim, name)
        broken = "" if held.all() else f"; {int((~held).sum()):,} of {len(held):,} groups break it"
        return self.finding(
            f"{len(held):,} groups; {self.k:,} values of {name!r} or more, at least {self.e:g} apart, in each"
            + (broken or of_whom(self.of, withheld)),
            published="holds" if held.all() else "fails",
            withheld=withheld,
            posterior=None if most is None else float(share[most]),
            where=None if most is None else evidence.whereabouts(most),
            needed=WITHHELD_NEEDED if withheld == "not checked" else None,
        )

    def _judge_withheld(self, evidence: Evidence, claim: Claim, name: str) -> PartVerdict:
        if self.of == "published":
            return "none"
        hidden = evidence.withheld(claim)
        if hidden is None or isinstance(hidden, str):
            return "not checked" if hidden is None else hidden
        if not hidden.sizes[0]:
            return "none"
        if evidence.source is None:
            return "not checked"
        numbers = numbers_of(evidence.source.codes(name).values)
        return "holds" if self.satisfied(hidden.histograms[name], numbers).all() else "fails"

    def obstacle(self, name: str, numbers: Numbers) -> Infeasible:
        """Explain why a table with these numbers cannot satisfy it, and what it could satisfy."""
        width = (numbers.max() - numbers.min()).item() if len(numbers) else 0
        return Infeasible(
            f"{self} cannot be met: column {name!r} has {len(np.unique(numbers)):,} different values, which are "
            f"{width:g} apart at most.",
            hint=f"The largest k that works is {len(np.unique(numbers))}, the largest e {width:g}.",
        )

    @classmethod
    def examples(cls) -> Sequence[Guarantee]:
        """Return usual parameters."""
        return [cls(k=2, e=10), cls(k=3, e=0.5)]


def numbers_of(values: pl.Series) -> Numbers:
    """Return the numbers behind the codes of a column; whole numbers stay whole.

    Raises
    ------
    RoleError
        If they are not numbers.
    """
    if not values.dtype.is_numeric() or values.null_count() or (values.dtype.is_float() and values.is_nan().any()):
        raise RoleError(
            f"(k,e)-anonymity is about numbers, and column {values.name!r} holds other values.",
            hint='Declare its kind as "numeric", or ask for l-diversity.',
        )
    return values.cast(pl.Int64 if values.dtype.is_integer() else pl.Float64).to_numpy()
