"""What is believed of all rows of a large table by what their items link to: counted once, batch by batch."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import pyarrow as pa

from tacit.engines.base import Rows
from tacit.guarantees.quasi_sensitive.base import QSGuarantee
from tacit.knowledge.quasi_sensitive import ExactBelief
from tacit.methods.large.table import LargeTable
from tacit.table import Groups, Layout

_TOLD = pa.schema([pa.field("belief", pa.binary())])


@dataclass(frozen=True, eq=False)
class CountBelief:
    """Counts what is believed of a batch of rows, exactly."""

    layout: Layout
    guarantee: QSGuarantee

    def __call__(self, rows: pa.Table) -> pa.Table:
        """Return the belief, and of how many rows it is."""
        table = self.layout.table(rows)
        belief = self.guarantee.linking(table, Groups.whole(len(table))).belief(0)
        return pa.Table.from_arrays([pa.array([pickle.dumps((belief, len(table)))], pa.binary())], schema=_TOLD)


def believed_of_all(large: LargeTable, rows: Rows, guarantee: QSGuarantee) -> ExactBelief:
    """Add up what is believed of all rows; fractions are exact, so batches do not matter."""
    told = large.engine.collect(large.engine.map(rows, CountBelief(large.layout, guarantee), _TOLD, keep=True))
    parts = [pickle.loads(blob.as_py()) for blob in told.column("belief")]  # noqa: S301 - our own workers wrote it
    return ExactBelief.together(parts)
