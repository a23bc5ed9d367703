"""ProfileResult: what a profile of thresholds asks, and whether it is met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

VERDICT = {True: "met", False: "not met", None: "for people to judge"}
NOT_ASSESSED = "not assessed"


@dataclass(frozen=True)
class Requirement:
    """One thing that a profile asks.

    Attributes
    ----------
    name
        What is asked.
    threshold
        What is asked for, in words; empty where the source names no number.
    figure
        What was found, in words.
    met
        Whether it is met; None where that is for people to judge, or was not assessed: then the figure begins so.
    source
        Where that is asked: title, year, clause.
    """

    name: str
    threshold: str
    figure: str
    met: bool | None
    source: str

    @property
    def verdict(self) -> str:
        """The verdict as a word."""
        return NOT_ASSESSED if self.met is None and self.figure.startswith(NOT_ASSESSED) else VERDICT[self.met]

    def to_json(self) -> dict[str, Any]:
        """Return the verdict for JSON."""
        return {
            "name": self.name,
            "threshold": self.threshold,
            "figure": self.figure,
            "met": self.met,
            "verdict": self.verdict,
            "source": self.source,
        }


@dataclass(frozen=True)
class ProfileResult:
    """What a profile asks of a release, one by one.

    Attributes
    ----------
    profile
        Its name, as recipes write it.
    title
        What it is.
    requirements
        What it asks.
    is_not
        What meeting it does not mean.
    smallest
        The smallest count that may be shown in what is public; None where the profile names none.
    """

    profile: str
    title: str
    requirements: tuple[Requirement, ...]
    is_not: str
    smallest: int | None = None

    @property
    def met(self) -> bool | None:
        """True if all of it is met, False if something is not, None if something was not assessed."""
        verdicts = [each.met for each in self.requirements]
        if False in verdicts:
            return False
        return None if None in verdicts or not verdicts else True

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        words = {True: "is met", False: "is not met", None: "is met as far as it can be measured"}
        failed = [each.name for each in self.requirements if each.met is False]
        open_ones = [each.name for each in self.requirements if each.met is None]
        why = f": {', '.join(failed)}" if failed else ""
        left = f" For people to judge: {', '.join(open_ones)}." if open_ones else ""
        if not failed and open_ones and len(open_ones) == len(self.requirements):
            return f"{self.title}. It names no number, so nothing is called met.{left}"
        return f"{self.title} {words[self.met]}{why}.{left}"

    def to_json(self) -> dict[str, Any]:
        """Return the verdict for JSON."""
        return {
            "profile": self.profile,
            "title": self.title,
            "met": self.met,
            "sentence": self.sentence,
            "requirements": [each.to_json() for each in self.requirements],
            "is_not": self.is_not,
            "smallest": self.smallest,
        }
