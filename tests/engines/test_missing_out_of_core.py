"""Rows in which a value is missing are withheld out of core, with enough others to cover them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.engines import StreamingEngine
from tacit.errors import Infeasible, ParameterError
from tacit.methods.large import LargeTable
from tacit.methods.large.protecting import protect_large
from tacit.methods.large.writing import write_large

METHOD = tc.Mondrian(guarantees=[tc.KAnonymity(k=4), tc.LDiversity(l=2, kind="frequency")])


def people(rows: int, seed: int, share: float) -> tc.Table:
    rng = np.random.default_rng(seed)
    ill = rng.choice(["flu", "cold", "gout", "mumps", "lupus"], rows)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "town": rng.choice(["Bath", "Cork", "Ely"], rows),
            "ill": [None if gone else value for gone, value in zip(rng.random(rows) < share, ill, strict=True)],
        }
    )
    return tc.Table(frame, quasi_identifiers=["age", "town"], sensitive="ill", missing="withhold")


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.002, 0.05]))
def test_nobody_with_a_missing_value_is_published_and_the_withheld_are_covered(seed: int, share: float) -> None:
    table = people(1_200, seed, share)
    engine = StreamingEngine(fragment_rows=400)
    try:
        release = METHOD.protect(table, engine=engine, seed=seed)
    except Infeasible:
        return  # a fragment may have no cover for the rows it must withhold
    finally:
        engine.close()
    kept = release.inside.kept
    missing = table.frame["ill"].is_null().to_numpy()
    assert not (kept & missing).any()
    assert missing.any() or kept.all()
    gone = table.frame.filter(pl.Series(~kept))["ill"].to_list()
    if gone:
        assert len(gone) >= 4
        assert 2 * max(Counter(gone).values()) <= len(gone)
    assert tc.audit(release, table).holds is True


def test_what_is_written_is_judged_with_those_who_are_withheld(tmp_path: Path) -> None:
    table = people(3_000, 1, 0.02)
    engine = StreamingEngine(fragment_rows=900, scratch=tmp_path / "scratch")
    try:
        release = protect_large(METHOD, LargeTable.of(table, engine))
        written, _ = write_large(release, tmp_path / "out")
    finally:
        engine.close()
    assert written.audit.holds is True
    assert release.size - release.rows >= table.frame["ill"].null_count() > 0
    shown = pl.concat([pl.read_parquet(file) for file in sorted((tmp_path / "out").glob("table*.parquet"))])
    assert shown["ill"].null_count() == 0
    assert shown.height == release.rows


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (tc.SmallGroups(guarantee=tc.KAnonymity(k=2)), "outside memory by mondrian alone"),
        (tc.Mondrian(guarantees=[tc.KAnonymity(k=2), tc.TCloseness(t=0.5)]), "compares all others with"),
    ],
)
def test_what_looks_at_all_withheld_rows_is_refused(method: tc.Method, sentence: str) -> None:
    engine = StreamingEngine(fragment_rows=100)
    with pytest.raises(ParameterError, match=sentence):
        method.protect(people(300, 1, 0.1), engine=engine)
    engine.close()
