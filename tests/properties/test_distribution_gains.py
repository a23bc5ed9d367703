"""Of how many people a reader learns more than she knew: counted as all worlds say, and none where ART promises it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import distribution_news as oracle
from tests.properties.test_distribution_news import VALUES, frame_of, published, releases

import tacit as tc
from tacit.datasets import hospital
from tacit.guarantees.distribution.news import news_of
from tacit.guarantees.distribution.seen import seen_groups
from tacit.guarantees.evidence import Evidence
from tacit.kernels.distribution.gains import _guess
from tacit.knowledge.distribution import Distribution


@settings(max_examples=120)
@given(releases(), st.sampled_from([Fraction(3, 2), 2, 4]), st.sampled_from([2, 3]))
def test_news_is_counted_as_all_worlds_say(drawn, r, gain):
    chances, groups = drawn
    release = published(groups)
    worlds, _ = tc.DistributionAdversary(distribution=frame_of(chances)).worlds(release.shape, "ill")
    posterior, before, _, counted = worlds.gains(limit=float(1 / r), gain=gain)
    assert counted.all()
    found = np.zeros((len(posterior), 2))
    found[worlds.rows] = np.stack([posterior, before], axis=1)
    expected = []
    for group in groups:
        priors = [dict(zip(VALUES, chances[town], strict=True)) for town, _ in group]
        after = oracle.posteriors(priors, [value for _, value in group])
        for i, prior in enumerate(priors):
            news = [p for value, p in after[i].items() if oracle.is_news(prior[value], p, r, gain)] if after else []
            expected.append(float(max(news, default=0)))
    order = np.argsort([g for g, each in enumerate(groups) for _ in each], kind="stable")
    assert found[:, 0] == pytest.approx(np.array(expected)[order], abs=1e-9)
    assert (found[found[:, 0] > 0][:, 1] < 1).all()


def test_nobody_is_counted_where_art_promises_no_news():
    table = hospital(900)
    release = tc.ART(r=2, gain=2).protect(table, seed=1)
    assert news_of(release, table, "diagnosis", limit=0.5, gain=2).people == 0
    assert news_of(tc.Anatomy(l=2).protect(table, seed=1), table, "diagnosis", limit=0.5, gain=2).people > 0


def test_of_people_who_are_told_as_surely_the_one_who_was_least_expected_is_named():
    """Before, the sentence could say that she went from 1.00 to certainty."""
    table = hospital(900)
    release = tc.Anatomy(l=2, buckets="random").protect(table, seed=1)
    seen = seen_groups(Evidence(release, table), "diagnosis", Distribution.of(table, sensitive="diagnosis"))
    posterior, before, _, _ = seen.worlds.gains(limit=0.5, gain=2)
    surest = before[posterior > 0.9995 * posterior.max()]
    news = news_of(release, table, "diagnosis", limit=0.5, gain=2)
    assert len(surest) > 1
    assert news.before == pytest.approx(surest.min())


def test_shares_that_are_guessed_add_up():
    generator = np.random.default_rng(5)
    rows, sizes, counts = generator.random((6, 3)), np.array([3, 1, 4, 1, 5, 9]), np.array([8, 8, 7])
    out = np.zeros((6, 3))
    _guess(rows, sizes, counts, out)
    assert out.sum(axis=1) == pytest.approx(np.ones(6))
    assert sizes @ out == pytest.approx(counts, abs=1e-6)
