"""Reports of a table that changes: rows that are nobody's are not called people, and what one known value decides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.report.figures import ReleaseFigures
from tacit.report.internal import internal_view
from tacit.report.markdown import as_markdown
from tacit.report.public import public_view


def month(rows: range) -> tc.Table:
    rng = np.random.default_rng(3)
    everybody = pl.DataFrame(
        {
            "pid": [f"p{i}" for i in range(400)],
            "age": rng.integers(20, 80, 400),
            "place": [f"z{x}" for x in rng.integers(0, 20, 400)],
            "ill": [f"v{x}" for x in rng.integers(0, 8, 400)],
        }
    )
    chosen = everybody[list(rows)]
    return tc.Table(chosen, person="pid", quasi_identifiers=["age", "place"], sensitive="ill")


@pytest.fixture
def second(tmp_path: Path) -> tuple[tc.Release, tc.Table]:
    ledger = tc.Ledger(tmp_path / "clinic.ledger")
    method = tc.InvariantMarginals(m=2, marginals={"by_age": ["age"], "by_place": ["place"]})
    method.protect(month(range(300)), ledger=ledger).write(tmp_path / "first")
    table = month(range(100, 400))
    return method.protect(table, ledger=ledger), table


def test_rows_that_are_nobodys_are_not_called_people(second: tuple[tc.Release, tc.Table]) -> None:
    release, table = second
    assert release.shape.counterfeits > 0
    audit, rows = tc.audit(release), release.shape.rows + release.shape.counterfeits
    views = [
        public_view(release, audit.public()),
        internal_view(release, audit, place="clinic", table=table, cost=tc.utility(release, table)),
    ]
    for view in views:
        text = as_markdown(view)
        assert f"{rows} rows" in text.replace(",", "")
        assert f"{rows} people" not in text.replace(",", "")
        assert "All 300 people of the table are in it" in text


def test_the_owner_is_told_where_one_value_decides_others_table_after_table(
    second: tuple[tc.Release, tc.Table],
) -> None:
    release, table = second
    figures = ReleaseFigures(release.shape, release.unit)
    notices = {notice.adversary: notice for notice in figures.notices(release, tc.audit(release), table)}
    told = notices["equivalence attack"]
    assert told.secret  # who has which value is the owner's to know
    assert f"up to {told.people} other people" in told.sentence
    assert told.people == figures.equivalence(release, table)["ill"].most > 1
    single = tc.Anatomy(l=2).protect(table, seed=1)
    figures = ReleaseFigures(single.shape, single.unit)
    assert not any(each.adversary == "equivalence attack" for each in figures.notices(single, tc.audit(single), table))
