"""Nothing leaves that was not published: canaries are planted where files can hide them, and every byte is searched."""

from __future__ import annotations

import getpass
import json
import re
import socket
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from tests.oracles.published_bytes import csv_rows, everything_in, holds
from tests.releases.releases_made import FORMATS, inside_of

from tacit import KAnonymity, Release, Table
from tacit.hierarchies import make
from tacit.methods import Pipeline, SmallGroups
from tacit.shapes import Bucketized, Generalized, Marginals, Microdata

ROWS = 120
SECRET, NUMBER, FRACTION = "CANARY", 0x5EC2E7C0DE15, 31337.015625
SEED = 918273645546372819


def planted() -> Table:
    """Every third row is withheld, every fifth is to be blanked; both hold canaries."""
    bad = [i for i in range(ROWS) if i % 3 == 0 or i % 5 == 0]
    tree = [[value, f"{SECRET}-node", "*"] for value in (f"{SECRET}-domain", f"{SECRET}-cell", "plain")]
    frame = pl.DataFrame(
        {
            "name": [f"{SECRET}-identifier-{i}" for i in range(ROWS)],
            "other": [f"{SECRET}-other-{i}" for i in range(ROWS)],
            "long": [f"{SECRET}-a-text-too-long-to-be-kept-inline-{i}" if i in bad else "x" for i in range(ROWS)],
            "short": [f"{SECRET}{i}" if i in bad else "y" for i in range(ROWS)],
            "number": [NUMBER + i if i in bad else i % 2 for i in range(ROWS)],
            "fraction": [FRACTION if i in bad else 0.5 for i in range(ROWS)],
            "tree": [f"{SECRET}-cell" if i in bad else "plain" for i in range(ROWS)],
            "ill": ["flu" if i % 2 else "cold" for i in range(ROWS)],
            "order": ["low"] * ROWS,
        }
    ).with_columns(
        pl.Series("cat", [f"{SECRET}-category-{i}" if i in bad else "z" for i in range(ROWS)], dtype=pl.Categorical),
        pl.Series("enum", ["a"] * ROWS, dtype=pl.Enum(["a", f"{SECRET}-enum"])),
    )
    return Table(
        frame,
        identifiers="name",
        quasi_identifiers=["long", "short", "number", "fraction", "tree", "cat", "enum", "order"],
        sensitive="ill",
        hierarchies={"tree": make(tree)},
        kinds={"order": ["low", f"{SECRET}-order"]},
    )


def kept_and_cells(table: Table) -> tuple[Any, Any]:
    rows = np.arange(ROWS)
    kept = rows % 3 > 0
    cells = np.zeros((ROWS, len(table.columns)), bool)
    cells[rows % 5 == 0] = True
    cells[:, [column.name for column in table.columns].index("ill")] = False
    return kept, cells


def releases() -> dict[str, Release]:
    table = planted()
    kept, cells = kept_and_cells(table)
    clean = kept & (np.arange(ROWS) % 5 > 0)
    shuffled = np.random.default_rng().permutation
    flat = Generalized.publish(table, clean, shuffled(int(clean.sum())))
    shapes = {
        "suppressed cells": (Microdata.publish(table, kept, shuffled(int(kept.sum())), cells), kept, cells),
        "withheld rows": (flat, clean, None),
        "bucketized": (Bucketized.publish(table, clean, shuffled(int(clean.sum())), np.arange(ROWS) % 4), clean, None),
        "marginals": (Marginals({"a": flat, "b": flat}), clean, None),
    }
    made = {
        name: Release(shape=shape, inside=inside_of(table, kept, cells=cells), size=ROWS)
        for name, (shape, kept, cells) in shapes.items()
    }
    guard = SmallGroups(guarantee=KAnonymity(k=5))
    made["small groups"] = guard.protect(table)
    made["pipeline"] = Pipeline([guard, guard]).protect(table)
    return made


@pytest.mark.parametrize("kind", FORMATS)
def test_no_canary_leaves(tmp_path: Path, kind: str) -> None:
    for name, release in releases().items():
        folder = tmp_path / name
        release.write(folder, format=kind)
        assert release.shape.rows
        for path in folder.iterdir():
            content = everything_in(path)
            assert not holds(content, SECRET), f"{name}: {path.name} holds a text that was not published"
            for i in range(ROWS):
                assert not holds(content, NUMBER + i), f"{name}: {path.name} holds a number that was not published"
            assert not holds(content, FRACTION), f"{name}: {path.name} holds a fraction that was not published"


