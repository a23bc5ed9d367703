"""(k,e)-anonymity: the guarantee against fractions, the cut against all groupings, and what the paper is about."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import ke_anonymity as oracle

import tacit as tc
from tacit.guarantees.linkage.ke_anonymity import numbers_of
from tacit.table import Histogram

NUMBERS = st.one_of(st.integers(0, 12), st.sampled_from([0.1, 0.2, 0.3, 0.7, 0.1 + 0.2, 1e16, 1e16 + 2, -0.5]))


def table_of(numbers: list[float]) -> tc.Table:
    frame = pl.DataFrame({"age": range(len(numbers)), "pay": numbers}, strict=False)
    return tc.Table(frame, quasi_identifiers="age", sensitive="pay", kinds={"pay": "numeric"})


def published_groups(release: tc.Release) -> list[list[float]]:
    frame = release.frames()["sensitive"]
    repeated = frame.select("group", pl.col("pay").repeat_by("count")).explode("pay")
    return repeated.group_by("group").agg("pay")["pay"].to_list()


def test_near_salaries_are_kept_apart() -> None:
    """The idea of the paper: three different salaries within two dollars are diverse, and tell the salary."""
    pay = [50_001, 50_002, 50_003, 61_000, 63_500, 70_000]
    diverse = tc.Anatomy(l=3).protect(table_of(pay), seed=1)
    assert tc.audit(diverse, claims=[tc.LDiversity(l=3)]).holds
    release = tc.KEPermutation(k=3, e=5_000).protect(table_of(pay))
    assert sorted(map(sorted, published_groups(release))) == [pay], "cut in two, the first half would be 2 apart"
    release = tc.KEPermutation(k=2, e=1).protect(table_of(pay))
    assert sorted(map(sorted, published_groups(release))) == [pay[:3], pay[3:]]
    assert sorted(release.frames()["quasi_identifiers"]["age"]) == list(range(6))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(NUMBERS, min_size=1, max_size=5), min_size=1, max_size=4), st.integers(1, 4), NUMBERS)
def test_the_guarantee_is_exact(groups: list[list[float]], k: int, e: float) -> None:
    e = abs(e)
    flat = pl.Series("pay", [float(number) for group in groups for number in group])
    values = flat.unique().sort()
    codes = np.searchsorted(values.to_numpy(), flat.to_numpy())
    ids = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    held = tc.KEAnonymity(k=k, e=e).satisfied(Histogram.of(ids, len(groups), codes, len(values)), numbers_of(values))
    assert held.tolist() == [oracle.holds([float(number) for number in group], k, e) for group in groups]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-20, 20), min_size=1, max_size=8), st.integers(1, 4), st.integers(0, 12))
def test_the_cut_has_the_smallest_sum_of_ranges_of_all_groupings(numbers: list[int], k: int, e: int) -> None:
    best = oracle.smallest_sum_of_ranges(numbers, k, e)
    if best is None:
        with pytest.raises(tc.Infeasible, match="apart at most"):
            tc.KEPermutation(k=k, e=e).protect(table_of(numbers))
        return
    release = tc.KEPermutation(k=k, e=e).protect(table_of(numbers), seed=3)
    groups = published_groups(release)
    assert all(oracle.holds(group, k, e) for group in groups)
    assert sum(Fraction(max(group)) - Fraction(min(group)) for group in groups) == best
    assert sorted(number for group in groups for number in group) == sorted(numbers)
    assert tc.audit(release).holds


def test_withheld_rows_are_one_more_group() -> None:
    table = table_of([1, 2, 3, 10, 20, 30])
    part = tc.Release.foreign(
        {
            "quasi_identifiers": {"group": [1, 1, 1], "age": [3, 4, 5]},
            "sensitive": {"group": [1, 1, 1], "pay": [10, 20, 30], "count": [1, 1, 1]},
        },
        quasi_identifiers="age",
        sensitive="pay",
    )
    claim = tc.KEAnonymity(k=3, e=10, of="everybody")
    (finding,) = tc.audit(part, table, claims=[claim]).findings
    assert (finding.parts.published, finding.parts.withheld) == ("holds", "fails"), "1, 2 and 3 are missing"
    assert tc.audit(part, claims=[tc.KEAnonymity(k=3, e=10)]).findings[0].holds, "of the published rows"
    assert tc.audit(part, table, claims=[tc.KEAnonymity(k=3, e=2, of="everybody")]).holds


def test_other_values_than_numbers_are_an_error_with_a_way_out() -> None:
    table = tc.Table({"age": [1, 2], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    with pytest.raises(tc.RoleError, match="about numbers"):
        tc.KEPermutation(k=1, e=0).protect(table)
    release = tc.Anatomy(l=2).protect(table)
    with pytest.raises(tc.RoleError, match="about numbers"):
        tc.audit(release, claims=[tc.KEAnonymity(k=1, e=1)])
