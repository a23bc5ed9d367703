"""All steps of Mondrian: cells, cuts or pooling, balanced cuts where distributions are guarded, and exchange."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import by_hash, offsets_of
from tacit.kernels.compiling import compiled
from tacit.kernels.mondrian.balanced_cuts import deal
from tacit.kernels.mondrian.cells import mixed
from tacit.kernels.mondrian.exchange import exchange
from tacit.kernels.mondrian.hulls import loss
from tacit.kernels.mondrian.leftovers import settle
from tacit.kernels.mondrian.pooling import node_keys, pool
from tacit.kernels.mondrian.proportions import draw, levels_to_visit
from tacit.kernels.mondrian.rules import EQUAL, ORDERED, TREE_DISTANCE, RuleTable
from tacit.kernels.mondrian.space import TREE, Space
from tacit.kernels.mondrian.top_down import descend
from tacit.kernels.mondrian.workspace import Arrangement, traits_of
from tacit.kernels.threads import in_parallel, stretches

__all__ = ["partition"]

_SHARD = 32_768
"""The most cells that are pooled together. More cells have cheaper partners to choose from, but take longer to
sort at every step, and leave fewer parts for threads; chosen by trial."""
_MANY = 300_000
"""The most cells of a table whose groups are improved after they were cut. Improvement lowers the NCP, and
its time grows with the cells; larger tables keep the plain cuts. Chosen by trial."""
_CROWD = 32
"""The most members (cells) of a group, on average, for which groups exchange members. Every exchange judges two whole
groups, so its time grows with the members while its gain shrinks; chosen by trial."""
_VISITS, _VISITED = 540, 16_000_000
"""How many choices of levels are visited to draw groups from boxes, and how many rows in all of them together at most.
More lose less NCP and take time in proportion. Chosen by trial: on Adult twice as many lose a twentieth less."""
_FEW_VISITS = 128
"""The fewest visits that are tried: a table of more than 125,000 rows needs more effort than 1. Of 250,000 rows of the
census 64 visits drew no better groups than cuts found, in a third of the time that cutting takes."""
_RESERVE = (7, 10)
"""The part of a bound on a distance, as a fraction, that plain cuts may use up. Balanced cuts need the rest, because
halves of odd counts cannot have exactly the distribution of the whole. A smaller part leaves larger groups for the
balanced cuts, which lose more NCP than plain ones where these are allowed; chosen by trial."""


def _arrangement_of(
    rules: RuleTable,
    points: NDArray[np.int32],
    start: NDArray[np.int64],
    sensitive: NDArray[np.int32],
    entries: NDArray[np.int64] | None,
) -> Arrangement:
    weight = np.diff(start).astype(np.int32)
    # Cutting reorders the cells, and what was given stays as it is.
    number = np.arange(len(weight), dtype=np.int32)
    begins = start if entries is None else entries[start]
    traits = np.zeros(len(weight), dtype=np.uint32)
    traits_of(rules, begins, sensitive, traits)
    return Arrangement(points.copy(), number, weight, traits, begins, sensitive)


@compiled
def _unit_places(
    arrangement: Arrangement, start: NDArray[np.int64], units: NDArray[np.int32], points: NDArray[np.int32]
) -> None:
    to = 0
    for i in range(len(arrangement.cell)):
        for unit in range(start[arrangement.cell[i]], start[arrangement.cell[i] + 1]):
            units[to] = unit
            points[to] = arrangement.points[i]
            to += 1


@compiled
def _unit_keys(
    space: Space,
    rules: RuleTable,
    points: NDArray[np.int32],
    sensitive: NDArray[np.int32],
    begins: NDArray[np.int64],
    units: NDArray[np.int32],
) -> NDArray[np.uint64]:
    """Return a random-looking number per unit that depends on its values alone, not on the order of rows or columns.

    A column is told from another by how many values it has. The entries of a person are added up in any order.
    """
    keys = np.zeros(len(units), np.uint64)
    for a in range(points.shape[1]):
        seed = mixed(np.uint64(space.start[a + 1] - space.start[a]) + (np.uint64(space.kind[a]) << np.uint64(40)))
        for i in range(len(units)):
            keys[i] += mixed(seed + np.uint64(points[i, a]))
    for c in range(sensitive.shape[1]):
        seed = mixed(np.uint64(rules.start[c + 1] - rules.start[c]) + (np.uint64(1) << np.uint64(50)))
        for i in range(len(units)):
            for entry in range(begins[units[i]], begins[units[i] + 1]):
                keys[i] += mixed(seed + np.uint64(sensitive[entry, c]))
    return keys


def _as_units(
    space: Space,
    rules: RuleTable,
    arrangement: Arrangement,
    start: NDArray[np.int64],
    entries: NDArray[np.int64] | None,
    groups: NDArray[np.int64],
) -> tuple[Arrangement, NDArray[np.int64]]:
    """Return the arrangement with every row, or person, a cell of its own, and where the groups begin then.

    The rows of a group stand in an order that does not depend on that of the table, so that what balanced cuts and
    exchanges make of ties does not depend on it either.
    """
    n = int(start[-1])
    units = np.empty(n, dtype=np.int32)
    points = np.empty((n, arrangement.points.shape[1]), dtype=np.int32)
    _unit_places(arrangement, start, units, points)
    before = offsets_of(arrangement.weight)
    begins = np.arange(n + 1, dtype=np.int64) if entries is None else entries
    keys = _unit_keys(space, rules, points, arrangement.sensitive, begins, units)
    order = by_hash(np.diff(before[groups]), keys)
    units, points = units[order], points[order]
    single = Arrangement(
        points, units, np.ones(n, dtype=np.int32), np.zeros(n, dtype=np.uint32), begins, arrangement.sensitive
    )
    return single, before[groups]


def _reserved(rules: RuleTable) -> RuleTable:
    distance = np.isin(rules.kind, (EQUAL, ORDERED, TREE_DISTANCE))
    return rules._replace(
        top=np.where(distance, rules.top * _RESERVE[0], rules.top),
        bottom=np.where(distance, rules.bottom * _RESERVE[1], rules.bottom),
    )


def _arranged(
    space: Space, arrangement: Arrangement, label: NDArray[np.int64], turned: int = 0
) -> tuple[Arrangement, NDArray[np.int64]]:
    """Return the arrangement with groups together and near ones close: sorted by attributes, the dearest first.

    `turned` moves so many of the dearest attributes behind the others: then other groups are neighbours.
    """
    first = np.full(int(label.max(initial=-1)) + 1, -1, dtype=np.int64)
    first[label[::-1]] = np.arange(len(label) - 1, -1, -1)
    used = np.flatnonzero(first >= 0)
    level = min(1, len(space.share) - 1)
    price = [float(space.share[level, space.start[a] : space.start[a + 1]].mean()) for a in range(len(space.kind))]
    by = sorted(range(len(price)), key=lambda a: (price[a], a))
    by = by[len(by) - turned % len(by) :] + by[: len(by) - turned % len(by)]
    corner = arrangement.points[first[used]]
    turn = np.empty(len(first), dtype=np.int64)
    turn[used[np.lexsort([corner[:, a] for a in by])]] = np.arange(len(used))
    order = np.argsort(turn[label], kind="stable")
    size = np.bincount(turn[label], minlength=len(used))
    arranged = arrangement._replace(
        points=arrangement.points[order],
        cell=arrangement.cell[order],
        weight=arrangement.weight[order],
        traits=arrangement.traits[order],
    )
    return arranged, offsets_of(size)


def _pooled(
    space: Space, rules: RuleTable, arrangement: Arrangement, visits: int, threads: int
) -> tuple[Arrangement, NDArray[np.int64]]:
    shards = descend(space, rules, arrangement, pause=_SHARD, thorough=0, threads=threads)
    keys = node_keys(space)
    label = np.empty(len(arrangement.cell), dtype=np.int32)
    parts = list(zip(shards[:-1].tolist(), shards[1:].tolist(), strict=True))

    def shard(begin: int, end: int) -> int:
        pooled = int(pool(space, rules, arrangement, keys, begin, end, visits, label))
        count = int(settle(space, rules, arrangement, begin, end, pooled, label))
        if count == pooled:
            return count
        # The leftover cells are one group now, perhaps a large one: it is cut like any other.
        rest = begin + np.flatnonzero(label[begin:end] == pooled)
        place = np.empty(len(arrangement.cell), dtype=np.int64)
        place[arrangement.cell[rest]] = rest
        left = arrangement._replace(
            points=arrangement.points[rest],
            cell=arrangement.cell[rest],
            weight=arrangement.weight[rest],
            traits=arrangement.traits[rest],
        )
        cut = descend(space, rules, left, threads=1)
        label[place[left.cell]] = pooled + np.repeat(np.arange(len(cut) - 1, dtype=np.int32), np.diff(cut))
        return pooled + len(cut) - 1

    counts = in_parallel(shard, parts, threads)
    wide = label.astype(np.int64)
    offset = 0
    for (begin, end), count in zip(parts, counts, strict=True):
        wide[begin:end] += offset
        offset += count
    return _arranged(space, arrangement, wide)


def _drawn(
    space: Space, rules: RuleTable, arrangement: Arrangement, visits: int
) -> tuple[Arrangement, NDArray[np.int64]]:
    """Return rows in groups that have the proportions of the table, and where the groups begin."""
    # Rows come in an order that depends on their values alone, as those of a group do.
    n = len(arrangement.cell)
    label = np.empty(n, dtype=np.int32)
    draw(space, rules, arrangement, levels_to_visit(space, arrangement.points, visits), label)
    return _arranged(space, arrangement, label.astype(np.int64))


def partition(
    space: Space,
    rules: RuleTable,
    points: NDArray[np.int32],
    start: NDArray[np.int64],
    sensitive: NDArray[np.int32],
    *,
    entries: NDArray[np.int64] | None = None,
    effort: float = 1.0,
    threads: int = 0,
) -> NDArray[np.int64]:
    """Group the units of cells so that every group is accepted and the NCP is small; return a group number per unit.

    A unit is a row or, with `entries`, a person who may have several. If all units together are not accepted, they are
    one group. The outcome depends neither on the number of threads nor on time: the time spent on improvement is
    counted in steps, and shrinks per row as the table grows.

    Parameters
    ----------
    space, rules
        What a blur costs and what every group must satisfy.
    points
        int32[cells, attributes], where each cell stands.
    start
        Where the units of each cell begin, and where those of the last one end.
    sensitive
        int32[rows, sensitive columns], cell after cell, possibly with no column. With `entries`, int32[entries, 1]:
        places in the histogram of all columns, unit after unit; the first entry of a unit is in the first column.
    entries
        Where the entries of each unit begin in `sensitive`, and where those of the last one end; by default every unit
        has one row of `sensitive`.
    effort
        Scales the number of steps spent on improvement; 0 leaves the plain cuts. From 2 on, groups also exchange
        members again, so many times, each time with other neighbours.
    threads
        The most threads; 0 means one per processor.

    Examples
    --------
    >>> from tacit.kernels.mondrian.rules import SIZE, Rule, rules_of
    >>> from tacit.kernels.mondrian.space import Numeric, space_of
    >>> space = space_of([Numeric(np.array([20.0, 21.0, 50.0, 51.0]), 31.0)])
    >>> ages, nothing = np.array([[0], [3], [1], [2]], dtype=np.int32), np.zeros((4, 0), dtype=np.int32)
    >>> group = partition(space, rules_of([Rule(SIZE, count=2)]), ages, np.arange(5), nothing)
    >>> bool(group[0] == group[2] != group[1] == group[3])
    True
    """
    arrangement = _arrangement_of(rules, points, start, sensitive, entries)
    m = max(1, len(arrangement.cell))
    plain = rules.plain
    # The larger the table, the fewer steps of improvement per cell; beyond _MANY cells there are none.
    block = int(effort * min(600, 24_000_000 // m)) if m <= _MANY else 0
    thorough = min(1024, 50_000_000 // m) if m <= _MANY else 0
    rounds = 2 if m <= 100_000 else 1
    if plain and effort > 0 and bool((space.kind == TREE).any()):
        arrangement, groups = _pooled(
            space, rules, arrangement, int(effort * min(800, max(100, 16_000_000 // m))), threads
        )
        block = 2 * block // 3
    else:
        groups = descend(
            space, rules if plain or effort == 0 else _reserved(rules), arrangement, thorough=thorough, threads=threads
        )
        if not plain and effort > 0:
            arrangement, groups = _as_units(space, rules, arrangement, start, entries, groups)
            start = np.arange(int(start[-1]) + 1, dtype=np.int64)
            groups = deal(space, rules, arrangement, groups, threads=threads)
            visits = int(effort * min(_VISITS, _VISITED // len(start)))
            if entries is None and visits >= _FEW_VISITS and bool((rules.kind == EQUAL).any()):
                drawn = _drawn(space, rules, arrangement, visits)
                losses = [loss(space, way.points, way.weight, ends) for way, ends in (drawn, (arrangement, groups))]
                if losses[0] < losses[1]:
                    arrangement, groups = drawn
    label = np.repeat(np.arange(len(groups) - 1, dtype=np.int32), np.diff(groups))
    # In large groups the distribution of values decides, and moving single members does not pay for the checks.
    if block > 0 and len(arrangement.cell) <= _CROWD * len(groups):
        for turn in range(max(1, int(effort))):
            if turn:
                arrangement, groups = _arranged(space, arrangement, label.astype(np.int64), turn)
                label = np.repeat(np.arange(len(groups) - 1, dtype=np.int32), np.diff(groups))
            parts = stretches(len(groups) - 1, max(1, min(64, m // 16_384)))
            in_parallel(
                exchange, [(space, rules, arrangement, groups, *part, block, rounds, label) for part in parts], threads
            )
    out = np.empty(int(start[-1]), dtype=np.int64)
    _spread_labels(arrangement.cell, start, label, out)
    return out


@compiled
def _spread_labels(
    cell: NDArray[np.int32], start: NDArray[np.int64], label: NDArray[np.int32], out: NDArray[np.int64]
) -> None:
    for i in range(len(cell)):
        for j in range(start[cell[i]], start[cell[i] + 1]):
            out[j] = label[i]
