"""ART without news: what is published holds by the definition, over all worlds, and beyond the strict promise."""

from fractions import Fraction

import numpy as np
import pytest
from tests.oracles import distribution_news as oracle

import tacit as tc
from tacit.kernels.distribution.arguments import News
from tacit.kernels.distribution.news import judge_news
from tacit.kernels.distribution.regrouping import (
    GroupTable,
    Neighbours,
    cost_all,
    cost_of,
    exchange_news,
    find_worst,
    guess_cost,
)
from tacit.methods.distribution.art import no_news
from tacit.methods.distribution.art.no_news import dealt_groups, kd_order


def people(n, seed, values=5):
    """Draw people whose town tells much about their value."""
    rng = np.random.default_rng(seed)
    town, age = rng.integers(0, 6, n), rng.integers(20, 80, n)
    ill = np.where(rng.random(n) < 0.7 * (town < 2) + 0.15, town % values, rng.integers(0, values, n))
    frame = {"town": town.astype(str), "age": age, "ill": np.char.add("v", ill.astype(str)).tolist()}
    return tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")


def groups_of(release, table, distribution):
    """Return the groups as the oracle takes them: what was believed of each person, and the values."""
    codes = [table.codes(name).codes.astype(np.int64) for name in table.quasi_identifiers]
    chances = distribution.aligned(table.codes("ill").values)[distribution.signatures(codes, len(table))]
    values = table.frame["ill"].to_list()
    names = table.codes("ill").values.to_list()
    for view in range(chances.shape[1]):
        for number in np.unique(release.inside.group[release.inside.kept]):
            rows = np.flatnonzero(release.inside.group == number)
            yield (
                [dict(zip(names, map(Fraction, chances[row, view]), strict=True)) for row in rows],
                [values[r] for r in rows],
            )


@pytest.mark.parametrize(("gain", "tiers"), [(1.5, ()), (2, ((4, 4),))])
def test_what_is_published_holds_over_all_worlds(gain, tiers):
    table = people(240, 3)
    method = tc.ART(r=2, gain=gain, tiers=tiers, distribution="naive-bayes", adversarial_rounds=1)
    release = method.protect(table, seed=1)
    audit = tc.audit(release, adversaries=[])
    assert audit.holds
    distribution = method.guarantee.knowledge_of(table, "ill")
    small = [each for each in groups_of(release, table, distribution) if len(each[1]) <= 7]
    assert len(small) > 5
    slack = Fraction(1, 10**6)  # the package forgives rounding
    limits = [
        (Fraction(2) - slack, Fraction(gain) + slack),
        *((Fraction(r) - slack, Fraction(g) + slack) for r, g in tiers),
    ]
    assert oracle.holds(small, [[v] for v in table.codes("ill").values.to_list()], limits)


def test_the_strict_promise_is_impossible_where_news_is_not():
    table = people(600, 5)
    with pytest.raises(tc.Infeasible):
        tc.ART(r=2, distribution="naive-bayes").protect(table, seed=1)
    release = tc.ART(r=2, gain=2, distribution=["naive-bayes", "logistic"], adversarial_rounds=0).protect(table, seed=1)
    finding = tc.audit(release, adversaries=[]).findings[0]
    assert finding.holds
    assert finding.posterior <= 0.5 * (1 + 1e-9)
    assert "odds grew by a factor of" in finding.sentence


def test_a_release_that_was_not_built_for_it_holds_news():
    table = people(600, 5)
    release = tc.Anatomy(l=2, buckets="random").protect(table, seed=1)
    claim = tc.RRobustness(r=2, gain=2, distribution="naive-bayes")
    assert tc.audit(release, table, claims=[claim], adversaries=[]).holds is False


def test_only_what_is_protected_is_grouped():
    table = people(400, 7)
    method = tc.ART(r=2, gain=2, protected=["v0"], distribution="naive-bayes", adversarial_rounds=0)
    release = method.protect(table, seed=1)
    assert tc.audit(release, adversaries=[]).holds
    sizes = np.bincount(release.inside.group[release.inside.kept])
    assert (sizes == 1).any()


