"""Profile: where the risk of a table comes from: which combinations of attributes, which attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.arrays import Ints
from tacit.knowledge.risk.attributes import Attributes
from tacit.knowledge.risk.every_set import MOST, every_set, steps
from tacit.knowledge.risk.model import DisclosureRisk
from tacit.knowledge.risk.population import Population
from tacit.knowledge.risk.records import Records
from tacit.knowledge.risk.score import Score
from tacit.knowledge.risk.search import bound
from tacit.knowledge.risk.stopping_rule import StoppingRule
from tacit.measures.risk.combinations import Combination, riskiest
from tacit.measures.risk.histogram import RiskHistogram
from tacit.progress import Progress, silent
from tacit.randomness import Randomness
from tacit.table import Table

_COARSE = 0.1
"""The width of an interval, as a share of its upper end, that is narrow enough for a histogram by powers of ten; a
fifth of it for the shares, which are differences. Narrower takes longer. How the value was chosen was not written
down."""
_SAMPLE, _SHARES = 10_000, 500
"""Rows at most for the histogram, and for the shares, which search once per attribute. More rows are more precise and
take longer in proportion. How the value was chosen was not written down."""
_MANY, _FEWER = 12, 50
"""With more than 12 attributes that may be known, 50 times fewer rows are taken, and shares are searched in one round,
because the time for a row grows with the number of known sets. Chosen by trial: on UCI Adult (14 attributes) the
histogram of 200 rows has each decade within 3 points of that of 1,000, the shares of one round are within 2 points of
those of two, and both take a sixth of the time."""
_ADDITIONS = 1_000_000_000
"""Additions at most for adding up every known set of every row of the sample, about two seconds; beyond, risks are
bounded by a search, which shares its work between rows and has to be compiled first."""
_ROUNDS = 2
"""Rounds of the search at most; records that are not done then keep wider intervals. How the value was chosen was not
written down."""


@dataclass(frozen=True)
class RiskProfile:
    """The risk of a table, in parts.

    Attributes
    ----------
    risk
        What was assumed, defaults written out.
    rows
        How many rows the table has.
    histogram
        Rows by decade of risk.
    mean
        The risk of a row, on average.
    combinations
        The known sets that add most to the risk of all rows together.
    certain
        Whether they are certainly those; else the search ended before all were counted.
    shares
        Of each column, the share of the risk that would not be there if nobody knew it.
    sampled
        How many rows the histogram is from; None for all. They are counted in the whole table.
    """

    risk: DisclosureRisk
    rows: int
    histogram: RiskHistogram
    mean: float
    combinations: tuple[Combination, ...]
    certain: bool
    shares: tuple[tuple[str, float], ...]
    sampled: int | None


def profile(risk: DisclosureRisk, table: Table, progress: Progress = silent, most: int = 10) -> RiskProfile:
    """Take the risk of a table apart, each record's to within a tenth where that is quick enough."""
    records = Records.of(Attributes.of(risk, table))
    attributes = len(records.population.order)
    fewer = _FEWER if attributes > _MANY else 1
    rows = _some(np.arange(len(table)), _SAMPLE // fewer)
    if attributes <= MOST and len(np.unique(records.ids[rows])) * steps(records.population) <= _ADDITIONS:
        score, shares = _counted(records, rows, progress)
    else:
        score = _score(records, rows, progress)
        shares = _shares(records, _some(rows, _SHARES // fewer), _ROUNDS if fewer == 1 else 1, progress)
    combinations, certain = riskiest(records, most)
    return RiskProfile(
        risk.resolved(table),
        len(table),
        RiskHistogram.of(score),
        float(score.middle.mean()) if len(rows) else 0.0,
        combinations,
        certain,
        shares,
        None if len(rows) == len(table) else len(rows),
    )


def _counted(records: Records, rows: Ints, progress: Progress) -> tuple[Score, tuple[tuple[str, float], ...]]:
    """Add up every known set of some rows: their risks are exact, and so are the shares of the attributes in them."""
    population = records.population
    chosen, at, times = np.unique(records.ids[rows], return_inverse=True, return_counts=True)
    risks, without = every_set(population, records.victims[chosen], records.gains[chosen])
    progress("risk of every record", 1.0)
    whole, left = float(risks @ times), times @ without
    names = [records.attributes.names[column] for column in population.order]
    parts = np.maximum(0.0, 1.0 - left / whole) if whole else np.zeros(len(names))
    shares = sorted(zip(names, parts.tolist(), strict=True), key=lambda each: -each[1])
    return Score(risks[at], risks[at], np.zeros(len(rows))), tuple(shares)


def _some(rows: Ints, many: int) -> Ints:
    """Take a sample for a picture, the same each time: nothing secret is drawn, and nothing of it is published."""
    if len(rows) <= many:
        return rows
    return np.sort(Randomness.make(seed=0).shuffle().choice(rows, many, replace=False))


def _score(records: Records, rows: Ints, progress: Progress) -> Score:
    chosen, at = np.unique(records.ids[rows], return_inverse=True)
    goal = StoppingRule(relative=_COARSE)
    victims, gains = records.victims[chosen], records.gains[chosen]
    bounds = bound(records.population, victims, gains, goal, rounds=_ROUNDS, progress=progress)
    return Score(bounds.low[at], bounds.high[at], np.zeros(len(rows)))


def _shares(records: Records, rows: Ints, rounds: int, progress: Progress) -> tuple[tuple[str, float], ...]:
    """Leave out one attribute after another: the risk is linear in each probability."""
    population = records.population
    chosen, times = np.unique(records.ids[rows], return_counts=True)
    victims, gains = records.victims[chosen], records.gains[chosen]

    def total(searched: Population) -> float:
        bounds = bound(searched, victims, gains, StoppingRule(relative=_COARSE / 5), rounds=rounds)
        return float((bounds.low + bounds.high) @ times)

    whole = total(population)
    shares = []
    for l, column in enumerate(population.order):
        left = total(population.without(l))
        shares.append((records.attributes.names[column], max(0.0, 1.0 - left / whole) if whole else 0.0))
        progress("share of each attribute", (l + 1) / len(population.order))
    return tuple(sorted(shares, key=lambda each: -each[1]))
