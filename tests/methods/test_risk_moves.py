"""How value suppression goes about it: what it tells, how its bar moves, how cover is drawn; on random tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.risk import BLANK, as_written, risks
from tests.oracles.risk_blanks import is_covered, peers

import tacit as tc
from tacit.datasets import student_risk, students
from tacit.methods.risk import cover as drawing
from tacit.methods.risk import risk_summaries

READINGS = ["own", "wildcard", "adversary"]
SHARES = st.sampled_from([0.0, 0.005, 0.05, 0.5, 1.0])
NAMES = ("age", "town", "held", "ill")
FLAGS = {"Y": 1.0, "N": 0.0}


@st.composite
def tables(draw):
    rows = draw(st.integers(2, 14))
    column = lambda values: draw(st.lists(st.sampled_from(values), min_size=rows, max_size=rows))  # noqa: E731
    frame = {"age": column("123"), "town": column("ab"), "held": column("YN"), "ill": column("YN")}
    known = {name: draw(SHARES) for name in NAMES}
    weights = {"held": draw(st.sampled_from([0.0, 0.5, 1.0])), "ill": 1.0}
    values = {"ill": FLAGS} | ({"held": {"Y": 0.5, "N": 0.0}} if draw(st.booleans()) else {})  # else all values weigh
    return tc.Table(frame, quasi_identifiers=["age", "town"], sensitive=["held", "ill"]), known, weights, values


def some_people(seed: int, rows: int) -> tc.Table:
    rng = np.random.default_rng(seed)
    values = {"age": list("1234"), "town": list("abc"), "ill": list("YN")}
    frame = {name: rng.choice(each, rows) for name, each in values.items()}
    return tc.Table(frame, quasi_identifiers=["age", "town"], sensitive="ill")


def written_out(table: tc.Table, release: tc.Release) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    true = table.frame.rows(named=True)
    cells = release.inside.cells
    return true, [
        {n: BLANK if blank else row[n] for n, blank in zip(row, blanks, strict=True)}
        for row, blanks in zip(true, cells, strict=True)
    ]


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from(READINGS), st.sampled_from([0.0, 0.01, 0.1, 0.4, 2.0]), st.integers(1, 3))
def test_random_tables_end_at_most_at_delta(case, missing: str, delta: float, cover: int) -> None:
    """Nobody above delta, nobody above what she was before (but for "own"), and blanks that do not mean yes."""
    table, known, weights, values = case
    risk = tc.DisclosureRisk(known=known, weights=weights, value_weights=values, missing=missing)
    release = tc.ValueSuppression(risk=risk, delta=delta, cover=cover).protect(table, seed=1)
    true, shown = written_out(table, release)
    weight = {
        n: {
            v: float(as_written(weights[n]) * as_written(values.get(n, {}).get(v, 0 if n in values else 1)))
            for v in "YN"
        }
        for n in ("held", "ill")
    }
    after = risks(true, shown, known, weight, 1, missing)
    assert max(after) <= as_written(delta)
    if missing != "own":
        assert all(a <= b for a, b in zip(after, risks(true, true, known, weight, 1, missing), strict=True))
    blank = [{n: cell == BLANK for n, cell in row.items()} for row in shown]
    assert all(is_covered(true, blank, column, known, weight, 1, delta, cover) for column in weight)
    assert tc.audit(release).holds is True


@pytest.mark.parametrize("missing", READINGS)
def test_recount_of_a_parquet_file(missing: str, tmp_path: Path) -> None:
    """Read by Polars, without the package: a suppressed cell is null."""
    table = some_people(8, 40)
    known, weight = {"age": 0.5, "town": 0.8, "ill": 0.01}, {"ill": FLAGS}
    risk = tc.DisclosureRisk(known=known, value_weights=weight, missing=missing)
    release = tc.ValueSuppression(risk=risk, delta=0.08).protect(table)
    release.write(tmp_path / "out")
    shown = pl.read_parquet(tmp_path / "out" / "table.parquet").fill_null(BLANK).rows(named=True)
    true, mine = written_out(table, release)
    assert sorted(tuple(row.values()) for row in shown) == sorted(tuple(row.values()) for row in mine)
    people, release_ = (true, mine) if missing == "adversary" else (shown, shown)
    assert any(BLANK in row.values() for row in shown)
    assert max(risks(people, release_, known, weight, 1, missing)) <= as_written(0.08)


@pytest.mark.parametrize("missing", READINGS)
@pytest.mark.parametrize("mode", ["threshold", "one-pass"])
def test_the_bar_moves_and_never_falls_back(missing: str, mode: str) -> None:
    told: list[tuple[str, float]] = []
    risk = tc.DisclosureRisk(**student_risk(), missing=missing)
    tc.ValueSuppression(risk=risk, delta=1.0, mode=mode).protect(
        students(4_000), progress=lambda stage, done: told.append((stage, done))
    )
    shares = np.array([done for _, done in told])
    assert (np.diff(shares) >= 0).all()
    assert shares[0] < 0.3
    assert shares[-1] == 1
    assert len(set(shares.tolist())) > 10
    assert np.diff(shares).max() < 0.5  # no stage is silent
    assert len({stage for stage, _ in told}) > (3 if mode == "threshold" else 1)


def test_score_tells_how_far_it_is() -> None:
    told: list[float] = []
    tc.DisclosureRisk(**student_risk()).score(
        students(4_000), delta=1.0, progress=lambda stage, done: told.append(done)
    )
    assert told == sorted(told)
    assert told[-1] == 1


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table, risk = students(5_000), tc.DisclosureRisk(**student_risk())
    several = tc.ValueSuppression(risk=risk, delta=2).protect(table, seed=3)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert (tc.ValueSuppression(risk=risk, delta=2).protect(table, seed=3).inside.cells == several.inside.cells).all()


@pytest.mark.parametrize("missing", READINGS)
def test_summaries_agree_with_the_oracle(missing: str, tmp_path: Path) -> None:
    table = some_people(5, 60)
    known, weight = {"age": 0.5, "town": 0.8, "ill": 0.0}, {"ill": FLAGS}
    risk = tc.DisclosureRisk(known=known, value_weights=weight, missing=missing)
    release = tc.ValueSuppression(risk=risk, delta=0.1).protect(table)
    before, after, paper = risk_summaries(release, table)
    assert (before.when, after.when, paper.when) == ("before", "after", "the paper's one pass")
    true, shown = written_out(table, release)
    for summary, rows in ((before, true), (after, shown)):
        exact = np.array([float(value) for value in risks(true, rows, known, weight, 1, missing)])
        assert summary.above == int((exact > 0.1).sum())
        assert (summary.rows, summary.delta) == (60, 0.1)
        assert sum(count for _, count in summary.bins) == 60
        # delta is a power of ten: the decades beyond it hold who is above, and nobody else
        histogram = summary.histogram
        assert sum(n for d, n in zip(histogram.decades, histogram.counts, strict=True) if d >= -1) == summary.above
    assert before.above > 0
    assert after.above == 0
    assert after.cells == int(release.inside.cells.sum())
    assert after.ncp == pytest.approx(after.cells / 180, abs=1e-5)
    release.write(tmp_path / "out")
    assert risk_summaries(tc.Release.read(tmp_path / "out"), table) == (before, after, paper)
    foreign = tc.Release.foreign(table.frame, quasi_identifiers=["age", "town"], sensitive="ill")
    assert risk_summaries(foreign, table) == ()


@pytest.mark.parametrize("wanted", [1, 3])
def test_cover_that_is_hard_to_find(wanted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few peers, asked about in many small steps, some of them not decided: enough are found all the same."""
    monkeypatch.setattr(drawing, "_ASKED_AT_LEAST", 2)
    monkeypatch.setattr(drawing, "_ASKED_AT_FIRST", 1)
    monkeypatch.setattr(drawing, "_ROUNDS", 1)
    rng = np.random.default_rng(2)
    frame = {
        "town": np.where(np.arange(120) < 12, [f"t{i}" for i in range(120)], "big"),
        "age": rng.choice(list("12345678"), 120),
        "ill": np.where(np.isin(np.arange(120), (3, 7)), "Y", "N"),
    }
    table = tc.Table(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    known, weight = {"town": 0.8, "age": 0.05}, {"ill": FLAGS}
    risk = tc.DisclosureRisk(known=known, value_weights=weight)
    release = tc.ValueSuppression(risk=risk, delta=0.1, cover=wanted + 1).protect(table)
    true, shown = written_out(table, release)
    blank = [row["ill"] == BLANK for row in shown]
    assert sum(blank) == 2 * (wanted + 1)
    who = peers(true, "ill", known, weight, 1, 0.1)
    assert {i for i, hidden in enumerate(blank) if hidden} <= set(who)
    # Drawn, not taken in order: over a few releases the cover differs.
    covers = {
        tuple(np.flatnonzero(tc.ValueSuppression(risk=risk, delta=0.1, cover=2).protect(table).inside.cells[:, 2]))
        for _ in range(12)
    }
    assert len(covers) > 1


def test_where_cover_runs_out_all_peers_are_blank() -> None:
    frame = {"town": ["a", "b", "c", "d"] + ["big"] * 20, "ill": ["Y", "Y", "Y", "N"] + ["N"] * 20}
    table = tc.Table(frame, quasi_identifiers="town", sensitive="ill")
    risk = tc.DisclosureRisk(known={"town": 0.8}, value_weights={"ill": FLAGS})
    release = tc.ValueSuppression(risk=risk, delta=0.1).protect(table)
    assert release.inside.cells[:, 1].tolist() == [True] * 4 + [False] * 20
    finding = tc.audit(release).findings[0]
    assert finding.holds is True
    assert (finding.posterior, finding.bound) == (0.75, 0.75)
