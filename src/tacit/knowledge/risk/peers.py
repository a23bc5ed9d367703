"""Peers and cover: a blank must not mean yes.

The peers of a column are the rows that would be above delta if their cell weighed most: rows of which an outsider
cannot say, from what is published, that their cell had no reason to be suppressed. Of the blanks among them at most
one in `cover` may hide a value that weighs something, unless all of them are blank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.knowledge.risk.attributes import Blank, Ints
from tacit.knowledge.risk.records import Records
from tacit.progress import Progress, silent


class Peers:
    """Who the peers of each column are, found out record by record when asked.

    Parameters
    ----------
    records
        The input, nothing suppressed.
    delta
        The threshold.
    """

    def __init__(self, records: Records, delta: float) -> None:
        self.records = records
        self.delta = delta
        self._known = np.full((len(records.attributes.names), len(records.first)), -2, dtype=np.int8)

    def among(self, rows: npt.NDArray[np.int64], column: int, progress: Progress = silent) -> npt.NDArray[np.int8]:
        """Say of each row: 1 a peer of the column, 0 not, -1 not decided."""
        wanted = self.records.ids[rows]
        known = self._known[column]
        new = np.unique(wanted[known[wanted] == -2])
        if len(new):
            gains = self.records.gains[new].copy()
            gains[:, column] = self.records.attributes.largest[column]
            found = self.records.population.bound(
                self.records.victims[new], gains, limit=self.delta, progress=progress, stage="cover for blanks"
            )
            known[new] = found.above
        return known[wanted]


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
    for j in np.flatnonzero(blank[shown].any(axis=0) & (a.largest > 0)):
        rows = shown[blank[shown, j]]
        rows = rows[peers.among(rows, int(j), progress) == 1]
        weighted = int((a.worth[j][a.codes[j][rows]] > 0).sum())
        complete = False
        if weighted * cover > len(rows):
            seen = shown[~blank[shown, j]]
            complete = not (peers.among(seen, int(j), progress) == 1).any()
        share = weighted / len(rows) if len(rows) else 0.0
        allowed = max(share, 1 / cover) if complete else 1 / cover
        mixed = bool((a.worth[j][a.codes[j]] == 0).any())
        found.append(Covered(a.names[j], len(rows), weighted, complete, allowed, mixed))
    return found


def covered(found: list[Covered], cover: int) -> bool:
    """Whether the blanks of every column are covered; whole numbers, no rounding."""
    return all(column.complete or column.weighted * cover <= column.blanks for column in found)
