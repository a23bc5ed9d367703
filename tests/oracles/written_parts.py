"""What a reader of the files of a release can count: with PyArrow and dictionaries, and nothing of the package."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq


def rows_of(folder: Path, frame: str) -> list[dict[str, Any]]:
    """Read all parts of one frame, as `release.json` lists them."""
    entry = json.loads((folder / "release.json").read_text())["files"][frame]
    paths = [part["path"] for part in entry.get("parts", [entry])]
    return [row for path in paths for row in pq.read_table(folder / path).to_pylist()]


def groups_of_cells(folder: Path, cells: list[str], sensitive: str, frame: str = "table") -> list[Counter[Any]]:
    """Group the rows of a flat release by their cells, and count the sensitive values of each group."""
    groups: dict[tuple[Any, ...], Counter[Any]] = defaultdict(Counter)
    for row in rows_of(folder, frame):
        groups[tuple(str(row[cell]) for cell in cells)][row[sensitive]] += 1
    return list(groups.values())


def groups_of_buckets(folder: Path, sensitive: str) -> list[Counter[Any]]:
    """Group a bucketized release by its numbers; people and values must agree in number."""
    people = Counter(row["group"] for row in rows_of(folder, "quasi_identifiers"))
    values: dict[int, Counter[Any]] = defaultdict(Counter)
    for row in rows_of(folder, "sensitive"):
        values[row["group"]][row[sensitive]] += row["count"]
    assert people == Counter({group: counts.total() for group, counts in values.items()})
    return list(values.values())


def k_of(groups: list[Counter[Any]]) -> int:
    return min(group.total() for group in groups)


def l_of(groups: list[Counter[Any]]) -> int:
    """The largest l such that no value is in more than 1/l of a group."""
    return min(group.total() // max(group.values()) for group in groups)


def t_of(groups: list[Counter[Any]]) -> float:
    """The largest distance of a group from all rows, each value as far from another as any."""
    whole: Counter[Any] = Counter()
    for group in groups:
        whole += group
    n = whole.total()
    return max(sum(abs(group[v] / group.total() - whole[v] / n) for v in whole) / 2 for group in groups)
