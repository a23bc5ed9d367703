"""Groups beside a folder: what its private part says of who is in which group, for whoever has it in place."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tacit.errors import SourceError
from tacit.releases.manifest import FILE, PRIVATE_FILE
from tacit.releases.packing import unpacked
from tacit.releases.places import places, private_places
from tacit.releases.shown_groups import SHOWN_FILE, ShownGroups


def groups_beside(folder: Path) -> ShownGroups | None:
    """Return the groups of everybody by keyed hash; None where no private part of this very release has them.

    The private part must name the digest of the release, and the digest of the file that is read: one that was changed,
    or put beside another release, counts as missing.
    """
    try:
        public, hidden = places(folder, None)
        release = hashlib.sha256((public / FILE).read_bytes()).hexdigest()
    except (OSError, SourceError):
        return None
    for place in private_places(public, hidden):
        try:
            about = json.loads((place / PRIVATE_FILE).read_bytes())
            raw = (place / SHOWN_FILE).read_bytes()
            if about["release"] == release and about["files"][SHOWN_FILE] == hashlib.sha256(raw).hexdigest():
                shown = ShownGroups.read(unpacked(raw))
                return None if shown.people is None else shown
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None
