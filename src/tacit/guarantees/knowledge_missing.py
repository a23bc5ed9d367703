"""A claim whose knowledge is not published: it can be named, but not judged."""

from __future__ import annotations

from typing import Any

from tacit.guarantees.base import Finding, Guarantee
from tacit.guarantees.evidence import Evidence
from tacit.shapes import Claim


class Absent(Guarantee):
    """A guarantee read back from a release without the knowledge that it is about.

    To judge it, give the guarantee again: `tacit.audit(release, claims=[...])`.
    """

    claimed: str
    parameters: dict[str, Any]

    def check(self, evidence: Evidence, claim: Claim) -> Finding:
        """Say that it cannot be checked."""
        return Finding(
            guarantee=self.claimed,
            holds=None,
            exactness="not guaranteed",
            sentence="the knowledge it is about is not published; give the guarantee again to judge it",
            withheld="not checked",
            parameters=self.parameters,
        )

    def describe(self) -> dict[str, Any]:
        """Describe what was claimed."""
        return {"name": self.claimed, **self.parameters}
