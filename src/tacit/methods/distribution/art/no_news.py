"""No news: groups in which nobody is believed to have a value more than before, by a search over near people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator

from tacit.arrays import FloatGrid, Ints
from tacit.kernels.distribution.arguments import CERTIFIED, News
from tacit.knowledge.learning import FINE, Features, ModelName, candidates, read
from tacit.methods.distribution.art.grouping import GroupingProblem
from tacit.progress import Progress
from tacit.randomness import permutation
from tacit.table import Groups, Histogram

if TYPE_CHECKING:
    from tacit.kernels.distribution.regrouping import GroupTable, Neighbours

_START = 2
"""Times r: the size of the groups that the search begins with; the specification's 4 for r = 2."""
_CAP = 8
"""Times r: the most people of a group; the specification's 16 for r = 2."""
_TRIES = 300
"""Random changes that are tried for a failing group in one round; twice the specification's, which makes smaller
groups."""
_MERGED = 40
"""Near groups of which the best is merged with a failing one; the specification's."""
_PLAIN_ROUNDS = 4
"""Rounds before groups are merged; the specification's. Merging sooner ends sooner, with larger groups."""
_ROUNDS = 24
"""Rounds of a search at most. On Adult nothing fails after eight to fifteen."""
_RELIEF = 24
"""Rounds in which people who can share a value are brought to the groups that still hold news."""
_RISE = 0.05
"""What a change may cost in every second of these rounds: a few posteriors that are barely news."""
_WIDTH = 100
"""Places on either side from which neighbours are drawn, in each of two orders: together the specification's 200."""
_DIMENSIONS = 16
"""The most frequent values by whose probabilities people are placed. More place them better and take longer."""
_FLOOR = 1e-6
"""The least probability whose logarithm is taken."""
_POLISHED = 0.25
"""At last a quarter of what `gain` exceeds 1 is asked for, as far as changes alone get near it."""
_POLISH_ROUNDS = 2
"""Rounds of these changes. More take longer than they gain."""
_MARGIN = (1.25, 0.5)
"""The search asks for 1.25 r, and for half of what `gain` exceeds 1, so that readers whose models differ a little find
no news either; the specification's 2.5 and 1.25 for 2 and 1.5."""


@dataclass(frozen=True, eq=False)
class Reader:
    """What a reader of the release can learn from: the people, and the models that she may use.

    Attributes
    ----------
    features
        The people's quasi-identifiers as codes.
    models
        Which models she learns.
    rounds
        How often the release is attacked and built again.
    """

    features: Features
    models: tuple[ModelName, ...]
    rounds: int


