"""Which suppression made a release, as everybody may read in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacit.shapes import Published

DECLARED_AS = "skew_algorithm"
"""The key under which a method that suppresses skewed values names its algorithm in its public description."""

_BEFORE_DECLARATIONS = {
    "r-suppression": "r-suppression",
    "safe-d-suppression": "safe-d",
    "unsafe-d-suppression": "unsafe-d",
    "suppress-all": "suppress-all",
    "shift-suppression": "shift",
}
"""Algorithms by name of the method, for releases written before methods declared theirs. No new method belongs here."""


@dataclass(frozen=True)
class KnownSuppression:
    """The algorithm and its parameter: public, so known to the adversary.

    Attributes
    ----------
    algorithm
        The word that the method declares; a word of :data:`~tacit.knowledge.skew.Algorithm` if this tool can invert it.
    l
        The parameter of the suppression.
    step
        Which step of the method it is, from 0.
    """

    algorithm: str
    l: int
    step: int


def known_suppressions(published: Published) -> list[KnownSuppression]:
    """List the steps of a release that suppress skewed values, in order."""
    described = [(step, entry, declared_algorithm(entry)) for step, entry in enumerate(declared_steps(published))]
    return [KnownSuppression(word, int(entry["l"]), step) for step, entry, word in described if word is not None]


def known_suppression(published: Published, step: int | None = None) -> KnownSuppression | None:
    """Return the first suppression of skewed values among the steps of a release, or the one at a given step."""
    every = known_suppressions(published)
    return next((suppression for suppression in every if step in {None, suppression.step}), None)


def countable_column(published: Published) -> str | None:
    """Return the sensitive column whose published counts one suppression alone led to; None if there is none.

    With several sensitive columns or several suppressions the counts follow another law than that of one algorithm, and
    blank cells hide some of them.
    """
    columns = published.shape.sensitive
    if len(columns) != 1 or len(known_suppressions(published)) != 1 or published.shape.column(columns[0]).suppressed:
        return None
    return columns[0]


def declared_steps(published: Published) -> list[Mapping[str, Any]]:
    """List the public descriptions of the steps that made a release; none if another tool made it."""
    if not published.method:
        return []
    return list(published.method.get("steps", [published.method]))


def declared_algorithm(described: Mapping[str, Any]) -> str | None:
    """Return the algorithm that one step declares; None for a step that suppresses no skewed value.

    Examples
    --------
    >>> declared_algorithm({"name": "shift-suppression", "l": 3, "skew_algorithm": "v-shift"})
    'v-shift'
    >>> declared_algorithm({"name": "shift-suppression", "l": 3, "hide": "top"})  # written before it was declared
    'shift'
    """
    if DECLARED_AS in described:
        return str(described[DECLARED_AS])
    algorithm = _BEFORE_DECLARATIONS.get(str(described.get("name")))
    return "v-shift" if algorithm == "shift" and described.get("hide") == "violating" else algorithm
