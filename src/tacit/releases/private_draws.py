"""Private draws: what a repetition of a release would draw again, kept in the private part of the release.

A method that is run twice on the same table would group people in two ways, and two groupings tell more than one. So
the second run takes what the first one drew. It is kept for a repetition only; if the private part is gone, the second
run draws again, and is judged beside the first as any other release.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tacit.releases.ledger_store import Line
from tacit.releases.packing import packed, unpacked

DRAWS_FILE = "draws.bin"
"""Its name in the private part."""


class PrivateDraws:
    """What steps of this job drew, and what those of earlier releases did, where their private parts are there."""

    def __init__(self, releases: Sequence[Line]) -> None:
        self._releases = releases
        self._drawn: dict[str, tuple[str, Mapping[str, Any]]] = {}

    @property
    def drawn(self) -> dict[str, str]:
        """The keys under which something was drawn now, each with the digest of the table that it was drawn for."""
        return {key: table for key, (table, _) in self._drawn.items()}

    def remember(self, key: str, table: str, content: Mapping[str, Any]) -> None:
        """Keep what a step drew; the same holds for what it drew before, so that the next release finds it here."""
        self._drawn[key] = (table, content)

    def recall(self, key: str, table: str) -> dict[str, Any] | None:
        """Return what a step drew for the same table, now or in the last release that has it; None if nothing."""
        if key in self._drawn and self._drawn[key][0] == table:
            return dict(self._drawn[key][1])
        for line in reversed(self._releases):
            if line.content.get("draws", {}).get(key) == table:
                content = read_paper(line.content, DRAWS_FILE)
                if content is not None:
                    begin = f"{key}|"
                    mine = {name.removeprefix(begin): part for name, part in content.items() if name.startswith(begin)}
                    self._drawn[key] = (table, mine)
                    return dict(mine)
        return None

    def packed(self) -> bytes:
        """Return the file."""
        return packed({f"{key}|{name}": part for key, (_, held) in self._drawn.items() for name, part in held.items()})


def read_paper(release: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """Read one file of the private part of a release that a ledger knows; None if it is not there as it was written."""
    expected = release.get("papers", {}).get(name)
    if expected is None or release.get("private") is None:
        return None
    try:
        raw = (Path(release["private"]) / name).read_bytes()
    except OSError:
        return None
    if hashlib.sha256(raw).hexdigest() != expected:
        return None
    try:
        return unpacked(raw)
    except ValueError:
        return None
