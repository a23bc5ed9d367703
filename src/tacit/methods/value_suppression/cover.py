"""Cover for blanks: cells that weigh nothing are blanked too, so that a blank does not mean yes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from tacit.knowledge.risk.attributes import Blank, Ints
from tacit.knowledge.risk.peers import Peers
from tacit.progress import Progress, silent
from tacit.randomness import permutation

_AT_ONCE = 4  # candidates asked about for each that is needed


def draw_cover(peers: Peers, blank: Blank, cover: int, draws: Generator, progress: Progress = silent) -> Blank:
    """Return the cells to blank besides, uniform among the weight-0 cells of each column's peers.

    Where these run out, the column is blanked in all of its peers.
    """
    a = peers.records.attributes
    more = np.zeros_like(blank)
    for j in np.flatnonzero(blank.any(axis=0) & (a.largest > 0)):
        column = int(j)
        weighs = a.worth[column][a.codes[column]] > 0
        hidden = np.flatnonzero(blank[:, column])
        hidden = hidden[peers.among(hidden, column, progress) == 1]
        wanted = int(weighs[hidden].sum()) * cover - len(hidden)
        if wanted <= 0:
            continue
        free = np.flatnonzero(~weighs & ~blank[:, column])
        found = _some_peers(peers, free[permutation(draws, len(free))], column, wanted, progress)
        if len(found) < wanted:
            found = np.flatnonzero(peers.among(np.arange(a.rows), column, progress) != 0)
        more[found, column] = True
    return more & ~blank


def _some_peers(
    peers: Peers, order: npt.NDArray[np.int64], column: int, wanted: int, progress: Progress
) -> Ints:
    """Return the first peers in a random order: a uniform draw without asking about everybody."""
    found: list[Ints] = []
    have, at, step = 0, 0, max(1_000, _AT_ONCE * wanted)
    while have < wanted and at < len(order):
        part = order[at : at + step]
        found.append(part[peers.among(part, column, progress) == 1])
        have += len(found[-1])
        at += step
    return np.concatenate(found)[:wanted] if found else np.zeros(0, np.int64)
