"""Parts of whole groups: a group is in one file, wherever it came from, and whoever judges notices if it is not."""

from __future__ import annotations

import datetime
from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.engines import StreamingEngine
from tacit.errors import AuditFailed, RoleError
from tacit.methods.large import LargeTable, verdict, writing
from tacit.methods.large.protecting import protect_large
from tacit.methods.large.writing import write_large
from tacit.table import Layout, encode

QI = ["age", "weight", "born", "town", "member"]
MONDRIAN = tc.Mondrian(guarantees=[tc.KAnonymity(k=4), tc.LDiversity(l=2)])
BUCKETS = tc.Pipeline([tc.ShiftSuppression(l=2), tc.Anatomy(l=2)])


def people(rows: int, seed: int) -> tc.Table:
    """Columns of every kind, some with missing values, some that no group blurs."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 60, rows),
            "weight": rng.choice([50.0, 61.5, 72.0, None], rows).astype(np.float64),
            "born": [datetime.date(2000, 1, 1) + datetime.timedelta(days=int(d)) for d in rng.integers(0, 90, rows)],
            "town": rng.choice(["Bath", "*", "a, b", "Cork"], rows),
            "member": rng.random(rows) < 0.5,
            "ill": rng.choice(["flu", "cold", "gout", "mumps"], rows),
        }
    ).with_columns(pl.col("weight").fill_nan(None), town=pl.col("town").replace("Cork", None))
    return tc.Table(frame, quasi_identifiers=QI, sensitive="ill")


def written(method: tc.Method, folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str = "parquet") -> Path:
    monkeypatch.setattr("tacit.methods.large.protecting._PART_ROWS", 300)
    engine = StreamingEngine(fragment_rows=700, scratch=folder / "scratch")
    try:
        release = protect_large(method, LargeTable.of(people(3_000, 7), engine))
        done, _ = write_large(release, folder / "out", format=kind)
    finally:
        engine.close()
    assert done.audit.holds is True
    return done.folder


@pytest.mark.parametrize("kind", ["parquet", "arrow", "csv"])
@pytest.mark.parametrize(("method", "frame", "cells"), [(MONDRIAN, "table", QI), (BUCKETS, "sensitive", ["group"])])
def test_every_group_is_in_one_file(
    method: tc.Method, frame: str, cells: list[str], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = written(method, tmp_path, monkeypatch, kind)
    read = {"parquet": pl.read_parquet, "arrow": pl.read_ipc, "csv": pl.read_csv}[kind]
    files = sorted(out.glob(f"{frame}-*.{kind}"))
    assert len(files) > 5
    where = defaultdict(set)
    for file in files:
        for row in read(file).select(cells).unique().rows():
            where[row].add(file.name)
    assert all(len(names) == 1 for names in where.values())
    # Files tell nothing of the order of groups: neighbours are in different ones.
    assert max(len({g for g, n in where.items() if name in n}) for name in [f.name for f in files]) < len(where) / 3


@pytest.mark.parametrize(("method", "frame"), [(MONDRIAN, "table"), (BUCKETS, "quasi_identifiers")])
def test_a_row_in_another_file_than_its_group_is_noticed(
    method: tc.Method, frame: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = verdict.judge

    def moved(release, files, folder, inside, private, kind):
        names = [name for name in files.column("path").to_pylist() if name.startswith(frame)]
        one, two = folder / names[0], folder / names[1]
        first, second = pq.read_table(one), pq.read_table(two)
        pq.write_table(first.slice(1), one)
        pq.write_table(pa.concat_tables([second, first.slice(0, 1)]), two)
        return original(release, files, folder, inside, private, kind)

    monkeypatch.setattr(writing, "judge", moved)
    with pytest.raises(AuditFailed, match="not whole in one file"):
        written(method, tmp_path, monkeypatch)
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "scratch").iterdir()) == []


def test_rows_that_are_withheld_do_not_change_how_many_files_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"age": rng.integers(0, 300, 2_000), "ill": rng.choice(["a", "b", "c"], 2_000)})
    table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    method = tc.SmallGroups(guarantee=tc.KAnonymity(k=6))
    left = int(method.protect(table).inside.kept.sum())
    assert left < 2_000
    monkeypatch.setattr("tacit.methods.large.protecting._PART_ROWS", left)
    engine = StreamingEngine(fragment_rows=500)
    release = protect_large(method, LargeTable.of(table, engine))
    write_large(release, tmp_path / "out")
    engine.close()
    files = list((tmp_path / "out").glob("table*.parquet"))
    assert sum(pq.read_metadata(file).num_rows for file in files) == left


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.none(), st.sampled_from(["b", "a", "", "Z", "é", "aa", "10", "9"])), max_size=12))
def test_categories_are_encoded_like_the_texts_they_are(cells: list[str | None]) -> None:
    texts = pl.Series("x", cells, dtype=pl.String)
    coded = texts.cast(pl.Enum(["unused", "é", "9", "Z", "a", "10", "b", "", "aa"]))
    one, two = encode(texts), encode(coded)
    assert one.codes.tolist() == two.codes.tolist()
    assert one.values.to_list() == two.values.to_list()
    assert one.values.dtype == two.values.dtype


def test_dictionaries_of_a_file_are_encoded_like_their_texts() -> None:
    table = people(200, 3)
    names = Layout.needed(table)
    layout = Layout.of(table, {name: table.frame[name].unique() for name in names})
    plain = table.frame.to_arrow()
    town, ill = plain.column("town").cast(pa.string()), plain.column("ill").cast(pa.string())
    coded = plain.set_column(names.index("town"), "town", town.dictionary_encode())
    coded = coded.set_column(names.index("ill"), "ill", ill.dictionary_encode())
    for one, two in zip(layout.encode(plain), layout.encode(coded), strict=True):
        assert one.equals(two)


@pytest.mark.parametrize("age", [-5, 25, 999])
def test_a_number_that_was_not_there_before_is_refused(age: int) -> None:
    table = tc.Table({"age": [20, 30], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    layout = Layout.of(table, {name: table.frame[name] for name in Layout.needed(table)})
    with pytest.raises(RoleError, match="did not hold when its values were counted"):
        layout.encode(pa.table({"age": [20, age], "ill": ["a", "a"]}))


def test_a_text_that_was_not_there_before_is_refused() -> None:
    table = tc.Table({"age": [20, 30], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    layout = Layout.of(table, {name: table.frame[name] for name in Layout.needed(table)})
    with pytest.raises(RoleError, match="did not hold when its values were counted"):
        layout.encode(pa.table({"age": [20, 30], "ill": pa.array(["a", "c"]).dictionary_encode()}))


def test_a_piece_that_lacks_a_value_counts_with_the_codes_of_the_whole() -> None:
    table = tc.Table({"age": [20, 20, 30, 30], "ill": ["b", "c", "c", "b"]}, quasi_identifiers="age", sensitive="ill")
    shape = tc.SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table).shape
    assert len(shape.classes.cells) == 2
    piece = shape.among({"ill": pl.Series(["a", "b", "c"])})
    assert set(piece.statistics.histograms["ill"].values.tolist()) == {1, 2}


@pytest.mark.parametrize("method", [MONDRIAN, BUCKETS, tc.SmallGroups(guarantee=tc.KAnonymity(k=2))], ids=str)
def test_what_it_cost_is_that_of_the_release_in_memory(
    method: tc.Method, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tacit.methods.large.protecting._PART_ROWS", 300)
    table = people(2_000, 9)
    if isinstance(method, tc.SmallGroups):
        table = tc.Table(table.frame, quasi_identifiers=["age", "town"], sensitive="ill")
    engine = StreamingEngine(fragment_rows=700)
    try:
        release = protect_large(method, LargeTable.of(table, engine), seed=3)
        beside = tc.utility(release.collected(table), table)
        with pytest.warns(UserWarning, match="seed"):
            _, judged = write_large(release, tmp_path / "out")
    finally:
        engine.close()
    assert judged.cost is not None
    assert judged.cost.ncp == pytest.approx(beside.ncp, rel=1e-12)
    assert judged.cost.ncp_by_column == pytest.approx(beside.ncp_by_column, rel=1e-12)
    assert judged.cost.discernibility == beside.discernibility
    assert judged.cost.average_group_size == pytest.approx(beside.average_group_size)
    assert judged.cost.suppression_rate == beside.suppression_rate


def test_a_cost_that_cannot_be_computed_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(shape: object, layout: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tacit.methods.large.judging.PieceCost.of", fail)
    assert written(MONDRIAN, tmp_path, monkeypatch).exists()
