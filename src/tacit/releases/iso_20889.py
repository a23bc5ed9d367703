"""The words of ISO/IEC 20889 for what was done: techniques, and the formal models that are claimed."""

from __future__ import annotations

from tacit.guarantees import Guarantee
from tacit.shapes import Published
from tacit.table import Role

STANDARD = "ISO/IEC 20889:2018"


def terms(release: Published) -> dict[str, object]:
    """Name techniques and models as the standard classifies them.

    A claim for which no word of the standard was verified has none: `term` is null.
    """
    columns = [column for part in release.shape.parts.values() for column in part.columns]
    table = None if release.inside is None else release.inside.table
    hidden = () if table is None else (*table.names(Role.IDENTIFIER), *table.names(Role.PERSON))
    done = {
        "masking": bool(hidden),
        "record suppression": release.size is not None and release.size != release.shape.rows,
        "local suppression": any(column.suppressed for column in columns),
        "generalization": release.shape.grouped and any(column.blurred for column in columns),
        "anatomization": any(part.shows_members for part in release.shape.parts.values()),
        "randomization": any(column.changed for column in columns),
    }
    claims = [claim.guarantee for claim in release.claims]
    models = [{"claim": each.name, "term": each.iso_20889} for each in claims if isinstance(each, Guarantee)]
    return {
        "standard": STANDARD,
        "techniques": [word for word, used in done.items() if used],
        "models": models,
    }
