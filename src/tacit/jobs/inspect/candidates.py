"""Candidates: ways to protect a table that a start may recommend, from the strongest promise to the weakest.

Each is written as a recipe writes it, so that what was tried is what the start says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.jobs.inspect.exposure import Spreading
from tacit.methods import Method
from tacit.methods.registry import in_order, make
from tacit.recipes.writing import as_value

K = 5
"""The least rows of a group that is tried first. A larger k promises more and blurs more; chosen by hand."""

L = 3
"""The l that is tried first where the most frequent value allows it: a reader is wrong two times in three."""

CLOSE = ("0.2", "0.3")
"""The distances of t-closeness that are tried where a value is too frequent for 2-diverse groups: what a group tells
about the sensitive value differs from what the whole table tells by at most so much probability."""

_WITHHOLD = 0.05
"""The share of rows that a candidate without sensitive columns may withhold where the others then blur less."""


@dataclass(frozen=True)
class Candidate:
    """Steps of a recipe, and what they promise in plain words."""

    promise: str
    steps: tuple[Mapping[str, Any], ...]

    @property
    def method(self) -> Method:
        """The steps as a method."""
        return in_order([make(dict(step)) for step in self.steps])

    def lines(self) -> list[str]:
        """Write the steps as a recipe has them."""
        lines: list[str] = []
        for step in self.steps:
            lines += ["[[steps]]", *(f"{key} = {as_value(value)}" for key, value in step.items()), ""]
        return lines[:-1]


def candidates(rows: int, spreading: Sequence[Spreading]) -> list[Candidate]:
    """Return two to four candidates for a table of so many rows, the strongest promise first.

    The last one for sensitive columns blurs no quasi-identifier: everybody can be found in what it publishes, and only
    the sensitive values are protected.
    """
    k = K if rows >= 2 * K else 2
    worst = min(spreading, key=lambda s: s.largest_l, default=None)
    if worst is None:
        return [
            _mondrian(f"nobody can be told from {k - 1} others", k),
            _mondrian(
                f"nobody can be told from {k - 1} others, and up to {_WITHHOLD:.0%} of the rows are withheld where the "
                "others then blur less",
                k,
                allow_withheld=_WITHHOLD,
            ),
            _mondrian("nobody can be told from 2 others", min(k, 3)),
        ]
    if worst.largest_l >= 2:
        l = min(L, worst.largest_l)
        found = [_diverse(k, each) for each in dict.fromkeys((l, 2))]
        varied = {"name": "l-diversity", "l": 2, "kind": "entropy"}
        promise = (
            f"nobody can be told from {k - 1} others, and the sensitive values of a group vary as much as 2 equally "
            "frequent ones"
        )
        return [*found, _mondrian(promise, k, varied), _anatomy(l)]
    return [
        *(
            _mondrian(
                f"nobody can be told from {k - 1} others, and what a group tells of a sensitive value differs from the "
                f"whole table by a probability of {t} at most",
                k,
                {"name": "t-closeness", "t": float(t)},
            )
            for t in CLOSE
        ),
        _mondrian(
            f"nobody can be told from {k - 1} others, and no group has one sensitive value alone",
            k,
            {"name": "l-diversity", "l": 2},
        ),
        _anatomy(2, first={"method": "shift-suppression", "l": 2, "hide": "top"}),
    ]


def _diverse(k: int, l: int) -> Candidate:
    promise = f"nobody can be told from {k - 1} others, and no sensitive value is believed with more than 1/{l}"
    return _mondrian(promise, k, {"name": "l-diversity", "l": l, "kind": "frequency"})


def _mondrian(promise: str, k: int, *further: Mapping[str, Any], **parameters: Any) -> Candidate:
    guarantees = [{"name": "k-anonymity", "k": k}, *further]
    return Candidate(promise, ({"method": "mondrian", "guarantees": guarantees, **parameters},))


def _anatomy(l: int, first: Mapping[str, Any] | None = None) -> Candidate:
    promise = (
        f"no sensitive value is believed with more than 1/{l}; quasi-identifiers do not blur, so everybody can be found"
    )
    last = {"method": "anatomy", "l": l}
    return Candidate(promise, (last,) if first is None else (first, last))
