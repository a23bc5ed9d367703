"""analysts: what a release is still good for, measured where a recipe or a command asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tacit.errors import TacitError
from tacit.measures.analysts import Usefulness, usefulness
from tacit.measures.analysts.usefulness import check_targets
from tacit.methods import Method
from tacit.shapes import Published
from tacit.table import Table

SENSITIVE = "sensitive"
"""What stands for all sensitive columns where targets are named."""

Analysts = Callable[[Published], Usefulness]
"""Measures a release."""


def asking(table: Table, method: Method, targets: Sequence[str], place: str) -> Analysts | None:
    """Prepare the measurement of some targets; None where there are none.

    Parameters
    ----------
    table
        The table.
    method
        What protects it.
    targets
        Columns to predict; "sensitive" stands for all sensitive ones unless a column has that name.
    place
        Where they were named, for a sentence about one that is not there.
    """
    known = [*table.quasi_identifiers, *table.sensitive]
    names: list[str] = []
    for target in targets:
        names += list(table.sensitive) if target == SENSITIVE and SENSITIVE not in known else [target]
    check_targets(table, names, place)
    if not names:
        return None

    def measured(release: Published) -> Usefulness:
        """Measure; it is for looking, so that nothing of it may stop a publication."""
        try:
            return usefulness(release, table, names, method.protect)
        except (Exception, MemoryError) as error:
            said = (
                error.message if isinstance(error, TacitError) else f"{type(error).__name__}: {error}".splitlines()[0]
            )
            return Usefulness(missing=(f"What analysts can still do was not measured: {said.rstrip('.')}.",))

    return measured
