"""Linkage: the compiled attack against every victim and every row in turn."""

import datetime as dt
import time

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.cells import Column
from tests.oracles.grouping import key
from tests.oracles.linkage import bucketized_posterior, candidates, flat_posterior

import tacit as tc
from tacit.adversaries import LinkageAdversary
from tacit.errors import RoleError
from tacit.hierarchies import Intervals, TreeHierarchy
from tacit.shapes import Blur, Bucketized, Generalized, Marginals, Microdata, Published, among
from tacit.table import Table

NAN = float("nan")
TOWNS = ["Bath", "Cork", "*", "a, b", "null"]
LAND = TreeHierarchy([["Bath", "UK"], ["Cork", "Eire"], ["a, b", "UK"], ["null", "Eire"], ["Hull", "UK"]])


def table_of(rng, rows, *, hierarchy=True):
    towns = TOWNS[:1] + TOWNS[1:2] + TOWNS[3:] if hierarchy else TOWNS
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 26, rows),
            "town": rng.choice([*towns, None], rows).tolist(),
            "born": [dt.date(2000, 1, 1 + int(d)) for d in rng.integers(0, 4, rows)],
            "ill": rng.choice(["flu", "cold", "gout"], rows),
            "pay": rng.choice([1.0, 2.0, NAN], rows),
        },
        schema_overrides={"town": pl.String},
    )
    return Table(
        frame,
        quasi_identifiers=["age", "town", "born"],
        sensitive=["ill", "pay"],
        hierarchies={"town": LAND, "age": Intervals(width=2)} if hierarchy else None,
    )


def blurred(rng, table):
    """Blur every value of every row at random, in the ways that methods do."""
    ages = ["20", "[20, 21]", "[20, 23]", "[22, 25]", "*", "{20, 25}", "23"]
    towns = [
        "UK",
        "Eire",
        "*",
        "Bath",
        among(["Bath", None]),
        among(["a, b", "Cork"]),
        "null",
        '"null"',
        '"a, b"',
        None,
    ]
    born = ["[2000-01-01, 2000-01-02]", "*", "2000-01-03", "[2000-01-02, 2000-01-04]"]
    return {
        name: Blur(pl.Series(cells, dtype=pl.String), rng.integers(0, len(cells), len(table)))
        for name, cells in {"age": ages, "town": towns, "born": born}.items()
    }


def victims_of(rng, count, names):
    every = {
        "age": rng.choice([19, 20, 21, 22, 23, 25, 99], count),
        "town": rng.choice(["Bath", "Cork", "a, b", "null", "Hull", "Atlantis", "*", None], count).tolist(),
        "born": [dt.date(2000, 1, 1 + int(d)) for d in rng.integers(0, 6, count)],
    }
    frame = pl.DataFrame(every, schema_overrides={"town": pl.String})
    return frame.select(names).with_columns(shoe=pl.lit(42))


def agree(shape, columns, victims, people, posterior):
    """Compare number of candidates, posterior of the likeliest value, and the whole posterior."""
    published = Published(shape)
    attack = LinkageAdversary(victims=victims).attack(published)
    beliefs = {name: belief.values() for name, belief in attack.beliefs.items()}
    for i, victim in enumerate(victims.iter_rows(named=True)):
        rows = candidates(people, columns, victim)
        assert attack.candidates[i] == len(rows)
        for name, belief in attack.beliefs.items():
            expected = posterior(rows, name)
            top = max(expected.values(), default=0)
            assert belief.posterior[i] == pytest.approx(float(top))
            if rows:
                assert expected[key(beliefs[name][i])] == pytest.approx(float(top))
            else:
                assert beliefs[name][i] is None
            told = LinkageAdversary().posterior(published, victim, name)
            assert {key(value): share for value, share in told.items()} == pytest.approx(
                {value: float(share) for value, share in expected.items()}
            )


SOME = st.sampled_from([["age"], ["town"], ["born"], ["age", "town"], ["town", "born"], ["age", "town", "born"]])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 25), SOME)
def test_generalized(seed, rows, names):
    rng = np.random.default_rng(seed)
    table = table_of(rng, rows)
    kept = rng.random(rows) < 0.9
    shape = Generalized.publish(table, kept, rng.permutation(int(kept.sum())), blurred(rng, table))
    uk, eire = frozenset({"Bath", "a, b", "Hull"}), frozenset({"Cork", "null"})
    columns = {
        "age": Column("numeric", nodes={f"[{a}, {b}]": frozenset(range(a, b + 1)) for a, b in [(20, 21), (20, 23)]}),
        "town": Column("categorical", nodes={"UK": uk, "Eire": eire}),
        "born": Column("date"),
    }
    frame = shape.frames()["table"]
    agree(shape, columns, victims_of(rng, 6, names), frame, lambda found, name: flat_posterior(frame, found, name))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 25), SOME)