def test_values_that_are_likely_are_in_the_group_where_that_is_asked():
    table = people(300, 9, values=3)
    method = tc.ART(r=1.5, gain=3, cover=0.6, distribution="naive-bayes", adversarial_rounds=0)
    release = method.protect(table, seed=1)
    assert tc.audit(release, adversaries=[]).holds
    distribution = method.guarantee.knowledge_of(table, "ill")
    for priors, values in groups_of(release, table, distribution):
        assert all(v in values for prior in priors for v, chance in prior.items() if chance > 0.6)


def test_the_cost_of_a_group_is_nothing_exactly_where_it_holds_no_news():
    rng = np.random.default_rng(0)
    table = people(60, 1)
    method = tc.ART(r=2, gain=1.5, distribution=["table", "naive-bayes"], min_support=5)
    problem = method.statistics(table).problem
    news = method.news()
    for _ in range(200):
        chosen = rng.choice(60, rng.integers(1, 6), replace=False)
        values, counts = np.unique(problem.values[chosen], return_counts=True)
        beyond, _, _, _ = judge_news(problem.cells[chosen].astype(np.int64), values, counts, problem.knowledge, news)
        cost = cost_of(chosen, problem.tuples, problem.knowledge, News(*news), np.inf)
        assert (cost <= 0) == (beyond <= 1)
        # A search asks only whether it costs less than what it has: what it is told then is the same.
        for enough in (0.5 * cost, cost, 2 * cost):
            told = cost_of(chosen, problem.tuples, problem.knowledge, News(*news), enough)
            assert told == cost if cost < enough else told in (cost, np.inf)


def test_what_a_group_costs_is_guessed_well_enough_to_leave_out_tries():
    """A guess is not above the cost by more than one posterior that is barely news, and ends where it is enough."""
    rng = np.random.default_rng(0)
    method = tc.ART(r=2, gain=1.5, distribution="naive-bayes")
    problem, news = method.statistics(people(200, 1)).problem, method.news()
    known = (problem.tuples, problem.knowledge, News(*news))
    pairs = []
    for _ in range(300):
        chosen = rng.choice(200, rng.integers(2, 7), replace=False)
        cost, guess = cost_of(chosen, *known, np.inf), guess_cost(chosen, *known, np.inf)
        pairs.append((cost, guess))
        if guess > 0:
            assert guess_cost(chosen, *known, guess / 2) >= guess / 2
    costs, guesses = np.array(pairs).T
    counted = np.isfinite(costs)
    assert np.mean(guesses[counted] <= costs[counted] + 0.01) > 0.95
    assert np.corrcoef(guesses[counted], costs[counted])[0, 1] > 0.8


def test_the_worst_posterior_of_a_group_is_found():
    table = people(60, 1)
    method = tc.ART(r=2, gain=1.5, distribution="naive-bayes")
    problem = method.statistics(table).problem
    groups = GroupTable(
        np.repeat(np.arange(12), 5), np.arange(60).reshape(12, 5), np.full(12, 5, dtype=np.int64), np.zeros(12)
    )
    known = (problem.tuples, problem.knowledge, News(*method.news()))
    cost_all(groups, *known)
    failing = np.flatnonzero(groups.cost > 0)
    assert len(failing) > 3
    for g, who, where, what in zip(failing, *find_worst(groups, failing, *known), strict=True):
        rows = groups.members[g]
        assert where == 0
        chances = problem.chances[problem.signatures[problem.cells[rows], 0]]
        priors = [dict(enumerate(map(Fraction, each))) for each in chances]
        found = oracle.posteriors(priors, problem.values[rows].tolist())
        beyond = {}
        for row, prior, posterior in zip(rows, priors, found, strict=True):
            for value, after in posterior.items():
                grown = Fraction(3, 2) * prior[value] / (1 - prior[value] + Fraction(3, 2) * prior[value])
                beyond[row, value] = after - max(Fraction(1, 2), grown)
        assert beyond[who, what] == pytest.approx(max(beyond.values()), abs=1e-9)


