"""The order of columns, or of rows, changes neither whether a table can be protected nor, by more than 5%, the cost."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc

_SLACK, _POINTS = 0.05, 0.003
"""How much dearer one order may be than another: as a share of the dearer one, and in points of NCP, which are what a
few rows that tie make of a table of this size."""

_METHODS = {
    "anonymous": tc.Mondrian([tc.KAnonymity(k=3)]),
    "diverse": tc.Mondrian([tc.KAnonymity(k=3), tc.LDiversity(l=2, kind="frequency")]),
    "close": tc.Mondrian([tc.KAnonymity(k=3), tc.TCloseness(t=0.25)]),
    "diverse and alike": tc.Mondrian([tc.LDiversity(l=2, kind="frequency"), tc.BetaLikeness(beta=2.0)]),
}


def _people(seed: int, rows: int, columns: int) -> dict[str, np.ndarray]:
    """Make people with sensitive columns of different tightness, some of which depend on age and on one another."""
    random = np.random.default_rng(seed)
    age = random.integers(0, 60, rows)
    frame = {"age": age, "town": random.choice(list("abcdefg"), rows), "sex": random.choice(["F", "M"], rows)}
    # Half are ill, or fewer are not: at one half exactly no cut but a balanced one is 2-diverse.
    ill = random.permutation(rows) < rows // 2 + random.integers(0, 2) * rows // 10
    frame["a"] = np.where(ill, "ill", "well")
    frame["b"] = random.choice(["p", "q", "r", "s"], rows, p=[0.4, 0.3, 0.2, 0.1])
    frame["c"] = np.where(ill & (random.random(rows) < 0.7), "x", random.choice(["y", "z"], rows))
    return dict(list(frame.items())[: 3 + columns])


def _cost(frame, known, sensitive, method):
    table = tc.Table({n: frame[n] for n in (*known, *sensitive)}, quasi_identifiers=known, sensitive=sensitive)
    try:
        release = method.protect(table, seed=1)
    except tc.Infeasible:
        return None
    return tc.utility(release, table).ncp


@pytest.mark.parametrize("name", _METHODS)
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 3), st.randoms(use_true_random=False))
def test_orders_of_columns_and_rows_cost_the_same(name, seed, columns, shuffler):
    frame = _people(seed, 1_500, columns)
    known, sensitive = ["age", "town", "sex"], list(frame)[3:]
    costs = [_cost(frame, known, sensitive, _METHODS[name])]
    costs.append(_cost(frame, known, sensitive[::-1], _METHODS[name]))
    shuffler.shuffle(known)
    shuffler.shuffle(sensitive)
    order = np.random.default_rng(seed + 1).permutation(1_500)
    costs.append(_cost({n: values[order] for n, values in frame.items()}, known, sensitive, _METHODS[name]))
    if None in costs:
        assert costs == [None] * 3
        return
    assert max(costs) - min(costs) <= _SLACK * max(costs) + _POINTS


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_anatomy_has_as_many_buckets_in_any_order_of_sensitive_columns(seed):
    frame = _people(2 * seed + 1, 1_200, 2)
    frame["a"] = np.random.default_rng(seed).permutation(np.tile(["ill", "well"], 600))
    counts = []
    for sensitive in (["a", "b"], ["b", "a"]):
        table = tc.Table(frame, quasi_identifiers=["age", "town", "sex"], sensitive=sensitive)
        release = tc.Anatomy(l=2).protect(table, seed=seed)
        assert tc.audit(release, table).holds
        counts.append(release.shape.statistics.count)
    assert max(counts) - min(counts) <= _SLACK * max(counts) + 1
    assert min(counts) > 100


@pytest.mark.parametrize("batches", ["similar", "smallest"])
def test_angel_batches_several_sensitive_columns_in_any_order(batches):
    frame = _people(7, 1_200, 2)
    frame["a"] = np.random.default_rng(7).choice(["x", "y", "z"], 1_200)
    counts = []
    for sensitive in (["a", "b"], ["b", "a"]):
        table = tc.Table(frame, quasi_identifiers=["age", "town", "sex"], sensitive=sensitive)
        method = tc.Angel(l=2, marginals={"who": ["age", "sex"], "where": ["town"]}, batches=batches)
        release = method.protect(table, seed=3)
        assert tc.audit(release, table).holds
        assert {"who", "where", "sensitive_a", "sensitive_b"} == set(release.frames())
        counts.append(len(np.unique(release.inside.group["who"])))
    assert max(counts) - min(counts) <= _SLACK * max(counts) + 1
    assert min(counts) > 50


def test_two_columns_that_are_both_tight_are_bucketized_together():
    random = np.random.default_rng(0)
    both = {n: random.permutation(np.tile(["yes", "no"], 500)) for n in ("smokes", "drinks")}
    frame = {"age": random.integers(0, 90, 1_000), **both}
    table = tc.Table(frame, quasi_identifiers="age", sensitive=["smokes", "drinks"])
    release = tc.Anatomy(l=2).protect(table)
    assert tc.audit(release, table).holds
    assert release.shape.statistics.count > 10


def test_the_tightest_column_is_dealt_first_wherever_it_stands():
    random = np.random.default_rng(0)
    half = np.tile(["yes", "no"], 1_000)  # no cut keeps this in halves unless it is dealt
    frame = {"age": random.integers(0, 90, 2_000), "job": random.choice(list("abcdefgh"), 2_000), "smokes": half}
    for sensitive in (["job", "smokes"], ["smokes", "job"]):
        table = tc.Table(frame, quasi_identifiers="age", sensitive=sensitive)
        release = tc.Mondrian([tc.LDiversity(l=2, kind="frequency")]).protect(table)
        assert release.shape.statistics.count > 100
        assert tc.utility(release, table).ncp < 0.15
