"""Which suppression made a release, as everybody may read in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacit.knowledge.skew.posterior.beliefs import Algorithm
from tacit.shapes import Published

_ALGORITHMS: dict[str, Algorithm] = {
    "r-suppression": "r-suppression",
    "safe-d-suppression": "safe-d",
    "unsafe-d-suppression": "unsafe-d",
    "suppress-all": "suppress-all",
}


@dataclass(frozen=True)
class KnownSuppression:
    """The algorithm and its parameter: public, so known to the adversary."""

    algorithm: Algorithm
    l: int
    step: int


def known_suppression(published: Published, step: int | None = None) -> KnownSuppression | None:
    """Find the suppression of skewed values among the steps of a release, or at one step."""
    method = published.method or {}
    steps = method.get("steps", [method])
    for index, described in enumerate(steps):
        algorithm = _algorithm(described)
        if algorithm is not None and step in {None, index}:
            return KnownSuppression(algorithm, int(described["l"]), index)
    return None


def _algorithm(described: Mapping[str, Any]) -> Algorithm | None:
    if described.get("name") == "shift-suppression":
        return "v-shift" if described.get("hide") == "violating" else "shift"
    return _ALGORITHMS.get(str(described.get("name")))
