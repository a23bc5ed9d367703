"""Neighbours: releases beside those of a ledger that were made with its key, and that it does not know.

A ledger that was put back from a backup knows nothing of what was published since. The private part of a release has
the keyed hashes of its people; if some of them are in the ledger, the release was made through it, because no other
ledger has its key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from tacit.arrays import WordGrid
from tacit.releases.hashes import hash_frame
from tacit.releases.manifest import PRIVATE_FILE
from tacit.releases.packing import unpacked
from tacit.releases.shown_groups import SHOWN_FILE

_SUFFIX = ".private"


def unknown_neighbour(
    folders: Iterable[str], known: set[str], people: WordGrid, every: Callable[[], set[str]]
) -> Path | None:
    """Return a folder beside those of the ledger that holds a release of its people which it does not know.

    Parameters
    ----------
    folders, known
        Where releases of this series were written, and their digests.
    people
        The hashes of everybody in this series.
    every
        Returns the digests of all releases of all series, as they stand in the file now.
    """
    named: set[str] | None = None
    for place in dict.fromkeys(Path(folder).parent for folder in folders):
        for private in _private_folders(place):
            release = _release_of(private)
            if release is None or release in known:
                continue
            named = every() if named is None else named
            if release not in named and _has_one_of(private, people):
                return private.with_name(private.name.removesuffix(_SUFFIX))
    return None


def _private_folders(place: Path) -> list[Path]:
    try:
        return sorted(path for path in place.glob(f"*{_SUFFIX}") if (path / SHOWN_FILE).is_file())
    except OSError:
        return []


def _release_of(private: Path) -> str | None:
    """Return the digest of the release whose private part this is; None where it cannot be read."""
    try:
        content = json.loads((private / PRIVATE_FILE).read_bytes())
    except (OSError, ValueError):
        return None
    found = content.get("release") if isinstance(content, dict) else None
    return found if isinstance(found, str) else None


def _has_one_of(private: Path, people: WordGrid) -> bool:
    """Whether the private part names somebody by a hash that the ledger has."""
    try:
        theirs = unpacked((private / SHOWN_FILE).read_bytes()).get("people")
    except (OSError, ValueError):
        return False
    if not isinstance(theirs, np.ndarray) or theirs.ndim != 2 or theirs.shape[1] != people.shape[1]:
        return False
    return hash_frame(theirs.astype(np.uint64)).join(hash_frame(people), on=["low", "high"], how="semi").height > 0
