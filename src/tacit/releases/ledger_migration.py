"""Migration: a ledger of one table that must not change becomes one that follows people.

The buckets of its marginals say which values everybody could have: these become the signatures of the persons whom a
column of that table names. Rows that a suppression withheld stay withheld.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.errors import LedgerConflict, RoleError, TacitError
from tacit.releases.ledger_people import AS_SHE_WAS, UNKNOWN, WITHHELD, LedgerPeople
from tacit.releases.ledger_store import Line, Remembered
from tacit.releases.signatures import Signatures
from tacit.table import Histogram, Table, as_text

_UNNAMED = 6
"""Columns without a known role of which every assignment is tried; each more doubles the digests that are computed."""


def same_table(digest: str, table: Table, about: dict[str, Any]) -> bool:
    """Whether a table is the one with this digest, whatever role columns had that a ledger does not name."""
    if table.digest() == digest:
        return True
    return any(candidate.digest() == digest for candidate in _readings(table.frame, about))


def _readings(frame: pl.DataFrame, about: dict[str, Any]) -> Iterator[Table]:
    named = {*about["quasi_identifiers"], *about["sensitive"]}
    others = [name for name in frame.columns if name not in named]
    if len(others) > _UNNAMED:
        others = others[:_UNNAMED]
    for hidden in product((False, True), repeat=len(others)):
        identifiers = [name for name, is_name in zip(others, hidden, strict=True) if is_name]
        try:
            yield Table(
                frame,
                identifiers=identifiers,
                quasi_identifiers=about["quasi_identifiers"],
                sensitive=about["sensitive"],
            )
        except TacitError:
            continue


def migrated(table: Table, lines: list[Line], people: LedgerPeople) -> dict[str, Any]:
    """Return the content of the line that names everybody of the table so far, in the order of its rows."""
    draws = {line.content["key"]: Remembered(line.content) for line in lines if line.kind == "draw"}
    signature = np.full(len(table), UNKNOWN, dtype=np.int64)
    kept = np.ones(len(table), dtype=bool)
    if "suppression" in draws:
        kept = draws["suppression"]["kept"].astype(bool)
        signature = np.where(kept, AS_SHE_WAS, WITHHELD)
    signatures = Signatures.none()
    if "buckets" in draws:
        signatures, signature[kept] = _from_buckets(table, kept, draws["buckets"]["bucket"].astype(np.int64))
    return people.named(table, signature, signatures)


def _from_buckets(table: Table, kept: np.ndarray[Any, Any], bucket: Ints) -> tuple[Signatures, Ints]:
    if int(kept.sum()) != len(bucket):
        raise LedgerConflict(
            f"The ledger kept buckets of {len(bucket):,} rows, and the table publishes {int(kept.sum()):,}.",
            hint="Give the table that the ledger was begun with.",
        )
    (name,) = table.sensitive
    codes = table.codes(name)
    held = Histogram.of(bucket, int(bucket.max(initial=-1)) + 1, codes.codes[kept].astype(np.int64), codes.cardinality)
    if (held.largest() * held.distinct() != held.sizes()).any():
        raise LedgerConflict(
            "The values of the table do not fit the buckets that the ledger kept: the rows are in another order.",
            hint="Give the table that the ledger was begun with.",
        )
    signatures, number = Signatures.none().with_sets(held.offsets, held.values, as_text(codes.values).to_list())
    return signatures, number[bucket]


def with_person(table: Table, person: str) -> Table:
    """Return the table with one of its columns named as that of the persons; nobody may be in it twice."""
    if person not in table.frame.columns:
        raise RoleError.missing_column(person, table.frame.columns)
    if person in {*table.quasi_identifiers, *table.sensitive}:
        raise RoleError(
            f"The column {person!r} is published, so it cannot say who everybody is.",
            hint="Name a column that never leaves, such as a number of each person.",
        )
    named = Table(
        table.frame.select([*table.quasi_identifiers, *table.sensitive, person]),
        person=person,
        quasi_identifiers=table.quasi_identifiers,
        sensitive=table.sensitive,
        missing="value",
        allow=table.quasi_identifiers,
    )
    if named.people is not None:
        raise RoleError(
            f"The person column {person!r} does not tell rows apart: somebody has several rows.",
            hint="Name a column in which everybody is once.",
        )
    return named
