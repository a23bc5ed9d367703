"""Known people: a list of people with what a reader knows of them, brought to the people of a ledger."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from tacit import sources
from tacit.errors import RoleError
from tacit.knowledge.learning.features import Features
from tacit.releases import Ledger
from tacit.releases.hashes import hash_frame
from tacit.releases.matched_releases import MatchedReleases
from tacit.table import encode
from tacit.table.kinds import infer


def known_people(matched: MatchedReleases, ledger: Ledger, people: Path) -> Features:
    """Return what a list says of everybody in the releases of a ledger; nothing of whoever is not listed.

    Parameters
    ----------
    matched
        The releases, and who is in each.
    ledger
        It knows people by keyed hashes of the person column, and has the key.
    people
        A list with the person column, and columns that a reader knows of people.
    """
    listed = sources.read(people)
    column, hashes = ledger.hashed(listed)
    names = [name for name in listed.columns if name != column and name not in matched.beliefs]
    if not names:
        raise RoleError(
            f"The list {people.name} says nothing of people but who they are.",
            hint="Give the quasi-identifiers that a reader knows of them, beside the person column.",
        )
    seen = [
        hash_frame(one.shown.people).with_columns(number=ids)
        for one, ids in zip(matched.releases, matched.person, strict=True)
        if one.shown is not None and one.shown.people is not None
    ]
    asked = hash_frame(hashes).with_row_index("row").unique(["low", "high"], keep="first", maintain_order=True)
    both = pl.concat(seen).unique(["low", "high"]).join(asked, on=["low", "high"])
    row = np.full(matched.count, -1, dtype=np.int64)
    row[both["number"].to_numpy()] = both["row"].to_numpy()
    at = pl.Series(row).set(pl.Series(row < 0), None)
    known = {name: listed[name].gather(at) for name in names}
    return Features.of({name: (encode(cells), infer(cells)) for name, cells in known.items()}, matched.count)
