"""Cover for blanks: cells that weigh nothing are blanked too, so that a blank does not mean yes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from tacit.knowledge.risk.attributes import Blank, Ints
from tacit.knowledge.risk.peers import Peers
from tacit.progress import Progress, part, silent
from tacit.randomness import permutation

_AT_ONCE = 4  # candidates asked about for each that is needed
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
    orders, wanted = {}, {}
    for j in columns.tolist():
        weighs = a.worth[j][a.codes[j]] > 0
        hidden = np.flatnonzero(blank[:, j])
        hidden = hidden[peers.among(hidden, j) == 1]
        missing = int(weighs[hidden].sum()) * cover - len(hidden)
        if missing > 0:
            free = np.flatnonzero(~weighs & ~blank[:, j])
            orders[j], wanted[j] = free[permutation(draws, len(free))], missing
    # All columns at once: records are counted once for whatever is asked about them.
    first = {j: order[: _step(wanted[j])] for j, order in orders.items()}
    cells = [np.full(len(asked), j) for j, asked in first.items()]
    if cells:
        peers.learn(
            np.concatenate(list(first.values())), np.concatenate(cells), part(progress, 0.2, 0.9), rounds=_ROUNDS
        )
    for j, order in orders.items():
        found = _some_peers(peers, order, j, wanted[j])
        if len(found) < wanted[j]:
            found = np.flatnonzero(peers.among(np.arange(a.rows), j) != 0)
        more[found, j] = True
    return more & ~blank


def _step(wanted: int) -> int:
    return max(1_000, _AT_ONCE * wanted)


def _some_peers(peers: Peers, order: npt.NDArray[np.int64], column: int, wanted: int) -> Ints:
    """Return the first peers in a random order: a uniform draw without asking about everybody."""
    found: list[Ints] = []
    have, at, step = 0, 0, _step(wanted)
    while have < wanted and at < len(order):
        asked = order[at : at + step]
        # In a small table everybody is decided; in a large one who is not is passed over.
        found.append(asked[peers.among(asked, column, rounds=_ROUNDS if len(order) > step else None) == 1])
        have += len(found[-1])
        at += step
    return np.concatenate(found)[:wanted] if found else np.zeros(0, np.int64)
