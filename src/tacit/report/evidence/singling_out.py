"""Singling out: whether somebody's row can be isolated."""

from __future__ import annotations

from collections.abc import Mapping

from tacit.measures.rates import Rate
from tacit.measures.risk import SpecialUniques
from tacit.report.evidence.figure import RiskFigure
from tacit.report.evidence.heading import Heading
from tacit.report.evidence.holdout import HoldOut
from tacit.report.exposure import Exposure

_FEW = 3
"""Quasi-identifiers that somebody knows in passing, at most: sets of 1 to 3 are told apart."""

_PREDICATE = (
    "Predicate singling out, by a condition that holds of exactly one person of the table, was not attacked: whoever "
    "joins the cells of a small group with a condition that one in so many people meets isolates somebody in up to 37% "
    "of tries, whatever k is (Cohen and Nissim, 2020)."
)


def singling_out(
    exposure: Mapping[str, Exposure], alone: Mapping[str, SpecialUniques], holdout: HoldOut | None = None
) -> Heading:
    """Count rows that are alone, by all quasi-identifiers and by any one to three of them.

    Parameters
    ----------
    exposure
        Who can be found in each published table.
    alone
        The special uniques of each published table.
    holdout
        A second release, for the baseline.
    """
    figures = []
    baseline = None if holdout is None else holdout.singled_out()
    for name, found in exposure.items():
        of = f" of {name}" if name else ""
        single = int(found.candidates[found.candidates == 1].sum())
        figures.append(
            RiskFigure(
                f"alone by all quasi-identifiers{of}",
                "knows every quasi-identifier of a person, and that she is in the table",
                Rate(single, found.people),
                f"exactly one published row fits {single:,} of {found.people:,} {found.unit}",
                baseline,
            )
        )
        if name in alone:
            figures += _few(alone[name], of)
    return Heading(
        "singling out",
        "Can the row of one person be isolated?",
        tuple(figures),
        (_PREDICATE,),
    )


def _few(alone: SpecialUniques, of: str) -> list[RiskFigure]:
    """Count rows that are alone by some choice of few columns."""
    figures = []
    for size, count in enumerate(alone.alone[:_FEW], start=1):
        columns = "quasi-identifier" if size == 1 else "quasi-identifiers"
        figures.append(
            RiskFigure(
                f"alone by some {size} {columns}{of}",
                f"knows any {size} of the {len(alone.columns)} quasi-identifiers",
                Rate(count, alone.rows),
                f"{count:,} of {alone.rows:,} rows are alone with their published cells of some such choice",
            )
        )
    return figures
