"""Plans are functions of statistics: they are asked here without any table."""

from inspect import signature

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit import methods
from tacit.errors import Infeasible
from tacit.knowledge.distribution import Distribution, ProtectedEntries
from tacit.knowledge.risk import Attributes, Records
from tacit.methods.distribution.art.art import KnownTuples
from tacit.methods.distribution.mask import GuardedValues
from tacit.methods.linkage.anatomy import united
from tacit.methods.linkage.mondrian import Attribute, MondrianStatistics
from tacit.randomness import Randomness
from tacit.table import Cells, Column, Groups, GroupStats, Kind, Role, as_text, encode

METHODS = [value for name in methods.__all__ if isinstance(value := getattr(methods, name), type)]
STEPS = [m for m in METHODS if issubclass(m, methods.Method) and m not in (methods.Method, methods.Pipeline)]
ROWS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=40)


@pytest.mark.parametrize("method", STEPS)
def test_every_method_reads_statistics_plan_apply(method):
    assert all(callable(getattr(method, step, None)) for step in ("statistics", "plan", "apply"))
    assert "table" not in signature(method.plan).parameters


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


def distribution_of(cells):
    """The distribution of a table, from its cells alone."""
    histogram = cells.histograms["ill"]
    return Distribution.counted(
        cells.columns,
        {name: as_text(values) for name, values in cells.dictionaries.items()},
        cells.values["ill"],
        [cells.column(name).astype(np.int64) for name in cells.columns],
        (histogram.entry_groups(), histogram.values, histogram.counts.astype(float)),
        min_support=5,
    )


def test_art_groups_tuples_by_what_is_known_of_their_cells():
    rng = np.random.default_rng(4)
    ages, towns = rng.integers(0, 3, 90).tolist(), rng.choice(list("ab"), 90).tolist()
    rows = list(zip(ages, towns, "xyzzyz" * 15, strict=True))
    cells, method = cells_of(rows), tc.ART(r=2, protected=["x"])
    ill = encoded(rows)[2]
    distribution = distribution_of(cells)
    protected = ProtectedEntries.of(["x"], ill.values)
    problem = method._problem(cells, ill, distribution, protected)
    known = KnownTuples(problem, distribution, "ill", ill.values)
    grouping = method.plan(known, np.random.default_rng(1))
    assert not len(grouping.withheld)
    assert grouping.stuck == 0
    for group in set(grouping.group[problem.entries == 0].tolist()):
        members = np.flatnonzero(grouping.group == group)
        assert group >= 0  # nobody who has it is alone
        assert 2 * int((problem.entries[members] == 0).sum()) <= len(members)
    with pytest.raises(Infeasible, match="more than 1/9"):
        tc.ART(r=9, protected=["x"]).plan(known, np.random.default_rng(1))


@given(ROWS.filter(lambda rows: len(rows) >= 8), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_injector_plans_buckets_without_a_value_twice(rows, seed):
    cells, ill = cells_of(rows), encoded(rows)[2]
    try:
        buckets, kept = tc.Injector(l=2).plan(cells, ill, np.random.default_rng(seed))
    except Infeasible:
        return
    forbidden = tc.Injector(l=2).rules(cells)
    for b in range(buckets.count):
        members = np.flatnonzero((buckets.ids == b) & kept)
        values = ill.codes[members].tolist()
        assert len(set(values)) == len(values)
        assert not forbidden[np.ix_(cells.ids[members], values)].any()
    lost = np.bincount(ill.codes[~kept], minlength=ill.cardinality)
    assert 2 * lost.max() <= lost.sum()


@given(st.lists(st.booleans(), min_size=12, max_size=60), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_mask_plans_no_group_with_too_many_protected_values(flags, seed):
    rows = [(i % 4, "ab"[i % 2], "xy"[not flag]) for i, flag in enumerate(flags)]
    cells, ill = cells_of(rows), encoded(rows)[2]
    values = GuardedValues(ill.codes.astype(np.int64), np.array([value == "x" for value in ill.values]))
    try:
        distortion = tc.Mask(k=4, l=2, protected=["x"]).plan(cells, values, np.random.default_rng(seed))
    except Infeasible:
        return
    assert np.bincount(distortion.group).min() >= 4
    guarded = values.guarded[distortion.codes]
    assert (2 * np.bincount(distortion.group, weights=guarded) <= np.bincount(distortion.group)).all()
    assert (distortion.touched == (distortion.codes != ill.codes)).all()


def test_ke_permutation_cuts_numbers_into_ranges():
    numbers = np.array([10.0, 12.0, 99.0, 30.0, 31.0, 45.0])  # no row has 99
    ranges = tc.KEPermutation(k=2, e=2).plan("pay", numbers, np.array([0, 1, 3, 4, 5]))
    assert (ranges.count, ranges.ids.tolist()) == (2, [0, 0, -1, 1, 1, 1])
    with pytest.raises(Infeasible, match="pay"):
        tc.KEPermutation(k=2, e=99).plan("pay", numbers, np.array([0, 1, 3, 4, 5]))


def test_value_suppression_plans_blanks_for_records_that_are_risky():
    risk = tc.DisclosureRisk(known={"age": 0.05, "sex": 0.8}, value_weights={"held": {"Y": 1}})
    frame = {"age": [15, 15, 15, 16, 16, 16], "sex": list("FFMMMF"), "held": list("NNYNNY")}
    worth = (np.zeros(2), np.zeros(2), np.array([0.0, 1.0]))
    codes = tuple(encode(pl.Series(values)).codes for values in frame.values())
    known = np.array([0.05, 0.8, 0.0])
    attributes = Attributes(tuple(frame), known, worth, codes, (2, 2, 2), 1.0, "adversary", 6)
    method = tc.ValueSuppression(delta=0.2, risk=risk)
    records = Records.of(attributes)
    risky = np.flatnonzero(method.guarantee.score(records).above)
    plan = method.plan(records, risky, Randomness.make(1))
    assert not method.guarantee.score(Records.of(attributes, plan.blank)).above.any()
    assert plan.blank[:, 2].sum() >= 2  # one in two blanks may hide something
    assert method.model_copy(update={"mode": "one-pass"}).plan(records, risky, Randomness.make(1)).cover == 0
