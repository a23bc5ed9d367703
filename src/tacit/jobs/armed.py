"""Armed: adversaries with the knowledge that a table and the claims of a release give them."""

from __future__ import annotations

from typing import Any

import polars as pl

from tacit import adversaries
from tacit.adversaries import Adversary
from tacit.errors import ParameterError
from tacit.parameters import exported
from tacit.releases import Release
from tacit.table import Table


def known_adversaries() -> dict[str, str]:
    """Return every adversary with what she knows."""
    known = exported(adversaries, Adversary)  # type: ignore[type-abstract]
    return {name: each.knowledge for name, each in known.items() if each.knowledge}


def armed(
    kind: type[Adversary],
    table: Table,
    release: Release,
    *,
    told: bool = True,
    everybody: bool = False,
    victims: pl.DataFrame | None = None,
) -> Adversary:
    """Make an adversary with what her parameters ask for by name.

    Parameters
    ----------
    kind, table, release
        Who she is, and what she may be given: the table, its people, what the claims are about.
    told
        Whether she is told who is published.
    everybody
        Whether she reads about everybody, and not only about a sample, which takes longer.
    victims
        Whom she is after, where she takes a list of people.
    """
    of = getattr(kind, "of", None)
    if of is not None:
        return of(release)  # type: ignore[no-any-return]
    fields = {field.alias or name for name, field in kind.model_fields.items()}
    given: dict[str, Any] = {} if victims is None else {"victims": victims}
    claims = [claim.guarantee for claim in release.claims]
    if "distribution" in fields:
        given["distribution"] = table
    if "table" in fields:
        given["table"] = table
    if told and "people" in fields and release.inside is not None and not release.shape.shows_members:
        given["people"] = table.frame.select(release.shape.quasi_identifiers).filter(pl.Series(release.inside.kept))
    for wanted in ("risk", "knowledge"):
        found = [getattr(claim, wanted) for claim in claims if wanted in type(claim).model_fields]
        if wanted in fields and found:
            given[wanted] = found[0]
    if "sample" in fields and not everybody:
        given["sample"] = 100_000
    if "knowledge" in fields and "knowledge" not in given:
        labels = [claim.labels for claim in claims if hasattr(claim, "labels")]
        if not labels:
            raise ParameterError(
                f"{kind.name}: she needs a table of labels and items.",
                hint="Claim a guarantee that is about one, such as qs-diversity.",
            )
        given["knowledge"] = labels[0]
    return kind(**given)
