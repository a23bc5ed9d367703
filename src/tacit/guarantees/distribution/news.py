"""News: of how many people a reader learns more than she knew before, who knows how a value is distributed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.guarantees.distribution.seen import seen_groups
from tacit.guarantees.evidence import Evidence
from tacit.knowledge.distribution import Distribution
from tacit.shapes import Published
from tacit.table import Table

_AS_SURE = 0.0005
"""Beliefs that differ by less are printed alike."""


@dataclass(frozen=True)
class News:
    """Of how many people there is news, and the surest of it.

    Attributes
    ----------
    people
        How many.
    posterior, before
        What a reader believes at most, and what she believed of the same person and value before; of several people of
        whom she is as sure, the one whom she knew least about.
    attributes
        The quasi-identifiers by which she knows the distribution, as words.
    counted
        False where some groups have too many worlds to count, so that figures are near what they say.
    """

    people: int
    posterior: float = 0.0
    before: float = 0.0
    attributes: str = ""
    counted: bool = True


def news_of(published: Published, table: Table, name: str, *, limit: float, gain: float) -> News | None:
    """Ask of whom somebody learns more than she knew, who knows how a value is distributed in the table.

    She believes a value with more than `limit`, and her odds grew by more than the factor `gain`: whom r-robustness
    with r = 1 / limit and this gain would protect. None where nothing tells who is in which group.
    """
    distribution = Distribution.of(table, sensitive=name)
    seen = seen_groups(Evidence(published, table), name, distribution)
    if seen is None or not seen.people_known:
        return None
    posterior, before, where, counted = seen.worlds.gains(limit=limit, gain=gain)
    if not posterior.any():
        return News(0)
    surest = np.flatnonzero(posterior >= posterior.max() - _AS_SURE)
    top = int(surest[np.argmin(before[surest])])
    return News(
        int((posterior > 0).sum()),
        min(1.0, float(posterior[top])),
        float(before[top]),
        distribution.set_name(int(where[top])),
        bool(counted.all()),
    )
