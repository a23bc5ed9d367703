"""A claim whose knowledge is not published: it can be named, but not judged."""

from __future__ import annotations

from typing import Any

from tacit.guarantees.base import Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.guarantees.finding import Finding, Parts
from tacit.shapes import Claim


class Absent(Guarantee):
    """A guarantee read back from a release without the knowledge that it is about.

    To judge it, supply the knowledge (`Release.read(folder, knowledge=...)`, `tacit audit FOLDER --knowledge FILE`), or
    give the guarantee again: `tacit.audit(release, claims=[...])`.

    Parameters
    ----------
    claimed
        The name of the guarantee.
    parameters
        Its public parameters.
    reason
        Why the knowledge is not at hand, if more is known than that it is not published.
    """

    claimed: str
    parameters: dict[str, Any]
    reason: str | None = None

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Say that it cannot be checked."""
        return Finding(
            guarantee=self.claimed,
            parts=Parts(published="not checked", withheld="not checked"),
            exactness="not guaranteed",
            sentence="the knowledge it is about is not published",
            parameters=self.parameters,
            needed=self.reason
            or "the knowledge it is about: give the guarantee again, `tacit.audit(release, claims=[...])`",
        )

    def describe(self) -> dict[str, Any]:
        """Describe what was claimed."""
        return {"name": self.claimed, **self.parameters}
