"""Inference: whether a sensitive value can be told with more than the population's chance."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tacit.adversaries import Learned, Success
from tacit.measures.rates import Rate
from tacit.report.evidence.figure import RiskFigure
from tacit.report.evidence.heading import Heading
from tacit.report.evidence.holdout import HoldOut
from tacit.report.exposure import Exposure
from tacit.shapes import Shape

_ALMOST = 1e-12  # a posterior this near to 1 is certainty: the difference is the rounding of a division


def inference(
    parts: Mapping[str, Shape],
    exposure: Mapping[str, Exposure],
    learned: Mapping[str, Learned],
    success: Mapping[str, tuple[Learned, Success]] | None = None,
    holdout: HoldOut | None = None,
) -> Heading:
    """Say how often values are guessed right, by looking people up and by learning from the files.

    Parameters
    ----------
    parts, exposure
        The published tables, and who can be found in each.
    learned
        What a reader believes who learns from the files.
    success
        How often she is right, compared with the table: for the data owner only.
    holdout
        A second release, for the baseline.
    """
    figures: list[RiskFigure] = []
    for name, found in exposure.items():
        for column, posterior in found.posterior.items():
            of = f"{column} of {name}" if name else column
            figures += _looked_up(parts[name], found, column, posterior, of, holdout)
    for column, belief in learned.items():
        figures.append(_learning(column, belief, (success or {}).get(column)))
    if not figures:
        reason = "no sensitive column is published"
        figures = [RiskFigure("guessed right", "looks people up", None, reason)]
    return Heading("inference", "Can a value be told that a person would not tell?", tuple(figures))


def _looked_up(
    shape: Shape, found: Exposure, column: str, posterior: np.ndarray, of: str, holdout: HoldOut | None
) -> list[RiskFigure]:
    """Say how often somebody is right who looks people up, and of whom she is certain."""
    adversary = "knows every quasi-identifier of a person, and that she is in the table"
    right = float(np.dot(posterior, found.candidates))
    certain = int(found.candidates[posterior >= 1.0 - _ALMOST].sum())
    usual = _most_frequent(shape, column)
    return [
        RiskFigure(
            f"{of} guessed right by looking up",
            adversary,
            Rate(min(right, found.people), found.people),
            f"the mean posterior of the likeliest {column}",
            None if holdout is None else holdout.guessed(column),
            usual,
        ),
        RiskFigure(
            f"{of} certain",
            adversary,
            Rate(certain, found.people),
            f"everybody who may be the person has the same {column}",
        ),
    ]


def _learning(column: str, belief: Learned, judged: tuple[Learned, Success] | None) -> RiskFigure:
    """Say how often somebody is right who learns from all groups together: as she expects, or in truth."""
    adversary = "knows every quasi-identifier of a person, and learns from all published groups together"
    people = len(belief.row)
    if judged is None:
        rate, sentence = Rate(belief.expected * people, people), "as she expects herself; what is true is not public"
        return RiskFigure(
            f"{column} guessed right by learning", adversary, rate, sentence, None, belief.expected_before
        )
    success = judged[1]
    rate = Rate(float(success.right.sum()), len(success.right))
    sure = f"{success.sure:,}, and right about {success.sure_share:.0%} of these" if success.sure else "nobody"
    sentence = f"compared with the table; she is more than 0.9 sure of {sure}"
    return RiskFigure(f"{column} guessed right by learning", adversary, rate, sentence, None, success.prior_share)


def _most_frequent(shape: Shape, column: str) -> float | None:
    """Return the share of the most frequent value among the published rows, which everybody can guess."""
    histogram = shape.statistics.histograms.get(column)
    if histogram is None:
        return None
    totals = np.bincount(histogram.values, weights=histogram.counts)
    return float(totals.max() / totals.sum()) if totals.sum() else None
