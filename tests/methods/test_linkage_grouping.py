"""Mondrian and Anatomy on random tables: what is published satisfies what is asked, by an oracle that reads frames."""

from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import diversity as oracle

import tacit as tc


def people(n, seed, *, secrets=1, nulls=True):
    rng = np.random.default_rng(seed)
    ages = rng.integers(20, 60, n).astype(object)
    towns = rng.choice(["Aberdeen", "Bath", "Cork", "a, b", "{x}"], n).astype(object)
    if nulls:
        ages[rng.random(n) < 0.05] = None
        towns[rng.random(n) < 0.05] = None
    frame = {
        "age": pl.Series(ages.tolist(), dtype=pl.Int64),
        "town": pl.Series(towns.tolist(), dtype=pl.String),
        "level": rng.choice(["low", "middle", "high"], n),
        "day": pl.Series(rng.integers(19_700, 19_800, n)).cast(pl.Int32).cast(pl.Date),
    }
    names = [f"ill{i}" for i in range(secrets)]
    frame |= {name: rng.choice(["flu", "cold", "gout", "measles", "mumps"], n) for name in names}
    return tc.Table(
        frame,
        quasi_identifiers=["age", "town", "level", "day"],
        sensitive=names,
        kinds={"level": ["low", "middle", "high"]},
        hierarchies={"age": {"interval": 10}, "town": "flat", "day": "calendar"},
    )


def classes_of(frame, names):
    found = defaultdict(list)
    for row in frame.iter_rows(named=True):
        found[tuple(str(row[name]) for name in names)].append(row)
    return list(found.values())


GUARANTEES = {
    "k": ([tc.KAnonymity(k=4)], lambda g, e: len(g) >= 4),
    "distinct": ([tc.LDiversity(l=3)], lambda g, e: oracle.distinct(g, 3)),
    "entropy": ([tc.LDiversity(l=2.5, kind="entropy")], lambda g, e: oracle.entropy(g, 2.5)),
    "recursive": ([tc.LDiversity(l=2, kind="recursive", c=2.0)], lambda g, e: oracle.recursive(g, 2, 2.0)),
    "frequency": ([tc.LDiversity(l=2, kind="frequency")], lambda g, e: oracle.frequency(g, 2)),
    "t": ([tc.TCloseness(t=0.35)], lambda g, e: oracle.equal_distance(g, e, sorted(set(e))) <= 0.35 + 1e-12),
    "beta": ([tc.BetaLikeness(beta=2.0)], lambda g, e: oracle.gain(g, e, sorted(set(e))) <= 2.0 + 1e-12),
    "delta": ([tc.DeltaDisclosure(delta=2.0)], lambda g, e: oracle.delta_disclosure(g, e, sorted(set(e)), 2.0)),
    "both": (
        [tc.KAnonymity(k=3), tc.AlphaK(alpha=0.5, k=2)],
        lambda g, e: len(g) >= 3 and oracle.frequency(g, 2),
    ),
}


@pytest.mark.parametrize("recode", ["sets", "hierarchy"])
@pytest.mark.parametrize("name", GUARANTEES)
def test_mondrian_satisfies_what_is_asked(name, recode):
    guarantees, holds = GUARANTEES[name]
    for seed in range(3):
        table = people(150, seed, secrets=2 if seed == 2 else 1)
        release = tc.Mondrian(guarantees=guarantees, recode=recode).protect(table)
        frame = release.frames()["table"]
        assert frame.height == 150
        for secret in table.sensitive:
            everybody = frame[secret].to_list()
            for group in classes_of(frame, table.quasi_identifiers):
                assert holds([row[secret] for row in group], everybody)
        assert tc.audit(release).holds


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(6, 80), st.integers(2, 4))
def test_by_default_columns_blur_by_their_hierarchy_and_the_others_by_sets(seed, n, k):
    random = np.random.default_rng(seed)
    frame = {
        "age": random.integers(0, 90, n),
        "weight": random.integers(40, 99, n),
        "sex": random.choice(["F", "M"], n),
    }
    table = tc.Table(frame, quasi_identifiers=list(frame), hierarchies={"age": {"interval": 10}})
    release = tc.Mondrian([tc.KAnonymity(k=k)]).protect(table)
    published = release.frames()["table"]
    nodes = {str(age) for age in frame["age"]} | set(table.codes("age").tree.names)
    assert set(published["age"].cast(str)) <= nodes
    ends = {end.strip("[] ") for text in published["weight"].cast(str) for end in text.split(",")}
    assert ends <= {str(weight) for weight in frame["weight"]}
    assert release.inside.remarks == ()
    sets = tc.Mondrian([tc.KAnonymity(k=k)], recode="sets").protect(table)
    assert "age are not used" in str(sets.inside.remarks[0])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 60), st.sampled_from(["sets", "hierarchy"]))
def test_every_person_is_in_her_own_cell(seed, n, recode):
    """Linkage by her true values finds every published person's row, whatever the recoding."""
    table = people(n, seed)
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)], recode=recode).protect(table, seed=seed)
    victims = table.frame.select(table.quasi_identifiers)
    candidates = tc.LinkageAdversary(victims=victims).attack(release).candidates
    assert (candidates >= 2).all()
    again = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)], recode=recode).protect(table, seed=seed)
    assert release.frames()["table"].equals(again.frames()["table"])


