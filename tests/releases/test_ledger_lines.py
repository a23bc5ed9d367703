"""Lines of a ledger that do not hold what they should: refused in one sentence, though their seals are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit import Ledger, SourceError
from tacit.jobs.ledger import read_ledger
from tacit.releases.ledger_store import LedgerStore, Line

TABLE: dict[str, Any] = {"digest": "x", "rows": 4, "quasi_identifiers": ["age"], "sensitive": ["ill"]}
RELEASE: dict[str, Any] = {
    "method": {"name": "anatomy"}, "frames": {"a": ["age"]}, "rows": 4, "withheld": 0, "folder": "out", "release": "x",
    "kept": np.packbits(np.ones(4, bool)), "grouping": None,
}  # fmt: skip


def written(place: Path, *lines: Line) -> Path:
    LedgerStore(place / "c.ledger").append(list(lines), lambda known: None)
    return place / "c.ledger"


def test_lines_as_they_should_be_are_read(tmp_path: Path) -> None:
    path = written(
        tmp_path, Line("", "table", TABLE), Line("", "draw", {"key": "a", "table": "x"}), Line("", "release", RELEASE)
    )
    assert len(Ledger(path).entries()) == 1
    assert len(read_ledger(path).series) == 1


@pytest.mark.parametrize("kind", ["table", "release"])
def test_a_line_that_lacks_something_is_damage(tmp_path: Path, kind: str) -> None:
    content = TABLE if kind == "table" else RELEASE
    for at, key in enumerate(key for key in content if key != "grouping"):
        for number, wrong in enumerate(("missing", None, -1, 2.5, "odd", [], {"a": 1}, [[]])):
            if type(wrong) is type(content[key]) and wrong != -1:
                continue
            changed = {name: value for name, value in content.items() if name != key or wrong != "missing"}
            changed |= {} if wrong == "missing" else {key: wrong}
            lines = (
                [Line("", "table", changed)] if kind == "table" else [Line("", "table", TABLE), Line("", kind, changed)]
            )
            place = tmp_path / f"{at}-{number}"
            path = written(place, *lines)
            with pytest.raises(SourceError, match="is damaged") as caught:
                read_ledger(path)
            assert "\n" not in str(caught.value)


def test_a_series_without_its_table_is_damage(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not say which table"):
        read_ledger(written(tmp_path, Line("", "release", RELEASE)))
