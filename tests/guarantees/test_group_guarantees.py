"""KAnonymity and Eligibility against counting by hand."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.grouping import eligible

from tacit.errors import Infeasible, ParameterError
from tacit.guarantees import Eligibility, KAnonymity, make
from tacit.table import Groups, GroupStats, Table

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=30)


def stats_of(rows):
    ids, one, other = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return GroupStats.of(Groups(ids, 4), {"one": (one, 3), "other": (other, 5)})


@settings(max_examples=80, deadline=None)
@given(ROWS, st.integers(1, 6))
def test_k_anonymity(rows, k):
    stats, sizes = stats_of(rows), [sum(row[0] == group for row in rows) for group in range(4)]
    assert KAnonymity(k=k).satisfied(stats).tolist() == [size == 0 or size >= k for size in sizes]
    assert KAnonymity(k=k).measure(stats) == min(size for size in sizes if size)
    assert KAnonymity(k=k).posterior(stats).tolist() == [1 / size if size else 0 for size in sizes]


@settings(max_examples=80, deadline=None)
@given(ROWS, st.integers(1, 6))
def test_eligibility(rows, l):
    stats = stats_of(rows)
    groups = [[row[1:] for row in rows if row[0] == group] for group in range(4)]
    expected = [all(eligible([row[column] for row in group], l) for column in (0, 1)) for group in groups]
    assert Eligibility(l=l).satisfied(stats).tolist() == expected
    shares = [
        max((Fraction([r[c] for r in g].count(r[c]), len(g)) for c in (0, 1) for r in g), default=Fraction(0))
        for g in groups
    ]
    assert Eligibility(l=l).posterior(stats).tolist() == pytest.approx([float(share) for share in shares])
    best = Eligibility(l=l).measure(stats)
    assert Eligibility(l=best).satisfied(stats).all()
    assert not Eligibility(l=best + 1).satisfied(stats).all()


def test_arithmetic_is_in_integers():
    size = 3 * 10**15 + 1  # a float would round the third up
    stats = stats_of([(0, 0, 0)])
    histogram = stats.histograms["one"]
    entries = np.array([10**15 + 1, 2 * 10**15], dtype=np.int64)
    big = type(histogram).from_entries(np.zeros(2, np.int64), np.arange(2), entries, 1, 2)
    assert not Eligibility(l=3).satisfied(GroupStats(np.array([size]), {"one": big}))[0]


def test_no_groups_and_no_sensitive_column():
    nothing = GroupStats(np.zeros(0, np.int64), {})
    for guarantee in (KAnonymity(k=2), Eligibility(l=2)):
        assert guarantee.satisfied(nothing).tolist() == []
        assert guarantee.measure(nothing) == 0
        assert guarantee.posterior(nothing).tolist() == []
    assert Eligibility(l=2).satisfied(GroupStats(np.array([3]), {})).tolist() == [True]


def obstacle(guarantee, **columns):
    table = Table(columns, sensitive=list(columns))
    whole = table.statistics(Groups(np.zeros(len(table), np.int64), 1))
    assert not guarantee.satisfied(whole).all()
    error = guarantee.obstacle(whole, {name: table.codes(name).values for name in columns})
    assert isinstance(error, Infeasible)
    return str(error)


def test_obstacles_name_the_value_and_what_works():
    told = obstacle(Eligibility(l=3), ill=["flu"] * 4 + ["cold"] * 4 + ["gout"])
    assert told == (
        "eligibility(l=3) cannot be met: 'cold' of column 'ill' is in 4 of 9 rows. The largest l that works is 2; "
        "or suppress the surplus first (shift-suppression)."
    )
    told = obstacle(KAnonymity(k=5), ill=["flu"] * 3)
    assert told == "k-anonymity(k=5) cannot be met: the table has 3 rows. The largest k that works is 3."


def test_of_several_columns_the_worst_decides_what_works():
    told = obstacle(Eligibility(l=4), pay=[1, 1, 2, 3, 4, 5], ill=["flu"] * 5 + ["cold"])
    assert "'flu' of column 'ill' is in 5 of 6 rows. The largest l that works is 1" in told


def test_a_value_of_a_large_share_of_a_large_table():
    ill = pl.Series(["flu"] * 1_234 + ["cold"] * 1_000)
    assert "is in 1,234 of 2,234 rows. The largest l that works is 1" in obstacle(Eligibility(l=2), ill=ill)


def test_from_a_description():
    assert make({"name": "k-anonymity", "k": 5}) == KAnonymity(k=5)
    assert make(KAnonymity(k=5).describe()) == KAnonymity(k=5)
    with pytest.raises(ParameterError, match=r"There is no guarantee 'k-anonimity'\. Did you mean 'k-anonymity'\?"):
        make({"name": "k-anonimity", "k": 5})
    with pytest.raises(ParameterError, match="A guarantee needs a 'name'"):
        make({"k": 5})
    with pytest.raises(ParameterError, match="k-anonymity has no parameter 'l'"):
        make({"name": "k-anonymity", "l": 5})
