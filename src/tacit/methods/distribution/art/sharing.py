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
from tacit.kernels.distribution.arguments import Choices, Market, Search, Seeds, Signatures
from tacit.methods.distribution.art.grouping import GroupingProblem
from tacit.methods.distribution.nearness import ranks_of
from tacit.progress import Progress, part, silent

_HOPELESS = (2, 0.5, 0.9)
"""Where groups are to hold in both views: if after so many rounds more than this share of the seeds is unsettled, and
more than this share of those who were a round before, prices part nobody, and the exact view alone is asked for. Tried
on Adult with five quasi-identifiers, where it tells r = 8, which is not found in both views, from r = 7, which is."""
_MANY = 32
"""If more than one in so many seeds has lost its group in the end, the table has not got what all of them need."""
_CYCLES = 10
"""How often whoever lost the last conflict may ask for other people's tuples again."""
_AGAIN = (2.0, 12)
"""The same at first where the last ones ask again, and for how many rounds: little enough that those who could do with
others give way. Tried on Adult at r = 8 with three seeds only."""
_THRIFT = 0.3
"""Exponent of the price that tuples have at first, who are likely to have a protected value and whom others may need.
Chosen by trial: without it more rounds are needed."""
_FLOOR = 0.02
"""A share of the mean that is added to every price, so that none is 0. Chosen by trial."""
_HISTORY = 1.0
"""How much dearer a class becomes for good of which twice as much is asked as it has. Chosen by trial."""
_FORBIDDEN = 1e18
"""A rise that nobody pays."""
_MOST_VALUES = 16
"""Other values that are tried in the first round, the most frequent ones. More make smaller groups and take longer.
Chosen by trial."""
_LARGEST = (64, 16, 1_024)
"""Tuples of a group at most: 16 r, at least 64 and at most 1,024. It bounds the memory."""
_REPAIRS = (300, 0.3, 10.0)
"""How often at most, after a thorough search, one of the last ones takes what she needs from others, who are hidden
again; and how much dearer these are at least and at most. Tried on Adult at r = 9."""
_NEGOTIATING = 0.8
"""Share of the progress that the rounds have until nobody is asked for twice; the rest is for the last ones."""
_AGAIN_HIDDEN = 5
"""Seeds that may look at more classes in one such repair, because they found nothing else. It bounds its time."""


@dataclass(frozen=True)
class Pains:
    """How much trouble a search takes.

    Attributes
    ----------
    turns
        How often a seed searches a group of one value; each time attribute sets count for more that are short.
    width
        Classes of a value that a seed looks at, those that are nearest. It keeps the time per seed bounded.
    kept, kept_last
        Classes that may join a group, of those that are looked at: while conflicts are allowed, and for the last ones.
    values
        Other values that are tried after the first round, the cheapest ones.
    rise, factor
        How much a tuple costs more that somebody else has asked for, at first, and the factor per round.
    rounds, patience
        Rounds in which tuples may be asked for twice, at most, and rounds after which there must be a quarter fewer.
    by_tuples
        Whether the tuples that are asked for twice are to be fewer; otherwise the seeds that ask for them.
    repairs
        Whether the last ones take what they need from others, who are then hidden again.
    """

    turns: int
    width: int
    kept: int
    kept_last: int
    values: int
    rise: float
    factor: float
    rounds: int
    patience: int
    by_tuples: bool
    repairs: bool


QUICK = Pains(1, 4_096, 300, 1_000, 4, 0.5, 1.3, 30, 6, by_tuples=False, repairs=False)
"""What can be had in seconds. Chosen by trial."""
THOROUGH = Pains(6, 8_192, 400, 2_000, 4, 0.3, 1.12, 60, 10, by_tuples=True, repairs=True)
"""What takes about ten times as long, for tables in which the quick search leaves somebody: groups cost less
when each is searched several times (docs/threats/distribution.md#how-large-can-r-be), and prices that rise more slowly
part more people. Chosen by trial on Adult at r = 9, with three seeds."""


