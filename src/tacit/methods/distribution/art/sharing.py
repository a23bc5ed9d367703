"""Sharing out: all protected tuples together share out the others, each for a group in which all others have one value.

A search that hides one tuple after another gives the first ones what the last ones need. Here everybody first takes
what is cheapest, even if somebody else has asked for it. What is asked for too often becomes dearer, for those who ask
now and for good, and whoever asked for it chooses again, until nobody is asked for twice. (Roads of a circuit are laid
out in this way: McMurchie and Ebeling, PathFinder, 1995.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacit.arrays import FloatGrid, Ints
from tacit.kernels.distribution.arguments import Choices, KeptWeights, Market, Search, Seeds
from tacit.kernels.drawing import State
from tacit.methods.distribution.art.grouping import GroupingProblem
from tacit.methods.distribution.nearness import ranks_of
from tacit.progress import Progress, silent

_HOPELESS = 0.82
"""Where groups are to hold in both views: if more than this share of the seeds is unsettled after the first round, the
exact view alone is asked for. Tried on Adult with five quasi-identifiers, where it tells r = 9 from r = 8."""
_SOON = (1 / 3, 0.75, 3, 2)
"""If at most this share of the seeds is unsettled, these give way and look at what is left. Where that leaves somebody,
it is tried again when this share of them is unsettled, or at most so many tuples are asked for too often, but not
before so many rounds."""
_FEW = 8
"""If at most so many are left then, they may take what they need from others."""
_REPAIRS = (20, 0.3, 10.0, 12)
"""How often at most one of them does, how much dearer it is at least and at most to take from others, and from how many
at most. It bounds the time."""
_ROUNDS = 200
"""Rounds at most."""
_HALF = 8
"""Rounds after which progress is told to be half. How many there will be is not known."""
_PATIENCE = 8.0
"""How often seeds may choose, on average over all, until a quarter fewer tuples must be asked for too often: rounds in
which few choose take little time."""
_RISE, _FACTOR, _HURRY = 0.2, 1.06, 0.5
"""How much dearer a tuple is at first that somebody else has asked for, the factor by which that grows in each round,
and what is added to the factor, times the square of the share that nobody asks for: where much is left, whoever asks
may as well take that. Chosen by trial on Adult at r = 10."""
_DEARER, _CHEAPER, _MORE = 0.15, 0.1, 0.3
"""Shares by which a class becomes dearer of which twice as much is asked as it has, and cheaper of which nothing is
asked, in each round; and what is added to the former. Chosen by trial."""
_FADING = 10
"""Rounds after which classes become cheaper by half as much. Chosen by trial: without it, seeds that need many tuples
changed back and forth."""
_LEAST = 0.05
"""What a class costs at least, where the cheapest costs 1 at first: who is of little use is not asked for in masses."""
_THRIFT = 0.3
"""Exponent of the price that tuples have at first, who are likely to have a protected value and whom others may need.
Chosen by trial: without it more rounds are needed."""
_FLOOR = 0.02
"""A share of the mean that is added to every price, so that none is 0. Chosen by trial."""
_LUCK = 0.5
"""Where several ask for the same, the one whose group costs most keeps it, unless another's costs at least so much of
that and is luckier: whose group costs much finds no other."""
_FORBIDDEN = 1e18
"""A rise that nobody pays."""
_MOST_VALUES = 16
"""Other values that are tried in the first round, the most frequent ones."""
_WIDTH = 8_192
"""Classes of a value that a seed looks at, those that are nearest. It keeps the time per seed bounded."""
_LARGEST = (64, 16, 1_024)
"""Tuples of a group at most: 16 r, at least 64 and at most 1,024. It bounds the memory."""
_TIGHT = 0.7
"""If more than this share of what all are worth is asked for, seeds look at more classes. Chosen by trial."""
_EFFORT = (0.7, 6.0)
"""The fewer seeds are unsettled, the better they search: a round takes this share of the time of one in which all seeds
choose, but no seed tries more than so many times as often as usual. From half of that on it tries twice as many
values."""
_MEMORY = 400_000_000
"""Bytes that weights may take. If those for all protected values need more, they are computed again and again."""


def _first(r: float) -> Search:
    """Return how a seed searches in the first round: every value, quickly."""
    return Search(r, values=_MOST_VALUES, width=_WIDTH, kept=300, notes=0, noted=0, tries=0, released=1)


def _usual(r: float) -> Search:
    """Return how a seed searches later. Chosen by trial."""
    return Search(r, values=2, width=_WIDTH, kept=1_200, notes=16, noted=400, tries=20, released=10)


def _wide(r: float) -> Search:
    """Return how a seed searches that found nothing: every value, among many classes."""
    return Search(r, values=_MOST_VALUES, width=_WIDTH, kept=4_000, notes=16, noted=600, tries=100, released=10)


@dataclass(eq=False)
class _Sharing:
    """Seeds, the market, and what was chosen.

    `rows` are the seeds as tuples; `by_class` the others, class by class. `weights` are working arrays.
    """

    rows: Ints
    by_class: Ints
    seeds: Seeds
    market: Market
    weights: KeptWeights
    choices: Choices
    state: State

    def let_choose(self, turns: Ints, rise: float, search: Search) -> None:
        """Let seeds choose in turn, those of one value together."""
        from tacit.kernels.distribution.sharing import choose

        turns = turns[np.argsort(self.seeds.values[turns], kind="stable")]
        market = self.market._replace(rise=rise)
        choose(turns, self.seeds, market, self.weights, self.choices, search, self.state)

    def let_search(self, turns: Ints, rise: float, search: Search) -> None:
        """Let seeds choose among all values, also those of which nothing was found before."""
        self.choices.cost[turns] = np.where(self.seeds.tried[turns] < 0, np.inf, 0.0)
        self.let_choose(turns, rise, search)

    def without_group(self) -> Ints:
        """Return the seeds that have no group."""
        return np.flatnonzero(self.choices.size == 0)

    def picks(self) -> tuple[Ints, Ints]:
        """Return every tuple that is asked for, as the seed that asks and the class that it asks of."""
        inside = np.arange(self.choices.members.shape[1]) < self.choices.size[:, None]
        return np.nonzero(inside)[0], self.choices.members[inside].astype(np.int64)

    def unsettled(self) -> Ints:
        """Return the seeds that have no group, or one with a tuple that others have asked for as well."""
        asking, asked = self.picks()
        out = self.choices.size == 0
        out[asking[self.market.asked[asked] > self.market.room[asked]]] = True
        return np.flatnonzero(out)

    def missing(self) -> int:
        """Return how many tuples are asked for more than there are, of all classes."""
        return int(np.maximum(0, self.market.asked - self.market.room).sum())

    def give_way(self, secret: Generator, spared: Ints | None = None) -> None:
        """Take their groups from those who come last where more is asked for than there is.

        Those who are `spared` come first, and then mostly those whose groups cost most: they find no other.
        """
        asking, asked = self.picks()
        worth = np.bincount(asking, weights=self.market.price[asked], minlength=len(self.rows))
        luck = ranks_of(np.argsort(-worth * secret.uniform(_LUCK, 1.0, len(worth)), kind="stable"))
        if spared is not None:
            luck[spared] = -1
        by = np.lexsort((luck[asking], asked))
        starts = np.flatnonzero(np.diff(asked[by], prepend=-1))
        place = np.arange(len(by)) - np.repeat(starts, np.diff(np.append(starts, len(by))))
        losers = np.zeros(len(self.rows), dtype=bool)
        losers[asking[by[place >= self.market.room[asked[by]]]]] = True
        self.choices.size[losers] = 0
        self.market.asked[:] = np.bincount(self.picks()[1], minlength=len(self.market.room))

    def worth_asked_for(self) -> float:
        """Return what is asked for as a share of what all are worth; more than 1 if more is asked for than there is."""
        return float((self.market.price * self.market.asked).sum() / (self.market.price * self.market.room).sum())

    def change_prices(self, done: int) -> None:
        """After so many rounds, make classes dearer of which too much is asked, and cheaper of which some is left."""
        market = self.market
        asked = market.asked / market.room
        dearer, unused = np.clip(asked - 1.0, 0.0, None), np.clip(1.0 - asked, 0.0, None)
        fading = _FADING / (_FADING + done)
        market.price[:] *= (1.0 + _DEARER * np.minimum(dearer, 2.0)) * (1.0 - _CHEAPER * fading * unused)
        market.price[:] = np.maximum(market.price + _MORE * dearer, _LEAST)

    def kept(self) -> tuple[Choices, Ints]:
        """Return a copy of what was chosen."""
        members, size, cost = self.choices
        return Choices(members.copy(), size.copy(), cost.copy()), self.market.asked.copy()

    def put_back(self, kept: tuple[Choices, Ints]) -> None:
        """Choose again what was chosen then."""
        chosen, self.market.asked[:] = kept
        self.choices.members[:], self.choices.size[:], self.choices.cost[:] = chosen

    def groups(self, tuples: int) -> Ints:
        """Return the group of each tuple, -1 for none; nobody may be asked for twice any more."""
        asking, asked = self.picks()
        by = np.argsort(asked, kind="stable")
        starts = np.flatnonzero(np.diff(asked[by], prepend=-1))
        place = np.arange(len(by)) - np.repeat(starts, np.diff(np.append(starts, len(by))))
        first = np.cumsum(self.market.room) - self.market.room
        hidden = np.flatnonzero(self.choices.size > 0)
        number = np.full(len(self.rows), -1, dtype=np.int64)
        number[hidden] = np.arange(len(hidden))
        out = np.full(tuples, -1, dtype=np.int64)
        out[self.by_class[first[asked[by]] + place]] = number[asking[by]]
        out[self.rows] = number
        return out


def shared_out(
    problem: GroupingProblem, order: Ints, secret: Generator, *, both: bool, progress: Progress = silent
) -> Ints:
    """Return the group of each tuple, -1 for none: one protected tuple and others of one value.

    Groups hold in the exact view. If `both`, they hold in the paper's view as well, for a reader who asks only whether
    somebody has a protected value or not; nobody gets a group if that is soon seen to be too much.

    `progress` is told of every round: a round takes a second on tables as large as Adult.
    """
    sharing = _market_of(problem, order, both, secret)
    if not _negotiate(sharing, problem.r, secret, gives_up=both, progress=progress):
        return np.full(len(problem.cells), -1, dtype=np.int64)
    return sharing.groups(len(problem.cells))


def _negotiate(sharing: _Sharing, r: float, secret: Generator, *, gives_up: bool, progress: Progress) -> bool:
    """Let seeds choose, and those who asked for the same choose again, at changing prices, until nobody is left.

    Whoever is left in the end has no group. Return False if it `gives_up`, because too many ask for the same at
    first.
    """
    early, again, last, pause = _SOON
    turns, search, rise = np.arange(len(sharing.rows)), _first(r), _RISE
    least, since = np.inf, 0.0
    enough, tried = early * len(sharing.rows), -pause
    fewest, best = len(sharing.rows) + 1, sharing.kept()
    for done in range(_ROUNDS):
        progress("art", 1.0 - 1.0 / (1.0 + done / _HALF))
        sharing.let_choose(secret.permutation(turns), rise, search)
        if len(lost := sharing.without_group()):
            sharing.let_search(lost, rise, _wide(r))
        turns = sharing.unsettled()
        missing = sharing.missing()
        if gives_up and done == 0 and len(turns) > _HOPELESS * len(sharing.rows):
            return False
        if 4 * missing <= 3 * least:
            least, since = missing, 0.0
        over = since > _PATIENCE or done == _ROUNDS - 1
        since += len(turns) / len(sharing.rows)
        soon = len(turns) <= enough or missing <= last
        if over or not len(turns) or (soon and done >= tried + pause):
            before = sharing.kept()
            left = _settle(sharing, r, secret)
            if left < fewest:
                fewest, best = left, sharing.kept()
            if not left or over:
                break
            sharing.put_back(before)
            enough, tried = min(enough, again * len(turns)), done
        sharing.change_prices(done)
        search = _search_for(r, len(turns) / len(sharing.rows), sharing.worth_asked_for())
        rise *= _FACTOR + _HURRY * (1.0 - sharing.worth_asked_for()) ** 2
    sharing.put_back(best)
    return True


def _search_for(r: float, unsettled: float, asked_for: float) -> Search:
    """Return how seeds search if this share of them is unsettled, and this share of what all are worth is asked for."""
    usual = _usual(r)
    share, most = _EFFORT
    more = min(most, max(1.0, share / max(unsettled, 1e-9)))
    return usual._replace(
        kept=2 * usual.kept if asked_for > _TIGHT else usual.kept,
        tries=int(more * usual.tries),
        values=usual.values if 2 * more < most else 2 * usual.values,
    )


def _settle(sharing: _Sharing, r: float, secret: Generator) -> int:
    """Let those who ask for what others ask for give way and search among what is left; return how many find nothing.

    Of those with one value, the one whose group cost most chooses first.
    """
    cost = sharing.choices.cost.min(axis=1, initial=np.inf)
    sharing.give_way(secret)
    lost = sharing.without_group()
    sharing.let_choose(lost[np.argsort(-cost[lost], kind="stable")], _FORBIDDEN, _usual(r))
    if len(left := sharing.without_group()):
        sharing.let_search(secret.permutation(left), _FORBIDDEN, _wide(r))
    if 0 < len(left := sharing.without_group()) <= _FEW:
        left = _repair(sharing, left, r, secret)
    return len(left)


def _repair(sharing: _Sharing, left: Ints, r: float, secret: Generator) -> Ints:
    """Let those who are left take what they need from others, who are hidden again; return who is left then.

    It is undone if more are left. It goes on where as many are left as before: they may be others, who need other
    tuples.
    """
    tries, least_rise, most_rise, most_robbed = _REPAIRS
    wide = _wide(r)._replace(tries=_usual(r).tries)
    for _ in range(tries):
        if not len(left):
            break
        before = sharing.kept()
        first = secret.choice(left, 1)
        rise = float(np.exp(secret.uniform(np.log(least_rise), np.log(most_rise))))
        sharing.let_search(first, rise, wide)
        sharing.give_way(secret, spared=first)
        robbed = np.setdiff1d(sharing.without_group(), left)
        if len(robbed) <= most_robbed:
            sharing.let_choose(secret.permutation(robbed), _FORBIDDEN, _usual(r))
            sharing.let_search(np.setdiff1d(sharing.without_group(), left), _FORBIDDEN, wide)
        now = sharing.without_group()
        if len(now) > len(left):
            sharing.put_back(before)
        else:
            left = now
    return left


def _market_of(problem: GroupingProblem, order: Ints, both: bool, secret: Generator) -> _Sharing:
    """Put together the seeds and the classes of the others; everybody tries the same values at first."""
    rank = ranks_of(order)
    others = order[problem.entries[order] < 0]
    by_class = others[np.argsort(problem.values[others], kind="stable")]
    classes = problem.values[by_class] * len(problem.signatures) + problem.cells[by_class]
    first = np.flatnonzero(np.diff(classes, prepend=-1))
    heads = by_class[first]
    count = problem.chances.shape[1]
    held = np.bincount(problem.values[others], minlength=count)
    common = np.argsort(-held, kind="stable")[:_MOST_VALUES]
    common = common[held[common] > 0].astype(np.int32)
    rows = np.flatnonzero(problem.entries >= 0)
    least, factor, most = _LARGEST
    largest = int(np.clip(np.ceil(factor * problem.r), least, most))
    needed = problem.prices[problem.cells[heads]]
    price = (needed / max(float(needed.mean()), 1e-300) + _FLOOR) ** _THRIFT
    market = Market(
        starts=np.searchsorted(problem.values[heads], np.arange(count + 1)).astype(np.int64),
        nearness=rank[heads],
        signatures=problem.signatures[problem.cells[heads]],
        room=np.diff(np.append(first, len(by_class))).astype(np.int64),
        asked=np.zeros(len(heads), dtype=np.int64),
        price=price / price.min(initial=np.inf),
        rise=0.0,
        chances=np.ascontiguousarray(problem.chances.T),
        odds=_odds(problem) if both else np.empty((0, 0)),
    )
    seeds = Seeds(
        signatures=problem.signatures[problem.cells[rows]],
        values=problem.values[rows],
        nearness=rank[rows],
        tried=np.tile(common, (len(rows), 1)),
    )
    choices = Choices(
        members=np.zeros((len(rows), largest), dtype=np.int32),
        size=np.zeros(len(rows), dtype=np.int64),
        cost=np.zeros((len(rows), len(common))),
    )
    weights = _weights_for(seeds.values, len(heads), problem.signatures.shape[1] * (2 if both else 1), count)
    state = np.array([secret.integers(1, 2**63)], dtype=np.uint64)
    return _Sharing(rows, by_class, seeds, market, weights, choices, state)


def _weights_for(protected: Ints, classes: int, sets: int, values: int) -> KeptWeights:
    """Make room for the weights for protected values, for as many at a time as the memory is meant for."""
    held = np.unique(protected)
    slots = int(np.clip(_MEMORY // (16 * classes * sets + 1), 1, max(1, len(held))))
    slot_of = np.zeros(values, dtype=np.int64)
    slot_of[held] = np.arange(len(held)) % slots
    return KeptWeights(
        slots=slot_of,
        values=np.full(slots, -1, dtype=np.int64),
        exact=np.empty((slots, classes, sets)),
        rough=np.empty((slots, sets, classes), dtype=np.float32),
        inverse=np.empty((slots, sets, classes), dtype=np.float32),
    )


def _odds(problem: GroupingProblem) -> FloatGrid:
    """Return, per value and row, the odds of the entry that the value belongs to; 0 for values that nobody protects."""
    entry_of = problem.protected.entry_of
    chances = problem.entry_chances.T[entry_of]
    with np.errstate(divide="ignore"):
        odds = np.where(chances < 1.0, chances / (1.0 - chances), np.inf)
    return np.ascontiguousarray(np.where(entry_of[:, None] >= 0, odds, 0.0))