def test_the_canaries_would_be_found(tmp_path: Path) -> None:
    """The search is worth something: in a file that was written without care, it finds every one."""
    table = planted()
    kept, cells = kept_and_cells(table)
    frame = Microdata.publish(table, kept, np.arange(int(kept.sum()))).frames()["table"]
    for kind, write in {"csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc}.items():
        write(tmp_path / f"careless.{kind}")
        content = everything_in(tmp_path / f"careless.{kind}")
        assert holds(content, SECRET)
        assert holds(content, NUMBER + 5)
        assert holds(content, FRACTION)
    assert cells.any()


@pytest.mark.parametrize("kind", FORMATS)
def test_nothing_of_the_house_leaves(tmp_path: Path, kind: str) -> None:
    (tmp_path / "secretplace").mkdir()
    releases()["small groups"].write(tmp_path / "secretplace" / "out", format=kind)
    day = time.strftime("%Y-%m-%d")
    hints = [str(tmp_path), "secretplace", str(Path.cwd()), day, str(int(time.time()))[:7]]
    hints += [word for word in (socket.gethostname(), getpass.getuser()) if len(word) > 5]
    for path in (tmp_path / "secretplace" / "out").iterdir():
        content = everything_in(path)
        for hint in hints:
            if path.suffix != ".parquet" or not hint.isdigit():
                assert hint.encode() not in path.read_bytes(), f"{path.name} tells {hint}"
        assert b"pandas" not in content
        assert b"index" not in content.lower() or path.suffix == ".parquet"  # Parquet names its own page index


def test_parquet_has_neither_dictionaries_nor_statistics(tmp_path: Path) -> None:
    for name, release in releases().items():
        release.write(tmp_path / name)
        for path in (tmp_path / name).glob("*.parquet"):
            about = pq.ParquetFile(path).metadata
            for group in range(about.num_row_groups):
                for j in range(about.num_columns):
                    column = about.row_group(group).column(j)
                    assert column.statistics is None
                    assert not column.has_dictionary_page
                    assert not column.has_column_index
                    assert not column.has_offset_index
                    assert not any("DICTIONARY" in encoding for encoding in column.encodings)
            assert set(about.metadata) == {b"ARROW:schema", b"tacit"}


def test_release_json_says_what_may_be_public_and_no_more(tmp_path: Path) -> None:
    release = releases()["small groups"]
    release.write(tmp_path / "out")
    about = json.loads((tmp_path / "out" / "release.json").read_text())
    assert set(about) == {
        "format", "tacit", "method", "guarantees", "audit", "shape", "columns", "counts", "files", "documents",
        "reproducible", "iso_20889",
    }  # fmt: skip
    assert about["iso_20889"]["standard"] == "ISO/IEC 20889:2018"
    assert "record suppression" in about["iso_20889"]["techniques"]
    rows = release.shape.rows
    assert about["counts"] == {"rows": ROWS, "published": rows, "withheld": ROWS - rows, "suppressed_cells": {}}
    assert [column.get("hierarchy") for column in about["columns"]] == [None] * 9
    text = json.dumps(about)
    told = [about["files"]["table"]["sha256"], *about["documents"].values()]
    assert set(re.findall(r"\b[0-9a-f]{64}\b", text)) == set(told)
    assert release.inside is not None
    assert release.inside.table is not None
    assert release.inside.table.digest() not in text


def test_suppressed_cells_are_counted_per_column(tmp_path: Path) -> None:
    release = releases()["suppressed cells"]
    release.write(tmp_path / "out", format="csv")
    counts = json.loads((tmp_path / "out" / "release.json").read_text())["counts"]
    header, *rows = csv_rows(tmp_path / "out" / "table.csv")
    stars = {name: sum(row[j] == "*" for row in rows) for j, name in enumerate(header)}
    assert counts["suppressed_cells"] == {name: count for name, count in stars.items() if count}
    assert counts["suppressed_cells"]["cat"] == 16


def test_a_seed_is_written_nowhere_but_its_use_is(tmp_path: Path) -> None:
    guard = SmallGroups(guarantee=KAnonymity(k=5))
    with pytest.warns(UserWarning, match="made with a seed"):
        guard.protect(planted(), seed=SEED).write(tmp_path / "out")
    for path in [*(tmp_path / "out").iterdir(), *(tmp_path / "out.private").iterdir()]:
        content = everything_in(path)
        assert not holds(content, SEED)
        assert not holds(content, hex(SEED)[2:])
    assert json.loads((tmp_path / "out" / "release.json").read_text())["reproducible"] is True
    assert Release.read(tmp_path / "out").reproducible
    guard.protect(planted()).write(tmp_path / "unseeded")  # any warning would be an error
    assert not Release.read(tmp_path / "unseeded").reproducible


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_order_of_rows_says_nothing_of_the_input(tmp_path: Path, kind: str) -> None:
    """Over unseeded runs, the rank correlation of published and given order is that of chance."""
    n, runs, scores = 150, 15, []
    table = Table({"at": list(range(n)), "ill": ["a", "b"] * (n // 2)}, quasi_identifiers="at", sensitive="ill")
    for _ in range(runs):
        release = SmallGroups(guarantee=KAnonymity(k=1)).protect(table)
        release.write(tmp_path / "out", format=kind, overwrite=True)
        if kind == "csv":
            order = [int(row[0]) for row in csv_rows(tmp_path / "out" / "table.csv")[1:]]
        else:
            order = pq.read_table(tmp_path / "out" / "table.parquet")["at"].to_pylist()
        assert sorted(order) == list(range(n))
        scores.append(np.corrcoef(order, np.arange(n))[0, 1] * np.sqrt(n - 1))
        assert release.inside is not None
        scores.append(np.corrcoef(release.inside.group, np.arange(n))[0, 1] * np.sqrt(n - 1))
    assert max(map(abs, scores)) < 6
    assert abs(sum(scores)) / np.sqrt(len(scores)) < 5.5  # one run in ten millions by chance


def test_the_order_of_buckets_says_nothing_of_the_input(tmp_path: Path) -> None:
    """The table of values is sorted by the public number, whatever the order of the rows."""
    n = 60
    table = Table(
        {"at": list(range(n)), "ill": [f"v{i:02}" for i in range(n)]}, quasi_identifiers="at", sensitive="ill"
    )
    number = np.random.default_rng(5).permutation(n)
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(n)
        Release(shape=Bucketized.publish(table, np.ones(n, bool), order, number)).write(tmp_path / str(seed))
    first, second = (pq.read_table(tmp_path / str(seed) / "sensitive.parquet") for seed in range(2))
    assert first.equals(second)
    assert first["group"].to_pylist() == sorted(first["group"].to_pylist())
