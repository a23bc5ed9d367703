"""The distribution adversary on releases of every shape, and the methods that are here for comparison."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.optimize import linear_sum_assignment
from tests.oracles.distribution import distribution, remembered
from tests.properties.test_distribution_art import groups_of, people

import tacit as tc
from tacit.knowledge.distribution import Distribution


@pytest.mark.parametrize("view", ["exact", "paper"])
def test_posteriors_on_a_bucketized_release(view: str) -> None:
    frame = people(9, 90)
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    release = tc.Anatomy(l=2).protect(table, seed=2)
    found = tc.DistributionAdversary(distribution=table, min_support=8, view=view).attack(release)["ill"].frame()
    known = distribution(frame.to_dicts(), ["town", "age"], "ill", 8)
    shown = release.frames()["quasi_identifiers"].with_columns(found["posterior"])
    expected: dict[int, list[float]] = {}
    for members, values in groups_of(release, frame):
        best = [0.0] * len(members)
        for chosen in known.sets:
            rows = [known(member, chosen) for member in members]
            for value in set(values):
                two = [{True: row.get(value, 0), False: 1 - row.get(value, 0)} for row in rows]
                asked = remembered(rows, values) if view == "exact" else remembered(two, [v == value for v in values])
                for i, mine in enumerate(asked or []):
                    best[i] = max(best[i], float(mine.get(value if view == "exact" else True, 0)))
        expected[members[0]["group"]] = best
    for (group,), part in shown.group_by("group", maintain_order=True):
        assert part["posterior"].to_list() == pytest.approx(expected[group], abs=1e-9)


def test_a_generalized_release_with_and_without_the_people() -> None:
    frame = people(5, 200, strength=1.5)
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=20)]).protect(table, seed=1)
    blind = tc.DistributionAdversary(distribution=table, min_support=1).attack(release)["ill"]
    assert (blind.attributes == -1).all()  # everybody in a group looks alike
    seeing = tc.DistributionAdversary(distribution=table, min_support=1, people=frame, view="paper")
    found = seeing.attack(release)["ill"]
    assert found.max_posterior > blind.max_posterior
    assert len(found.posterior) == frame.height
    with pytest.raises(tc.RoleError, match="do not fit"):
        tc.DistributionAdversary(distribution=table, people=frame.head(10)).attack(release)
    finding = tc.audit(release, claims=[tc.RRobustness(r=1.01, view="paper", min_support=1)], adversaries=[])
    assert finding.findings[-1].posterior == pytest.approx(found.max_posterior)


def test_warnings_are_about_what_the_group_does_not_say() -> None:
    known = {"who": ["s0", "s1"], "ill": ["x", "x"], "probability": [0.5, 0.001]}
    frames = {
        "quasi_identifiers": {"group": [1, 1], "who": ["s0", "s1"]},
        "sensitive": {"group": [1, 1], "ill": ["x", "y"], "count": [1, 1]},
    }
    release = tc.Release.foreign(frames, quasi_identifiers="who", sensitive="ill")
    warned = tc.DistributionAdversary(distribution=known).warn(release)
    assert warned[0].people == 2
    assert warned[0].posterior == pytest.approx(0.999, abs=1e-3)
    assert tc.DistributionAdversary().warn(release) == []


def test_signatures_without_support_have_the_whole_distribution() -> None:
    frame = people(6, 60)
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    known, counted = distribution(frame.to_dicts(), ["town", "age"], "ill", 7), Distribution.of(table, min_support=7)
    cells = table.groups()
    first = cells.first()
    codes = [table.codes(name).codes[first] for name in table.quasi_identifiers]
    signatures = counted.signatures(codes, cells.count)
    names = counted.values.to_list()
    for cell, row in enumerate(frame[first].iter_rows(named=True)):
        for number, chosen in enumerate(counted.sets):
            expected = known(row, tuple(counted.columns[j] for j in chosen))
            found = counted.chances[signatures[cell, number]]
            assert found.tolist() == pytest.approx([float(expected.get(name, 0)) for name in names])


def test_many_wide_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({f"q{i}": rng.integers(0, 10**9, 300) for i in range(6)}).with_columns(
        pl.Series("ill", rng.choice(["x", "y", "z"], 300))
    )
    table = tc.Table(frame, quasi_identifiers=[f"q{i}" for i in range(6)], sensitive="ill")
    counted = Distribution.of(table, min_support=1)
    codes = [table.codes(name).codes for name in table.quasi_identifiers]
    signatures = counted.signatures(codes, 300)
    values = table.codes("ill").codes
    assert (counted.chances[signatures[:, -1], values] == 1.0).all()  # everybody is alone in her cell


def test_mask_hides_shares_and_counts_what_it_changed() -> None:
    frame = people(7, 600, strength=1.0)
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    release = tc.Mask(k=10, l=3, protected=["v0"]).protect(table, seed=3)
    for _, values in groups_of(release, frame):
        assert 3 * values.count("v0") <= len(values)
        assert len(values) >= 10
    before = frame["ill"].value_counts().sort("ill")["count"].to_numpy()
    after = release.frames()["sensitive"].group_by("ill").agg(pl.col("count").sum()).sort("ill")["count"].to_numpy()
    said = int(str(release.inside.remarks[0]).split()[0].replace(",", ""))
    assert said >= np.abs(before - after).sum() // 2 > 0
    with pytest.raises(tc.Infeasible, match="lend"):
        tc.Mask(k=2, l=9, protected=["v0", "v1", "v2"]).protect(table)


def test_injector_forbids_nothing_in_a_bucket() -> None:
    rng = np.random.default_rng(1)
    frame = people(8, 400).with_columns(pl.Series("sex", rng.choice(["f", "m"], 400)))
    ruled_out = (pl.col("sex") == "m") & (pl.col("ill") == "v0")
    frame = frame.with_columns(pl.when(ruled_out).then(pl.lit("v1")).otherwise(pl.col("ill")).alias("ill"))
    table = tc.Table(frame, quasi_identifiers=["town", "sex"], sensitive="ill")
    release = tc.Injector(l=2).protect(table, seed=1)
    assert release.inside.kept.mean() > 0.9
    for members, values in groups_of(release, frame)[: len(release.shape.statistics.sizes)]:
        kinds = sorted(set(values))
        for member in members:
            possible = 0
            for kind in kinds:  # is the value in some assignment that no rule forbids?
                others = [m for m in members if m is not member]
                rest = list(values)
                rest.remove(kind)
                cost = np.array([[m["sex"] == "m" and v == "v0" for v in rest] for m in others], dtype=float)
                rows, columns = linear_sum_assignment(cost.reshape(len(others), len(rest)))
                fits = not (member["sex"] == "m" and kind == "v0")
                possible += fits and cost.reshape(len(others), len(rest))[rows, columns].sum() == 0
            assert possible >= 2
    assert not any(
        "m" in [m["sex"] for m in members] and "v0" in values
        for members, values in groups_of(release, frame)[: len(release.shape.statistics.sizes)]
    )
