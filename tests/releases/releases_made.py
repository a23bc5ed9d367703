"""Releases to write: every type, every shape, and what must not leave planted in them."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from polars.testing import assert_frame_equal

from tacit import KAnonymity, Release, Table
from tacit.methods import SmallGroups
from tacit.shapes import Blur, Bucketized, Claim, Generalized, Inside, Marginals, Microdata, Remark, Shape, Withheld

FORMATS = ("csv", "parquet", "arrow", "xlsx", "stata", "spss")
TEXTS = [
    "flu",
    'say "hi"',
    "two\nlines",
    "\r",
    "a\r\nb",
    "007",
    "",
    "*",
    "**",
    '"*"',
    "null",
    "日本 é 🜁",
    " padded ",
    "a,b;c\td",
    "'quoted'",
    "[1, 2]",
    "{a, b}",
    "-5",
    "=1+1",
    "'=1",
    "\x00\x1f",
    "\ufeffmark",
    "\\n",
    "NaN",
]
STRANGE = ["  ", " ", "a,b", 'q"q', "line\nend", "=cmd()", "'=cmd()", "\ufeffname", "ü/..", "-1", "a;b", "\t"]


def every_type(rows: int = 24) -> pl.DataFrame:
    """One column per type that a table takes; each has nulls, and the values that are easily lost."""
    moment = dt.datetime(2024, 10, 27, 0, 30, 0, 123456)  # an hour that is there twice in Berlin
    moments = [moment, moment + dt.timedelta(hours=1), dt.datetime(1800, 1, 1), dt.datetime(2999, 12, 31, 23, 59, 59)]
    times = {
        f"at {unit} {zone}": pl.Series(moments, dtype=pl.Datetime(unit))
        if zone is None
        else pl.Series(moments, dtype=pl.Datetime(unit)).dt.replace_time_zone("UTC").dt.convert_time_zone(zone)
        for unit in ("ms", "us")
        for zone in (None, "UTC", "Europe/Berlin")
    }
    times["at ns None"] = pl.Series(["2024-01-01 00:00:00.000000001"]).str.to_datetime(time_unit="ns")
    whole = {}
    for kind, bits, signed in [
        (pl.Int8, 8, True), (pl.Int16, 16, True), (pl.Int32, 32, True), (pl.Int64, 64, True),
        (pl.UInt8, 8, False), (pl.UInt16, 16, False), (pl.UInt32, 32, False), (pl.UInt64, 64, False),
    ]:  # fmt: skip
        ends = [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] if signed else [0, 2**bits - 1]
        whole[kind.__name__] = pl.Series(ends, dtype=kind)
    floats = [math.nan, -0.0, 0.1 + 0.2, 5e-324, 1.7976931348623157e308, 1e16, -1.5, 2.0]
    distinct = {
        **whole,
        **times,
        "float": pl.Series(floats),
        "single": pl.Series([math.nan, 0.1, -1e-40, 3.4e38], dtype=pl.Float32),
        "bool": pl.Series([True, False]),
        "date": pl.Series([dt.date(1, 1, 1), dt.date(2024, 2, 29), dt.date(9999, 12, 31)]),
        "text": pl.Series(TEXTS),
    }
    columns = []
    for name, values in distinct.items():
        cycle = pl.concat([values, pl.Series([None], dtype=values.dtype)])
        columns.append(cycle.gather(np.arange(rows) % len(cycle)).alias(name))
    return pl.DataFrame(columns)


def table_of(frame: pl.DataFrame, *, sensitive: int = 1) -> Table:
    """Make every column a quasi-identifier, beside a person's name and sensitive columns without nulls."""
    names = pl.Series("name", [f"person {i}" for i in range(frame.height)])
    ills = [pl.Series(f"ill{j}", [f"ill {(i + j) % 3}" for i in range(frame.height)]) for j in range(sensitive)]
    return Table(
        frame.with_columns(names, *ills),
        identifiers="name",
        quasi_identifiers=frame.columns,
        sensitive=[ill.name for ill in ills],
    )


def inside_of(table: Table, kept: Any, group: Any = None, cells: Any = None) -> Inside:
    """Say what must not leave."""
    names = tuple(column.name for column in table.columns)
    blank = np.zeros((len(table), len(names)), bool) if cells is None else cells
    withheld = (Withheld(0, ~kept, "group"), Withheld(1, ~kept & False, "apart"))
    return Inside(kept, group, blank, names, withheld, remarks=(Remark("for the owner: 'é'"),), table=table)


