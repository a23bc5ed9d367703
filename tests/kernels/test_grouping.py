"""Numbering of keys, groups and histograms, against dictionaries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.kernels.grouping import number_keys
from tacit.table import Groups, GroupStats, Histogram

INT64 = st.integers(-(2**63), 2**63 - 1)


def numbered_by_hand(keys):
    seen = {}
    return [seen.setdefault(key, len(seen)) for key in keys], list(seen)


@settings(deadline=None)
@given(st.lists(INT64 | st.integers(0, 5), max_size=60))
def test_keys_are_numbered_in_order_of_appearance(keys):
    ids, distinct = number_keys(np.array(keys, dtype=np.int64))
    assert (ids.tolist(), distinct.tolist()) == numbered_by_hand(keys)


@pytest.mark.parametrize("stride", [1, 2, 1024, 2**20, 2**40, 11400714819323198485 % 2**31])
def test_the_table_grows(stride):
    keys = np.random.default_rng(0).permutation(np.arange(20_000, dtype=np.int64) * (stride % 2**44))
    ids, distinct = number_keys(np.concatenate([keys, keys]))
    assert len(distinct) == len(np.unique(keys))
    assert (distinct[ids] == np.concatenate([keys, keys])).all()


@st.composite
def coded(draw):
    rows = draw(st.integers(1, 30))
    columns, sizes = [], []
    for _ in range(draw(st.integers(1, 5))):
        size = draw(st.sampled_from([1, 2, 3, 1000, 2**20, 2**31 - 1]))
        columns.append(np.array(draw(st.lists(st.integers(0, size - 1), min_size=rows, max_size=rows)), dtype=np.int32))
        sizes.append(size)
    return columns, sizes


@settings(deadline=None)
@given(coded())
def test_rows_that_agree_are_a_group_and_numbers_follow_the_codes(drawn):
    columns, sizes = drawn
    groups = Groups.of(columns, sizes)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    ranks = {row: rank for rank, row in enumerate(sorted(set(rows)))}
    assert groups.ids.tolist() == [ranks[row] for row in rows]
    assert groups.count == len(ranks)
    assert groups.sizes().tolist() == [rows.count(row) for row in sorted(ranks)]
    assert [rows[i] for i in groups.first()] == sorted(ranks)


def test_no_columns_is_one_group_of_all():
    assert (Groups.of([], [], rows=4).ids.tolist(), Groups.of([], [], rows=4).count) == ([0] * 4, 1)
    assert Groups.of([], [], rows=0).count == 0


def test_no_rows():
    assert Groups.of([np.zeros(0, np.int32)], [0]).count == 0


def test_the_order_of_rows_does_not_change_the_groups():
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, 50, 500), rng.integers(0, 10**9, 500)]
    order = rng.permutation(500)
    one, other = Groups.of(codes, [50, 10**9]), Groups.of([c[order] for c in codes], [50, 10**9])
    assert (one.ids[order] == other.ids).all()
    assert one.count == other.count


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 3)), max_size=40), st.sampled_from([4, 100_000])
)  # the second makes the sparse way of counting
def test_histograms_count(pairs, cardinality):
    ids = np.array([group for group, _ in pairs], dtype=np.int64)
    codes = np.array([code for _, code in pairs], dtype=np.int32)
    found = Histogram.of(ids, 5, codes, cardinality)
    for group in range(5):
        values = [code for each, code in pairs if each == group]
        part = slice(found.offsets[group], found.offsets[group + 1])
        expected = sorted((code, values.count(code)) for code in set(values))
        assert list(zip(found.values[part].tolist(), found.counts[part].tolist(), strict=True)) == expected
        assert found.largest()[group] == max((n for _, n in expected), default=0)
        assert found.distinct()[group] == len(expected)
        assert found.sizes()[group] == len(values)
    inside = [code for group, code in pairs if group >= 0]
    assert found.totals()[:4].tolist() == [inside.count(code) for code in range(4)]
    assert found.groups == 5


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=40), st.data())
def test_taking_a_group_away_leaves_the_others(pairs, data):
    ids = np.array([group for group, _ in pairs], dtype=np.int64)
    codes = np.array([code for _, code in pairs], dtype=np.int32)
    stats = GroupStats.of(Groups(ids, 5), {"a": (codes, 4)})
    whole = GroupStats.of(Groups(np.zeros(len(ids), np.int64), 1), {"a": (codes, 4)})
    chosen = np.array(data.draw(st.lists(st.integers(0, 4), max_size=5, unique=True)), dtype=np.int64)
    left = whole.without(stats, chosen)
    for i, group in enumerate(chosen):
        others = GroupStats.of(Groups(np.where(ids == group, -1, 0), 1), {"a": (codes, 4)})
        assert left.sizes[i] == others.sizes[0]
        h = left.histograms["a"]
        part = slice(h.offsets[i], h.offsets[i + 1])
        assert h.values[part].tolist() == others.histograms["a"].values.tolist()
        assert h.counts[part].tolist() == others.histograms["a"].counts.tolist()
    assert left.count == len(chosen)
