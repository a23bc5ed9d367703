"""What the suppressions of skewed values share: a plan on counts, carried out on rows chosen uniformly at random."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import Flags, Ints
from tacit.errors import Infeasible, LedgerConflict, RoleError
from tacit.guarantees import Eligibility, Guarantee, LDichotomy
from tacit.knowledge.skew import PLANS, Algorithm, Counts, eligible, largest_eligible_l, proved_bound, violating
from tacit.knowledge.skew.declared import DECLARED_AS
from tacit.methods.base import Job, Method, Outcome, Scales
from tacit.randomness import permutation
from tacit.releases.ledger_people import UNKNOWN, WITHHELD
from tacit.shapes import Microdata
from tacit.table import Table

SUPPRESSION = "suppression"
"""The key under which a ledger keeps which rows were withheld."""

_CHUNK = 1 << 20
"""Rows for which uniform numbers are drawn at once: 8 MB of them, so that a large table needs no second copy. Another
value draws the same numbers."""

_ROUNDS = 20
"""Treatments of one table before several sensitive columns are said to undo each other's suppression. Two columns
mostly need two; a larger value would only make a refusal later. Chosen by trial, far above what tests need."""


ABOUT_NEWCOMERS = (
    "rows were withheld from the people who are new to the ledger; nothing is promised about which value was too "
    "frequent among them, for somebody who knows who is new"
)
"""What a suppression says where some people were published, or withheld, in earlier releases."""


class Suppressed(NamedTuple):
    """Which rows are published, the columns that were treated for it, and what the data owner should read."""

    kept: Flags
    treated: list[str]
    remarks: list[str]


class Thinned(NamedTuple):
    """The columns that were treated, what the data owner should read, and whether several had too frequent values."""

    treated: list[str]
    remarks: list[str]
    several: bool


class RowsToThin(Protocol):
    """Rows of which some are to be withheld: in a table, or wherever an engine has them."""

    @property
    def sensitive(self) -> Sequence[str]:
        """The sensitive columns."""
        ...

    def counts(self, name: str) -> Counts:
        """Count each value of a column over the rows that are left."""
        ...

    def domain_size(self, name: str) -> int | None:
        """Return how many values the declared domain of a column has, None where none is declared."""
        ...

    def texts(self, name: str) -> pl.Series:
        """Return the values of a column as they are written."""
        ...

    def thin(self, name: str, frequencies: Counts, wanted: Counts) -> None:
        """Withhold rows until `wanted` of the `frequencies` of each value are left, uniformly at random."""
        ...


class SkewSuppression(Method):
    """Withhold rows of too frequent sensitive values until the rest is l-eligible.

    A subclass names its algorithm; the plan of that algorithm says how many rows of each value are published. Which
    ones is drawn uniformly at random. Rows are published as they were. Several sensitive columns are treated in order,
    and all of them are checked again afterwards.
    """

    withholds_frequent_values: ClassVar[bool] = True
    scales: ClassVar[Scales | None] = "values"

    l: Annotated[int, Field(strict=True, ge=1, description="no value in more than 1/l of the published rows")]

    @property
    @abstractmethod
    def algorithm(self) -> Algorithm:
        """The word by which everybody, adversaries included, knows how rows were withheld."""

    @property
    def needs_all_rows(self) -> bool:
        """Whether l-dichotomy is proved for the algorithm: that is a promise about the whole table."""
        return proved_bound(self.algorithm, self.l, "most_frequent") is not None

    def expected_suppression(self, frequencies: npt.ArrayLike) -> Fraction:
        """Return the expected number of withheld rows, exactly.

        Parameters
        ----------
        frequencies
            One count per value of the sensitive column.
        """
        return PLANS[self.algorithm].expected(frequencies, self.l)

    def describe(self) -> dict[str, Any]:
        """Return name, parameters and algorithm: the adversary is assumed to know all of them."""
        return {**super().describe(), DECLARED_AS: self.algorithm}

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in self.public().items())})"

    def run(self, table: Table, job: Job) -> Outcome:
        """Withhold the rows that earlier releases withheld, or treat every sensitive column that is not eligible."""
        if not table.sensitive:
            raise RoleError(f"{self.name} needs a sensitive column.", hint="Name one in `sensitive`.")
        if isinstance(job.planned, Thinned):  # a fragment of what is left
            everybody = np.ones(len(table), dtype=bool)
            return self._outcome(table, everybody, job.planned.several, [], job)
        known = None if job.people is None else job.people.recall(table).signature
        if job.people is not None and known is not None:
            kept, treated, remarks = self._newcomers(table, known, job)
            job.people.withhold(table, kept)
        else:
            kept, treated, remarks = self._recalled(table, job) or self._drawn(table, job)
        again = known is not None and bool((known != UNKNOWN).any())
        several = len({*treated, *self._ineligible(table)}) > 1
        return self._outcome(table, kept, several, remarks, job, again=again)

    def _outcome(
        self, table: Table, kept: Flags, several: bool, remarks: Sequence[str], job: Job, *, again: bool = False
    ) -> Outcome:
        order = permutation(job.randomness.shuffle(), int(kept.sum()))
        return Outcome(
            publish=lambda: Microdata.publish(table, kept, order),
            kept=kept,
            guarantees=() if again else self._claims(several),
            judged="apart",
            warnings=(ABOUT_NEWCOMERS,) if again else self._warnings(several),
            remarks=tuple(remarks),
        )

    def statistics(self, table: Table, name: str, kept: Flags | None = None) -> Counts:
        """Count each value of a column, over all rows or some; values that are declared and absent are counted 0."""
        return _padded(table.counts(name, kept), table.domain_size(name))

    def plan(self, frequencies: Counts, rng: Generator) -> Counts:
        """Return how many rows of each value are published."""
        return PLANS[self.algorithm].publish(frequencies, self.l, rng)

    def apply(self, table: Table, name: str, frequencies: Counts, wanted: Counts, rng: Generator, kept: Flags) -> None:
        """Withhold rows in `kept` until `wanted` of the `frequencies` of each value are left, uniformly at random."""
        _thin(table.codes(name).codes, frequencies, wanted, rng, kept)

    def _recalled(self, table: Table, job: Job) -> Suppressed | None:
        """Return what earlier releases withheld."""
        earlier = job.recall(SUPPRESSION, table)
        if earlier is None:
            return None
        if earlier["method"] != self._asked():
            raise LedgerConflict(
                f"{self} would withhold other rows than the earlier releases of this table.",
                hint="Use the method and the parameters of those: two draws together tell which value is hidden.",
            )
        kept = earlier["kept"]
        remark = f"{self.name} withholds the {int((~kept).sum()):,} rows that earlier releases withheld."
        return Suppressed(kept, earlier["treated"], [remark])

    def _newcomers(self, table: Table, known: Ints, job: Job) -> Suppressed:
        """Treat the people who are new to the ledger; whoever was withheld stays withheld, all others are published."""
        new = known == UNKNOWN
        kept = known != WITHHELD
        drawn = self._treated(table, job.randomness.secret(), new)
        kept[new] = drawn.kept[new]
        still = int((known == WITHHELD).sum())
        remarks = [f"{self.name} withholds {still:,} people whom earlier releases withheld."] if still else []
        return Suppressed(kept, drawn.treated, [*remarks, *drawn.remarks])

    def _drawn(self, table: Table, job: Job) -> Suppressed:
        """Treat the whole table, and remember which rows were withheld."""
        drawn = self._treated(table, job.randomness.secret(), np.ones(len(table), dtype=bool))
        job.remember(SUPPRESSION, table, method=self._asked(), kept=drawn.kept, treated=drawn.treated)
        return drawn

    def _treated(self, table: Table, rng: Generator, kept: Flags) -> Suppressed:
        """Treat one column after another until all are eligible, beginning with the rows in `kept`."""
        kept = kept.copy()
        thinned = self.thinned(_RowsOfTable(self, table, kept, rng), rng)
        return Suppressed(kept, thinned.treated, thinned.remarks)

    def thinned(self, rows: RowsToThin, rng: Generator) -> Thinned:
        """Treat one column after another until all are eligible; wherever the rows are, they are only counted."""
        treated: list[str] = []
        remarks: list[str] = []
        first: list[str] | None = None
        for _ in range(_ROUNDS):
            counts = {name: rows.counts(name) for name in rows.sensitive}
            ineligible = [name for name, mine in counts.items() if not eligible(mine, self.l)]
            first = ineligible if first is None else first
            if not ineligible or not any(mine.any() for mine in counts.values()):
                break
            name = ineligible[0]
            declared = rows.domain_size(name)
            frequencies = _padded(counts[name], declared)
            wanted = self._planned(name, frequencies, rng, declared=declared is not None)
            rows.thin(name, frequencies, wanted)
            remarks.append(self._remark(name, rows.texts(name), frequencies, int(wanted.sum())))
            treated.append(name)
        else:
            raise Infeasible(
                f"{self}: the sensitive columns {', '.join(rows.sensitive)} undo each other's suppression.",
                hint="Publish them in separate tables, or ask for a smaller l.",
            )
        return Thinned(treated, remarks, several=len({*treated, *(first or ())}) > 1)

    def _planned(self, name: str, frequencies: Counts, rng: Generator, *, declared: bool) -> Counts:
        """Plan for the values that are there, or for all that are declared."""
        present = np.arange(len(frequencies)) if declared else np.flatnonzero(frequencies)
        wanted = np.zeros(len(frequencies), dtype=np.int64)
        try:
            wanted[present] = self.plan(frequencies[present], rng)
        except Infeasible as error:
            raise Infeasible(f"{self}, column {name!r}: {error.message}", hint=error.hint) from None
        return wanted

    def _remark(self, name: str, texts: pl.Series, frequencies: Counts, left: int) -> str:
        top, n = int(np.argmax(frequencies)), int(frequencies.sum())
        withheld, count = n - left, int(violating(frequencies, self.l).sum())
        return (
            f"{name}: {texts[top]!r} is in {frequencies[top] / n:.0%} of {n:,} rows; no "
            f"{self.l}-diverse grouping exists (largest l: {largest_eligible_l(frequencies)}). {self.name} withholds "
            f"{withheld:,} rows ({withheld / n:.1%}).{f' {count} values violate.' if count > 1 else ''}"
        )

    def _ineligible(self, table: Table, kept: Flags | None = None) -> list[str]:
        """List the sensitive columns in which a value is in more than 1/l of the rows."""
        return [name for name in table.sensitive if not eligible(table.counts(name, kept), self.l)]

    def _asked(self) -> dict[str, Any]:
        """Return name and parameters without the algorithm, as ledgers have always kept them."""
        return super().describe()

    def _claims(self, several: bool) -> tuple[Guarantee, ...]:
        """Claim what is proved; nothing but eligibility is if rows were withheld for several columns together."""
        return (LDichotomy(l=self.l),) if self.needs_all_rows and not several else (Eligibility(l=self.l),)

    def _warnings(self, several: bool) -> tuple[str, ...]:
        if self.needs_all_rows and several:
            return ("l-dichotomy is not claimed: in more than one sensitive column a value was too frequent",)
        return ()

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters; none for this base class."""
        return [] if cls is SkewSuppression else [cls(l=2)]


