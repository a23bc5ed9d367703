"""Plain linkage risks: what is said of a table by those who know all quasi-identifiers, or none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.errors import RoleError
from tacit.table import Table, as_text

THRESHOLDS = (0.05, 0.09, 0.2, 0.33)
"""Thresholds in use: EMA and Health Canada 0.09, public files 0.05, 0.2 and 0.33 where access is restricted."""


@dataclass(frozen=True)
class LinkageRisks:
    """Risks of being picked out by all quasi-identifiers.

    Attributes
    ----------
    rows, groups
        Rows, and distinct combinations of quasi-identifiers.
    sample_uniques
        Rows that are alone with theirs.
    prosecutor
        The largest risk to somebody who is known to be in the table: one over the smallest group.
    journalist
        The same, where she is only known to be in a population; None where none was given.
    marketer
        The share of all rows that would be matched right by matching everybody.
    above
        For each threshold, how many rows have a larger prosecutor risk.
    journalist_above
        The same for the journalist's; empty without a population.
    """

    rows: int
    groups: int
    sample_uniques: int
    prosecutor: float
    journalist: float | None
    marketer: float
    above: tuple[tuple[float, int], ...]
    journalist_above: tuple[tuple[float, int], ...] = ()


def linkage_risks(table: Table, population: pl.DataFrame | None = None) -> LinkageRisks:
    """Count groups of equal quasi-identifiers, in the table and in a population it was drawn from.

    Examples
    --------
    >>> table = Table({"age": [30, 30, 41]}, quasi_identifiers="age")
    >>> risks = linkage_risks(table)
    >>> risks.prosecutor, risks.sample_uniques, round(risks.marketer, 4)
    (1.0, 1, 0.6667)
    """
    groups = table.groups()
    sizes = groups.sizes()
    people = None if population is None else people_behind(table, population)
    return LinkageRisks(
        len(table),
        groups.count,
        int((sizes == 1).sum()),
        float(1.0 / sizes.min()),
        None if people is None else float(1.0 / people.min()),
        groups.count / len(table),
        _above(sizes, sizes),
        () if people is None else _above(people, sizes),
    )


def _above(people: Ints, rows: Ints) -> tuple[tuple[float, int], ...]:
    """Count, for each threshold, the rows of groups of so few people that their risk is larger."""
    return tuple((t, int(rows[1.0 / people > t].sum())) for t in THRESHOLDS)


def people_behind(table: Table, population: pl.DataFrame) -> Ints:
    """Return how many people of the population are in each group of the table.

    A group of the population cannot be smaller than what the table shows of it.
    """
    names = list(table.quasi_identifiers)
    for name in names:
        if name not in population.columns:
            raise RoleError.missing_column(name, population.columns, place="the population")
    groups = table.groups()
    mine = table.frame.select(names)[groups.first()].with_columns(
        as_text(table.frame[n][groups.first()]) for n in names
    )
    theirs = pl.DataFrame([as_text(population[n]) for n in names]).group_by(names).len("people")
    people = mine.join(theirs, on=names, how="left", nulls_equal=True, maintain_order="left")["people"]
    return np.asarray(np.maximum(groups.sizes(), people.fill_null(0).to_numpy()), dtype=np.int64)
