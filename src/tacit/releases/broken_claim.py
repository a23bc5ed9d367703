"""BrokenClaim: a promise of one release that does not hold for somebody who has others as well, and how it is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tacit.guarantees.people import counted

THE_NEW = 0
"""The number of a release that is not in the ledger yet."""


SIGNATURES = -1
"""The number of all earlier releases in which everybody keeps her signature."""

_NAMES = {THE_NEW: "this release", SIGNATURES: "the earlier releases"}


@dataclass(frozen=True)
class BrokenClaim:
    """A claim that does not hold for a reader of all releases.

    Attributes
    ----------
    release
        The number of the release that made it; `THE_NEW` for the one that is to be published.
    claim
        The claim.
    people
        Of how many people it is broken; None where it is not about single people.
    fewest, posterior
        How few values somebody is left with, and how sure the reader is at most.
    """

    release: int
    claim: str
    people: int | None = None
    fewest: int | None = None
    posterior: float | None = None

    def words(self) -> str:
        """Say what is broken."""
        return self.of(_NAMES.get(self.release, f"release {self.release}"))

    def of(self, whose: str, most: str = "") -> str:
        """Say what is broken of a release that is called so, or of several."""
        if self.fewest is None or self.posterior is None or self.people is None:
            who = "" if self.people is None else f" ({most}{counted(self.people, 'people')})"
            return f"{self.claim}{who} of {whose} is known to hold only beside releases of the same groups"
        values = "1 value" if self.fewest == 1 else f"{self.fewest} values"
        are = "is" if self.people == 1 else "are"
        return (
            f"{self.claim} of {whose} fails for {most}{counted(self.people, 'people')}, who {are} left with as few as "
            f"{values} (largest posterior {self.posterior:.4f})"
        )

    def plain(self) -> dict[str, Any]:
        """Return the figures for a ledger and for JSON."""
        return {name: getattr(self, name) for name in ("release", "claim", "people", "fewest", "posterior")}


def in_words(broken: Sequence[BrokenClaim]) -> list[str]:
    """Say what is broken: each claim by itself, but one sentence for all releases of a series that make the same one.

    Examples
    --------
    >>> in_words([BrokenClaim(month, "m-invariance(m=2)", 10 * month, 1, 1.0) for month in (1, 2, 3, 5)])[0][:60]
    'm-invariance(m=2) of releases 1 to 3 and 5 fails for up to 5'
    """
    alike: dict[tuple[str, bool], list[BrokenClaim]] = {}
    for each in broken:
        alike.setdefault((each.claim, each.posterior is None), []).append(each)
    words = []
    for same in alike.values():
        series = [each for each in same if each.release > 0]
        if len(series) < _SERIES:
            words += [each.words() for each in same]
            continue
        words += [each.words() for each in same if each.release <= 0]
        words.append(_worst(series).of(f"releases {_spans([each.release for each in series])}", "up to "))
    return words


_SERIES = 3
"""From so many releases on, the same claim is said once for all of them."""


def _worst(series: Sequence[BrokenClaim]) -> BrokenClaim:
    """Return one claim with the largest number of people, the fewest values and the largest posterior of several."""
    return replace(
        series[0],
        people=max((each.people for each in series if each.people is not None), default=None),
        fewest=min((each.fewest for each in series if each.fewest is not None), default=None),
        posterior=max((each.posterior for each in series if each.posterior is not None), default=None),
    )


def _spans(numbers: Sequence[int]) -> str:
    """Write numbers in short.

    Examples
    --------
    >>> _spans([1, 2, 3, 5]), _spans([1, 2])
    ('1 to 3 and 5', '1 and 2')
    """
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    words: list[str] = []
    for span in spans:
        words += [f"{span[0]} to {span[-1]}"] if len(span) > 2 else map(str, span)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