def test_microdata_with_suppressed_cells(seed, rows, names):
    rng = np.random.default_rng(seed)
    table = table_of(rng, rows, hierarchy=False)
    cells = rng.random((rows, 5)) < 0.2
    cells[:, 3:] = False
    shape = Microdata.publish(table, np.ones(rows, bool), rng.permutation(rows), cells)
    columns = {
        name: Column(kind, blurred=shape.column(name).blurred, suppressed=shape.column(name).suppressed)
        for name, kind in {"age": "numeric", "town": "categorical", "born": "date"}.items()
    }
    frame = shape.frames()["table"]
    agree(shape, columns, victims_of(rng, 6, names), frame, lambda found, name: flat_posterior(frame, found, name))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 25), SOME)
def test_bucketized(seed, rows, names):
    rng = np.random.default_rng(seed)
    table = table_of(rng, rows, hierarchy=False)
    group = rng.integers(0, 1 + rows // 3, rows)
    shape = Bucketized.publish(table, np.ones(rows, bool), rng.permutation(rows), group)
    frames = shape.frames()
    columns = {name: Column(blurred=False) for name in ("age", "town", "born")}

    def posterior(found, name):
        return bucketized_posterior(frames["quasi_identifiers"], frames[f"sensitive_{name}"], found, name)

    agree(shape, columns, victims_of(rng, 6, names), frames["quasi_identifiers"], posterior)


def published(frame, **roles):
    table = Table(frame, **{"quasi_identifiers": "age", "sensitive": "ill", **roles})
    return Published(Generalized.publish(table, np.ones(len(table), bool), np.arange(len(table))))


def test_by_default_everybody_is_a_victim():
    release = published({"age": [1, 1, 1, 2, 3, 3], "ill": ["a", "a", "b", "c", "b", "a"]})
    attack = LinkageAdversary().attack(release)
    assert attack.candidates.tolist() == [3, 1, 2]
    assert attack.beliefs["ill"].values().to_list() == ["a", "c", "a"]
    assert attack.beliefs["ill"].posterior.tolist() == pytest.approx([2 / 3, 1, 1 / 2])
    assert attack.max_posterior == 1.0


def test_everybody_equals_the_people_themselves_as_victims():
    rng = np.random.default_rng(3)
    table = table_of(rng, 60, hierarchy=False)
    everyone, order = np.ones(60, bool), rng.permutation(60)
    for shape in (
        Generalized.publish(table, everyone, order),
        Bucketized.publish(table, everyone, order, rng.integers(0, 12, 60)),
    ):
        release = Published(shape)
        one = LinkageAdversary().attack(release)
        other = LinkageAdversary(victims=table.frame.select(table.quasi_identifiers)).attack(release)
        for name in table.sensitive:
            assert set(np.round(one.beliefs[name].posterior, 9)) == set(np.round(other.beliefs[name].posterior, 9))
        assert set(one.candidates) == set(other.candidates)
        assert one.candidates.sum() == 60


def test_who_is_in_two_buckets_is_not_known_by_her_bucket():
    table = Table({"age": [1, 1], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    shape = Bucketized.publish(table, np.ones(2, bool), np.arange(2), np.array([0, 1]))
    attack = LinkageAdversary().attack(Published(shape))
    assert attack.candidates.tolist() == [2]
    assert attack.beliefs["ill"].posterior.tolist() == [0.5]
    assert LinkageAdversary().warn(Published(shape)) == []


def test_a_warning_counts_people():
    release = published({"age": [1, 1, 2, 3, 3], "ill": ["a", "a", "c", "b", "a"]})
    (notice,) = LinkageAdversary().warn(release)
    assert (notice.people, notice.posterior) == (3, 1.0)
    assert "3 rows are in groups where all have the same value" in notice.sentence
    (notice,) = LinkageAdversary(victims={"age": [2, 3, 77]}).warn(release)
    assert "1 person is in" in notice.sentence


def test_without_sensitive_columns_she_still_finds_rows():
    release = published({"age": [1, 1, 2]}, sensitive=())
    attack = LinkageAdversary(victims={"age": [1, 2, 3]}).attack(release)
    assert attack.candidates.tolist() == [2, 1, 0]
    assert attack.beliefs == {}
    assert attack.max_posterior == 0.0
    assert attack.frame().columns == ["candidates"]
    assert LinkageAdversary().attack(release).candidates.tolist() == [2, 1]


def test_no_victims_and_nothing_published():
    release = published({"age": [1, 2], "ill": ["a", "b"]})
    empty = LinkageAdversary(victims={"age": pl.Series([], dtype=pl.Int64)}).attack(release)
    assert empty.frame().height == 0
    assert empty.max_posterior == 0.0
    table = Table({"age": [1], "ill": ["a"]}, quasi_identifiers="age", sensitive="ill")
    nothing = Published(Generalized.publish(table, np.zeros(1, bool), np.zeros(0, int)))
    assert LinkageAdversary(victims={"age": [1, 2]}).attack(nothing).candidates.tolist() == [0, 0]
    assert LinkageAdversary().attack(nothing).candidates.tolist() == []


def test_victims_of_any_kind_of_frame():
    import pandas as pd
    import pyarrow as pa

    release = published({"age": [1, 1, 2], "ill": ["a", "b", "c"]})
    for victims in (
        {"age": [1, 2]},
        pd.DataFrame({"age": [1.0, 2.0]}),
        pa.table({"age": [1, 2]}),
        pl.LazyFrame({"age": ["1", " 2"]}),
        {"age": np.array([1, 2], dtype=np.int8)},
    ):
        assert LinkageAdversary(victims=victims).attack(release).candidates.tolist() == [2, 1]


def test_what_cannot_be_read_as_a_number_or_a_date_is_named():
    release = published({"age": [1, 2], "ill": ["a", "b"]})
    with pytest.raises(RoleError, match="Column 'age' holds 'old', which is not a number"):
        LinkageAdversary(victims={"age": ["1", "old"]}).attack(release)
    release = published({"born": [dt.date(2000, 1, 1)], "ill": ["a"]}, quasi_identifiers="born")
    with pytest.raises(RoleError, match="not a date such as 2024-01-31"):
        LinkageAdversary(victims={"born": ["1.1.2000"]}).attack(release)
    assert LinkageAdversary(victims={"born": ["2000-01-01", None]}).attack(release).candidates.tolist() == [1, 0]


def test_a_victim_with_a_null_matches_a_null():
    release = published({"age": [1, None, None], "ill": ["a", "b", "c"]})
    assert LinkageAdversary(victims={"age": [1, None]}).attack(release).candidates.tolist() == [1, 2]


def test_a_list_of_victims_about_something_else():
    release = published({"age": [1], "ill": ["a"]})
    with pytest.raises(RoleError, match=r"none of the quasi-identifiers age. Its columns are shoe, hat"):
        LinkageAdversary(victims={"shoe": [1], "hat": [2]}).attack(release)
    with pytest.raises(RoleError, match="no column 'ilk'"):
        LinkageAdversary().posterior(release, {"age": 1}, "ilk")


def test_who_knows_nothing_believes_the_published_shares():
    release = published({"age": [1, 2, 3], "ill": ["a", "b", "a"]})
    assert LinkageAdversary().posterior(release, {}, "ill") == pytest.approx({"a": 2 / 3, "b": 1 / 3})
    assert LinkageAdversary().posterior(release, {"age": 9}, "ill") == {}


def test_codes_that_are_numbers_but_not_measured():
    frame = {"zip": [1234, 13053, 13053], "ill": ["a", "b", "c"]}
    table = Table(
        frame,
        quasi_identifiers="zip",
        sensitive="ill",
        kinds={"zip": "categorical"},
        hierarchies={"zip": {"prefix": 5}},
    )
    everyone = np.ones(3, bool)
    blur = Blur(pl.Series(["01***", "13***"]), np.array([0, 1, 1]))
    for shape in (
        Generalized.publish(table, everyone, np.arange(3), {"zip": blur}),
        Generalized.publish(table, everyone, np.arange(3)),
    ):
        attack = LinkageAdversary(victims={"zip": [1234, 13053, 99999]}).attack(Published(shape))
        assert attack.candidates.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"group": [1, 1, 2, 2], "ill": list("abab"), "count": [2, 0, 0, 1]}, "A count of 'ill' is 0"),
        ({"group": [1], "ill": ["a"], "count": [2]}, "Group 2 has people but no value of 'ill'"),
    ],
)
def test_values_that_nobody_has_and_people_without_values_are_refused(values, why):
    frames = {"quasi_identifiers": {"group": [1, 1, 2], "age": [30, 30, 40]}, "sensitive": values}
    with pytest.raises(tc.RoleError, match=why):
        tc.Release.foreign(frames, quasi_identifiers="age", sensitive="ill")


