"""Suppression of skewed values on rows: uniform, aligned, silent about which value it was."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.knowledge.skew import eligible

METHODS = [
    tc.ShiftSuppression(l=3), tc.ShiftSuppression(l=3, hide="top"), tc.SafeDSuppression(l=3), tc.RSuppression(l=3),
    tc.UnsafeDSuppression(l=3), tc.SuppressAll(l=3),
]  # fmt: skip


def skewed(counts=(10, 4, 2, 1, 1), *, copies=1, columns=1, seed=0):
    rng = np.random.default_rng(seed)
    values = np.repeat([f"v{i}" for i in range(len(counts))], np.array(counts) * copies)
    frame = {"age": rng.integers(20, 60, len(values)), "ill": rng.permutation(values)}
    if columns == 2:
        frame["job"] = rng.permutation(values)
    return tc.Table(frame, quasi_identifiers="age", sensitive=["ill", "job"][:columns])


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_the_published_rows_are_eligible_and_as_many_as_expected(method):
    table = skewed(copies=10)
    release = method.protect(table, seed=1)
    counts = release.frames()["table"]["ill"].value_counts()["count"].to_numpy()
    assert not len(counts) or eligible(counts, 3)
    if not isinstance(method, tc.RSuppression):
        assert len(table) - release.shape.rows == method.expected_suppression(table.counts("ill"))
    assert release.inside.group is None
    assert tc.audit(release).holds


def test_the_mean_of_r_suppression_is_what_is_expected():
    table = skewed()
    method = tc.RSuppression(l=3)
    lost = [len(table) - method.protect(table, seed=seed).shape.rows for seed in range(400)]
    assert method.expected_suppression(table.counts("ill")) == Fraction(71, 9)
    assert abs(np.mean(lost) - 71 / 9) < 4 * np.std(lost) / 20


def test_which_rows_of_a_value_go_is_uniform():
    """Chi-squared over 600 releases: every row of the most frequent value is withheld equally often."""
    table = skewed((30, 8, 6, 4, 3))
    top = table.frame["ill"] == "v0"
    gone = np.zeros(len(table))
    for seed in range(600):
        gone += ~tc.ShiftSuppression(l=3).protect(table, seed=seed).inside.kept
    seen = gone[top.to_numpy()]
    expected = seen.mean()
    statistic = ((seen - expected) ** 2 / (expected * (1 - expected / 600))).sum()
    assert statistic < 30 + 5 * np.sqrt(2 * 30)


def test_every_place_is_drawn():
    """The most frequent value ends at each of the l top places about equally often."""
    places = Counter()
    for seed in range(300):
        frame = tc.ShiftSuppression(l=3, hide="top").protect(skewed((40, 9, 6, 5, 4)), seed=seed).frames()["table"]
        counts = dict(frame["ill"].value_counts().iter_rows())
        places[sorted(counts.values(), reverse=True).index(counts["v0"])] += 1
    # Places 2 and 3 are tied (6, 6), so the first of them collects both.
    assert 60 < places[0] < 140
    assert sum(places.values()) == 300


def test_nothing_public_tells_which_value_it_was(tmp_path):
    """Two tables that differ only in which value is the frequent one give release.json files that say the same."""
    public_files = []
    for swap in (False, True):
        frame = skewed((30, 8, 6, 4, 3)).frame
        if swap:
            frame = frame.with_columns(pl.col("ill").replace({"v0": "v1", "v1": "v0"}))
        table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
        release = tc.ShiftSuppression(l=3).protect(table)
        release.write(tmp_path / str(swap), format="csv")
        public = json.loads((tmp_path / str(swap) / "release.json").read_text())
        for entry in public["files"].values():
            entry.pop("sha256")
        for name in ("datapackage.json", "croissant.json", "dcat.jsonld"):  # as the digests of the files
            public["documents"].pop(name)
        public["audit"].pop("warnings")  # what is counted from the frames
        public_files.append(public)
        words = (tmp_path / str(swap) / "release.json").read_text()
        assert "'v0'" not in words
        assert '"v0"' not in words
    assert public_files[0] == public_files[1]


def test_an_ineligible_table_goes_through_a_pipeline():
    table = skewed(copies=20)
    for last in (tc.Anatomy(l=3), tc.Mondrian(guarantees=[tc.LDiversity(l=2, kind="frequency")])):
        release = tc.Pipeline([tc.ShiftSuppression(l=3), last]).protect(table)
        verdict = tc.audit(release)
        assert verdict.holds
        assert [claim.of for claim in release.claims] == ["table", "published rows"]
        assert {f.guarantee for f in verdict.findings} == {"l-dichotomy", "l-diversity"}
        assert (release.inside.group[~release.inside.kept] == -1).all()
    with pytest.raises(tc.Infeasible):
        tc.Anatomy(l=3).protect(table)


def test_a_later_step_may_not_withhold():
    table = skewed(copies=60)
    steps = [tc.ShiftSuppression(l=3), tc.SmallGroups(guarantee=tc.KAnonymity(k=12))]
    for seed in range(5):
        with pytest.raises(tc.Infeasible, match="l-dichotomy"):
            tc.Pipeline(steps).protect(table, seed=seed)


def test_several_sensitive_columns():
    release = tc.ShiftSuppression(l=3).protect(skewed(copies=20, columns=2), seed=3)
    assert release.guarantees == (tc.Eligibility(l=3),)
    assert any("not claimed" in text for text in release.warnings)
    for name in ("ill", "job"):
        assert eligible(release.frames()["table"][name].value_counts()["count"].to_numpy(), 3)
    assert tc.audit(release).holds


def test_l_above_the_number_of_values():
    with pytest.raises(tc.Infeasible, match="5"):
        tc.ShiftSuppression(l=6).protect(skewed())
    release = tc.SuppressAll(l=6).protect(skewed())
    assert release.shape.rows == 0


def test_a_declared_domain_gives_v_shift_values_to_hide_behind():
    frame = {"age": [1] * 20, "ill": ["a"] * 9 + ["b"] * 8 + ["c"] * 2 + ["d"]}
    table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    with pytest.raises(tc.Infeasible, match="top"):
        tc.ShiftSuppression(l=3).protect(table)
    assert tc.ShiftSuppression(l=3, hide="top").protect(table).shape.rows > 0
    assert table.domain_size("ill") is None
    declared = tc.Table(frame, quasi_identifiers="age", sensitive="ill", kinds={"ill": list("abcdef")})
    assert declared.domain_size("ill") == 6


def test_a_forged_release_is_not_l_dichotomous():
    """Somebody adds a row of the frequent value back: the audit counts again."""
    from dataclasses import replace

    from tacit.shapes import Inside, Microdata, Withheld

    table = skewed(copies=10)
    release = tc.ShiftSuppression(l=3).protect(table, seed=1)
    kept = release.inside.kept.copy()
    back = np.flatnonzero(~kept & (table.frame["ill"] == "v0").to_numpy())[:5]
    kept[back] = True
    shape = Microdata.publish(table, kept, np.arange(int(kept.sum())))
    inside = Inside(kept, None, release.inside.cells, release.inside.columns, (Withheld(0, ~kept, "apart"),), (), table)
    forged = replace(release, shape=shape, inside=inside)
    assert tc.audit(forged).holds is False


def test_an_unknown_algorithm_is_not_guaranteed():
    released = tc.Release.foreign(skewed((3, 3, 2)).frame, quasi_identifiers="age", sensitive="ill")
    finding = tc.audit(released, claims=[tc.LDichotomy(l=2)]).findings[0]
    assert finding.holds is None
    assert "not guaranteed" in finding.sentence
