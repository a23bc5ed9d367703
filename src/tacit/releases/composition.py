"""Composition: what a new release and the earlier ones promise, judged by somebody who reads all of them.

Every claim of every release is judged by the beliefs that all of them together leave about its people. The releases
have no order in it: a claim of an earlier one fails as much as one of the new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.arrays import Flags, Ints
from tacit.errors import CompositionFailed
from tacit.guarantees import Guarantee
from tacit.guarantees.people import counted
from tacit.releases.broken_claim import THE_NEW, BrokenClaim, in_words
from tacit.releases.matched_releases import MatchedReleases, ReadRelease, match

STRANGERS = (
    "nobody in this release was found in an earlier one, so they were not read together; if people were given other "
    "keys since, nothing of that was seen"
)
"""What is said where releases of different tables have no people in common."""


WHO_WAS_WITHHELD = "that nobody sees whose rows were withheld for a frequent value"


FITTED = (
    "{} are linked to too many others to count all worlds; no value that they may have was ruled out, and how likely "
    "each is was fitted, which in tight groups is too low"
)
"""What is said where no claim was seen to fail, and beliefs about some people are approximate."""


@dataclass(frozen=True)
class Composition:
    """The verdict on a release beside the earlier ones.

    Attributes
    ----------
    beside
        The earlier releases that it was read together with, in words.
    unchecked
        What could not be checked, one sentence each.
    broken
        The claims that fail.
    people, pinned
        How many people were found in the new release and in another, and how many of them have one possible value.
    posterior
        How sure a reader of all is of somebody's value, at most; None where nothing had to be read.
    """

    beside: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    broken: tuple[BrokenClaim, ...] = ()
    people: int = 0
    pinned: int = 0
    posterior: float | None = None

    def keeps(self, claim: object) -> bool:
        """Whether a claim of the new release survives the others."""
        return str(claim) not in {broken.claim for broken in self.broken if broken.release == THE_NEW}

    def require(self) -> None:
        """Raise `CompositionFailed` where a claim fails."""
        if self.broken:
            raise CompositionFailed(
                f"Nothing was written: read beside {_in_short(self.beside)}, {'; '.join(in_words(self.broken))}.",
                hint="Publish with the method and the parameters of the earlier release, or with invariant-marginals "
                "through a ledger from the first release on; --accept-composition (in Python: "
                "accept_composition=True) publishes without the claims that fail, and records it.",
            )

    def plain(self) -> dict[str, Any]:
        """Return the figures for a ledger and for JSON."""
        return {
            "beside": list(self.beside),
            "unchecked": list(self.unchecked),
            "broken": [broken.plain() for broken in self.broken],
            "people": self.people,
            "pinned": self.pinned,
            "posterior": self.posterior,
        }

    def sentences(self) -> list[str]:
        """Say what the data owner should know of it."""
        said = [f"together with other releases: {words}" for words in in_words(self.broken)]
        return said + [f"together with other releases, not checked: {reason}" for reason in self.unchecked]


def _in_short(releases: Sequence[str]) -> str:
    """List releases; of many, the first two and the last."""
    if len(releases) <= _LISTED:
        return ", ".join(releases)
    return f"{', '.join(releases[:2])}, {len(releases) - 3} more, and {releases[-1]}"


_LISTED = 4
"""The most releases that an error names one by one."""


def compose(new: ReadRelease, earlier: Sequence[ReadRelease], unchecked: Sequence[str] = ()) -> Composition:
    """Judge every claim of the new release and of the earlier ones by what all of them tell together."""
    different = [each for each in earlier if each.shows is None or each.shows != new.shows or each.table != new.table]
    if not different:
        return Composition(unchecked=tuple(unchecked))
    named = tuple(each.words for each in different)
    same_table = any(each.table == new.table for each in different)
    unjudged = list(dict.fromkeys((*_unjudged(new, different), *_unread(new, different))))
    broken = [BrokenClaim(number, str(claim)) for number, claim in unjudged] if same_table else []
    others = [
        f"{claim} of {'this release' if number == THE_NEW else f'release {number}'}, because the table changed"
        for number, claim in unjudged
        if not same_table
    ]
    broken += _withheld_elsewhere(new, different)
    read = [each for each in (new, *different) if each.shown is not None]
    if len(read) < 2 or new.shown is None:
        return Composition(named, (*unchecked, *others), tuple(broken))
    matched = match(read)
    before = match(read[1:]) if len(read) > 2 else None
    broken += broken_claims(matched, before)
    strangers = [] if matched.shared or same_table else [STRANGERS]
    fitted = [] if not matched.fitted or broken else [FITTED.format(counted(matched.fitted, "people"))]
    return Composition(
        named,
        (*unchecked, *others, *strangers, *fitted),
        tuple(broken),
        matched.shared,
        matched.pinned,
        matched.posterior,
    )


def broken_claims(matched: MatchedReleases, before: MatchedReleases | None = None) -> list[BrokenClaim]:
    """Judge every claim by what all releases tell together.

    `before` are all of them but the first: what they break already among themselves is not said again.
    """
    broken = []
    for place, each in enumerate(matched.releases):
        for claim in each.claims:
            if not claim.judged_together:
                continue
            failing = matched.failing(place, claim)
            if before is not None and place:
                failing &= ~matched.spread(before.failing(place - 1, claim), before)
            if failing.any():
                broken.append(_broken(each.number, claim, matched, failing))
    return broken


def _unjudged(new: ReadRelease, different: Sequence[ReadRelease]) -> list[tuple[int, Guarantee]]:
    """List the claims that beliefs about values cannot tell."""
    every = (new, *different)
    return [(each.number, claim) for each in every for claim in each.claims if not claim.judged_together]


def _unread(new: ReadRelease, different: Sequence[ReadRelease]) -> list[tuple[int, Guarantee]]:
    """List the claims of releases of the same table that group people otherwise, and cannot be read beside each other.

    A private part may be missing, cells may be blank, or people may have several rows.
    """
    blind = [each for each in different if each.table == new.table and (each.shown is None or new.shown is None)]
    return [(each.number, claim) for each in ((new, *blind) if blind else ()) for claim in each.claims]


def _withheld_elsewhere(new: ReadRelease, different: Sequence[ReadRelease]) -> list[BrokenClaim]:
    """Find people whom one release withholds for a frequent value, and another one shows."""
    broken = []
    for each in different:
        many = new.shows_withheld_of(each) + each.shows_withheld_of(new)
        if many:
            broken.append(BrokenClaim(each.number, WHO_WAS_WITHHELD, many))
    return broken


def _broken(number: int, claim: Guarantee, matched: MatchedReleases, failing: Flags) -> BrokenClaim:
    rows: Ints = np.flatnonzero(failing)
    return BrokenClaim(
        number,
        str(claim),
        len(rows),
        int(matched.candidates[rows].min()),
        float(matched.posteriors[rows].max()),
    )
