"""Quasi moves: blank what identifies people, where that costs fewer cells than blanking what would be learned.

Under "wildcard" a record's own blank hides it. Under "adversary" it does not, since no other row carries the victim's
value: the cells to blank are those of other rows that agree with her on all of the known set but one attribute. They
then match her, and everybody like her.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.arrays import Floats, Ints
from tacit.knowledge.risk import Records
from tacit.knowledge.risk.attributes import Blank
from tacit.knowledge.risk.search import bound
from tacit.knowledge.risk.stopping_rule import StoppingRule
from tacit.progress import Progress, silent
from tacit.table import Groups

_ROUNDS = 4
"""Rounds of the search at most that decide whether one blank is enough; a record that is not decided by then gets no
such blank. More rounds save more cells and take longer. How the value was chosen was not written down."""
_NEARLY_ALL = 0.999
"""A share of the heaviest term. If more than that would have to go, the move is not tried: it would take some thousand
rows for each that matches now. How the value was chosen was not written down."""


def own_blanks(records: Records, chosen: Ints, delta: float, price: Ints, progress: Progress = silent) -> Blank:
    """Return, for "wildcard", the one cell to blank in each chosen record that is then certainly at most at delta.

    Only records for which one cell is cheaper than `price` are tried: every attribute, that weighs nothing, of the
    known set that adds most.
    """
    a = records.attributes
    blank = np.zeros((len(chosen), len(a.names)), dtype=bool)
    dear = np.flatnonzero(price > 1)
    if not len(dear):
        return blank
    victims, gains = records.victims[chosen[dear]], records.gains[chosen[dear]]
    tried = records.population.heaviest(victims, gains) & (a.largest == 0)
    which, column = np.nonzero(tried)
    if not len(which):
        return blank
    changed = victims[which].copy()
    changed[np.arange(len(which)), column] = -1
    bounds = bound(
        records.population,
        changed,
        gains[which],
        StoppingRule(delta),
        rounds=_ROUNDS,
        progress=progress,
        stage="what to suppress",
    )
    good = np.flatnonzero(bounds.above == 0)
    # Of the attributes that do, the one that leaves the least risk.
    order = good[np.lexsort((bounds.high[good], which[good]))]
    first = np.unique(which[order], return_index=True)[1]
    best = order[first]
    blank[dear[which[best]], column[best]] = True
    return blank


def neighbours_blanks(
    records: Records, chosen: Ints, risk: Floats, delta: float, price: Ints
) -> list[tuple[Ints, int, Ints]]:
    """Return, for "adversary", moves: rows to blank, in which column, and the chosen records this is for.

    Records that share their heaviest known set K and its values are helped together: with g more rows that match on K,
    its term falls from t to t f / (f + g). A move is made where it takes enough risk away from all of them, counting
    K alone, and costs fewer cells than blanking what they have to lose.
    """
    a = records.attributes
    victims, gains = records.victims[chosen], records.gains[chosen]
    sets = records.population.heaviest(victims, gains)
    moves: list[tuple[Ints, int, Ints]] = []
    patterns, which = np.unique(sets, axis=0, return_inverse=True)
    seen = records.seen(own=False)
    for p in range(len(patterns)):
        K = np.flatnonzero(patterns[p])
        mine = np.flatnonzero(which == p)
        if not len(K) or not len(mine):
            continue
        own, counts = _cells(victims[mine][:, K], seen[:, K], a.sizes, K, records.times)
        outside = gains[mine].copy()
        outside[:, K] = 0.0
        f = counts[own]
        term = a.alpha * float(np.prod(a.known[K])) * outside.sum(axis=1) / np.maximum(1, f)
        excess = (risk[mine] - delta) / np.where(term > 0, term, 1.0)
        possible = (term > 0) & (excess < _NEARLY_ALL)
        needed = np.where(possible, np.ceil(np.maximum(1.0, f * excess / np.maximum(1e-9, 1.0 - excess))), np.inf)
        moves += _cheapest(records, K, mine[possible], own[possible], needed[possible], price, chosen, seen, victims)
    return moves


def _cells(
    victims: npt.NDArray[np.int32], rows: npt.NDArray[np.int32], sizes: tuple[int, ...], K: Ints, times: Ints
) -> tuple[Ints, Ints]:
    """Number the value combinations of the victims, and count the rows that match each (blank rows left out)."""
    both = np.concatenate([victims, rows])
    groups = Groups.of([both[:, k] + 1 for k in range(len(K))], [sizes[j] + 2 for j in K], rows=len(both))
    counts = np.bincount(groups.ids[len(victims) :], weights=times, minlength=groups.count)
    return groups.ids[: len(victims)], counts.astype(np.int64)


def _cheapest(
    records: Records,
    K: Ints,
    mine: Ints,
    own: Ints,
    needed: Floats,
    price: Ints,
    chosen: Ints,
    seen: npt.NDArray[np.int32],
    victims: npt.NDArray[np.int32],
) -> list[tuple[Ints, int, Ints]]:
    """Find, for each value combination, the attribute of K with enough near rows, if that is cheaper."""
    a = records.attributes
    open_ = [int(j) for j in K if a.largest[j] == 0]
    if not len(mine) or not open_:
        return []
    order = np.argsort(own, kind="stable")
    start = np.unique(own[order], return_index=True)[1]
    worst = np.maximum.reduceat(needed[order], start)
    cost = np.add.reduceat((price[mine] * records.times[chosen[mine]])[order], start)
    cheap = worst < cost
    moves: list[tuple[Ints, int, Ints]] = []
    if not cheap.any():
        return moves
    first = mine[order][start]
    near: dict[int, tuple[Ints, Ints, Ints]] = {}
    for j in open_:
        others = [int(k) for k in K if k != j]
        both = np.concatenate([victims[first][:, others], seen[:, others]])
        groups = Groups.of(
            [both[:, k] + 1 for k in range(len(others))], [a.sizes[k] + 2 for k in others], rows=len(both)
        )
        rows_of = np.argsort(groups.ids[len(first) :], kind="stable")
        near[j] = (
            groups.ids[: len(first)],
            rows_of,
            np.searchsorted(groups.ids[len(first) :][rows_of], np.arange(groups.count + 1)),
        )
    stop = np.append(start[1:], len(order))
    for c in np.flatnonzero(cheap):
        wanted = int(worst[c])
        for j in open_:
            ids, rows_of, offsets = near[j]
            candidates = rows_of[offsets[ids[c]] : offsets[ids[c] + 1]]
            codes = seen[candidates, j]
            fit = candidates[(codes >= 0) & (codes != victims[first[c], j]) & (records.times[candidates] <= wanted)]
            if not len(fit):
                continue
            reach = np.cumsum(records.times[fit])
            enough = int(np.searchsorted(reach, wanted))
            if enough < len(fit) and reach[enough] < cost[c]:
                moves.append((fit[: enough + 1], j, mine[order[start[c] : stop[c]]]))
                break
    return moves
