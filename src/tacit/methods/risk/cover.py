"""Cover for blanks: cells that weigh nothing are blanked too, so that a blank does not mean yes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacit.arrays import Ints
from tacit.knowledge.risk.attributes import Blank
from tacit.knowledge.risk.peers import Peers
from tacit.progress import Progress, part, silent
from tacit.randomness import permutation

_AT_ONCE, _AT_MOST = 4, 40  # candidates asked about for each that is needed: at first, and where peers are few
_AT_LEAST = 1_000
_ROUNDS = 3  # a candidate that is not decided by then is passed over


def draw_cover(peers: Peers, blank: Blank, cover: int, draws: Generator, progress: Progress = silent) -> Blank:
    """Return the cells to blank besides, uniform among the weight-0 cells of each column's peers.

    Where these run out, the column is blanked in all of its peers.
    """
    a = peers.records.attributes
    more = np.zeros_like(blank)
    columns = np.flatnonzero(blank.any(axis=0) & (a.largest > 0))
    rows, which = np.nonzero(blank[:, columns])
    peers.learn(rows, columns[which], part(progress, 0.0, 0.2))
    drawings = []
    for j in columns.tolist():
        weighs = a.worth[j][a.codes[j]] > 0
        hidden = np.flatnonzero(blank[:, j])
        hidden = hidden[peers.among(hidden, j) == 1]
        missing = int(weighs[hidden].sum()) * cover - len(hidden)
        if missing > 0:
            free = np.flatnonzero(~weighs & ~blank[:, j])
            drawings.append(_Drawing(j, missing, free[permutation(draws, len(free))]))
    done = 0.2
    while open_ := [drawing for drawing in drawings if not drawing.over]:
        _ask(peers, open_, part(progress, done, (1.0 + done) / 2))
        done = (1.0 + done) / 2
    for drawing in drawings:
        more[drawing.drawn(peers), drawing.column] = True
    progress("cover for blanks", 1.0)
    return more & ~blank


@dataclass(eq=False)
class _Drawing:
    """A column's cover: peers in a random order, so that the first of them are a uniform draw."""

    column: int
    wanted: int
    order: Ints
    asked: int = 0
    found: int = 0

    @property
    def over(self) -> bool:
        """Whether enough peers are found, or nobody is left to ask about."""
        return self.found >= self.wanted or self.asked >= len(self.order)

    def next(self) -> Ints:
        """Return who is asked about next: as many as the peers found so far let expect, and a few more."""
        each = _AT_ONCE if not self.asked else min(_AT_MOST, 1.25 * self.asked / max(1, self.found))
        return self.order[self.asked : self.asked + max(_AT_LEAST, int(each * (self.wanted - self.found)))]

    def drawn(self, peers: Peers) -> Ints:
        """Return the cover, or all peers where there are too few."""
        among = peers.known(self.order[: self.asked], self.column)
        found = self.order[: self.asked][among == 1]
        if len(found) < self.wanted and (among < 0).any():  # those who were passed over
            found = self.order[peers.among(self.order, self.column) == 1]
        if len(found) >= self.wanted:
            return np.asarray(found[: self.wanted])
        everybody = np.arange(peers.records.attributes.rows)
        return np.asarray(everybody[peers.among(everybody, self.column) != 0])


def _ask(peers: Peers, open_: list[_Drawing], progress: Progress) -> None:
    """Ask for all columns at once: records are counted once for whatever is asked about them."""
    asked = [(drawing, drawing.next()) for drawing in open_]
    # In a small table everybody is decided; in a large one who is not is passed over.
    few = [pair for pair in asked if len(pair[1]) == len(pair[0].order)]
    many = [pair for pair in asked if len(pair[1]) < len(pair[0].order)]
    for pairs, rounds, tell in ((few, None, part(progress, 0.0, 0.3)), (many, _ROUNDS, part(progress, 0.3, 1.0))):
        if pairs:
            rows = np.concatenate([rows for _, rows in pairs])
            columns = np.concatenate([np.full(len(rows), drawing.column) for drawing, rows in pairs])
            peers.learn(rows, columns, tell, rounds=rounds)
    for drawing, rows in asked:
        drawing.asked += len(rows)
        drawing.found += int((peers.known(rows, drawing.column) == 1).sum())
