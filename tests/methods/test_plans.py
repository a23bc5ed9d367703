"""Plans are functions of statistics: they are asked here without any table."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.errors import Infeasible
from tacit.methods.linkage.anatomy import united
from tacit.methods.linkage.mondrian import Attribute, MondrianStatistics
from tacit.table import Cells, Column, Groups, GroupStats, Kind, Role, encode

ROWS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=40)


def encoded(rows):
    return [
        encode(pl.Series([row[j] for row in rows], dtype=t)) for j, t in enumerate((pl.Int64, pl.String, pl.String))
    ]


def cells_of(rows):
    age, town, ill = encoded(rows)
    return Cells.of({"age": age, "town": town}, {"ill": ill}, rows=len(rows))


def planned(method, cells):
    """The cells that are published, by their values; nothing where the plan is refused."""
    try:
        published = method.plan(cells)
    except Infeasible as error:
        return type(error), str(error)
    values = [cells.dictionaries[name].gather(cells.column(name)).to_list() for name in cells.columns]
    return {key: bool(flag) for key, flag in zip(zip(*values, strict=True), published, strict=True)}


@pytest.mark.parametrize(
    "guarantee", [tc.KAnonymity(k=3), tc.LDiversity(l=2), tc.Eligibility(l=2), tc.TCloseness(t=0.4)]
)
@given(ROWS, ROWS)
@settings(max_examples=40, deadline=None)
def test_small_groups_plans_for_merged_parts_what_it_plans_for_the_whole(guarantee, one, other):
    method = tc.SmallGroups(guarantee=guarantee)
    assert planned(method, cells_of(one).merged(cells_of(other))) == planned(method, cells_of(one + other))


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_anatomy_plans_buckets_of_different_values(counts, l):
    counts = np.array(counts)
    total = int(counts.sum())
    if not total or counts.max() * l > total:
        return
    buckets = tc.Anatomy(l=l).plan(counts)
    value = np.repeat(np.arange(len(counts)), counts)
    assert buckets.count == total // l
    assert set(buckets.ids.tolist()) == set(range(buckets.count))
    assert len(set(zip(buckets.ids.tolist(), value.tolist(), strict=True))) == total  # no value twice in a bucket


@given(st.lists(st.booleans(), min_size=2, max_size=30).filter(any), st.randoms(use_true_random=False))
def test_broken_buckets_are_united_with_others(broken, random):
    order = random.sample(range(len(broken)), len(broken))
    into = united(np.array(broken), np.array(order)).tolist()
    assert len(set(into)) < len(broken)
    if 2 * sum(broken) <= len(broken):
        assert all(into.count(into[b]) > 1 for b, flag in enumerate(broken) if flag)
    assert set(into) == set(range(len(set(into))))


def statistics_of(rows):
    age, town, ill = encoded(rows)
    roles = {"age": (age, Kind.NUMERIC), "town": (town, Kind.CATEGORICAL)}
    attributes = [
        Attribute.of(Column(name, Role.QUASI_IDENTIFIER, kind, None), codes, "sets")
        for name, (codes, kind) in roles.items()
    ]
    whole = GroupStats.of(Groups.whole(len(rows)), {"ill": (ill.codes, ill.cardinality)})
    return MondrianStatistics(attributes, cells_of(rows), {"ill": ill}, whole)


@given(ROWS.filter(lambda rows: len(rows) >= 8), st.sampled_from([0.0, 0.3]))
@settings(max_examples=40, deadline=None)
def test_mondrian_plans_groups_that_satisfy_what_is_asked(rows, share):
    statistics = statistics_of(rows)
    before = statistics.cells.codes.copy()
    groups = tc.Mondrian(guarantees=[tc.KAnonymity(k=3)], allow_withheld=share).plan(statistics)
    assert (groups.sizes() >= 3).all()
    assert sorted(set(groups.ids[groups.ids >= 0].tolist())) == list(range(groups.count))
    withheld = int((groups.ids < 0).sum())
    assert withheld == 0 or 3 <= withheld <= share * len(rows)
    assert (statistics.cells.codes == before).all()


@given(ROWS)
@settings(max_examples=40, deadline=None)
def test_marginals_plan_buckets_in_which_every_value_is_equally_frequent(rows):
    statistics, method = statistics_of(rows), tc.InvariantMarginals(m=2)
    counts = statistics.whole.histograms["ill"].counts
    if counts.max() * 2 > len(rows):
        with pytest.raises(Infeasible, match="cannot be met"):
            method.plan(statistics, np.random.default_rng(1))
        return
    bucket = method.plan(statistics, np.random.default_rng(1))
    stats = statistics.count(Groups(bucket, int(bucket.max()) + 1))
    histogram = stats.histograms["ill"]
    assert (histogram.distinct() >= 2).all()
    assert (histogram.largest() * histogram.distinct() == stats.sizes).all()
