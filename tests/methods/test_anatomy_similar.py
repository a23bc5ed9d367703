"""Anatomy's buckets of similar rows: the old sizes and the old promise, and less for a reader who learns."""

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import learning_rounds as script

import tacit as tc
from tacit.methods.linkage.similar_buckets import united_neighbours

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult.csv.gz"
SEVEN = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]


def buckets_of(release):
    frames = release.frames()
    sizes = frames["quasi_identifiers"].group_by("group").len().sort("group")["len"].to_list()
    return sizes, frames["sensitive"]


@settings(max_examples=60)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=300), st.integers(1, 5), st.integers(0, 2), st.integers(0, 9))
def test_as_many_buckets_as_there_can_be_and_all_values_differ(values, l, columns, seed):
    if max(Counter(values).values()) * l > len(values):
        return
    rng = np.random.default_rng(seed)
    n = len(values)
    frame = {"ill": [f"v{v}" for v in values], "age": rng.integers(0, 50, n), "town": rng.choice(list("abc"), n)}
    names = ["age", "town"][:columns]
    table = tc.Table(pl.DataFrame(frame), quasi_identifiers=names, sensitive="ill")
    sizes, inside = buckets_of(tc.Anatomy(l=l).protect(table, seed=seed))
    assert len(sizes) == n // l
    assert sum(sizes) == n
    assert min(sizes) >= l
    assert (inside["count"] == 1).all()


@settings(max_examples=30)
@given(st.integers(2, 12), st.integers(5, 60), st.integers(0, 9))
def test_a_value_in_exactly_one_of_l_rows_is_in_every_bucket(l, buckets, seed):
    rng = np.random.default_rng(seed)
    n = l * buckets
    ill = np.where(np.arange(n) < buckets, "flu", np.char.add("v", (np.arange(n) % (2 * l)).astype(str)))
    table = tc.Table({"age": rng.integers(0, 90, n), "ill": ill.tolist()}, quasi_identifiers="age", sensitive="ill")
    sizes, inside = buckets_of(tc.Anatomy(l=l).protect(table, seed=seed))
    assert sizes == [l] * buckets
    assert inside.filter(pl.col("ill") == "flu")["group"].n_unique() == buckets


@given(st.lists(st.booleans(), min_size=2, max_size=30))
def test_every_bucket_that_is_not_diverse_takes_a_neighbour_along(broken):
    merged = united_neighbours(np.array(broken))
    sizes = np.bincount(merged)
    assert merged[0] == 0
    assert set(np.diff(merged)) <= {0, 1}
    assert all(sizes[merged[i]] > 1 for i in range(len(broken)) if broken[i])
    assert sizes.max() <= 3


def test_several_sensitive_columns_are_merged_with_near_buckets():
    rng = np.random.default_rng(4)
    n = 3000
    age = rng.integers(0, 1000, n)
    frame = {"age": age, "ill": rng.integers(0, 8, n).astype(str), "job": rng.integers(0, 4, n).astype(str)}
    table = tc.Table(frame, quasi_identifiers="age", sensitive=["ill", "job"])
    spread = {}
    for buckets in ("similar", "random"):
        release = tc.Anatomy(l=3, buckets=buckets).protect(table, seed=1)
        assert tc.audit(release, adversaries=[]).holds
        ages = release.frames()["quasi_identifiers"].group_by("group").agg(pl.col("age").std())
        spread[buckets] = ages["age"].mean()
    assert spread["similar"] < spread["random"] / 10


def test_a_table_that_repeats_itself_and_one_without_quasi_identifiers():
    table = tc.Table({"town": ["a"] * 400, "ill": list("wxyz") * 100}, quasi_identifiers="town", sensitive="ill")
    assert buckets_of(tc.Anatomy(l=4).protect(table))[0] == [4] * 100
    assert tc.Anatomy(l=2).protect(tc.Table({"ill": list("abab")}, sensitive="ill")).shape.statistics.sizes.sum() == 4


