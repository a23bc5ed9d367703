"""This machine: Polars, NumPy and compiled kernels."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.table import Groups, GroupStats, Table


@dataclass(frozen=True)
class LocalEngine:
    """Everything in memory, on all cores.

    Examples
    --------
    >>> table = Table({"age": [30, 30, 41]}, quasi_identifiers="age")
    >>> LocalEngine().groups(table).count
    2
    """

    name: str = "local"

    def groups(self, table: Table) -> Groups:
        """Group the rows that agree on all quasi-identifiers."""
        return table.groups()

    def statistics(self, table: Table, groups: Groups) -> GroupStats:
        """Count every sensitive column in every group."""
        return table.statistics(groups)