@dataclass(eq=False)
class _Sharing:
    """Seeds, the market, and what was chosen.

    `rows` are the seeds as tuples; `by_class` the others, class by class;
    `every` are the values that a seed may try.
    """

    rows: Ints
    by_class: Ints
    seeds: Seeds
    market: Market
    choices: Choices
    every: Signatures
    r: float
    pains: Pains

    def let_choose(self, turns: Ints, rise: float, kept: int | None = None) -> None:
        """Let seeds choose in turn, those of one value together."""
        from tacit.kernels.distribution.sharing import choose

        turns = turns[np.argsort(self.seeds.values[turns], kind="stable")]
        search = Search(self.r, self.pains.width, kept or self.pains.kept, self.pains.turns)
        choose(turns, self.seeds, self.market._replace(rise=rise), self.choices, search)

    def let_search(self, turns: Ints, rise: float) -> None:
        """Let seeds that found no group choose among more classes, of every value."""
        usual, self.seeds = self.seeds, self.seeds._replace(tried=self.every)
        shown, self.choices = self.choices, self.choices._replace(cost=np.empty(self.every.shape))
        self.let_choose(turns, rise, self.pains.kept_last)
        self.seeds, self.choices = usual, shown

    def try_cheapest(self, number: int) -> None:
        """Keep the values that cost a seed least, and which it can have at all; once, as it tries few after that."""
        if self.seeds.tried.shape[1] <= number:
            return
        cost, tried = self.choices.cost, self.seeds.tried
        order = np.argsort(cost, axis=1, kind="stable")[:, :number]
        kept = np.where(np.isfinite(np.take_along_axis(cost, order, 1)), np.take_along_axis(tried, order, 1), -1)
        self.seeds = self.seeds._replace(tried=np.ascontiguousarray(kept, dtype=np.int32))
        self.choices = self.choices._replace(cost=np.full(kept.shape, np.inf))

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
        """Take their groups from those who come last, in a random order, where more is asked for than there is.

        Those who are `spared` come first.
        """
        asking, asked = self.picks()
        luck = secret.permutation(len(self.rows))
        if spared is not None:
            luck[spared] = -1
        by = np.lexsort((luck[asking], asked))
        starts = np.flatnonzero(np.diff(asked[by], prepend=-1))
        place = np.arange(len(by)) - np.repeat(starts, np.diff(np.append(starts, len(by))))
        losers = np.zeros(len(self.rows), dtype=bool)
        losers[asking[by[place >= self.market.room[asked[by]]]]] = True
        self.choices.size[losers] = 0
        self.market.asked[:] = np.bincount(self.picks()[1], minlength=len(self.market.room))

    def raise_prices(self) -> None:
        """Make classes dearer for good of which too much is asked."""
        missing = np.maximum(0, self.market.asked - self.market.room)
        self.market.price[:] += _HISTORY * missing / self.market.room

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
    problem: GroupingProblem,
    order: Ints,
    secret: Generator,
    *,
    both: bool,
    pains: Pains = QUICK,
    progress: Progress = silent,
) -> Ints:
    """Return the group of each tuple, -1 for none: one protected tuple and others of one value.

    Groups hold in the exact view. If `both`, they hold in the paper's view as well, for a reader who asks only whether
    somebody has a protected value or not; nobody gets a group if that is soon seen to be too much.

    `progress` is told of every round: a round of a thorough search takes seconds on tables as large as Adult.
    """
    sharing = _market_of(problem, order, both, pains)
    everybody = np.arange(len(sharing.rows))
    told = part(progress, 0.0, _NEGOTIATING)
    if not _negotiate(sharing, everybody, pains.rise, pains.rounds, secret, gives_up=both, progress=told):
        return np.full(len(problem.cells), -1, dtype=np.int64)
    for cycle in range(_CYCLES):
        sharing.give_way(secret)
        sharing.let_choose(secret.permutation(sharing.without_group()), _FORBIDDEN)
        left = sharing.without_group()
        if len(left) * _MANY > len(sharing.rows):
            break
        sharing.let_search(left, _FORBIDDEN)
        left = sharing.without_group()
        if pains.repairs:
            _repair(sharing, left, secret, part(progress, _NEGOTIATING, 1.0))
            break
        if not len(left) or cycle == _CYCLES - 1:
            break
        _negotiate(sharing, left, _AGAIN[0], _AGAIN[1], secret)
    return sharing.groups(len(problem.cells))


