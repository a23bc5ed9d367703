"""Results: what was tried, swept, attacked and published since the table was opened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tacit.jobs.compare import Choice
from tacit.jobs.rehearse import Rehearsal
from tacit.studio.draft import Draft


@dataclass(frozen=True)
class Tried:
    """One way that was tried: the recipe as it was, and what came of it."""

    number: int
    draft: Draft
    rehearsal: Rehearsal


@dataclass(frozen=True)
class Sweep:
    """Values of a parameter that were tried, and the recipe that they were tried on."""

    draft: Draft
    parameter: str
    values: tuple[Any, ...]
    choices: tuple[Choice, ...]
    against: str = "ncp"
    by: str = "linkage"


@dataclass
class Results:
    """What jobs returned; it is kept in memory and nowhere else.

    `composition` is the last recipe that earlier releases of its ledger forbade, and why.
    """

    tried: list[Tried] = field(default_factory=list)
    sweep: Sweep | None = None
    confrontation: Any = None
    published: dict[str, Any] | None = None
    failure: str | None = None
    attack_failure: str | None = None
    not_published: str | None = None
    composition: tuple[Draft, str] | None = None
    chosen: int | None = None

    @property
    def selected(self) -> Tried | None:
        """The result that the screens are about: the chosen one, else the last that can be had."""
        made = [each for each in self.tried if each.rehearsal.refused is None]
        return next((each for each in made if each.number == self.chosen), made[-1] if made else None)
