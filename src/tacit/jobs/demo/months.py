"""Three months: the hospital publishes again while patients come and leave, afresh or through a ledger."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tacit.guarantees import LDiversity
from tacit.jobs.audit_together import audit_ledger
from tacit.methods import InvariantMarginals, Method, Mondrian
from tacit.releases import Ledger
from tacit.table import Table

_PATIENTS = 1_000
"""Patients of a month: enough for the figures, and a few seconds. Chosen by hand."""


@dataclass(frozen=True)
class Months:
    """What somebody learns who has all three: patients in several months, and how many are known for sure."""

    people: int
    pinned: int
    posterior: float
    counterfeits: int


def three_months(table: Table, columns: list[str], *, afresh: bool) -> Months:
    """Publish three months in which a tenth of the patients leaves and as many come, and read all of them together."""
    frame = table.frame.select(*columns, "diagnosis").with_row_index("pid")
    size = min(_PATIENTS, frame.height * 5 // 6)
    moved = max(1, size // 10)
    method: Method = (
        Mondrian(guarantees=[LDiversity(l=2, kind="frequency")])
        if afresh
        else InvariantMarginals(m=2, counterfeits="newcomers")
    )
    with TemporaryDirectory() as place:
        ledger = Ledger(Path(place) / "months.ledger")
        for month in range(3):
            rows = frame.slice(month * moved, size)
            part = Table(rows, person="pid", quasi_identifiers=columns, sensitive="diagnosis")
            release = method.protect(part, ledger=ledger)
            release.write(Path(place) / str(month), accept_composition=afresh)
        found = audit_ledger(ledger.path)
    (column,) = found.columns
    return Months(found.shared, column.pinned, column.posterior, release.shape.counterfeits)