class _RowsOfTable:
    """The rows of a table in memory; those that are left are marked in `kept`."""

    def __init__(self, method: SkewSuppression, table: Table, kept: Flags, rng: Generator) -> None:
        self._method, self._table, self._kept, self._rng = method, table, kept, rng
        self.sensitive = table.sensitive

    def counts(self, name: str) -> Counts:
        return self._table.counts(name, self._kept)

    def domain_size(self, name: str) -> int | None:
        return self._table.domain_size(name)

    def texts(self, name: str) -> pl.Series:
        return self._table.codes(name).texts

    def thin(self, name: str, frequencies: Counts, wanted: Counts) -> None:
        self._method.apply(self._table, name, frequencies, wanted, self._rng, self._kept)


def _padded(counts: Counts, declared: int | None) -> Counts:
    """Count values that are declared and absent as 0."""
    return counts if declared is None else np.append(counts, np.zeros(declared - len(counts), dtype=np.int64))


def _thin(codes: npt.NDArray[Any], frequencies: Counts, wanted: Counts, rng: Generator, kept: Flags) -> None:
    """Keep `wanted` of the `frequencies` rows of each value, of those still in `kept`, uniformly at random."""
    from tacit.kernels.skew import thin

    left, wanted = frequencies.copy(), wanted.copy()
    rows = None if kept.all() else np.flatnonzero(kept)
    chosen = codes if rows is None else codes[rows]
    stays = np.empty(len(chosen), dtype=np.bool_)
    for start in range(0, len(chosen), _CHUNK):
        part = slice(start, start + _CHUNK)
        thin(chosen[part], left, wanted, rng.random(len(chosen[part])), stays[part])
    if rows is None:
        kept[:] = stays
    else:
        kept[rows[~stays]] = False
