"""Also found: what readers could learn from whom no claim protects, computed with the table at hand.

It is for the data owner only and never public, because how sure such a reader gets depends on the table itself.
"""

from __future__ import annotations

import polars as pl

from tacit.adversaries import IntersectionAdversary, Notice
from tacit.errors import TacitError
from tacit.guarantees import MInvariance, RRobustness
from tacit.guarantees.people import counted
from tacit.report.comparable_columns import left_out
from tacit.shapes import Published
from tacit.table import Table

_MOST_WORK = 20_000_000
"""Rows times sets of quasi-identifiers. Above it nothing is computed, because a warning that nobody asked for should
not take longer than the method itself. Chosen by trial: this much takes a few seconds."""

_R = 2
"""Groups are counted in which somebody's value is guessed right more often than not."""

_CERTAIN = 0.9995
"""A probability that is printed as 1.000, and called certainty."""


def also_found(release: Published, table: Table) -> tuple[Notice, ...]:
    """Ask a reader who knows the distribution of the sensitive values, and one who reads all marginals together.

    Parameters
    ----------
    release
        What is to be published, with its inside.
    table
        What it was made from.
    """
    try:
        return _found(release, table)
    except (Exception, MemoryError) as error:  # nobody asked for these checks, so none of them may stop a publication
        reason = error.message if isinstance(error, TacitError) else f"{type(error).__name__}: {error}".splitlines()[0]
        return (Notice("left out", f"what other readers could learn was not computed: {reason}".rstrip(".")),)


def _found(release: Published, table: Table) -> tuple[Notice, ...]:
    claimed = {type(claim.guarantee) for claim in release.claims}
    if table.people is not None:
        return (Notice(RRobustness(r=_R).name, f"{_NOT_COMPUTED}, because people have several rows"),)
    if release.shape.several:
        return () if MInvariance in claimed else tuple(IntersectionAdversary.of(release).warn(release))
    names = [name for name in release.shape.quasi_identifiers if name in table.quasi_identifiers]
    secret = any(name in table.sensitive for name in release.shape.sensitive)
    # Where rows are published as they were, a reader needs no statistics to know their values.
    if RRobustness in claimed or not release.shape.grouped or not names or not secret:
        return ()
    robustness = RRobustness(r=_R)
    too_fine = release.shape.flat and bool(left_out(release.shape, table))
    if too_fine or len(table) * (2 ** len(names) - 1) > _MOST_WORK:
        return (Notice(robustness.name, f"{_NOT_COMPUTED}, because it would take too long"),)
    try:
        groups = robustness.groups(release, table)
    except TacitError as error:
        return (Notice(robustness.name, f"{_NOT_COMPUTED}: {error.message}".rstrip(".")),)
    notices = []
    for (column,), judged in groups.group_by("column", maintain_order=True):
        exposed = judged.filter(pl.col("posterior") > robustness.bound())
        if exposed.height:
            top = exposed.sort("posterior", descending=True).row(0, named=True)
            notices.append(
                Notice(robustness.name, _sentence(str(column), exposed, top, release.unit), float(top["posterior"]))
            )
    return tuple(notices)


_NOT_COMPUTED = "how well a reader could guess who knows how the sensitive values are distributed was not computed"


def _sentence(column: str, exposed: pl.DataFrame, top: dict[str, object], unit: str) -> str:
    """Say in one line what she knows, how sure she could be, and how many people are concerned."""
    sure = f"with a probability of {top['posterior']:.2f}"
    if float(str(top["posterior"])) >= _CERTAIN:
        sure = "with certainty"
    groups = "1 group" if exposed.height == 1 else f"{exposed.height:,} groups"
    return (
        f"a reader who knows how {column!r} is distributed by {top['attributes']} could tell somebody's {sure}; in "
        f"{groups} ({counted(int(exposed['size'].sum()), unit)}) she would guess somebody's right more often than not; "
        "the method art promises against her (r = 2, or gain = 2 for no news)"
    )
