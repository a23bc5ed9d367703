"""Profile: where the risk of a table comes from: which combinations of attributes, which attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.knowledge.risk.attributes import Attributes
from tacit.knowledge.risk.histogram import Histogram
from tacit.knowledge.risk.model import DisclosureRisk
from tacit.knowledge.risk.records import Records
from tacit.knowledge.risk.score import Score
from tacit.progress import Progress, silent
from tacit.table import Table

_COARSE = 0.2
_SAMPLE = 10_000


@dataclass(frozen=True)
class Combination:
    """A known set, and its share of the total risk."""

    columns: tuple[str, ...]
    share: float


@dataclass(frozen=True)
class Profile:
    """The risk of a table, in parts.

    Attributes
    ----------
    risk
        What was assumed, defaults written out.
    histogram
        Rows by decade of risk.
    combinations
        The known sets that add most.
    shares
        Of each column, the share of the risk to which it belongs as known: the known sets it is in.
    visited
        The share of the risk that lies in known sets that were looked at one by one; the figures are about that.
    sampled
        How many distinct records the figures are from; None for all. They are counted in the whole table.
    """

    risk: DisclosureRisk
    histogram: Histogram
    combinations: tuple[Combination, ...]
    shares: tuple[tuple[str, float], ...]
    visited: float
    sampled: int | None


def profile(risk: DisclosureRisk, table: Table, progress: Progress = silent, most: int = 10) -> Profile:
    """Take the risk of a table apart, to within a fifth of each record's risk."""
    attributes = Attributes.of(risk, table)
    records = Records.of(attributes)
    live, sampled = records.live, None
    if len(live) > _SAMPLE:
        # A sample of records for a picture, the same each time: nothing secret is drawn, nothing is published of it.
        chosen = np.random.default_rng(0).choice(len(live), _SAMPLE, replace=False)
        live, sampled = np.sort(live[chosen]), _SAMPLE
    times = records.times[live]
    found = records.population.bound(
        records.victims[live], records.gains[live], times=times, tally=True, relative=_COARSE, progress=progress,
        stage="risk of every record", rounds=3,
    )  # fmt: skip
    rows = np.repeat(np.arange(len(live)), times)
    zero = np.zeros(attributes.rows - int(records.times[records.live].sum()))
    if sampled is None:
        low, high = np.concatenate([found.low[rows], zero]), np.concatenate([found.high[rows], zero])
    else:
        low, high = found.low[rows], found.high[rows]
    total, seen = float((found.low + found.high) @ times / 2), float(found.sums.sum())
    order = np.argsort(-found.sums, kind="stable")
    names = [attributes.names[column] for column in records.population.order]
    masks = (found.sets[:, None] >> np.arange(len(names))) & 1
    combinations = tuple(
        Combination(tuple(name for name, in_it in zip(names, masks[i], strict=True) if in_it), float(found.sums[i] / seen))
        for i in order[:most]
        if found.sums[i] > 0
    )
    parts = found.sums @ masks / seen if seen else np.zeros(len(names))
    shares = tuple((names[j], float(parts[j])) for j in np.argsort(-parts, kind="stable") if parts[j] > 0)
    return Profile(
        risk.resolved(table),
        Histogram.of(Score(low, high, np.zeros(len(low)))),
        combinations,
        shares,
        min(1.0, seen / total) if total else 0.0,
        sampled,
    )
