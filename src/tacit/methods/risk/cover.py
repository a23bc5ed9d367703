"""Cover for blanks: cells that weigh nothing are blanked too, so that a blank cell may hide any answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacit.arrays import FlagGrid, Ints
from tacit.guarantees import RiskBelow
from tacit.knowledge.risk.peers import Peers, Reasons, Who
from tacit.progress import Progress, part, silent
from tacit.randomness import permutation

_ASKED_AT_FIRST, _ASKED_AT_MOST = 4, 40
"""Rows that are asked about for each that is needed: 4 at first, when it is not known how many are peers; later as many
as the share of peers so far suggests, at most 40. Asking about few takes more turns, asking about many counts rows that
are not needed. How the values were chosen was not written down."""
_MARGIN = 1.25
"""A factor: so many more rows are asked about than that share suggests, so that one turn is mostly enough."""
_ASKED_AT_LEAST = 1_000
"""Rows that are asked about in one turn at least: a turn counts the whole table, however few they are."""
_ROUNDS = 3
"""Rounds of the search; a row that is not decided by then is passed over, because another one serves as well."""


def draw_cover(
    guarantee: RiskBelow, peers: Peers, blank: FlagGrid, draws: Generator, progress: Progress = silent
) -> FlagGrid:
    """Return the cells to blank besides, drawn uniformly from the cells that weigh nothing.

    They are drawn among the peers of each column, and under "own" also among the later peers. Where these run out, the
    column is blanked in all of them; and where the later peers do, further cells of any rows are drawn, so that the
    blanks of those who became risky are not the only ones.
    """
    reasons = Reasons(peers, blank)
    reasons.learn(part(progress, 0.0, 0.2))
    covered = blank.copy()
    _cover_among("peers", guarantee, reasons, covered, draws, part(progress, 0.2, 0.8))
    if reasons.later is not None:
        _cover_among("later peers", guarantee, reasons, covered, draws, part(progress, 0.8, 0.9))
        _cover_among("no peers", guarantee, reasons, covered, draws, part(progress, 0.9, 1.0))
        _cover_among("everybody", guarantee, reasons, covered, draws, silent)
    progress("cover for blanks", 1.0)
    return covered & ~blank


def _cover_among(
    who: Who, guarantee: RiskBelow, reasons: Reasons, covered: FlagGrid, draws: Generator, progress: Progress
) -> None:
    """Blank what is missing among one kind of rows."""
    drawings = []
    for column in reasons.columns():
        if who in reasons.kinds(column):
            blanks, weighted = reasons.count(column, who, covered)
            missing = guarantee.missing_cover(blanks, weighted)
            if who == "everybody" and not reasons.count(column, "no peers", covered)[1]:
                continue  # the peers alone say what blanks hide
            if missing > 0:
                free = np.flatnonzero(~reasons.weighs(column) & ~covered[:, column])
                drawings.append(_Drawing(column, who, missing, free[permutation(draws, len(free))]))
    done = 0.0
    while unfinished := [drawing for drawing in drawings if not drawing.over]:
        _ask(reasons, unfinished, part(progress, done, (1.0 + done) / 2))
        done = (1.0 + done) / 2
    for drawing in drawings:
        covered[drawing.drawn(reasons), drawing.column] = True


@dataclass(eq=False)
class _Drawing:
    """The cover of a column, among one kind of rows: these in a random order, so that the first are a uniform draw."""

    column: int
    who: Who
    wanted: int
    order: Ints
    asked: int = 0
    eligible: int = 0

    @property
    def over(self) -> bool:
        """Whether there are enough, or nobody is left to ask about."""
        return self.eligible >= self.wanted or self.asked >= len(self.order)

    def next(self) -> Ints:
        """Return who is asked about next: as many as are expected to be needed, and a few more."""
        each = _ASKED_AT_FIRST if not self.asked else min(_ASKED_AT_MOST, _MARGIN * self.asked / max(1, self.eligible))
        many = max(_ASKED_AT_LEAST, int(each * (self.wanted - self.eligible)))
        return self.order[self.asked : self.asked + many]

    def drawn(self, reasons: Reasons) -> Ints:
        """Return the cover, or all rows of this kind where there are too few."""
        asked = self.order[: self.asked]
        member = reasons.known(self.who, asked, self.column)
        cover = asked[member == 1]
        if len(cover) < self.wanted and (member < 0).any():  # those who were passed over
            cover = self.order[reasons.of(self.who, self.order, self.column) == 1]
        if len(cover) >= self.wanted:
            return np.asarray(cover[: self.wanted])
        everybody = np.arange(reasons.attributes.rows)
        return np.asarray(everybody[reasons.of(self.who, everybody, self.column) != 0])


def _ask(reasons: Reasons, drawings: Sequence[_Drawing], progress: Progress) -> None:
    """Ask for all columns at once: records are counted once for whatever is asked about them."""
    asked = [(drawing, drawing.next()) for drawing in drawings]
    # Where all rows are asked about, each is decided; elsewhere a row that is not decided soon is passed over.
    few = [pair for pair in asked if len(pair[1]) == len(pair[0].order)]
    many = [pair for pair in asked if len(pair[1]) < len(pair[0].order)]
    for pairs, rounds, tell in ((few, None, part(progress, 0.0, 0.3)), (many, _ROUNDS, part(progress, 0.3, 1.0))):
        if pairs:
            rows = np.concatenate([rows for _, rows in pairs])
            columns = np.concatenate([np.full(len(rows), drawing.column) for drawing, rows in pairs])
            reasons.ask(pairs[0][0].who, rows, columns, tell, rounds=rounds)
    for drawing, rows in asked:
        drawing.asked += len(rows)
        drawing.eligible += int((reasons.known(drawing.who, rows, drawing.column) == 1).sum())