def test_mondrian_may_withhold_where_that_pays():
    """One far outlier spoils the groups of all others; the withheld must satisfy the guarantee too."""
    rng = np.random.default_rng(0)
    age = np.concatenate([rng.integers(20, 30, 200), [95, 96, 97]])
    table = tc.Table({"age": age, "ill": ["a", "b"] * 101 + ["a"]}, quasi_identifiers="age", sensitive="ill")
    plain = tc.Mondrian(guarantees=[tc.KAnonymity(k=3)])
    loose = tc.Mondrian(guarantees=[tc.KAnonymity(k=3)], allow_withheld=0.1)
    for method in (plain, loose):
        release = method.protect(table, seed=1)
        assert tc.audit(release).holds
    assert tc.utility(loose.protect(table), table).ncp <= tc.utility(plain.protect(table), table).ncp + 1e-12
    withheld = (~loose.protect(table).inside.kept).sum()
    assert withheld == 0 or 3 <= withheld <= 20


def test_infeasible_names_the_value_and_the_way_out():
    table = tc.Table({"age": [1, 2, 3], "ill": ["flu", "flu", "cold"]}, quasi_identifiers="age", sensitive="ill")
    for method in (tc.Mondrian(guarantees=[tc.LDiversity(l=2, kind="frequency")]), tc.Anatomy(l=2)):
        with pytest.raises(tc.Infeasible, match=r"'flu' of column 'ill' is in 2 of 3 rows.*largest l that works is 1"):
            method.protect(table)
    with pytest.raises(tc.Infeasible, match="3 rows"):
        tc.Mondrian(guarantees=[tc.KAnonymity(k=4)]).protect(table)
    with pytest.raises(tc.Infeasible, match="2 distinct values"):
        tc.Mondrian(guarantees=[tc.LDiversity(l=3)]).protect(table)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=2, max_size=60), st.integers(2, 4), st.integers(0, 100))
def test_anatomy_buckets_hold_different_values(values, l, seed):
    counts = Counter(values)
    table = tc.Table(
        {"age": list(range(len(values))), "ill": [f"v{v}" for v in values]}, quasi_identifiers="age", sensitive="ill"
    )
    if max(counts.values()) * l > len(values):
        with pytest.raises(tc.Infeasible):
            tc.Anatomy(l=l).protect(table)
        return
    release = tc.Anatomy(l=l).protect(table, seed=seed)
    frames = release.frames()
    buckets = dict(frames["quasi_identifiers"].group_by("group").len().iter_rows())
    assert sum(buckets.values()) == len(values)
    for number, size in buckets.items():
        inside = frames["sensitive"].filter(pl.col("group") == number)
        assert inside["count"].sum() == size >= l
        assert (inside["count"] == 1).all()
    assert dict(zip(table.frame["age"], release.inside.group, strict=True)) == dict(
        frames["quasi_identifiers"].select("age", "group").iter_rows()
    )


def test_anatomy_with_two_sensitive_columns():
    table = people(200, 3, secrets=2)
    release = tc.Anatomy(l=3).protect(table)
    assert sorted(release.frames()) == ["quasi_identifiers", "sensitive_ill0", "sensitive_ill1"]
    for name in table.sensitive:
        frame = release.frames()[f"sensitive_{name}"]
        for _, part in frame.group_by("group"):
            assert part["count"].max() * 3 <= part["count"].sum()
    assert tc.audit(release).holds


def test_no_quasi_identifier_and_no_sensitive_column():
    table = tc.Table({"ill": ["a", "b", "c"]}, sensitive="ill")
    assert tc.Mondrian(guarantees=[tc.LDiversity(l=3)]).protect(table).shape.rows == 3
    bare = tc.Table({"age": [1, 2, 3]}, quasi_identifiers="age")
    assert tc.Mondrian(guarantees=[tc.KAnonymity(k=3)]).protect(bare).shape.rows == 3
    with pytest.raises(tc.RoleError, match="sensitive"):
        tc.Anatomy(l=1).protect(bare)
    with pytest.raises(tc.RoleError, match="sensitive"):
        tc.Mondrian(guarantees=[tc.LDiversity(l=1)]).protect(bare)


@pytest.mark.parametrize("guarantees", [[tc.KAnonymity(k=4)], [tc.KAnonymity(k=4), tc.LDiversity(l=2)]])
def test_more_effort_loses_no_more_and_keeps_the_promise(guarantees):
    random = np.random.default_rng(3)
    frame = {"age": random.integers(0, 80, 1_500), "town": random.integers(0, 30, 1_500).astype(str)}
    frame["ill"] = random.choice(list("abcd"), 1_500)
    table = tc.Table(frame, quasi_identifiers=["age", "town"], sensitive="ill")
    lost = {}
    for effort in (0, 1, 4):
        release = tc.Mondrian(guarantees, effort=effort).protect(table, seed=1)
        assert tc.audit(release, table).holds
        lost[effort] = tc.utility(release, table).ncp
    assert lost[4] <= 1.01 * lost[1] <= 1.01 * 1.01 * lost[0]
    as_usual = tc.Mondrian(guarantees).protect(table, seed=1).frames()["table"]
    assert as_usual.equals(tc.Mondrian(guarantees, effort=1).protect(table, seed=1).frames()["table"])


@pytest.mark.parametrize("effort", [-1, float("nan"), "much"])
def test_an_effort_that_is_none_is_refused(effort):
    with pytest.raises(tc.TacitError, match="effort"):
        tc.Mondrian([tc.KAnonymity(k=2)], effort=effort)
