"""A file of many columns is read column by column: nothing looks at all columns for each of them."""

from pathlib import Path

import polars as pl
import pytest

import tacit as tc


def schemas_made(path: Path, columns: int, monkeypatch: pytest.MonkeyPatch) -> int:
    head = ",".join(f"c{i}" for i in range(columns))
    rows = "\n".join(",".join(str((r * 7 + i) % 5) for i in range(columns)) for r in range(4))
    path.write_text(f"{head}\n{rows}\n")
    made = 0
    begin = pl.Schema.__init__

    def counted(self: pl.Schema, *args: object, **given: object) -> None:
        nonlocal made
        made += 1
        begin(self, *args, **given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(pl.Schema, "__init__", counted)
        table = tc.Table.read(path, quasi_identifiers=["c0", "c1"], sensitive="c2")
    assert len(table.columns) == columns
    return made


def test_the_schema_is_not_made_for_every_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (schemas_made(tmp_path / f"{n}.csv", n, monkeypatch) for n in (20, 300))
    assert many <= few + 5
