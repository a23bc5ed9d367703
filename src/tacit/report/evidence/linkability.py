"""Linkability: whether rows about one person can be put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from tacit.adversaries import LinkageAdversary
from tacit.errors import TacitError
from tacit.measures.rates import Rate
from tacit.report.evidence.figure import RiskFigure
from tacit.report.evidence.heading import Heading
from tacit.report.evidence.holdout import HoldOut
from tacit.report.evidence.two_releases import of_marginals, with_holdout
from tacit.report.exposure import Exposure
from tacit.shapes import Published
from tacit.table import Table, as_text

_TWO = "another release of the same people"
_LIST = "an outside table"


@dataclass(frozen=True, eq=False)
class OutsideTable:
    """A table that somebody else has, with some of the quasi-identifiers.

    Attributes
    ----------
    name
        What to call it.
    people
        Its rows.
    """

    name: str
    people: pl.DataFrame


def linkability(
    exposure: Mapping[str, Exposure],
    release: Published | None = None,
    table: Table | None = None,
    holdout: HoldOut | None = None,
    outside: OutsideTable | None = None,
) -> Heading:
    """Match people of an outside table, and rows of two releases.

    Parameters
    ----------
    exposure
        Who can be found in each published table.
    release, table
        The release with its inside, and what it was made from: for the data owner only.
    holdout
        A second release, for the baseline.
    outside
        An outside table that was named.
    """
    figures = []
    baseline = None if holdout is None else holdout.fitting()
    for name, found in exposure.items():
        of = f" of {name}" if name else ""
        figures.append(
            RiskFigure(
                f"matched rightly with {_LIST} of everybody{of}",
                f"has {_LIST} with every quasi-identifier of everybody who is in it, and matches them at random",
                Rate(len(found.candidates), found.people),
                f"{len(found.candidates):,} of {found.people:,} {found.unit} are expected to be matched rightly",
            )
        )
    if baseline is not None:
        figures.append(
            RiskFigure(
                "told to be in the table",
                f"has {_LIST} of people of whom some are in the table, and takes those for whom a row fits to be in it",
                baseline.inside,
                "some row of a second release fits them; if one fits as many people outside, nothing is told",
                baseline,
            )
        )
    figures += _outside(release, table, outside)
    figures += _two(release, table, holdout)
    return Heading("linkability", "Can rows about one person be put together?", tuple(figures))


def _outside(release: Published | None, table: Table | None, outside: OutsideTable | None) -> list[RiskFigure]:
    """Match the people of a table that was named."""
    adversary = f"has {_LIST} that was named"
    if outside is None or release is None or table is None:
        return [RiskFigure(f"matched rightly with {_LIST}", adversary, None, "no outside table was named")]
    adversary = f"has the table {outside.name}, and matches its people at random with rows that fit"
    name = f"matched rightly with {outside.name}"
    try:
        found = LinkageAdversary(victims=outside.people).attack(release)
    except TacitError as error:
        return [RiskFigure(name, adversary, None, error.message)]
    known = [q for q in release.shape.quasi_identifiers if q in outside.people.columns and q in table.quasi_identifiers]
    keys = (*table.identifiers, *([] if table.person is None else [table.person]))
    shared = [key for key in keys if key in outside.people.columns]
    by = shared or known
    kept = table.frame if release.inside is None else table.frame.filter(pl.Series(release.inside.kept))
    published = kept.select(as_text(kept[each]) for each in by).group_by(by).len("rows")
    asked = outside.people.select(as_text(outside.people[each]) for each in by)
    there = asked.join(published, on=by, how="left", nulls_equal=True, maintain_order="left")["rows"].is_not_null()
    right = pl.Series(found.candidates).cast(pl.Float64)
    expected = float((1.0 / right.clip(lower_bound=1.0)).filter((right > 0) & there).sum())
    how = f"who agrees in {', '.join(by)} is taken for the same person"
    sentence = (
        f"{int(there.sum()):,} of its {len(there):,} people are published, {how}; some row fits "
        f"{int((right > 0).sum()):,}, exactly one row {int((right == 1).sum()):,}; {expected:,.1f} matches are "
        "expected to be right"
    )
    return [RiskFigure(name, adversary, Rate(expected, len(there)), sentence)]


def _two(release: Published | None, table: Table | None, holdout: HoldOut | None) -> list[RiskFigure]:
    """Match rows of two releases."""
    adversary = f"has {_TWO}, and knows how the groups of the two overlap, so that nobody does better"
    if release is None or table is None:
        reason = "what two releases tell together is in the internal report"
        return [RiskFigure(f"matched rightly with {_TWO}", adversary, None, reason)]
    pairs = {f"tables {a} and {b}": rate for (a, b), rate in of_marginals(release, table).items()}
    second = None if holdout is None else with_holdout(release, table, holdout)
    if second is not None:
        pairs["this release and a second one of a random half"] = second
    if not pairs:
        reason = "there is one release, and no second one was asked for (baseline)"
        return [RiskFigure(f"matched rightly with {_TWO}", adversary, None, reason)]
    return [
        RiskFigure(f"matched rightly between {name}", adversary, rate, "at most so many rows are matched rightly")
        for name, rate in pairs.items()
    ]
