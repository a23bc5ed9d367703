"""What the suppressions of skewed values share: a plan on counts, carried out on rows chosen uniformly at random."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import Flags
from tacit.errors import Infeasible, LedgerConflict, RoleError
from tacit.guarantees import Eligibility, Guarantee, LDichotomy
from tacit.knowledge.skew import Counts, eligible, largest_eligible_l, violating
from tacit.methods.base import Job, Method, Outcome
from tacit.randomness import permutation
from tacit.shapes import Microdata
from tacit.table import Table

SUPPRESSION = "suppression"
_CHUNK = 1 << 20
_ROUNDS = 20


class SkewSuppression(Method):
    """Withhold rows of too frequent sensitive values until the rest is l-eligible.

    A subclass decides how many rows of each value are published; which ones is uniform at random. Rows are published as
    they were. Several sensitive columns are treated in order, and all are checked again after.
    """

    remembers: ClassVar[bool] = True
    dichotomous: ClassVar[bool] = False
    """Whether l-dichotomy is proved for it."""

    l: Annotated[int, Field(strict=True, ge=1, description="no value in more than 1/l of the published rows")]

    @abstractmethod
    def plan(self, frequencies: Counts, rng: Generator) -> Counts:
        """Return how many rows of each value are published."""

    @abstractmethod
    def expected_suppression(self, frequencies: npt.ArrayLike) -> Fraction:
        """Return the expected number of withheld rows, exactly."""

    def run(self, table: Table, job: Job) -> Outcome:
        """Treat every sensitive column that is not eligible."""
        if not table.sensitive:
            raise RoleError(f"{self.name} needs a sensitive column.", hint="Name one in `sensitive`.")
        known = job.recall(SUPPRESSION, table)
        if known is None:
            kept, treated, remarks = self._suppress(table, job.randomness.secret())
            job.remember(SUPPRESSION, table, method=self.describe(), kept=kept, treated=treated)
        else:
            if known["method"] != self.describe():
                raise LedgerConflict(
                    f"{self} would withhold other rows than the earlier releases of this table.",
                    hint="Use the method and the parameters of those: two draws together tell which value is hidden.",
                )
            kept, treated = known["kept"], known["treated"]
            remarks = [f"{self.name} withholds the {int((~kept).sum()):,} rows that earlier releases withheld."]
        order = permutation(job.randomness.shuffle(), int(kept.sum()))
        return Outcome(
            publish=lambda: Microdata.publish(table, kept, order),
            kept=kept,
            guarantees=self._claims(treated),
            judged="apart",
            warnings=self._warnings(treated),
            remarks=tuple(remarks),
        )

    def _suppress(self, table: Table, rng: Generator) -> tuple[Flags, list[str], list[str]]:
        """Return the rows that are published, the columns treated, and what the data owner should read."""
        kept = np.ones(len(table), dtype=bool)
        treated: list[str] = []
        remarks: list[str] = []
        for _ in range(_ROUNDS):
            broken = [name for name in table.sensitive if not eligible(table.counts(name, kept), self.l)]
            if not broken or not kept.any():
                break
            remarks += self._treat(table, broken[0], kept, rng)
            treated.append(broken[0])
        else:
            raise Infeasible(
                f"{self}: the sensitive columns {', '.join(table.sensitive)} undo each other's suppression.",
                hint="Publish them in separate tables, or ask for a smaller l.",
            )
        return kept, treated, remarks

    def _treat(self, table: Table, name: str, kept: Flags, rng: Generator) -> list[str]:
        frequencies = table.counts(name, kept)
        declared = table.domain_size(name)
        domain = frequencies if declared is None else np.append(frequencies, np.zeros(declared - len(frequencies), int))
        present = np.flatnonzero(domain) if declared is None else np.arange(len(domain))
        try:
            planned = self.plan(domain[present], rng)
        except Infeasible as error:
            raise Infeasible(f"{self}, column {name!r}: {error.message}", hint=error.hint) from None
        wanted = np.zeros(len(domain), dtype=np.int64)
        wanted[present] = planned
        before, n = int(kept.sum()), int(frequencies.sum())
        _thin(table.codes(name).codes, frequencies, wanted[: len(frequencies)], rng, kept)
        top = int(np.argmax(frequencies))
        told = f"{name}: {table.codes(name).texts[top]!r} is in {frequencies[top] / n:.0%} of {n:,} rows; "
        told += f"no {self.l}-diverse grouping exists (largest l: {largest_eligible_l(frequencies)}). "
        lost = before - int(kept.sum())
        count = int(violating(frequencies, self.l).sum())
        also = f" {count} values violate." if count > 1 else ""
        return [f"{told}{self.name} withholds {lost:,} rows ({lost / n:.1%}).{also}"]

    def _claims(self, treated: list[str]) -> tuple[Guarantee, ...]:
        promised = self.dichotomous and len(treated) <= 1
        return (LDichotomy(l=self.l),) if promised else (Eligibility(l=self.l),)

    def _warnings(self, treated: list[str]) -> tuple[str, ...]:
        if self.dichotomous and len(treated) > 1:
            return (
                "l-dichotomy is not guaranteed: more than one sensitive column was suppressed, one after the other",
            )
        return ()


def _thin(codes: npt.NDArray[Any], frequencies: Counts, wanted: Counts, rng: Generator, kept: Flags) -> None:
    """Withhold rows in place, among those still kept."""
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