def search_no_news(
    problem: GroupingProblem, views: Ints, news: News, reader: Reader | None, secret: Generator, progress: Progress
) -> tuple[Ints, Ints]:
    """Group all tuples so that no group holds news; return the group of each, and the tuples of groups that still do.

    People are placed by what is known of them, under the attribute sets `views`. Groups begin as mixes of near people;
    then members of failing groups change places with near people. First a margin is asked for, against the given
    distributions and against what readers of the release learn, and then a larger margin, as far as changes alone get
    near it; at last what was promised, where the margin failed.
    """
    space = _space(problem, views)
    search = _Search(problem, news, secret, _START * problem.r, int(_CAP * problem.r), space)
    tight = News(news.limits / _MARGIN[0], 1.0 + (news.gains - 1.0) * _MARGIN[1], news.cover)
    search.run(tight, _ROUNDS)
    progress("no news", 0.5)
    for _ in range(0 if reader is None else reader.rounds):
        assert reader is not None  # noqa: S101 - otherwise there is no round
        search.learn(reader)
        search.run(tight, _ROUNDS // 3)
    search.polish(tight._replace(gains=1.0 + (news.gains - 1.0) * _POLISHED))
    search.forget()
    search.run(news, _ROUNDS)
    failing = search.relieve(news)
    progress("no news", 0.8)
    group = search.groups.group.copy()
    stuck = np.flatnonzero(np.isin(group, failing))
    if news.cover > 1.0:  # nothing is to be hidden in a group without a protected value
        hidden = np.bincount(group, weights=problem.entries >= 0, minlength=len(search.groups.size)) > 0
        group[~hidden[group]] = -1
    return group, stuck


def no_news(problem: GroupingProblem, chosen: Ints, news: News) -> bool:
    """Ask whether some tuples, read as one group, hold no news for sure."""
    from tacit.kernels.distribution.news import judge_news

    values, counts = np.unique(problem.values[chosen], return_counts=True)
    cells = problem.cells[chosen].astype(np.int64)
    beyond, status, _, _ = judge_news(cells, values, counts.astype(np.int64), problem.knowledge, news)
    return bool(beyond <= 1.0 and status <= CERTIFIED)


def told(problem: GroupingProblem, group: Ints, view: int) -> tuple[float, float]:
    """Return what people are told on average: bits of KL(posterior || prior), and how much truth is believed more.

    The latter is the geometric mean of posterior over prior. Groups are matched by the probabilities of one attribute
    set; tuples of no group are left out.
    """
    from tacit.kernels.learning.matching import match

    inside = np.flatnonzero(group >= 0)
    used, ids = np.unique(group[inside], return_inverse=True)
    groups = Groups(ids.astype(np.int64), len(used))
    values = problem.values[inside]
    laid = candidates(groups, Histogram.of(groups.ids, groups.count, values, problem.chances.shape[1]))
    sizes, distinct = np.diff(laid.offsets), np.diff(laid.value_offsets)
    of = np.repeat(np.arange(len(sizes)), sizes * distinct)
    within = np.arange(len(of)) - laid.starts[of]
    person = laid.rows[laid.offsets[of] + within // distinct[of]]
    value = laid.values[laid.value_offsets[of] + within % distinct[of]]
    prior = problem.chances[problem.signatures[problem.cells[inside][person], view], value]
    with np.errstate(divide="ignore"):
        beliefs = np.log(prior)  # scores, which `match` turns into beliefs
    match(laid, beliefs, FINE)
    some = (beliefs > 0) & (prior > 0)
    ratio = np.log2(beliefs[some] / prior[some])
    true = values[person[some]] == value[some]
    people = max(1, len(inside))
    return float((beliefs[some] * ratio).sum() / people), float(2.0 ** (ratio[true].sum() / people))


class _Search:
    """The state of a search: the groups, and who is near whom."""

    def __init__(
        self, problem: GroupingProblem, news: News, secret: Generator, start: float, cap: int, space: FloatGrid
    ) -> None:
        from tacit.kernels.distribution.regrouping import GroupTable, Neighbours

        self.problem, self.secret, self.true = problem, secret, problem
        n = len(problem.cells)
        turned = space @ secret.standard_normal((space.shape[1], min(8, space.shape[1])))
        orders = [kd_order(each[problem.cells], start, secret) for each in (space, turned)]
        order = np.stack([each for each, _ in orders])
        place = np.empty_like(order)
        for o in range(len(order)):
            place[o, order[o]] = np.arange(n)
        self.near = Neighbours(order, place, max(1, min(_WIDTH, n - 1)))
        group = dealt_groups(problem.values, orders[0][0], orders[0][1], start)
        count = int(group.max(initial=-1)) + 1
        size = np.bincount(group, minlength=count)
        members = np.full((count, max(cap, int(size.max(initial=1)))), -1, dtype=np.int64)
        by = np.argsort(group, kind="stable")
        within = np.arange(n) - np.repeat(np.cumsum(size) - size, size)
        members[group[by], within] = by
        self.groups = GroupTable(group, members, size.astype(np.int64), np.zeros(count))

    def run(self, news: News, rounds: int) -> Ints:
        """Change groups until none holds news, or rounds have passed; return those that do."""
        from tacit.kernels.distribution.regrouping import cost_all, merge_news

        told = (self.problem.tuples, self.problem.knowledge, news, self.near)
        cost_all(self.groups, *told[:3])
        for number in range(rounds):
            failing = np.flatnonzero(self.groups.cost > 0)
            if not len(failing):
                break
            failing = failing[permutation(self.secret, len(failing))]
            self._exchange(failing, _anywhere(failing), news, self.near)
            if number >= min(_PLAIN_ROUNDS, rounds // 2):
                merge_news(self.groups, failing, *told, self._draws(len(failing), _MERGED))
        return np.flatnonzero(self.groups.cost > 0)

    def polish(self, news: News) -> None:
        """Lower what exceeds an even larger margin by changes alone, so that groups do not grow on average."""
        from tacit.kernels.distribution.regrouping import cost_all

        cost_all(self.groups, self.problem.tuples, self.problem.knowledge, news)
        for _ in range(_POLISH_ROUNDS):
            failing = np.flatnonzero(self.groups.cost > 0)
            failing = failing[permutation(self.secret, len(failing))]
            self._exchange(failing, _anywhere(failing), news, self.near)

    def relieve(self, news: News) -> Ints:
        """Bring to groups that still hold news who can share the value that is news; return those that do even then.

        People are near by the values that many have. A value that few have, and of which somebody is suspected far more
        than others, needs those who are suspected of it as well, wherever they are. Groups may be larger here, and in
        every second round a change may cost something, so that others can follow. The best of all rounds is kept.
        """
        from tacit.kernels.distribution.regrouping import find_worst, merge_news

        told = (self.problem.tuples, self.problem.knowledge, news)
        failing = np.flatnonzero(self.groups.cost > 0)
        if len(failing):
            self._widen()
        best, lowest = self.groups, np.inf
        for number in range(_RELIEF):
            total = float(self.groups.cost.sum())
            if total < lowest:
                best, lowest = _copied(self.groups), total
            if not len(failing):
                break
            rise = _RISE * (number % 2)
            who, where, what = find_worst(self.groups, failing, *told)
            for view, value in sorted({(int(a), int(v)) for a, v in zip(where, what, strict=True) if a >= 0}):
                chosen = np.flatnonzero((where == view) & (what == value))
                self._exchange(failing[chosen], who[chosen], news, self._by_value(view, value), rise)
            failing = np.flatnonzero(self.groups.cost > 0)
            self._exchange(failing, _anywhere(failing), news, self.near, rise)
            merge_news(self.groups, failing, *told, self.near, self._draws(len(failing), _MERGED))
            failing = np.flatnonzero(self.groups.cost > 0)
        else:
            self.groups = best
        return np.flatnonzero(self.groups.cost > 0)

    def _exchange(self, failing: Ints, anchors: Ints, news: News, near: Neighbours, rise: float = 0.0) -> None:
        """Try random changes of the members of groups that hold news."""
        from tacit.kernels.distribution.regrouping import exchange_news

        told = (self.problem.tuples, self.problem.knowledge, news, near)
        exchange_news(self.groups, failing, anchors, *told, self._draws(len(failing), _TRIES), rise)

    def _by_value(self, view: int, value: int) -> Neighbours:
        """Order people by how much they are suspected of a value."""
        chances = self.problem.chances[self.problem.signatures[self.problem.cells, view], value]
        order = permutation(self.secret, len(chances))
        order = order[np.argsort(chances[order], kind="stable")]
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return self.near._replace(order=order[None, :], place=place[None, :])

    def _widen(self) -> None:
        """Make room for larger groups: the last ones may need it."""
        members = self.groups.members
        count, cap = members.shape
        wider = np.full((count, cap + cap // 2), -1, dtype=np.int64)
        wider[:, :cap] = members
        self.groups = self.groups._replace(members=wider)

    def _draws(self, groups: int, tries: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint32]]:
        return self.secret.integers(0, 2**32, (groups, tries, 3), dtype=np.uint32)

    def learn(self, reader: Reader) -> None:
        """Attack the groups as a reader would, and add what every model learned to what is known."""
        problem = self.problem
        values = len(problem.protected.entry_of)
        used, ids = np.unique(self.groups.group, return_inverse=True)
        groups = Groups(ids.astype(np.int64), len(used))
        laid = candidates(groups, Histogram.of(groups.ids, groups.count, problem.values, values))
        count = int(problem.cells.max()) + 1
        first = np.full(count, -1, dtype=np.int64)
        first[problem.cells[::-1]] = np.arange(len(problem.cells) - 1, -1, -1)
        chances, signatures, at = [problem.chances], [problem.signatures], len(problem.chances)
        for model in reader.models:
            learned = read(reader.features, [laid], values, model=model, rounds=3, calibrate=False).model
            chances.append(learned.chances(reader.features, first))
            signatures.append((at + np.arange(count, dtype=np.int32))[:, None].astype(np.int32))
            at += count
        self.problem = replace(
            problem,
            signatures=np.ascontiguousarray(np.concatenate(signatures, axis=1)),
            chances=np.ascontiguousarray(np.concatenate(chances)),
        )

    def forget(self) -> None:
        """Go back to the true distributions."""
        self.problem = self.true


def _copied(groups: GroupTable) -> GroupTable:
    """Return groups that later changes leave as they are."""
    return groups._replace(
        group=groups.group.copy(), members=groups.members.copy(), size=groups.size.copy(), cost=groups.cost.copy()
    )


def _anywhere(failing: Ints) -> Ints:
    """Name no anchor: what comes into a group is near the member that changes place."""
    return np.full(len(failing), -1, dtype=np.int64)


def _space(problem: GroupingProblem, views: Ints) -> FloatGrid:
    """Place every cell by the logarithms of its probabilities, centred, each value by the root of its share."""
    counts = np.bincount(problem.values, minlength=problem.chances.shape[1])
    often = np.argsort(-counts, kind="stable")[:_DIMENSIONS]
    share = np.sqrt(counts[often] / max(1, len(problem.values)))
    parts = []
    for view in views:
        logs = np.log(np.maximum(problem.chances[problem.signatures[:, view]][:, often], _FLOOR))
        parts.append((logs - logs.mean(axis=1, keepdims=True)) * share)
    return np.concatenate(parts, axis=1) if parts else np.zeros((len(problem.signatures), 1))


def kd_order(points: FloatGrid, start: float, secret: Generator) -> tuple[Ints, Ints]:
    """Order points by median cuts along the widest dimension; return the order and where parts begin and end.

    Parts have two to four times `start` points, or fewer where there are not so many.
    """
    n = len(points)
    order = permutation(secret, n)
    bounds = np.array([0, n])
    while n / (len(bounds) - 1) > 4 * start:
        part = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        here = points[order]
        sizes = np.diff(bounds)[:, None]
        mean = np.add.reduceat(here, bounds[:-1], axis=0) / sizes
        spread = np.add.reduceat(here**2, bounds[:-1], axis=0) / sizes - mean**2
        key = here[np.arange(n), np.argmax(spread, axis=1)[part]]
        order = order[np.lexsort((key, part))]
        bounds = np.array(sorted({int(b) for a, b in pairwise(bounds.tolist()) for b in (a, (a + b) // 2)} | {n}))
    return order, bounds


def dealt_groups(values: Ints, order: Ints, bounds: Ints, start: float) -> Ints:
    """Sort every part by value and deal it round robin, so that each group gets the part's mix."""
    sizes = np.diff(bounds)
    part = np.repeat(np.arange(len(sizes)), sizes)
    several = np.maximum(1, (sizes // start).astype(np.int64))
    offset = np.cumsum(several) - several
    by = order[np.lexsort((values[order], part))]
    rank = np.arange(len(order)) - np.repeat(bounds[:-1], sizes)
    group = np.empty(len(order), dtype=np.int64)
    group[by] = offset[part] + rank % several[part]
    return group
