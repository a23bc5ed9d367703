"""QS t-closeness out of core: every fragment is compared with what the whole table tells."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.engines import StreamingEngine
from tacit.methods.large import LargeTable
from tacit.methods.large.beliefs import believed_of_all
from tacit.methods.large.protecting import protect_large
from tacit.methods.large.writing import write_large

KNOWN = {"flu": ["cough", "fever"], "gout": ["pain", "fever"], "cold": ["cough", "sneeze"]}
ITEMS = ["cough", "fever", "pain", "sneeze", "tired"]


def patients(rows: int, seed: int) -> tc.Table:
    rng = np.random.default_rng(seed)
    sets = [[item for item in ITEMS if rng.random() < 0.35] for _ in range(rows)]
    frame = pl.DataFrame({"age": rng.integers(20, 60, rows), "symptoms": pl.Series(sets, dtype=pl.List(pl.String))})
    return tc.Table(frame, quasi_identifiers="age", items="symptoms")


def believed_slowly(table: tc.Table) -> list[Fraction]:
    """Add up, row by row, an equal share for every label of which all items of the row may be symptoms."""
    sums = dict.fromkeys(KNOWN, Fraction(0))
    for items in table.frame["symptoms"].to_list():
        known = [item for item in items if any(item in symptoms for symptoms in KNOWN.values())]
        fitting = [label for label, symptoms in KNOWN.items() if known and set(known) <= set(symptoms)]
        for label in fitting:
            sums[label] += Fraction(1, len(fitting))
    return [share / len(table) for share in sums.values()]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(5, 300))
def test_what_is_believed_of_all_is_exact_whatever_the_batches(seed: int, rows: int) -> None:
    table = patients(rows, seed)
    guarantee = tc.QSCloseness(t=0.5, knowledge=KNOWN)
    engine = StreamingEngine(fragment_rows=50)
    try:
        large = LargeTable.of(table, engine)
        belief = believed_of_all(large, large.rows, guarantee)
    finally:
        engine.close()
    here = guarantee.believed(table).exact
    assert [Fraction(n, belief.denominator) for n in belief.numerators] == [
        Fraction(n, here.denominator) for n in here.numerators
    ]


@pytest.mark.parametrize("prior", ["data", "size", "uniform"])
def test_every_group_is_near_to_what_the_whole_table_tells(prior: str, tmp_path: Path) -> None:
    table = patients(1_500, 3)
    method = tc.QuasiSensitive(guarantee=tc.QSCloseness(t=0.6, knowledge=KNOWN, prior=prior), k=5)
    engine = StreamingEngine(fragment_rows=400, scratch=tmp_path / "scratch")
    try:
        release = protect_large(method, LargeTable.of(table, engine), seed=1)
        assert len(release.about) > 1
        with pytest.warns(UserWarning, match="seed"):
            written, _ = write_large(release, tmp_path / "out")
        assert tc.audit(release.collected(table), table).holds is True
    finally:
        engine.close()
    assert written.audit.holds is True
    shown = pl.concat([pl.read_parquet(file) for file in sorted((tmp_path / "out").glob("table*.parquet"))])
    assert shown.height == 1_500