def marginals():
    table = Table(
        {"age": [1, 1, 2, 2], "sex": ["f", "m", "f", "m"], "ill": ["a", "b", "c", "c"]},
        quasi_identifiers=["age", "sex"],
        sensitive="ill",
    )
    everyone, order = np.ones(4, bool), np.arange(4)
    one = Generalized.publish(table, everyone, order, {"sex": Blur(pl.Series(["*"]), np.zeros(4, int))})
    other = Generalized.publish(table, everyone, order, {"age": Blur(pl.Series(["*"]), np.zeros(4, int))})
    return Published(Marginals({"by age": one, "by sex": other}))


def test_every_marginal_is_looked_into():
    victims = LinkageAdversary(victims={"age": [1, 2], "sex": ["m", "f"]}).attack(marginals())
    assert victims.candidates.tolist() == [2, 2]
    assert victims.beliefs["ill"].posterior.tolist() == [0.5, 1.0]
    assert victims.beliefs["ill"].values().to_list() == ["a", "c"]
    everybody = LinkageAdversary().attack(marginals())
    assert everybody.max_posterior == 1.0
    assert everybody.candidates.tolist() == [2, 2, 2, 2]
    (notice,) = LinkageAdversary().warn(marginals())
    assert "2 rows are in groups of 'by age' where" in notice.sentence