def test_random_buckets_carry_what_a_reader_who_learns_gets():
    rng = np.random.default_rng(0)
    town = rng.integers(0, 4, 2000)
    frame = {"town": town.astype(str), "ill": town.astype(str)}  # the value is the town
    table = tc.Table(frame, quasi_identifiers="town", sensitive="ill")
    (warning,) = tc.Anatomy(l=2, buckets="random").protect(table, seed=1).warnings
    assert "guess it right for 100% of the rows, where 50% is promised" in warning
    assert not tc.Anatomy(l=2).protect(table, seed=1).warnings
    frame["ill"] = rng.integers(0, 4, 2000).astype(str)  # nothing to learn
    (warning,) = (
        tc.Anatomy(l=2, buckets="random")
        .protect(tc.Table(frame, quasi_identifiers="town", sensitive="ill"), seed=1)
        .warnings
    )
    assert "right for 5" in warning


def test_other_words_are_refused():
    with pytest.raises(tc.ParameterError, match="buckets"):
        tc.Anatomy(l=2, buckets="nearest")


@pytest.fixture(scope="module")
def adult() -> tc.Table:
    if not ADULT.exists():
        pytest.skip("the shared data is not there")
    frame = pl.read_csv(ADULT, n_rows=32_561).select(*SEVEN, "occupation")
    frame = frame.filter(~pl.any_horizontal(pl.selectors.string() == "?"))
    return tc.Table(frame, quasi_identifiers=SEVEN, sensitive="occupation")


@pytest.mark.parametrize(("l", "limit"), [(2, 0.56), (3, 0.47), (4, 0.45)])
def test_a_reader_of_adult_is_right_much_less_often_than_with_random_buckets(adult, l, limit):
    people, truth = adult.frame.select(SEVEN), adult.codes("occupation").codes.astype(np.int64)
    group = tc.Anatomy(l=l).protect(adult, seed=l).inside.group
    assert max(script.attack(people, group, truth, rounds=4)) <= limit
    if l == 2:
        group = tc.Anatomy(l=l, buckets="random").protect(adult, seed=l).inside.group
        assert max(script.attack(people, group, truth, rounds=4)) >= 0.8


@pytest.mark.parametrize("l", [2, 3])
def test_counts_of_adult_are_no_less_exact_than_from_random_buckets(adult, l):
    errors = [
        tc.query_error(tc.Anatomy(l=l, buckets=b).protect(adult, seed=1), adult, seed=2).median
        for b in ("similar", "random")
    ]
    assert errors[0] < errors[1] / 2


@settings(max_examples=10)
@given(st.sampled_from([0.42, 0.47, 0.5]), st.floats(0.3, 1.5), st.integers(0, 9))
def test_where_a_row_stands_in_its_bucket_does_not_tell_the_value_that_nearly_all_buckets_hold(share, shift, seed):
    # Of two people the older has the value somewhat more often. If all people with it moved along a little whenever a
    # part is cut, the older one would have it in nearly every bucket, and somebody who tries the method out knows that.
    rng = np.random.default_rng(seed)
    n = 6000
    has = np.arange(n) < share * n
    age = np.round(10 * (rng.normal(size=n) + shift * has)).astype(int)
    ill = np.where(has, "flu", rng.choice(["a", "b", "c"], n))
    table = tc.Table({"age": age, "ill": ill.tolist()}, quasi_identifiers="age", sensitive="ill")
    told = {}
    for buckets in ("similar", "random"):
        group = tc.Anatomy(l=2, buckets=buckets).protect(table, seed=seed).inside.group
        with_it, without = (dict(zip(group[of].tolist(), age[of].tolist(), strict=True)) for of in (has, ~has))
        both = with_it.keys() & without.keys()
        told[buckets] = np.mean([(np.sign(with_it[g] - without[g]) + 1) / 2 for g in both])
    assert told["similar"] <= told["random"] + 0.02
