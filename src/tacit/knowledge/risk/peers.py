"""Peers: the rows that could have had a reason to be blank, and what the blanks among them hide.

The peers of a column are the rows of the input that would be above delta if their cell weighed most: nobody can say of
these, from everything but the column itself, that the cell had no reason to be suppressed. Where a blank is a value of
its own (`missing="own"`), blanks make other rows rarer, and these get a reason that they did not have in the input:
they are the later peers, who would be above delta in the release.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tacit.arrays import FlagGrid, Flags, Ints
from tacit.knowledge.risk.attributes import Attributes
from tacit.knowledge.risk.records import Records
from tacit.knowledge.risk.search import UNDECIDED, bound
from tacit.knowledge.risk.stopping_rule import StoppingRule
from tacit.progress import Progress, part, silent

_STAGE = "cover for blanks"
_UNASKED = -2
# Cells that are asked about in one search. It bounds memory, which grows with cells times attributes.
_CELLS_AT_ONCE = 200_000

Who = Literal["peers", "later peers", "no peers", "everybody"]
"""Of whom blanks are counted: peers of the input; peers of the release that were none of the input; all who were none
of the input; all rows."""


class Peers:
    """Who the peers of each column are; it is computed record by record, when it is asked.

    Parameters
    ----------
    records
        The input, nothing suppressed; or a release of it, with `later`.
    delta
        The threshold.
    above
        Rows of the input that are known to be above delta: each is a peer of every column in which it weighs something.
    later
        Ask who would be above delta in a release, with all that the row weighs in the input, if whoever knows a
        suppressed cell of it knew it exactly. Under "own" more blanks never make this risk smaller, and it is at least
        the risk of the row as published; so every row that was above delta on the way to the release is among these.
    """

    def __init__(self, records: Records, delta: float, above: Ints | None = None, *, later: bool = False) -> None:
        self.records = records
        self.delta = delta
        self._victims = records.exposed if later else records.victims
        self._gains = records.weighed if later else records.gains
        self._known = np.full((len(records), len(records.attributes.names)), _UNASKED, dtype=np.int8)
        if above is not None:
            ids = np.unique(records.ids[above])
            self._known[ids] = np.where(self._gains[ids] > 0, 1, _UNASKED)

    def learn(self, rows: Ints, columns: Ints, progress: Progress = silent, *, rounds: int | None = None) -> None:
        """Compute whether rows are peers of columns, pair by pair; `rounds` rounds may leave some undecided."""
        wide = len(self.records.attributes.names)
        cells = np.unique(self.records.ids[rows] * wide + columns)
        ids, column = cells // wide, cells % wide
        known = self._known[ids, column]
        new = known == _UNASKED if rounds is not None else known < 0
        ids, column = ids[new], column[new]
        pieces = 1 + len(ids) // _CELLS_AT_ONCE
        for i, cells in enumerate(np.array_split(np.arange(len(ids)), pieces)):
            gains = self._gains[ids[cells]]
            gains[np.arange(len(cells)), column[cells]] = self.records.attributes.largest[column[cells]]
            bounds = bound(
                self.records.population,
                self._victims[ids[cells]],
                gains,
                StoppingRule(self.delta),
                rounds=rounds,
                progress=part(progress, i / pieces, (i + 1) / pieces),
                stage=_STAGE,
            )
            self._known[ids[cells], column[cells]] = bounds.above

    def states(self, rows: Ints, columns: Ints | int) -> npt.NDArray[np.int8]:
        """Return what is known of cells: 1 if the row is a peer, 0 if not, negative if undecided or never computed."""
        return np.asarray(self._known[self.records.ids[rows], columns])


@dataclass(frozen=True)
class HiddenByBlanks:
    """What the blanks of one column hide, among the rows of one kind.

    Attributes
    ----------
    column
        Its name.
    who
        The rows that are counted.
    blanks
        How many of them are blank in the column.
    weighted
        How many of those hide a value that weighs something.
    complete
        Whether all rows of this kind are blank. It is computed only where it matters: where more than one blank in
        `cover` hides a value that weighs something; elsewhere it is False.
    """

    column: str
    who: Who
    blanks: int
    weighted: int
    complete: bool

    @property
    def share(self) -> float:
        """How probably a blank hides something, to whoever knows how many do and takes all for equally likely."""
        return self.weighted / self.blanks if self.blanks else 0.0


class Reasons:
    """The rows by the reason that they could have to be blank: peers of the input, later peers, or none.

    Parameters
    ----------
    peers
        The peers of the input.
    blank
        The cells that are suppressed, aligned with the input.
    """

    def __init__(self, peers: Peers, blank: FlagGrid) -> None:
        self.peers, self.blank = peers, blank
        self.attributes: Attributes = peers.records.attributes
        self.later: Peers | None = None
        if self.attributes.missing == "own" and blank.any():
            self.later = Peers(Records.of(self.attributes, blank), peers.delta, later=True)

    def columns(self) -> list[int]:
        """Return the columns that have blanks and of which some value weighs something."""
        return np.flatnonzero(self.blank.any(axis=0) & (self.attributes.largest > 0)).tolist()

    def weighs(self, column: int) -> Flags:
        """Say which rows have a value in the column that weighs something."""
        a = self.attributes
        return np.asarray(a.worth[column][a.codes[column]] > 0)

    def learn(self, progress: Progress = silent) -> None:
        """Ask about all blanks of all columns at once, so that records are counted only once."""
        columns = np.array(self.columns(), dtype=np.int64)
        rows, which = np.nonzero(self.blank[:, columns])
        self.ask("peers" if self.later is None else "later peers", rows, columns[which], progress)

    def ask(
        self, who: Who, rows: Ints, columns: Ints, progress: Progress = silent, *, rounds: int | None = None
    ) -> None:
        """Compute whether cells, given by row and column, are those of `who`; see `Peers.learn`."""
        if who == "everybody":
            return
        if who != "later peers" or self.later is None:
            self.peers.learn(rows, columns, progress, rounds=rounds)
            return
        self.peers.learn(rows, columns, part(progress, 0.0, 0.5), rounds=rounds)
        no_peer = self.peers.states(rows, columns) == 0
        self.later.learn(rows[no_peer], columns[no_peer], part(progress, 0.5, 1.0), rounds=rounds)

    def of(self, who: Who, rows: Ints, column: int) -> npt.NDArray[np.int8]:
        """Say of each row: 1 it is one of `who`, 0 it is not, -1 it could not be decided."""
        self.ask(who, rows, np.full(len(rows), column))
        return self.known(who, rows, column)

    def known(self, who: Who, rows: Ints, column: int) -> npt.NDArray[np.int8]:
        """Return what is known of each row: 1 if it is one of `who`, 0 if not, -1 if undecided or never computed."""
        if who == "everybody":
            return np.ones(len(rows), dtype=np.int8)
        peer = np.maximum(self.peers.states(rows, column), UNDECIDED)
        if who == "peers":
            return peer
        if who == "no peers":
            return np.where(peer < 0, peer, 1 - peer)
        later = np.zeros(len(rows), dtype=np.int8)
        if self.later is not None:
            later = np.maximum(self.later.states(rows, column), UNDECIDED)
        return np.where(peer == 0, later, np.minimum(peer, 0))

    def kinds(self, column: int) -> tuple[Who, ...]:
        """Return the kinds of rows whose blanks in a column are counted apart.

        Where every value weighs something, everybody knows without the blank that it hides one; then only the peers are
        counted, because a blank could still tell that the value weighs much.
        """
        if self.weighs(column).all():
            return ("peers",)
        return ("peers", *(() if self.later is None else ("later peers",)), "no peers", "everybody")

    def count(self, column: int, who: Who, blank: FlagGrid | None = None) -> tuple[int, int]:
        """Count the blanks of some rows, and those that hide a value that weighs something.

        A row that could not be decided is counted where it tells most: as one of them if its cell weighs something,
        else as none. `blank` may have more cells than the reasons were made with.
        """
        blanks = np.flatnonzero((self.blank if blank is None else blank)[:, column])
        member, weighs = self.of(who, blanks, column), self.weighs(column)[blanks]
        weighted = int((weighs & (member != 0)).sum())
        return weighted + int((~weighs & (member == 1)).sum()), weighted

    def hidden(self, cover: int) -> Iterator[HiddenByBlanks]:
        """Count what the blanks of every column hide, for every kind of rows."""
        self.learn()
        for column in self.columns():
            shown = np.flatnonzero(~self.blank[:, column])
            beyond = 0
            for who in self.kinds(column):
                blanks, weighted = self.count(column, who)
                beyond = weighted if who == "no peers" else beyond
                if who == "everybody" and not beyond:  # then the peers alone say what blanks hide
                    continue
                complete = weighted * cover > blanks and not self.of(who, shown, column).any()
                yield HiddenByBlanks(self.attributes.names[column], who, blanks, weighted, complete)
