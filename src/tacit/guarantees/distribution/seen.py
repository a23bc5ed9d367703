"""Seen: what an auditor can tell of who is in which published group."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.guarantees.evidence import Evidence
from tacit.knowledge.distribution import Distribution, GroupWorlds
from tacit.knowledge.distribution.published_worlds import published_worlds
from tacit.shapes import Shape


class Seen(NamedTuple):
    """What is judged of the published groups: their worlds, and whether everybody's quasi-identifiers are known."""

    worlds: GroupWorlds
    people_known: bool


def seen_groups(evidence: Evidence, name: str, distribution: Distribution) -> Seen | None:
    """Put people into the published groups, as closely as it can be told; None for a shape without groups."""
    shape = evidence.published.shape
    if shape.shows_members or _as_they_were(shape):
        worlds = published_worlds(shape, name, distribution)
        return None if worlds is None else Seen(worlds, people_known=True)
    people, together = _published_people(evidence)
    worlds = None if people is None else published_worlds(shape, name, distribution, people, together)
    if worlds is not None:
        return Seen(worlds, people_known=True)
    # By their published cells alone everybody in a group is alike: what fails even so, fails.
    worlds = published_worlds(shape, name, distribution)
    return None if worlds is None else Seen(worlds, people_known=False)


def _as_they_were(shape: Shape) -> bool:
    """Ask whether quasi-identifiers are published as they were, so that the cells say all that there is to know."""
    return not shape.grouped and not any(shape.column(name).suppressed for name in shape.quasi_identifiers)


def _published_people(evidence: Evidence) -> tuple[pl.DataFrame | None, Ints | None]:
    """Return the quasi-identifiers of the rows that are published, and who is together, as far as that is known."""
    inside, source = evidence.inside, evidence.source
    if source is None:
        return None, None
    frame = source.frame.select(source.quasi_identifiers)
    if inside is None:
        return frame, None
    together = inside.group[inside.kept] if isinstance(inside.group, np.ndarray) else None
    return frame.filter(pl.Series(inside.kept)), together
