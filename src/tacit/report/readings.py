"""Readings: what a published table is, measured in the usual ways, each with a usual threshold and a plain sentence.

They are about the published rows: nothing tells who was left out. A threshold is what guidelines or papers commonly
ask for; it is no promise, and nothing is claimed by meeting it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isinf

import numpy as np

from tacit.adversaries import LearningAdversary
from tacit.arrays import Ints
from tacit.errors import RoleError
from tacit.guarantees import BetaLikeness, DeltaDisclosure, KAnonymity, LDiversity, TCloseness
from tacit.guarantees.people import counted
from tacit.shapes import Published, Shape
from tacit.table import GroupStats
from tacit.table.groups import Unit

_LEARNERS = 20_000
"""People whom the learning reader is asked about, at most. More are more precise and take longer in proportion."""

_MORE = 0.01
"""What the learning reader may expect to guess right beyond what the population alone would tell her."""

_K, _L, _T, _BETA, _DELTA = 5, 2, 0.2, 1.0, 1.5
_PROSECUTOR, _MARKETER = 0.2, 0.05
_RECURSIVE = 3.0  # the c of recursive (c, l)-diversity


@dataclass(frozen=True)
class Reading:
    """One measure of a published table.

    Attributes
    ----------
    name
        What is measured, with the sensitive column it is about.
    value
        What it is; None where it could not be measured.
    threshold
        What is usually asked for, in words.
    met
        Whether that is met; None where nothing is usually asked for.
    sentence
        What it means.
    """

    name: str
    value: float | None
    threshold: str
    met: bool | None
    sentence: str

    @property
    def written(self) -> str:
        """The value as text."""
        if self.value is None:
            return "-"
        if isinf(self.value):
            return "unbounded"
        return f"{int(self.value):,}" if float(self.value).is_integer() else f"{self.value:.4g}"


def readings(release: Published) -> list[Reading]:
    """Measure a published table; of several marginals each by itself."""
    found: list[Reading] = []
    parts = release.shape.parts
    for name, shape in parts.items():
        prefix = f"{name}: " if len(parts) > 1 else ""
        found += [replace(each, name=prefix + each.name) for each in _of_shape(shape, release.unit)]
    return [*found, *_learning(release)]


def _of_shape(shape: Shape, unit: Unit) -> Iterator[Reading]:
    blank = shape.suppressed_group  # rows that another tool withheld, and left in the table
    groups = np.delete(np.arange(shape.statistics.count), [] if blank is None else [blank])
    stats = shape.statistics.take(groups)
    sizes = stats.sizes[stats.sizes > 0]
    if not len(sizes):
        return
    rows, alone = int(sizes.sum()), int((sizes == 1).sum())
    k = int(KAnonymity(k=_K).measure(stats))
    yield Reading(
        "k",
        k,
        f"{_K} or more",
        k >= _K,
        f"everybody is in a group of at least {k:,}, by all quasi-identifiers together",
    )
    share = f"{alone:,} of {counted(rows, unit)} ({alone / rows:.1%})"
    yield Reading("unique", alone, "0", alone == 0, f"{share} are alone with theirs")
    yield Reading(
        "prosecutor's risk",
        1 / k if k else 1.0,
        f"{_PROSECUTOR:g} or less",
        k >= 1 / _PROSECUTOR,
        "the largest probability that somebody who knows a person is in the table picks her row",
    )
    marketer = len(sizes) / rows
    yield Reading(
        "marketer's risk",
        marketer,
        f"{_MARKETER:g} or less",
        marketer <= _MARKETER,
        f"the share of all rows that somebody picks right who matches everybody ({len(sizes):,} groups)",
    )
    for name in stats.histograms:
        yield from _of_column(shape, replace(stats, histograms={name: stats.histograms[name]}), name, groups, unit)


def _of_column(shape: Shape, stats: GroupStats, name: str, groups: Ints, unit: Unit) -> Iterator[Reading]:
    histogram = stats.histograms[name]
    size, top = histogram.sizes(), histogram.largest()
    share = np.divide(top, size, out=np.zeros(len(size)), where=size > 0)
    worst = int(np.lexsort((size, share))[-1]) if len(share) else 0  # of equally bad ones, the one of most people
    sure = int(size[share >= 1].sum())
    if len(share):
        yield Reading(
            f"worst group of {name}",
            float(share[worst]),
            f"{1 / _L:g} or less",
            bool(share[worst] <= 1 / _L),
            f"{int(top[worst]):,} of {int(size[worst]):,} have the same {name} "
            f"({shape.whereabouts(int(groups[worst]))}); the {name} of {counted(sure, unit)} is certain",
        )
    kinds = {
        "distinct": f"every group has so many different values of {name} at least",
        "entropy": f"the values of {name} in every group vary as much as so many equally frequent ones",
        "recursive": f"the most frequent {name} of a group is below {_RECURSIVE:g} times the rest from the l-th on",
        "frequency": f"no {name} is believed with more than 1/l by somebody who finds the group",
    }
    for kind, sentence in kinds.items():
        l = float(LDiversity(l=_L, kind=kind, c=_RECURSIVE if kind == "recursive" else None).measure(stats))
        yield Reading(f"l of {name}, {kind}", l, f"{_L} or more", l >= _L, sentence)
    t = TCloseness(t=_T).measure(stats)
    yield Reading(
        f"t of {name}", t, f"{_T:g} or less", t <= _T, "so much probability a group moves away from the whole table"
    )
    beta = BetaLikeness(beta=_BETA).measure(stats)
    times = f"a value is up to {1 + beta:,.1f} times as frequent in a group as in the whole table"
    yield Reading(f"beta of {name}", beta, f"{_BETA:g} or less", beta <= _BETA, times)
    delta = DeltaDisclosure(delta=_DELTA).measure(stats)
    meaning = "a group lacks a value, so that it is excluded" if isinf(delta) else "the largest |ln(p/q)| of a value"
    yield Reading(f"delta of {name}", delta, f"{_DELTA:g} or less", delta <= _DELTA, meaning)


def _learning(release: Published) -> Iterator[Reading]:
    """Ask a reader who learns from the files how many values she expects to guess right."""
    try:
        beliefs = LearningAdversary(sample=_LEARNERS).attack(release)
    except RoleError:
        return
    for name, learned in beliefs.columns.items():
        read, rows = len(learned.row), learned.people_published
        sample = f" (asked about {read:,} of {rows:,} rows)" if read < rows else ""
        yield Reading(
            f"learning reader of {name}",
            learned.expected,
            f"{learned.expected_before + _MORE:.4g} or less",
            learned.expected <= learned.expected_before + _MORE,
            f"the share of the rows whose {name} she expects to guess right, who learns from the files{sample}; "
            f"knowing only the population it would be {learned.expected_before:.0%}",
        )