def blanked(table: Table, seed: int = 0) -> Release:
    """Microdata with a third of the cells suppressed, beside nulls that were there before."""
    rng = np.random.default_rng(seed)
    kept = rng.random(len(table)) < 0.8
    cells = rng.random((len(table), len(table.columns))) < 0.3
    for name in (*table.identifiers, *table.sensitive):
        cells[:, [column.name for column in table.columns].index(name)] = False
    shape = Microdata.publish(table, kept, rng.permutation(int(kept.sum())), cells)
    return Release(shape=shape, inside=inside_of(table, kept, cells=cells), size=len(table))


def shapes_of(table: Table) -> dict[str, Shape]:
    """Publish a table in every shape."""
    n = len(table)
    kept, order = np.ones(n, bool), np.random.default_rng(1).permutation(n)
    group = np.arange(n) // 4
    blurs = {
        name: Blur(pl.Series(["[1, 2]", '{a, "b, c"}', "*", "node", None, '"*"', ""]), np.arange(n) % 7)
        for name in table.quasi_identifiers[:3]
    }
    flat = Generalized.publish(table, kept, order, blurs)
    return {
        "microdata": Microdata.publish(table, kept, order),
        "generalized": flat,
        "bucketized": Bucketized.publish(table, kept, order, group),
        "marginals": Marginals(
            dict.fromkeys(["plain", "frame-4", "../up", "PLAIN", "frame-0", "ü", "sensitive_x"], flat)
        ),
    }


def protected(rows: int = 40, k: int = 2, **options: Any) -> Release:
    """A release as a method makes it, with claims, withheld rows and groups."""
    frame = {
        "age": [30 + i // 3 for i in range(rows)],
        "ill": [("flu", "cold", "hiv")[i % 3] for i in range(rows)],
    }
    table = Table(frame, quasi_identifiers="age", sensitive="ill")
    return SmallGroups(guarantee=KAnonymity(k=k)).protect(table, **options)


def claims_too_much(release: Release, guarantee: Any = None) -> Release:
    """Forge a stronger claim than the release keeps."""
    from dataclasses import replace

    return replace(release, claims=(Claim(guarantee or KAnonymity(k=10**6)),))


def assert_same(release: Release, again: Release) -> None:
    """The same frames to the bit, the same schema, the same story, but for the input."""
    assert list(release.frames()) == list(again.frames())
    for name, frame in release.frames().items():
        assert_frame_equal(frame, again.frames()[name], check_exact=True)
    assert again.shape.name == release.shape.name
    assert [_told(column) for column in again.shape.columns] == [_told(column) for column in release.shape.columns]
    assert again.claims == release.claims
    assert again.guarantees == release.guarantees
    assert again.size == release.size
    assert again.warnings == release.warnings
    assert again.reproducible == release.reproducible
    assert (again.inside is None) == (release.inside is None)
    if release.inside is not None and again.inside is not None:
        assert again.inside.table is None
        assert_same_inside(release.inside, again.inside)


def assert_same_inside(inside: Inside, again: Inside) -> None:
    """Kept rows, groups, cells and withheld rows, with the types that the contract names."""
    assert again.kept.dtype == np.bool_
    assert np.array_equal(again.kept, inside.kept)
    assert again.columns == inside.columns
    assert again.cells.shape == inside.cells.shape
    assert again.cells.dtype == np.bool_
    assert np.array_equal(again.cells, inside.cells)
    if isinstance(inside.group, dict):
        assert isinstance(again.group, dict)
        assert list(again.group) == list(inside.group)
        assert all(np.array_equal(again.group[name], inside.group[name]) for name in inside.group)
    elif inside.group is None:
        assert again.group is None
    else:
        assert isinstance(again.group, np.ndarray)
        assert again.group.dtype == np.int64
        assert np.array_equal(again.group, inside.group)
    assert again.remarks == inside.remarks
    assert [(w.step, w.judged, w.rows.tolist()) for w in again.withheld] == [
        (w.step, w.judged, w.rows.tolist()) for w in inside.withheld
    ]


def _told(column: Any) -> tuple[Any, ...]:
    return column.name, column.role, column.kind, column.blurred, column.suppressed


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, hidden files and folders included."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
