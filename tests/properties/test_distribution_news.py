"""No news: the verdict of the guarantee is that of all worlds, and bad parameters are refused in a sentence."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import distribution_news as oracle

import tacit as tc
from tacit.kernels.distribution.certificate import swap_bounds
from tacit.knowledge.distribution import JoinedDistribution, learned_distribution

VALUES = "abcd"


@st.composite
def releases(draw):
    """Draw groups of up to five people, and what somebody believes of people in each town."""
    towns = draw(st.integers(1, 3))
    weights = [draw(st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any)) for _ in range(towns)]
    groups = draw(
        st.lists(
            st.lists(st.tuples(st.integers(0, towns - 1), st.sampled_from(VALUES)), min_size=1, max_size=5),
            min_size=1,
            max_size=4,
        )
    )
    return [[Fraction(w, sum(each)) for w in each] for each in weights], groups


def published(groups):
    people = {
        "group": [g for g, each in enumerate(groups) for _ in each],
        "town": [f"t{t}" for each in groups for t, _ in each],
    }
    counts = (
        pl.DataFrame({"group": people["group"], "ill": [v for each in groups for _, v in each]})
        .group_by("group", "ill", maintain_order=True)
        .len("count")
    )
    return tc.Release.foreign(
        {"quasi_identifiers": people, "sensitive": counts}, quasi_identifiers="town", sensitive="ill"
    )


def frame_of(chances):
    return {
        "town": [f"t{t}" for t, _ in enumerate(chances) for _ in VALUES],
        "ill": list(VALUES) * len(chances),
        "probability": [float(p) for each in chances for p in each],
    }


def test_what_nobody_has_counts_in_what_was_believed_of_an_entry():
    """One of an entry's two values is nobody's; before, only the other one was said to be believed beforehand."""
    half = Fraction(1, 2)
    claim = tc.RRobustness(
        r=1.5, gain=1, protected=[["a", "b"]], distribution=frame_of([[half, half, 0, 0]]), of="published"
    )
    assert tc.audit(published([[(0, "a")]]), claims=[claim], adversaries=[]).findings[0].holds


@settings(max_examples=80)
@given(
    releases(),
    st.sampled_from([1.5, 2, 3, 5]),
    st.sampled_from([1, 1.25, 2, 7]),
    st.booleans(),
    st.sampled_from([None, 0.25, 0.6]),
    st.sampled_from([None, [["a"]], [["a", "b"], ["c"]]]),
)
def test_the_verdict_is_that_of_all_worlds(drawn, r, gain, second, cover, protected):
    chances, groups = drawn
    there = {v for each in groups for _, v in each}
    entries = [[v] for v in VALUES] if protected is None else protected
    tiers = [(Fraction(r), Fraction(gain))] + ([(Fraction(2 * r), Fraction(2 * gain))] if second else [])
    priors = [{v: chances[t][k] for k, v in enumerate(VALUES)} for t in range(len(chances))]
    expected = oracle.holds(
        [([priors[t] for t, _ in each], [v for _, v in each]) for each in groups], entries, tiers, cover
    )
    claim = tc.RRobustness(
        r=r,
        gain=gain,
        tiers=[(2 * r, 2 * gain)] if second else [],
        cover=cover,
        protected=protected,
        distribution=frame_of(chances),
        of="published",
    )
    finding = tc.audit(published(groups), claims=[claim], adversaries=[]).findings[0]
    protects = {v for entry in entries for v in entry}
    # Groups without a protected value are not judged where nothing must be in them.
    if cover is None:
        judged = [each for each in groups if {v for _, v in each} & protects]
        expected = oracle.holds(
            [([priors[t] for t, _ in each], [v for _, v in each]) for each in judged], entries, tiers
        )
    assert finding.holds is expected, (there, finding)


@settings(max_examples=40)
@given(releases())
def test_without_growth_or_excuse_it_is_the_strict_promise(drawn):
    chances, groups = drawn
    if any(len(each) < 2 for each in groups):
        return
    strict, loose = (
        tc.audit(published(groups), claims=[claim], adversaries=[]).findings[0].holds
        for claim in (
            tc.RRobustness(r=2, distribution=frame_of(chances), of="published"),
            tc.RRobustness(r=2, gain=3, distribution=frame_of(chances), of="published"),
        )
    )
    assert loose or not strict  # what nobody may exceed is not exceeded with an excuse either


@settings(max_examples=60)
@given(st.lists(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), min_size=2, max_size=5), st.integers(0, 99))
def test_the_certificate_of_a_class_is_never_below_its_posterior(rows, seed):
    rng = np.random.default_rng(seed)
    weights = np.array(rows)
    sizes = rng.integers(1, 3, len(weights)).astype(np.int64)
    values = rng.integers(0, 3, int(sizes.sum()))
    counts = np.bincount(values, minlength=3).astype(np.int64)
    people = [
        dict(enumerate(map(Fraction, row))) for row, size in zip(weights, sizes, strict=True) for _ in range(size)
    ]
    if len(people) > 7:
        return
    exact = oracle.posteriors(people, values.tolist())
    each = np.empty(len(weights))
    for x in set(values.tolist()):
        swap_bounds(weights, sizes, counts, x, each)
        at = 0
        for c, size in enumerate(sizes):
            assert float(exact[at][x]) <= each[c] * (1 + 1e-9)
            at += int(size)


@pytest.fixture(scope="module")
def clinic():
    rng = np.random.default_rng(5)
    n = 900
    town, age = rng.integers(0, 4, n), rng.integers(20, 80, n)
    ill = np.where(rng.random(n) < 0.6, town, rng.integers(0, 5, n))
    return tc.Table(
        {"town": town.astype(str), "age": age, "ill": np.char.add("v", ill.astype(str)).tolist()},
        quasi_identifiers=["town", "age"],
        sensitive="ill",
    )


def test_several_distributions_are_judged_each(clinic):
    release = tc.Anatomy(l=2).protect(clinic, seed=1)
    names = ["table", "naive-bayes", "logistic"]
    found = {}
    for chosen in (*([name] for name in names), names):
        claim = tc.RRobustness(r=1.6, gain=1.2, distribution=chosen, min_support=10)
        found[tuple(chosen)] = claim.groups(release, clinic)["posterior"].max()
        distribution = claim.knowledge_of(clinic, "ill")
        assert len(distribution.sets) == sum(3 if name == "table" else 1 for name in chosen)
    assert found[tuple(names)] == pytest.approx(max(found[(name,)] for name in names))


def test_joined_distributions_are_each_what_they_were(clinic):
    parts = [learned_distribution(clinic, "ill", name) for name in ("naive-bayes", "logistic")]
    joined = JoinedDistribution.join(parts)
    codes = [clinic.codes(name).codes.astype(np.int64) for name in ("town", "age")]
    values = clinic.codes("ill").values
    own = [joined.encode(n, clinic.codes(n).values)[c] for n, c in zip(("town", "age"), codes, strict=True)]
    both = joined.aligned(values)[joined.signatures(own, len(clinic))]
    for at, part in enumerate(parts):
        assert np.array_equal(both[:, at], part.aligned(values)[part.signatures(codes, len(clinic))[:, 0]])
        assert both[:, at].sum(axis=1) == pytest.approx(1)
    assert [joined.set_name(k) for k in (-1, 0, 1)] == [
        "the group alone",
        "a naive-bayes model of all quasi-identifiers",
        "a logistic model of all quasi-identifiers",
    ]


def test_without_the_table_a_learned_distribution_is_not_checked(clinic):
    release = tc.Anatomy(l=2).protect(clinic, seed=1)
    foreign = tc.Release.foreign(release.frames(), quasi_identifiers=["town", "age"], sensitive="ill")
    claim = tc.RRobustness(r=2, gain=2, distribution="naive-bayes")
    assert tc.audit(foreign, claims=[claim], adversaries=[]).holds is None


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"gain": 0.5}, "gain"),
        ({"tiers": [(4, 2)]}, "give gain as well"),
        ({"cover": 0.5}, "give gain as well"),
        ({"gain": 2, "view": "paper"}, "exact"),
        ({"gain": 2, "tiers": [(0.5, 2)]}, "tiers"),
        ({"gain": 2, "cover": 1.5}, "cover"),
        ({"distribution": ["logistic", "logistic"]}, "twice"),
        ({"distribution": "naive-bays"}, "naive-bays"),
    ],
)
def test_bad_parameters_are_refused_in_a_sentence(parameters, words):
    with pytest.raises(tc.TacitError, match=words):
        tc.RRobustness(r=2, **parameters)