def _negotiate(
    sharing: _Sharing,
    turns: Ints,
    rise: float,
    rounds: int,
    secret: Generator,
    *,
    gives_up: bool = False,
    progress: Progress = silent,
) -> bool:
    """Let seeds choose, and those who asked for the same choose again, at rising prices.

    Return False if it `gives_up`, because prices part nobody in the first rounds.
    """
    many: list[int] = []
    disputed: list[int] = []
    patience = sharing.pains.patience
    soon, most, share = _HOPELESS
    for done in range(rounds):
        progress("art", done / rounds)
        sharing.let_choose(secret.permutation(turns), rise)
        lost = sharing.without_group()
        if len(lost) * _MANY <= len(sharing.rows):
            sharing.let_search(lost, rise)
        sharing.try_cheapest(sharing.pains.values)
        turns = sharing.unsettled()
        many.append(len(turns))
        disputed.append(sharing.missing() if sharing.pains.by_tuples else len(turns))
        if gives_up and len(many) == soon and many[-1] > max(most * len(sharing.rows), share * many[-2]):
            return False
        if not len(turns) or (len(many) > patience and 4 * disputed[-1] > 3 * disputed[-1 - patience]):
            break
        sharing.raise_prices()
        rise *= sharing.pains.factor
    return True


def _repair(sharing: _Sharing, left: Ints, secret: Generator, progress: Progress) -> None:
    """Let those who are left take what they need from others, who are hidden again; undo it if more are left then.

    It goes on where as many are left as before, too: they may be others, who need other tuples.
    """
    choices, asked = sharing.choices, sharing.market.asked
    most, least_rise, most_rise = _REPAIRS
    for done in range(most):
        if not len(left):
            break
        progress("art", done / most)
        before = choices.size.copy(), choices.members.copy(), asked.copy()
        first = secret.choice(left, 1)
        sharing.let_search(first, float(np.exp(secret.uniform(np.log(least_rise), np.log(most_rise)))))
        sharing.give_way(secret, spared=first)
        robbed = np.setdiff1d(sharing.without_group(), left)
        sharing.let_choose(secret.permutation(robbed), _FORBIDDEN)
        robbed = np.setdiff1d(sharing.without_group(), left)
        if 0 < len(robbed) <= _AGAIN_HIDDEN:
            sharing.let_search(robbed, _FORBIDDEN)
        now = sharing.without_group()
        if len(now) > len(left):
            choices.size[:], choices.members[:], asked[:] = before
        else:
            left = now


def _market_of(problem: GroupingProblem, order: Ints, both: bool, pains: Pains) -> _Sharing:
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
        cost=np.full((len(rows), len(common)), np.inf),
    )
    return _Sharing(rows, by_class, seeds, market, choices, seeds.tried, problem.r, pains)


def _odds(problem: GroupingProblem) -> FloatGrid:
    """Return, per value and row, the odds of the entry that the value belongs to; 0 for values that nobody protects."""
    entry_of = problem.protected.entry_of
    chances = problem.entry_chances.T[entry_of]
    with np.errstate(divide="ignore"):
        odds = np.where(chances < 1.0, chances / (1.0 - chances), np.inf)
    return np.ascontiguousarray(np.where(entry_of[:, None] >= 0, odds, 0.0))