def test_changes_never_cost_more_than_they_may():
    """Without a rise every change lowers the cost; with one, all changes of a group raise it at most by that."""
    table = people(120, 3)
    method = tc.ART(r=2, gain=1.2, distribution="naive-bayes")
    problem = method.statistics(table).problem
    known = (problem.tuples, problem.knowledge, News(*method.news()))
    order = np.arange(120)[None, :]
    near = Neighbours(order, order.copy(), 119)
    for rise in (0.0, 0.5):
        group = np.repeat(np.arange(24), 5)
        members = np.full((24, 16), -1, dtype=np.int64)
        members[:, :5] = np.arange(120).reshape(24, 5)
        groups = GroupTable(group, members, np.full(24, 5, dtype=np.int64), np.zeros(24))
        cost_all(groups, *known)
        rng = np.random.default_rng(0)
        for g in np.flatnonzero(groups.cost > 0):
            before = groups.cost.sum()
            draws = rng.integers(0, 2**32, (1, 20, 3), dtype=np.uint32)
            changes = exchange_news(groups, np.array([g]), np.array([-1]), *known, near, draws, rise)
            assert groups.cost.sum() <= before + rise - (1e-12 if changes and not rise else 0)
        assert sorted(np.concatenate([groups.members[g, : groups.size[g]] for g in range(24)]).tolist()) == [
            *range(120)
        ]
        kept = groups.cost.copy()
        cost_all(groups, *known)
        assert groups.cost == pytest.approx(kept)


def rare(n=1500, seed=4):
    """Draw people of whom nine have a value that is suspected of hundreds, most of them far away in all else."""
    rng = np.random.default_rng(seed)
    town, age, guild = rng.integers(0, 6, n), rng.integers(20, 80, n), rng.random(n) < 0.03
    ill = np.where(rng.random(n) < 0.6, town, rng.integers(0, 6, n))
    holders = rng.choice(np.flatnonzero(guild), 9, replace=False)
    ill[holders] = 6
    frame = {"town": town.astype(str), "age": age, "guild": guild, "ill": np.char.add("v", ill.astype(str)).tolist()}
    return tc.Table(frame, quasi_identifiers=["town", "age", "guild"], sensitive="ill")


def test_who_can_share_a_rare_value_is_brought_to_who_has_it(monkeypatch):
    """People who are suspected of a rare value are few and far apart: near people alone leave its holders without."""
    table = rare()
    method = tc.ART(r=2, gain=1.3, tiers=[(5, 1.5)], distribution="naive-bayes", adversarial_rounds=0)
    with monkeypatch.context() as without:
        without.setattr(no_news, "_RELIEF", 0)
        with pytest.raises(tc.Infeasible, match="hold news"):
            method.protect(table, seed=1)
    release = method.protect(table, seed=1)
    assert release.inside.kept.all()
    assert tc.audit(release, adversaries=[]).holds
    assert release.frames()["quasi_identifiers"].equals(method.protect(table, seed=1).frames()["quasi_identifiers"])


def test_near_points_are_close_in_the_order_and_parts_are_dealt_evenly():
    rng = np.random.default_rng(2)
    points = rng.standard_normal((1000, 3))
    order, bounds = kd_order(points, 4, rng)
    assert sorted(order.tolist()) == list(range(1000))
    assert 8 <= np.diff(bounds).min() <= np.diff(bounds).max() <= 16
    steps = np.linalg.norm(np.diff(points[order], axis=0), axis=1).mean()
    assert steps < 0.6 * np.linalg.norm(np.diff(points, axis=0), axis=1).mean()
    values = rng.integers(0, 3, 1000)
    group = dealt_groups(values, order, bounds, 4)
    sizes = np.bincount(group)
    assert 4 <= sizes.min() <= sizes.max() <= 8


def test_what_cannot_be_met_is_said():
    frame = {"town": ["a", "b"] * 20, "ill": ["x", "y"] * 20}
    table = tc.Table(frame, quasi_identifiers="town", sensitive="ill")
    known = {"town": ["a", "a", "b", "b"], "ill": ["x", "y"] * 2, "probability": [0.6, 0.4, 0.4, 0.6]}
    with pytest.raises(tc.Infeasible, match="hold news"):
        tc.ART(r=10, gain=1, distribution=known).protect(table, seed=1)
