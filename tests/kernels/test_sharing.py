"""Choosing a group of one other value: it holds by definition, and nearly is the cheapest there is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.oracles.distribution import enumerated
from tests.oracles.distribution_sharing import cheapest, closed_form, holds

from tacit.kernels.distribution.arguments import Choices, KeptWeights, Market, Search, Seeds
from tacit.kernels.distribution.sharing import choose


def search_of(r: float, tries: int = 40) -> Search:
    return Search(r, values=2, width=64, kept=64, notes=8, noted=64, tries=tries, released=5)


def choose_all(seeds: Seeds, market: Market, choices: Choices, search: Search) -> None:
    """Let all seeds choose once, of one protected value, 0."""
    classes, sets = len(market.room), market.signatures.shape[1] * (2 if len(market.odds) else 1)
    weights = KeptWeights(
        slots=np.zeros(len(market.chances), dtype=np.int64),
        values=np.array([-1]),
        exact=np.empty((1, classes, sets)),
        rough=np.empty((1, sets, classes), dtype=np.float32),
        inverse=np.empty((1, sets, classes), dtype=np.float32),
    )
    state = np.array([2463534242], dtype=np.uint64)
    choose(np.arange(len(seeds.values)), seeds, market, weights, choices, search, state)


def chances_of(rng: Any, rows: int, zeros: bool) -> Any:
    """Probabilities of the values x, y and z in some rows, as multiples of 1/16; with zeros somebody cannot have x."""
    x, y = rng.integers(0 if zeros else 1, 7, rows), rng.integers(1, 8, rows)
    return np.stack([x, y, 16 - x - y], axis=0) / 16


def market_of(rng: Any, *, sets: int, classes: int, rows: int, zeros: bool = False) -> tuple[Market, Seeds]:
    """One seed with x = 0, and classes of the values y = 1 and z = 2."""
    chances = chances_of(rng, rows, zeros)
    first = int(rng.integers(1, classes))
    market = Market(
        starts=np.array([0, 0, first, classes]),
        nearness=np.arange(classes),
        signatures=rng.integers(0, rows, (classes, sets)).astype(np.int32),
        room=rng.integers(1, 3, classes),
        asked=np.zeros(classes, dtype=np.int64),
        price=np.ones(classes),
        rise=1e18,
        chances=np.ascontiguousarray(chances),
        odds=np.empty((0, 0)),
    )
    mine = rng.integers(0, rows, (1, sets))
    mine[:, chances[0, mine[0]] == 0] = int(np.argmax(chances[0]))
    return market, Seeds(mine.astype(np.int32), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), TRIED)


TRIED = np.array([[1, 2]], dtype=np.int32)


def weights_of(market: Market, signatures: Any, y: int) -> list[Fraction]:
    sixteenths = np.rint(market.chances * 16).astype(int)
    return [Fraction(int(sixteenths[0, s]), int(sixteenths[y, s])) for s in signatures]


def chosen_by(market: Market, seeds: Seeds, r: float, tries: int) -> list[int]:
    choices = Choices(
        np.zeros((len(seeds.values), 64), np.int32),
        np.zeros(len(seeds.values), np.int64),
        np.zeros((len(seeds.values), 2)),
    )
    choose_all(seeds, market, choices, search_of(r, tries))
    return choices.members[0, : choices.size[0]].tolist()


@pytest.mark.parametrize(("tries", "missed_at_most", "dearer_at_most"), [(0, 0.2, 1.15), (40, 0.12, 1.03)])
@pytest.mark.parametrize("zeros", [False, True])
def test_a_group_holds_and_is_nearly_cheapest(
    zeros: bool, tries: int, missed_at_most: float, dearer_at_most: float
) -> None:
    """All groups of all classes are tried by the oracle; prices are drawn, so that the cheapest is not the smallest."""
    paid, least, missed, found = 0.0, 0.0, 0, 0
    for case in range(300):
        rng = np.random.default_rng(case)
        r = Fraction(int(rng.integers(3, 8)), 2)
        market, seeds = market_of(rng, sets=int(rng.integers(1, 4)), classes=6, rows=8, zeros=zeros)
        market = market._replace(price=rng.integers(1, 9, 6).astype(float))
        members = chosen_by(market, seeds, float(r), tries)
        best = []
        for y in (1, 2):
            own = weights_of(market, seeds.signatures[0], y)
            range_ = range(market.starts[y], market.starts[y + 1])
            others = [weights_of(market, market.signatures[c], y) for c in range_ for _ in range(market.room[c])]
            prices = [float(market.price[c]) for c in range_ for _ in range(market.room[c])]
            best += [cheapest(own, others, prices, r)]
        possible = [cost for cost in best if cost is not None]
        assert market.asked.tolist() == np.bincount(members, minlength=6).tolist()
        if not members:
            missed += bool(possible)
            continue
        (y,) = {1 if c < market.starts[2] else 2 for c in members}
        assert all(members.count(c) <= market.room[c] for c in members)
        own = weights_of(market, seeds.signatures[0], y)
        others = [weights_of(market, market.signatures[c], y) for c in members]
        assert holds([own, *others], r)
        paid, least, found = paid + float(market.price[members].sum()), least + min(possible), found + 1
    # The first group grows one by one, so that it misses groups in which two are only together of use.
    assert missed <= missed_at_most * found, (missed, found)
    assert least <= paid <= dearer_at_most * least, (paid, least)


def test_more_tries_never_cost_more_and_save_something() -> None:
    """A seed keeps the cheapest group of all tries."""
    costs = {0: 0.0, 40: 0.0}
    for case in range(200):
        rng = np.random.default_rng(case)
        market, seeds = market_of(rng, sets=4, classes=24, rows=16)
        market = market._replace(price=1.0 + 9.0 * rng.random(24))
        found = {}
        for tries in costs:
            market.asked[:] = 0
            members = chosen_by(market, seeds, 3.0, tries)
            found[tries] = float(market.price[members].sum()) if members else np.inf
        assert found[40] <= found[0] * (1 + 1e-9)
        if found[0] < np.inf:
            for tries in costs:
                costs[tries] += found[tries]
    assert costs[40] < 0.97 * costs[0]


def test_a_seed_never_ends_with_a_dearer_group_than_it_had() -> None:
    """It gives its group back, searches, and may keep it: prices that stay the same never make a group dearer."""
    for case in range(100):
        rng = np.random.default_rng(case)
        market, seeds = market_of(rng, sets=3, classes=12, rows=12)
        market = market._replace(price=1.0 + 9.0 * rng.random(12), rise=0.5)
        choices = Choices(np.zeros((1, 64), np.int32), np.zeros(1, np.int64), np.zeros((1, 2)))
        costs = []
        for _ in range(4):
            choose_all(seeds, market, choices, search_of(3.0, tries=3))
            members = choices.members[0, : choices.size[0]]
            if not len(members):
                break
            costs.append(float(market.price[members].sum()))
            market.asked[members[0]] += 1  # somebody else asks for one of them, so that the seed chooses again
            market.room[members[0]] += 1
            assert costs == sorted(costs, reverse=True)


def test_the_closed_form_is_what_counting_worlds_gives() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        n = int(rng.integers(2, 6))
        chances = [
            {"x": Fraction(int(a), 20), "y": Fraction(int(b), 20), "z": Fraction(int(20 - a - b), 20)}
            for a, b in rng.integers(1, 9, (n, 2))
        ]
        counted = enumerated(chances, ["x", *["y"] * (n - 1)])
        assert counted is not None
        assert closed_form(chances, "x", "y") == [mine["x"] for mine in counted]


def test_whoever_is_asked_for_twice_is_dearer_and_left_to_one() -> None:
    """Two seeds, four others who are all alike: both want the class that is listed first, and its price parts them."""
    alike = np.full((2, 1), 0.5)
    seeds = Seeds(
        np.zeros((2, 1), np.int32), np.zeros(2, np.int64), np.zeros(2, np.int64), np.full((2, 1), 1, np.int32)
    )
    market = Market(
        np.array([0, 0, 2]),
        np.arange(2),
        np.zeros((2, 1), np.int32),
        np.array([1, 1]),
        np.zeros(2, np.int64),
        np.ones(2),
        0.5,
        alike,
        np.empty((0, 0)),
    )
    choices = Choices(np.zeros((2, 8), np.int32), np.zeros(2, np.int64), np.zeros((2, 1)))
    choose_all(seeds, market, choices, search_of(2.0))
    assert choices.size.tolist() == [1, 1]
    assert sorted(choices.members[:, 0].tolist()) == [0, 1]
    assert market.asked.tolist() == [1, 1]


def test_somebody_who_is_certain_finds_nobody() -> None:
    """Where a seed cannot have y, or has no chance of x, no group of y hides it."""
    for seed_row in ([0.5, 0.0], [0.0, 0.5]):
        chances = np.array([[seed_row[0], 0.5], [seed_row[1], 0.5]])
        seeds = Seeds(
            np.zeros((1, 1), np.int32), np.zeros(1, np.int64), np.zeros(1, np.int64), np.full((1, 1), 1, np.int32)
        )
        market = Market(
            np.array([0, 0, 1]),
            np.arange(1),
            np.ones((1, 1), np.int32),
            np.array([9]),
            np.zeros(1, np.int64),
            np.ones(1),
            0.5,
            chances,
            np.empty((0, 0)),
        )
        choices = Choices(np.zeros((1, 8), np.int32), np.zeros(1, np.int64), np.zeros((1, 1)))
        choose_all(seeds, market, choices, search_of(2.0))
        assert choices.size.tolist() == [0]
        assert choices.cost[0, 0] == np.inf


def test_weights_beyond_single_precision_hide_nobody_wrongly() -> None:
    """Chances of 1e-300 and 1e-45: whoever nearly cannot have her own value is of no use, and the others are found."""
    chances = np.array([[0.2, 0.2, 1e-45, 0.2], [0.2, 1e-300, 0.2, 0.2]])
    seeds = Seeds(
        np.zeros((1, 1), np.int32), np.zeros(1, np.int64), np.zeros(1, np.int64), np.full((1, 1), 1, np.int32)
    )
    market = Market(
        np.array([0, 0, 3]),
        np.arange(3),
        np.array([[1], [2], [3]], dtype=np.int32),
        np.array([9, 9, 9]),
        np.zeros(3, np.int64),
        np.array([0.1, 0.1, 1.0]),
        1e18,
        chances,
        np.empty((0, 0)),
    )
    choices = Choices(np.zeros((1, 64), np.int32), np.zeros(1, np.int64), np.zeros((1, 1)))
    choose_all(seeds, market, choices, search_of(3.0))
    assert choices.members[0, : choices.size[0]].tolist() == [2, 2]
