"""What an adversary is: knowledge in, posterior out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tacit.adversaries.belief import Belief
from tacit.parameters import Parameters
from tacit.shapes import Published


@dataclass(frozen=True)
class Notice:
    """What an adversary learns that no claim is about.

    Attributes
    ----------
    adversary
        Who learns it.
    sentence
        What she learns, in words.
    posterior, people
        How sure she is at most, and of how many people.
    prominent
        Whether it stands in the headline of a report, beside the verdict on the claims.
    secret
        Whether its figures rest on what is not published: then it is for the data owner only.
    """

    adversary: str
    sentence: str
    posterior: float | None = None
    people: int | None = None
    prominent: bool = False
    secret: bool = False


class Adversary(Parameters):
    """Somebody who reads the public frames and knows something besides.

    A subclass states in `knowledge` what she knows; `attack` returns what she infers, `warn` says it in a sentence when
    it is more than the data owner may expect.
    """

    knowledge: ClassVar[str] = ""
    skipped_checks: ClassVar[dict[str, str]] = {}

    @abstractmethod
    def attack(self, published: Published) -> Belief:
        """Return what she infers."""

    @abstractmethod
    def warn(self, published: Published) -> list[Notice]:
        """Return what a data owner should hear of."""

    @classmethod
    def examples(cls) -> Sequence[Adversary]:
        """Return instances with usual parameters, for `tacit.checks`."""
        return []
