"""Queries: the COUNT queries by which reports and comparisons judge what analysts lose."""

from __future__ import annotations

from tacit.errors import RoleError
from tacit.measures import QueryError, Workload, query_error
from tacit.report.comparable_columns import comparable
from tacit.shapes import Published, Shape
from tacit.table import Table

_QUERIES, _DIMENSIONS, _SELECTIVITY = 500, 3, 0.05
"""How many queries, over how many quasi-identifiers at most, and the share of the table that each selects if values are
even. More queries give steadier medians and take longer; chosen by hand."""

ASKED = (
    f"{_QUERIES} COUNT queries, each with ranges of up to {_DIMENSIONS} quasi-identifiers and of the sensitive column; "
    f"a query would select {_SELECTIVITY:.0%} of the table if values were even."
)


def asked(part: Shape, table: Table, sensitive: str) -> QueryError:
    """Ask one published table about one sensitive column; always the same queries of the same table.

    Raises
    ------
    Infeasible
        Where hardly a query selects anybody.
    """
    columns = comparable(part, table, numbers=True)
    if not columns:
        raise RoleError("No quasi-identifier is published that queries can be about.")
    drawn = Workload.draw(
        table,
        columns=columns,
        queries=_QUERIES,
        dimensions=min(_DIMENSIONS, len(columns)),
        selectivity=_SELECTIVITY,
        sensitive=sensitive,
        seed=0,
    )
    return query_error(Published(part), table, workload=drawn)
