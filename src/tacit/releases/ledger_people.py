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

from tacit.arrays import Flags, Ints, WordGrid
from tacit.errors import LedgerConflict, RoleError, SourceError
from tacit.guarantees.marginals.signatures import find_people, number_signatures
from tacit.releases.ledger_key import LedgerKey
from tacit.releases.ledger_store import Line
from tacit.releases.noted_people import NotedPeople
from tacit.releases.person_keys import compared, refuse_alike
from tacit.releases.signatures import Signatures
from tacit.shapes import Inside, Published
from tacit.table import Table, as_text

PEOPLE = "people"
"""The kind of the lines that hold people."""

UNKNOWN = -1
"""The signature of somebody who was never published."""
WITHHELD = -2
"""That of somebody whom a suppression withheld: she stays withheld for ever."""
AS_SHE_WAS = -3
"""That of somebody who was published without a signature, after a suppression."""
FORGOTTEN = -4
"""That of somebody who is not to be published any more."""

_MANY = 20
"""So many people do not all leave between two releases of one table; chosen, not measured."""

_NEVER = -(2**31)
"""No signature: that of somebody of whom nothing was noted."""


@dataclass(frozen=True, eq=False)
class KnownPeople:
    """What a ledger knows of the people of one table.

    Attributes
    ----------
    signature
        Per row the number of the person's signature; `UNKNOWN` for somebody who was never published, or another
        negative number.
    signatures
        All signatures of the ledger.
    """

    signature: Ints
    signatures: Signatures


