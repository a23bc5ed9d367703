"""audit: judge what was published, here or elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit import sources
from tacit.adversaries import Linkage, LinkageAdversary
from tacit.audits import Audit, audit
from tacit.errors import ParameterError, RoleError
from tacit.guarantees import Guarantee, make
from tacit.releases import Release
from tacit.releases.manifest import FILE


@dataclass(frozen=True, eq=False)
class Audited:
    """A release, the verdict on it, and what a list of victims gives away."""

    place: str
    release: Release
    audit: Audit
    linkage: Linkage | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        told: dict[str, Any] = {
            "source": self.place,
            "shape": self.release.shape.name,
            "rows": self.release.shape.rows,
            "groups": self.release.shape.statistics.count,
            "audit": self.audit.as_dict(),
        }
        if self.linkage is not None:
            told["victims"] = {
                "asked": len(self.linkage.candidates),
                "found": int((self.linkage.candidates > 0).sum()),
                "singled_out": int((self.linkage.candidates == 1).sum()),
                "max_posterior": self.linkage.max_posterior,
                "certain": {n: int((b.posterior >= 1.0).sum()) for n, b in self.linkage.beliefs.items()},
            }
        return told


def run_audit(
    place: Path,
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    claims: Sequence[str] = (),
    victims: Path | None = None,
    nulls: Sequence[str] = ("",),
) -> Audited:
    """Audit a folder that this tool wrote, or a file that anyone published.

    Parameters
    ----------
    place
        The folder or the file.
    quasi_identifiers, sensitive
        The roles of the columns, for a file.
    claims
        Guarantees to judge besides those claimed, as `k-anonymity:k=5`.
    victims
        A list of people with some of the quasi-identifiers.
    nulls
        Texts of a csv that mean null.
    """
    asked = [claim(text) for text in claims]
    if place.is_dir() and (place / FILE).exists():
        release = Release.read(place)
    else:
        if not quasi_identifiers:
            raise RoleError(
                f"{place} was not written by tacit, so its quasi-identifiers are not known.",
                hint="Name them: --qi age,zip --sensitive disease.",
            )
        frame = sources.read(place, nulls=nulls)
        release = Release.foreign(frame, quasi_identifiers=quasi_identifiers, sensitive=sensitive)
    linkage = None
    if victims is not None:
        linkage = LinkageAdversary(victims=sources.read(victims, nulls=nulls)).attack(release)
    return Audited(str(place), release, audit(release, claims=asked), linkage)


def claim(text: str) -> Guarantee:
    """Read a guarantee from the command line.

    Examples
    --------
    >>> claim("k-anonymity:k=5")
    KAnonymity(k=5)
    """
    name, _, rest = text.partition(":")
    parameters: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise ParameterError(f"The claim {text!r} is not understood.", hint="Write it like k-anonymity:k=5.")
        parameters[key.strip()] = number(value.strip())
    return make({"name": name.strip(), **parameters})


def number(text: str) -> int | float | str:
    """Read a parameter: a whole number, a number, or text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
