"""What a method asks of the place where it runs."""

from __future__ import annotations

from typing import Protocol

from tacit.table import Groups, GroupStats, Table


class Engine(Protocol):
    """Small on purpose: whoever can group rows and count can run every method."""

    @property
    def name(self) -> str:
        """What a recipe calls it."""
        ...

    def groups(self, table: Table) -> Groups:
        """Group the rows that agree on all quasi-identifiers."""
        ...

    def statistics(self, table: Table, groups: Groups) -> GroupStats:
        """Count every sensitive column in every group."""
        ...
