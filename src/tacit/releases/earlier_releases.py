"""Earlier releases: those of a ledger, as a new one is read beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tacit.errors import LedgerConflict
from tacit.guarantees import Guarantee, recall
from tacit.releases.broken_claim import SIGNATURES, THE_NEW
from tacit.releases.composition import Composition, compose
from tacit.releases.ledger_grouping import grouping_digest
from tacit.releases.ledger_neighbours import unknown_neighbour
from tacit.releases.ledger_people import LedgerPeople
from tacit.releases.ledger_store import Line
from tacit.releases.manifest import FILE, digest
from tacit.releases.matched_releases import ReadRelease
from tacit.releases.private_draws import read_paper
from tacit.releases.shown_groups import SHOWN_FILE, ShownGroups, ShownTable
from tacit.shapes import Published
from tacit.table import Histogram

IF_NOT_COMPARABLE = (
    "hand out the files that are there; or, if nobody has been given any of them, remove them and begin a new ledger "
    "with a new release"
)
"""What the owner of a ledger can do that was begun by a version which did not note how people were grouped."""


class EarlierReleases:
    """The releases of one series of a ledger."""

    def __init__(
        self,
        name: str,
        lines: Sequence[Line],
        people: LedgerPeople | None,
        every: Callable[[], set[str]] | None = None,
    ) -> None:
        self._name = name
        self._lines = lines
        self._people = people
        self._every = every

    def judge(self, release: Published, table: str, shown: ShownGroups | None) -> Composition:
        """Judge a release beside all of them."""
        self._check_places()
        inside = release.inside
        claims = tuple(claim.guarantee for claim in release.claims if isinstance(claim.guarantee, Guarantee))
        kept = None if inside is None or self._people is not None else np.packbits(inside.kept)
        new = ReadRelease(THE_NEW, "this release", claims, shown, table, _shows(grouping_digest(release), kept))
        invariant = self._people is not None and self._people.invariant
        earlier, unchecked, signed = [], [], False
        for number, line in enumerate(self._lines, 1):
            kept_signatures = _invariant(line)
            signed |= kept_signatures
            if invariant and kept_signatures:
                continue  # everybody keeps her signature, which the ledger reads in the frames before it commits
            one = self._read(number, line, table)
            if one.shown is None and not (one.shows is not None and one.shows == new.shows and one.table == table):
                unchecked.append(f"{one.words}: its private part is not there, or does not tell who is in which group")
            if "claims" not in line.content and (one.shows is None or one.shows != new.shows):
                raise LedgerConflict(
                    f"{self._name}: {one.words} was written by a version that did not note how people were grouped or "
                    "what was promised, so it is not known what a reader of both would learn.",
                    hint=f"Nothing was written; {IF_NOT_COMPARABLE}.",
                )
            earlier.append(one)
        if signed and not invariant and self._people is not None:
            earlier.append(self._signatures(self._people, table))
        if release.inside is None or (shown is None and earlier):
            unchecked += [f"this release beside {each.words}" for each in earlier if each.shows != new.shows]
        return compose(new, earlier, tuple(dict.fromkeys(unchecked)))

    def read(self) -> tuple[list[ReadRelease], list[str]]:
        """Return all of them, and what is not there."""
        read = [self._read(number, line, line.content.get("table", "")) for number, line in enumerate(self._lines, 1)]
        return read, [one.words for one in read if one.shown is None]

    def _read(self, number: int, line: Line, table: str) -> ReadRelease:
        content = line.content
        paper = read_paper(content, SHOWN_FILE)
        shown = None if paper is None else self._by_person(ShownGroups.read(paper))
        method = content["method"].get("name") or "another tool"
        words = f"release {number} ({line.at[:10] or 'just now'}, {method}, {Path(content['folder']).name}/)"
        claims = tuple(recall(described) for described in content.get("claims", ()))
        return ReadRelease(
            number,
            words,
            claims,
            shown,
            content.get("table", table),  # a ledger of earlier versions is about one table
            _shows(content.get("grouping"), content.get("kept")),
        )

    def _by_person(self, shown: ShownGroups) -> ShownGroups | None:
        """Name the people of a release that was made before the ledger followed them; None where that cannot be."""
        if self._people is None or shown.people is not None:
            return shown
        hashes = self._people.by_row
        return None if hashes is None or len(hashes) != shown.rows else replace(shown, people=hashes)

    def _signatures(self, people: LedgerPeople, table: str) -> ReadRelease:
        """Return the signatures of everybody as a release that tells which values she may have."""
        hashes, signature = people.everybody()
        known = people.signatures
        values = Histogram(known.offsets, known.values, np.ones(len(known.values), np.int64), len(known.texts))
        column = people.sensitive or ""
        seen = ShownTable(np.maximum(signature, -1), {column: values}, {column: list(known.texts)})
        shown = ShownGroups({"": seen}, hashes)
        claims = dict.fromkeys(
            recall(described)
            for line in self._lines
            if _invariant(line) and read_paper(line.content, SHOWN_FILE) is None
            for described in line.content.get("claims", ())
        )
        return ReadRelease(SIGNATURES, "everybody's signature", tuple(claims), shown, "", None, counted=False)

    def _check_places(self) -> None:
        """Refuse where a folder of the ledger holds a release that the ledger does not know."""
        known = {line.content["release"] for line in self._lines}
        for folder in dict.fromkeys(line.content["folder"] for line in self._lines):
            path = Path(folder) / FILE
            try:
                there = digest(path) if path.is_file() else None
            except OSError:
                continue
            if there is not None and there not in known:
                raise self._unknown(Path(folder))
        if self._people is None or self._every is None or not self._people.count:
            return
        folders = [line.content["folder"] for line in self._lines]
        hashes, _ = self._people.everybody()
        beside = unknown_neighbour(folders, known, hashes, self._every)
        if beside is not None:
            raise self._unknown(beside)

    def _unknown(self, folder: Path) -> LedgerConflict:
        return LedgerConflict(
            f"{self._name}: {folder.name}/ holds a release that the ledger does not know; the folder or the ledger was "
            "put back from a backup, or the release was published around the ledger.",
            hint="Put back the newest ledger, with its key; or move the folder elsewhere, with its private part, if "
            "what it holds was never handed out.",
        )


def _invariant(line: Line) -> bool:
    """Whether everybody keeps her signature in a release.

    Of a table that must not change, all marginals are cut from the same buckets. An earlier version followed people
    with no other method.
    """
    content = line.content
    if "kept" in content:
        claims = content.get("claims")
        method = content["method"]
        steps = [step.get("name") for step in method.get("steps", [method])]
        return "invariant-marginals" in steps if claims is None else any(c["name"] == "m-invariance" for c in claims)
    return bool(content.get("invariant", "newcomers" in content and "claims" not in content))


def _shows(grouping: str | None, kept: np.ndarray[tuple[int], np.dtype[np.uint8]] | None) -> str | None:
    """Return one digest of who is published, and with whom."""
    if grouping is None:
        return None
    return hashlib.sha256(grouping.encode() + (b"" if kept is None else kept.tobytes())).hexdigest()
