"""Peers and cover: a blank must not mean yes.

The peers of a column are the rows that would be above delta if their cell weighed most: rows of which an outsider
cannot say, from what is published, that their cell had no reason to be suppressed. Of the blanks among them at most
one in `cover` may hide a value that weighs something, unless all of them are blank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.arrays import Ints
from tacit.knowledge.risk.attributes import Blank
from tacit.knowledge.risk.records import Records
from tacit.knowledge.risk.search import bound
from tacit.knowledge.risk.stopping_rule import Goal
from tacit.progress import Progress, part, silent

_STAGE = "cover for blanks"
_UNASKED = -2
_AT_ONCE = 200_000


class Peers:
    """Who the peers of each column are, found out record by record when asked.

    Parameters
    ----------
    records
        The input, nothing suppressed.
    delta
        The threshold.
    above
        Rows of the input that are known to be above delta: each is a peer of every column in which it weighs something.
    """

    def __init__(self, records: Records, delta: float, above: Ints | None = None) -> None:
        self.records = records
        self.delta = delta
        self._known = np.full((len(records.first), len(records.attributes.names)), _UNASKED, dtype=np.int8)
        if above is not None:
            ids = np.unique(records.ids[above])
            self._known[ids] = np.where(records.gains[ids] > 0, 1, _UNASKED)

    def learn(self, rows: Ints, columns: Ints, progress: Progress = silent, *, rounds: int | None = None) -> None:
        """Find out about cells, given by row and column; what is not decided in so many rounds stays open."""
        wide = len(self.records.attributes.names)
        cells = np.unique(self.records.ids[rows] * wide + columns)
        ids, column = cells // wide, cells % wide
        known = self._known[ids, column]
        new = known == _UNASKED if rounds is not None else known < 0
        ids, column = ids[new], column[new]
        pieces = 1 + len(ids) // _AT_ONCE
        for i, cells in enumerate(np.array_split(np.arange(len(ids)), pieces)):
            gains = self.records.gains[ids[cells]]
            gains[np.arange(len(cells)), column[cells]] = self.records.attributes.largest[column[cells]]
            victims = self.records.victims[ids[cells]]
            found = bound(
                self.records.population,
                victims,
                gains,
                Goal(self.delta),
                rounds=rounds,
                progress=part(progress, i / pieces, (i + 1) / pieces),
                stage=_STAGE,
            )
            self._known[ids[cells], column[cells]] = found.above

    def known(self, rows: Ints, column: int) -> npt.NDArray[np.int8]:
        """Say what was found out of each row: 1 a peer of the column, 0 not, negative if not decided or not asked."""
        return np.asarray(self._known[self.records.ids[rows], column])

    def among(self, rows: Ints, column: int, *, rounds: int | None = None) -> npt.NDArray[np.int8]:
        """Say of each row: 1 a peer of the column, 0 not, -1 not decided."""
        self.learn(rows, np.full(len(rows), column), rounds=rounds)
        return self.known(rows, column)


@dataclass(frozen=True)
class Covered:
    """What the blanks of one column tell.

    Attributes
    ----------
    column
        Its name.
    blanks
        How many peers are blank in it.
    weighted
        How many of those hide a value that weighs something.
    complete
        Whether every peer is blank.
    allowed
        The largest share that is allowed: 1 / cover, or the share of the peers where all of them are blank.
    mixed
        Whether some values of the column weigh nothing.
    """

    column: str
    blanks: int
    weighted: int
    complete: bool
    allowed: float
    mixed: bool

    @property
    def posterior(self) -> float:
        """How probably a blank hides something, to whoever knows how many do."""
        return self.weighted / self.blanks if self.blanks else 0.0


def judge_blanks(
    peers: Peers, blank: Blank, cover: int, kept: Ints | None = None, progress: Progress = silent
) -> list[Covered]:
    """Count, in every column that weighs something and has blanks, what they hide.

    `blank` is aligned with the rows of the input; with `kept`, only those rows are published.
    """
    a = peers.records.attributes
    shown = np.arange(a.rows) if kept is None else kept
    found = []
    hidden = blank if kept is None else blank[kept]
    columns = np.flatnonzero(hidden.any(axis=0) & (a.largest > 0))
    at, which = np.nonzero(hidden[:, columns])
    peers.learn(shown[at], columns[which], progress)
    for j in columns.tolist():
        rows = shown[blank[shown, j]]
        rows = rows[peers.among(rows, j) == 1]
        weighted = int((a.worth[j][a.codes[j][rows]] > 0).sum())
        complete = False
        if weighted * cover > len(rows):
            complete = not (peers.among(shown[~blank[shown, j]], j) == 1).any()
        share = weighted / len(rows) if len(rows) else 0.0
        allowed = max(share, 1 / cover) if complete else 1 / cover
        mixed = bool((a.worth[j][a.codes[j]] == 0).any())
        found.append(Covered(a.names[j], len(rows), weighted, complete, allowed, mixed))
    return found


def covered(found: list[Covered], cover: int) -> bool:
    """Whether the blanks of every column are covered; whole numbers, no rounding."""
    return all(column.complete or column.weighted * cover <= column.blanks for column in found)