def test_marginals_with_different_columns():
    release = tc.Release.foreign(
        {"a": {"age": [1, 2]}, "b": {"zip": ["x", "x"], "ill": ["flu", "flu"]}},
        quasi_identifiers=["age", "zip"],
        sensitive="ill",
    )
    assert LinkageAdversary(victims={"age": [1]}).attack(release).candidates.tolist() == [1]
    found = LinkageAdversary(victims={"age": [1], "zip": ["x"]}).attack(release)
    assert found.beliefs["ill"].posterior.tolist() == [1.0]
    assert LinkageAdversary().attack(release).beliefs["ill"].posterior.tolist() == [0.0, 0.0, 1.0]
    assert LinkageAdversary().posterior(release, {"zip": "x"}, "ill") == {"flu": 1.0}


def test_many_victims_and_many_classes():
    rng = np.random.default_rng(0)
    rows, asked = 40_000, 50_000
    table = Table(
        {
            "age": rng.integers(0, 90, rows),
            "zip": rng.integers(0, 1000, rows),
            "ill": rng.integers(0, 20, rows),
        },
        quasi_identifiers=["age", "zip"],
        sensitive="ill",
    )
    low = np.arange(90) // 3 * 3
    ages = Blur(pl.Series([f"[{a}, {a + 5}]" for a in low]), table.frame["age"].to_numpy())
    zips = Blur(pl.Series([f"[{z}, {z + 7}]" for z in range(1000)]), table.frame["zip"].to_numpy())
    shape = Generalized.publish(table, np.ones(rows, bool), rng.permutation(rows), {"age": ages, "zip": zips})
    victims = {"age": rng.integers(0, 90, asked), "zip": rng.integers(0, 1000, asked)}
    assert len(shape.classes.weights) > 20_000
    LinkageAdversary(victims={"age": [1], "zip": [1]}).attack(Published(shape))  # compiles
    begun = time.process_time()
    attack = LinkageAdversary(victims=victims).attack(Published(shape))
    assert time.process_time() - begun < 30
    frame = shape.frames()["table"]
    for i in range(0, asked, 12_500):
        fits = ((low[table.frame["age"]] <= victims["age"][i]) & (victims["age"][i] <= low[table.frame["age"]] + 5)) & (
            (table.frame["zip"].to_numpy() <= victims["zip"][i])
            & (victims["zip"][i] <= table.frame["zip"].to_numpy() + 7)
        )
        assert attack.candidates[i] == fits.sum()
    assert frame.height == rows


def test_a_suppressed_value_is_not_known_for_sure():
    table = Table(
        {"age": [30, 31, 32, 32], "ill": ["flu", "flu", "cold", "gout"]}, quasi_identifiers="age", sensitive="ill"
    )
    cells = np.zeros((4, 2), bool)
    cells[[0, 2], 1] = True
    release = Published(Microdata.publish(table, np.ones(4, bool), np.arange(4), cells))
    found = LinkageAdversary(victims={"age": [30, 31, 32]}).attack(release).beliefs["ill"]
    assert found.posterior.tolist() == [0.0, 1.0, 0.5]
    assert found.values().to_list() == [None, "flu", "gout"]
    everybody = LinkageAdversary().attack(release)
    assert dict(zip(everybody.candidates.tolist(), everybody.beliefs["ill"].posterior.tolist(), strict=True))[2] == 0.5
    assert int((everybody.beliefs["ill"].posterior >= 1.0).sum()) == 1


def test_groups_with_suppressed_values_are_not_judged():
    table = Table({"age": [30, 30, 31, 31], "ill": ["flu", "cold"] * 2}, quasi_identifiers="age", sensitive="ill")
    cells = np.zeros((4, 2), bool)
    cells[0, 1] = True
    release = Published(Microdata.publish(table, np.ones(4, bool), np.arange(4), cells))
    verdict = tc.audit(release, claims=[tc.LDiversity(l=2), tc.KAnonymity(k=2)])
    assert [finding.holds for finding in verdict.findings] == [None, True]
