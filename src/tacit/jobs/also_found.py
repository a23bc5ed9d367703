"""What adversaries learn whom no claim is about, and who know what only the data owner can look up.

It is for the owner's eyes: how sure they get depends on the table itself, so it is never public.
"""

from __future__ import annotations

import polars as pl

from tacit.adversaries import IntersectionAdversary, Notice
from tacit.errors import RoleError
from tacit.guarantees import MInvariance, RRobustness
from tacit.report.comparable_columns import left_out
from tacit.shapes import Published
from tacit.table import Table

_WORK = 20_000_000  # rows times sets of quasi-identifiers
_R = 2  # more than half sure


def others(release: Published, table: Table) -> tuple[Notice, ...]:
    """Ask those who know the distribution of the sensitive values, and those who read all marginals together.

    Parameters
    ----------
    release
        What is to be published, with its inside.
    table
        What it was made from.
    """
    claimed = {type(claim.guarantee) for claim in release.claims}
    if release.shape.several:
        return () if MInvariance in claimed else tuple(IntersectionAdversary.of(release).warn(release))
    names = [name for name in release.shape.quasi_identifiers if name in table.quasi_identifiers]
    grouped = release.shape.grouped  # a row as it is needs no statistics to be read
    secret = any(name in table.sensitive for name in release.shape.sensitive)
    if RRobustness in claimed or not grouped or not names or not secret:
        return ()
    asked = RRobustness(r=_R)
    fine = release.shape.flat and bool(left_out(release.shape, table))
    if fine or len(table) * (2 ** len(names) - 1) > _WORK:
        told = "what somebody learns who knows the distribution of the sensitive values was not computed: too much work"
        return (Notice(asked.name, told),)
    try:
        groups = asked.groups(release, table)
    except RoleError as error:
        told = f"what somebody learns who knows the distribution of the sensitive values is not known: {error.message}"
        return (Notice(asked.name, told.rstrip(".")),)
    return tuple(
        Notice(asked.name, _sentence(str(column), broken), float(broken["posterior"].max() or 0.0))  # type: ignore[arg-type]
        for (column,), found in groups.group_by("column", maintain_order=True)
        if (broken := found.filter(pl.col("posterior") > asked.bound())).height
    )


def _sentence(column: str, broken: pl.DataFrame) -> str:
    worst = broken.sort("posterior", descending=True).row(0, named=True)
    return (
        f"somebody who knows how {column!r} is distributed by {worst['attributes']} believes of a person "
        f"that she has one value with probability {worst['posterior']:.2f}; with such knowledge she is more than "
        f"half sure of somebody in {broken.height:,} groups ({broken['size'].sum():,} people)"
    )