class LedgerPeople:
    """The people of one series of a ledger, as they were when a job began."""

    def __init__(
        self, path: Path, series: str, person: str, sensitive: str | None, lines: list[Line], *, keyed: bool
    ) -> None:
        mine = [line.content for line in lines if line.kind == PEOPLE]
        self.releases = len(mine)
        self.person = person
        self.all_new = False
        self.sensitive = sensitive
        self._name = f"The ledger {path.name}" + (f" ({series})" if series else "")
        for content in mine:
            self._same_columns(content)
        self.key = LedgerKey(path, in_use=keyed)
        self._same_key(mine)
        self._noted = NotedPeople.stacked([NotedPeople.of(content["keys"], content["signature"]) for content in mine])
        self._signatures = Signatures.none()
        for content in mine:
            self._signatures = self._signatures.then(dict(content))
        known = self._signatures
        largest = max((int(content["signature"].max(initial=-1)) for content in mine), default=-1)
        if largest >= known.count or not _within(known.values, len(known.texts)):
            raise SourceError(
                f"{self._name} is damaged: it names a signature or a value that it does not hold.",
                hint="Take it back from a backup.",
            )
        self.by_row = next((content["keys"] for content in mine if content.get("migrated")), None)
        self._given: Signatures | None = None
        self._added = NotedPeople.stacked([])
        self._hashed: tuple[Table, WordGrid] | None = None
        self._recalled: tuple[Table, Ints] | None = None

    @property
    def count(self) -> int:
        """How many people the ledger knows."""
        return len(self._noted.last)

    @property
    def remembers(self) -> bool:
        """Whether this job wants somebody remembered."""
        return self._given is not None or len(self._added) > 0

    @property
    def invariant(self) -> bool:
        """Whether this job gave signatures, so that the release must keep them."""
        return self._given is not None

    @property
    def signatures(self) -> Signatures:
        """All signatures that were ever published."""
        return self._signatures

    def everybody(self) -> tuple[WordGrid, Ints]:
        """Return the hashes of everybody, and her signature."""
        everybody = self._noted.last
        return everybody.hashes, everybody.signature.astype(np.int64)

    def hashed(self, table: Table) -> WordGrid:
        """Return the hash of everybody in a table; those of the last table are kept."""
        if self._hashed is None or self._hashed[0] is not table:
            keys = self._keys(table)
            asked = compared(keys)
            refuse_alike(keys, asked)
            self._hashed = (table, self._hashes(keys, asked))
        return self._hashed[1]

    def hashes_of(self, persons: pl.Series) -> WordGrid:
        """Return the hash by which the ledger knows, or would know, everybody of a list; some may be in it twice."""
        return self._hashes(persons, compared(persons))

    def _hashes(self, keys: pl.Series, asked: pl.Series) -> WordGrid:
        """Hash keys as they are compared; a ledger of an earlier version may know somebody by her key as it is written.

        She stays known by that: no second signature may be given to her.
        """
        hashes = self.key.hashed(asked)
        texts = keys.cast(pl.String)
        odd = np.flatnonzero((texts != asked).fill_null(value=False).to_numpy())
        if len(odd):
            written = self.key.hashed(texts.gather(odd))
            known = self._noted.recall(written, unknown=_NEVER) != _NEVER
            known &= self._noted.recall(hashes[odd], unknown=_NEVER) == _NEVER
            hashes = hashes.copy()
            hashes[odd[known]] = written[known]
        return hashes

    def recall(self, table: Table) -> KnownPeople:
        """Say of everybody in a table whether she was published before, and with which signature."""
        if self._recalled is None or self._recalled[0] is not table:
            self._recalled = (table, self._noted.recall(self.hashed(table), unknown=UNKNOWN))
        signature = self._recalled[1]
        gone = int((signature == FORGOTTEN).sum())
        if gone:
            who = "1 person is" if gone == 1 else f"{gone:,} people are"
            raise LedgerConflict(
                f"{who} in the table whom {self._name[:1].lower()}{self._name[1:]} was told to forget.",
                hint="Leave them out of the table: what was published of them before cannot be kept true any more.",
            )
        return KnownPeople(signature, self._signatures)

    def refuse_strangers(self, table: Table) -> None:
        """Refuse a large table of whose people the ledger knows nobody, although it knows many.

        Either it is another table, or its keys are no longer those of the earlier ones: then everybody would be given a
        second signature, and nobody could see it. Only the data owner can tell that they are all new (`all_new`).
        """
        if self.all_new:
            return
        known = self.recall(table).signature
        if len(known) < _MANY or (known != UNKNOWN).any() or self.count < _MANY:
            return
        raise LedgerConflict(
            f"{self._name} knows none of the {len(known):,} people in the table by column {self.person!r}, and "
            f"{self.count:,} others.",
            hint="Give everybody the key that she had in earlier releases, written in the same way. If nobody in the "
            "table was in an earlier release, say all_new = true under [ledger] of the recipe (in Python: Ledger(path, "
            "all_new=True)).",
        )

    def remember(self, table: Table, signature: Ints, signatures: Signatures) -> None:
        """Keep the signature of everybody who got one now; `write` commits it."""
        known = self.recall(table).signature
        new = np.flatnonzero((known != signature) & (signature >= 0))
        self._given = signatures
        self._note(self.hashed(table)[new], signature[new])

    def withhold(self, table: Table, kept: Flags) -> None:
        """Keep who is withheld by a suppression, for ever, and who is published as she was."""
        known = self.recall(table).signature
        new = known == UNKNOWN
        self._note(self.hashed(table)[new], np.where(kept[new], AS_SHE_WAS, WITHHELD))

    def forget(self, persons: pl.Series) -> dict[str, Any]:
        """Return the content of a line after which these persons are refused."""
        hashes = self.hashes_of(persons)
        return self._line(NotedPeople.of(hashes, np.full(len(hashes), FORGOTTEN)), self._signatures)

    def named(self, table: Table, signature: Ints, signatures: Signatures) -> dict[str, Any]:
        """Return the content of a line that names everybody of a table, in the order of its rows."""
        noted = NotedPeople.of(self.hashed(table), signature)
        return {**self._line(noted, signatures), "migrated": True}

    def knows(self, persons: pl.Series) -> Flags:
        """Tell who was noted before."""
        return np.asarray(self._noted.recall(self.hashes_of(persons), unknown=_NEVER) != _NEVER)

    def _note(self, hashes: WordGrid, signature: Ints) -> None:
        self._added = NotedPeople.stacked([self._added, NotedPeople.of(hashes, signature)]).last

    def _line(self, noted: NotedPeople, signatures: Signatures) -> dict[str, Any]:
        return {
            "person": self.person,
            "sensitive": self.sensitive,
            "lock": self.key.lock,
            "keys": noted.hashes.astype(np.uint64),
            "signature": noted.signature.astype(np.int32),
            **signatures.since(self._signatures),
        }

    def commit(self, release: Published) -> dict[str, Any]:
        """Look at what is published, and return the content of the line that is to be appended."""
        added = self._line(self._added, self._given or self._signatures)
        if self._given is not None:
            inside = release.inside
            if inside is None or inside.table is None:
                raise LedgerConflict(
                    f"{self._name} follows people from release to release, and this release does not say who they are.",
                    hint="Write the release where it was made.",
                )
            self._check_signatures(release, inside, inside.table, added)
        return added

    def committed(self) -> None:
        """Take what was written for known."""
        self.releases += 1
        self._noted = NotedPeople.stacked([self._noted, self._added])
        self._signatures = self._given or self._signatures
        self._added = NotedPeople.stacked([])
        self._recalled = None

    def _check_signatures(self, release: Published, inside: Inside, table: Table, added: Mapping[str, Any]) -> None:
        """Refuse a release in which somebody stands in a group of other values than her signature has.

        The frames are read for it, and not what the method says: the ledger's promise is about what leaves.
        """
        parts = release.shape.parts
        signatures = self._signatures.then(dict(added))
        noted = NotedPeople.stacked([self._noted, self._added])
        signature = noted.recall(self.hashed(table)[inside.kept], unknown=UNKNOWN)
        people = find_people(parts, number_signatures(parts), inside, table)
        (sensitive,) = table.sensitive
        for at, part in enumerate(parts.values()):
            shown = part.statistics.histograms[sensitive]
            texts = as_text(part.dictionary(sensitive)).to_list()
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

    def _same_key(self, lines: list[Any]) -> None:
        """Refuse a key with which these lines were not written: to it, everybody would be new.

        Lines of earlier versions do not say which key theirs was.
        """
        if any(content.get("lock", self.key.lock) != self.key.lock for content in lines):
            raise LedgerConflict(
                f"{self._name}: {self.key.path.name} is not the key with which people were noted in it.",
                hint="Take the key back from a backup. With another one everybody would be taken for somebody new.",
            )

    def _same_columns(self, content: Mapping[str, Any]) -> None:
        for role, name in (("person", self.person), ("sensitive", self.sensitive)):
            if content[role] not in {None, name}:
                raise LedgerConflict(
                    f"{self._name} follows people by the {role} column {content[role]!r}, and this table has {name!r}.",
                    hint=f"Name the same {role} column as before, or begin a new ledger for another table.",
                )


def _within(values: Ints, limit: int) -> bool:
    return not len(values) or (int(values.min()) >= 0 and int(values.max()) < limit)
