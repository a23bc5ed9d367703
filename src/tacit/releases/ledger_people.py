"""People in a ledger: whoever was published keeps her signature for ever, and is remembered by a keyed hash.

Every release adds its newcomers, 20 bytes each; nothing grows with the number of releases that somebody is in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Ints, WordGrid
from tacit.errors import LedgerConflict, RoleError
from tacit.guarantees.marginals.signatures import find_people, number_signatures
from tacit.releases.ledger_key import LedgerKey
from tacit.releases.ledger_store import Line
from tacit.releases.signatures import Signatures
from tacit.shapes import Inside, Published
from tacit.table import Table, as_text

PEOPLE = "people"
"""The kind of the lines that hold people."""


@dataclass(frozen=True, eq=False)
class KnownPeople:
    """What a ledger knows of the people of one table.

    Attributes
    ----------
    signature
        Per row the number of the person's signature, -1 for somebody who was never published.
    signatures
        All signatures of the ledger.
    """

    signature: Ints
    signatures: Signatures


class LedgerPeople:
    """The people of one series of a ledger, as they were when a job began."""

    def __init__(self, path: Path, series: str, person: str, sensitive: str, lines: list[Line], *, keyed: bool) -> None:
        mine = [line.content for line in lines if line.kind == PEOPLE]
        self.releases = len(mine)
        self.person = person
        self.sensitive = sensitive
        self._name = f"The ledger {path.name}" + (f" ({series})" if series else "")
        for content in mine:
            self._same_columns(content)
        self._key = LedgerKey(path, in_use=keyed)
        self._hashes = _stacked([content["keys"] for content in mine])
        self._signature = np.concatenate([np.zeros(0, np.int32), *(content["signature"] for content in mine)])
        self._signatures = Signatures.none()
        for content in mine:
            self._signatures = self._signatures.then(dict(content))
        self._added: dict[str, Any] | None = None

    @property
    def count(self) -> int:
        """How many people the ledger knows."""
        return len(self._hashes)

    @property
    def remembers(self) -> bool:
        """Whether this job wants somebody remembered."""
        return self._added is not None

    @property
    def signatures(self) -> Signatures:
        """All signatures that were ever published."""
        return self._signatures

    def recall(self, table: Table) -> KnownPeople:
        """Say of everybody in a table whether she was published before, and with which signature."""
        mine = self._key.hashed(self._keys(table))
        known = _frame(self._hashes).with_columns(signature=pl.Series(self._signature))
        asked = _frame(mine).join(known, on=["low", "high"], how="left", maintain_order="left")
        signature = asked["signature"].fill_null(-1).cast(pl.Int64).to_numpy()
        return KnownPeople(signature, self._signatures)

    def remember(self, table: Table, signature: Ints, signatures: Signatures) -> None:
        """Keep the signature of everybody who is published for the first time; `write` commits it."""
        new = np.flatnonzero(self.recall(table).signature < 0)
        self._added = {
            "person": self.person,
            "sensitive": self.sensitive,
            "keys": self._key.hashed(self._keys(table))[new],
            "signature": signature[new].astype(np.int32),
            **signatures.since(self._signatures),
        }

    def commit(self, release: Published) -> dict[str, Any]:
        """Look at what is published, write the key down, and return the content of the line that is to be appended."""
        if self._added is None or release.inside is None or release.inside.table is None:
            raise LedgerConflict(
                f"{self._name} follows people from release to release, and this release does not.",
                hint="Publish with invariant-marginals, or use another ledger: then what both tell together is not "
                "checked.",
            )
        self._check_signatures(release, release.inside, release.inside.table)
        self._key.keep()
        return self._added

    def _check_signatures(self, release: Published, inside: Inside, table: Table) -> None:
        """Refuse a release in which somebody stands in a group of other values than her signature has.

        The frames are read for it, and not what the method says: the ledger's promise is about what leaves.
        """
        parts = release.shape.parts
        if self._added is None:
            return
        signatures = self._signatures.then(self._added)
        signature = self.recall(table).signature[inside.kept]
        signature[signature < 0] = self._added["signature"]
        people = find_people(parts, number_signatures(parts), inside, table)
        for at, part in enumerate(parts.values()):
            shown = part.statistics.histograms[self.sensitive]
            texts = as_text(part.dictionary(self.sensitive)).to_list()
            _, number = signatures.with_sets(shown.offsets, shown.values, texts)
            if people is None or (number[people[at].group] != signature).any():
                raise LedgerConflict(
                    f"{self._name}: in this release somebody stands in a group of other values than those of her "
                    "signature.",
                    hint="Nothing was written. Publish with invariant-marginals through this ledger.",
                )

    def check_unchanged(self, lines: list[Line]) -> None:
        """Refuse where somebody else has written since this job began."""
        if sum(line.kind == PEOPLE for line in lines) != self.releases:
            raise LedgerConflict(
                f"{self._name} was written by somebody else since this release was made.",
                hint="Nothing was written; protect the table again.",
            )

    def _keys(self, table: Table) -> pl.Series:
        if table.people is not None:
            raise RoleError(
                f"The person column {self.person!r} does not tell rows apart: somebody has several rows.",
                hint=f"Keep one row of each person, for instance frame.unique({self.person!r}, keep='last').",
            )
        return table.frame[self.person]

    def _same_columns(self, content: Mapping[str, Any]) -> None:
        for role, name in (("person", self.person), ("sensitive", self.sensitive)):
            if content[role] != name:
                raise LedgerConflict(
                    f"{self._name} follows people by the {role} column {content[role]!r}, and this table has {name!r}.",
                    hint=f"Name the same {role} column as before, or begin a new ledger for another table.",
                )


def _frame(hashes: WordGrid) -> pl.DataFrame:
    return pl.DataFrame({"low": hashes[:, 0], "high": hashes[:, 1]}, schema={"low": pl.UInt64, "high": pl.UInt64})


def _stacked(parts: list[WordGrid]) -> WordGrid:
    return np.concatenate([np.zeros((0, 2), np.uint64), *parts])
