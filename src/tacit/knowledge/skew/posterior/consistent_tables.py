"""Base tables that could have led to the published counts, in families.

An *original* is the frequency of a value before suppression. The tables of one family agree in the originals that the
published counts show; of their other originals only bounds are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tacit.knowledge.skew.posterior.exact_sums import KeyedFractions, KeyedSums
from tacit.knowledge.skew.posterior.symmetric_tables import (
    Tables,
    assignments,
    fixed_weight,
    labellings,
    sorted_tables,
    tables_bound,
    tables_bound_up_to,
)

Key: TypeAlias = tuple[Literal["mass", "first", "violating", "withheld"], int]
"""What is summed, and for which published count: ``("mass", 0)`` is the probability of the published counts."""

Terms: TypeAlias = Iterable[tuple[npt.NDArray[np.int64] | int, Mapping[Key, npt.NDArray[Any]]]]
"""Denominators, and numerators by key, aligned with the rows of a table array."""

MASS: Key = ("mass", 0)

MOST_TABLES = 2_000_000
"""Sorted base tables that are added up for one release; more are "not computed". A table takes about a microsecond, so
the limit means some seconds."""
MOST_DENOMINATORS = 100_000
"""Different denominators in one sum. Their common multiple has more bits than there are denominators, and additions
work on numbers of that length: the limit trades exact answers for seconds, and was chosen by trial."""
MOST_BITS = 3 * 10**9
"""Bits of all weights together where weights count assignments to records, for the same reason; chosen by trial."""
_CHUNK_BITS = 2 * 10**8
"""Bits of the weights that are in memory at once, 25 MB; another value changes the memory, not the result."""


@dataclass(frozen=True, kw_only=True)
class ConsistentTables:
    """A family of sorted base tables that agree in the known originals.

    Parameters
    ----------
    total
        Records of the unknown originals.
    low, high
        Bounds of the unknown originals, most frequent first.
    fixed
        The known originals; all smaller than the unknown ones.
    terms
        For rows of unknown originals, the probability of the published counts, split by what the adversary asks.
    denominators
        How many different denominators the terms may have.
    """

    total: int
    low: tuple[int, ...]
    high: tuple[int, ...] | None = None
    fixed: tuple[int, ...]
    terms: Callable[[Tables], Terms]
    denominators: int = 1

    def tables(self) -> int:
        """Bound the number of tables."""
        # Two upper bounds: all originals are free above the lowest of their bounds; or all but the first one share at
        # most the records that the bounds leave.
        width = len(self.low)
        return min(
            tables_bound(self.total - width * min(self.low), width),
            tables_bound_up_to(self.total - sum(self.low), width - 1),
        )

    def bits(self) -> int:
        """Estimate the length of one weight that counts assignments to records."""
        return 1 + int(self.total * log2(1 + len(self.low)))

    def sum(self, *, records: bool) -> KeyedFractions[Key]:
        """Add up all tables of the family, each weighted by its number of labellings.

        With `records` the number of assignments of values to records is a second factor of the weight.
        """
        rows = sorted_tables(self.total, self.low, self.high)
        sums: KeyedSums[Key] = KeyedSums()
        size = max(1, _CHUNK_BITS // self.bits()) if records else max(1, len(rows))
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            weights = labellings(chunk)
            if records:
                weights = weights.astype(object) * assignments(chunk)
            for denominators, numerators in self.terms(chunk):
                sums.add(denominators, {key: product(weights, values) for key, values in numerators.items()})
        return sums.total().scaled(fixed_weight(self.total, self.fixed, width=len(self.low), records=records))


def feasible(cases: Sequence[ConsistentTables], *, records: bool) -> bool:
    """Decide by the amount of work whether all cases can be added up in seconds.

    Parameters
    ----------
    cases
        What is to be added up.
    records
        Weights count assignments to records: they are numbers of about as many bits as there are unknown records.
    """
    tables = [case.tables() for case in cases]
    if sum(tables) > MOST_TABLES:
        return False
    if any(min(case.denominators, size) > MOST_DENOMINATORS for case, size in zip(cases, tables, strict=True)):
        return False
    return not records or sum(size * case.bits() for case, size in zip(cases, tables, strict=True)) <= MOST_BITS


def product(weights: npt.NDArray[Any], values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Multiply exactly: in 64 bits where the largest product fits, else with Python integers."""
    small = len(values) and object not in (weights.dtype, values.dtype)
    fits = small and int(weights.max()) * int(np.abs(values).max()) < 2**62
    result: npt.NDArray[Any] = weights * values if fits else weights.astype(object) * values.astype(object)
    return result
