"""People with several rows: methods, verdicts and foreign files against the definitions, on random small tables.

The suite draws a few dozen tables; `TACIT_PEOPLE_TABLES=2500 pytest tests/properties/test_people.py` draws as many.
"""

import os

import polars as pl
import pytest
from tests.oracles import people as oracle
from tests.properties.people_tables import Promise, drawing, promise, visits

import tacit as tc
from tacit.errors import Infeasible, RoleError

TABLES = int(os.environ.get("TACIT_PEOPLE_TABLES", "60"))
PARTS = 6


def seeds(part: int) -> range:
    return range(part, TABLES, PARTS)


def table_of(frame: pl.DataFrame) -> tc.Table:
    return tc.Table(
        frame, person="pid", quasi_identifiers=["age", "ward"], sensitive="ill", others="publish", allow="tag"
    )


def covers(cell: str, value: object) -> bool:
    """Whether a published cell may stand for a value: itself, an interval or a set."""
    text = str(cell)
    if text == "*" or text == str(value):
        return True
    if text.startswith("["):
        low, high = text[1:-1].split(", ")
        return float(low) <= float(value) <= float(high)
    return text.startswith("{") and str(value) in text[1:-1].split(", ")


def published_rows(frame: pl.DataFrame, release: tc.Release) -> tuple[list[oracle.Row], list[oracle.Row]]:
    """Link published rows with the table by their tags, and nothing else; their cells cover what is behind."""
    frames = release.frames()
    shown = frames.get("table", frames.get("quasi_identifiers"))
    behind = {row["tag"]: row for row in frame.iter_rows(named=True)}
    rows = []
    for row in shown.iter_rows(named=True):
        own = behind.pop(row["tag"])
        assert covers(row["age"], own["age"])
        assert covers(row["ward"], own["ward"])
        group = row["group"] if "group" in row else (row["age"], row["ward"])
        rows.append((own["pid"], group, own["ill"]))
    return rows, [(row["pid"], "withheld", row["ill"]) for row in behind.values()]


def check_release(frame: pl.DataFrame, release: tc.Release, asked: Promise, table: tc.Table) -> None:
    rows, withheld = published_rows(frame, release)
    assert oracle.holds(asked.kind, asked.parameters, rows, withheld), (asked, rows, withheld)
    assert tc.audit(release).holds is True
    assert tc.audit(release, table).holds is True
    if "sensitive" in release.frames():
        counted = {(g, v): n for g, v, n in release.frames()["sensitive"].iter_rows()}
        behind: dict[tuple[object, object], int] = {}
        for _, group, value in rows:
            behind[group, value] = behind.get((group, value), 0) + 1
        assert counted == behind


@pytest.mark.parametrize("part", range(PARTS))
def test_mondrian_keeps_its_promise_to_people(part):
    for seed in seeds(part):
        draw = drawing(seed)
        frame, asked = visits(draw, varying=draw.random() < 0.5), promise(draw)
        table = table_of(frame)
        method = tc.Mondrian(guarantees=[asked.guarantee], allow_withheld=draw.choice([0, 0, 0.4]))
        whole = [(row["pid"], 0, row["ill"]) for row in frame.iter_rows(named=True)]
        try:
            release = method.protect(table, seed=seed)
        except Infeasible:
            assert not oracle.holds(asked.kind, asked.parameters, whole), (seed, asked)
            continue
        check_release(frame, release, asked, table)


@pytest.mark.parametrize("part", range(PARTS))
def test_small_groups_and_anatomy_keep_theirs(part):
    for seed in seeds(part):
        draw = drawing(1_000_000 + seed)
        frame, asked = visits(draw, varying=draw.random() < 0.2), promise(draw)
        anatomy = draw.random() < 0.4
        if anatomy:
            l = draw.choice([1, 2, 2, 3])
            asked = Promise("frequency", {"l": l}, None)
        table = table_of(frame)
        method = tc.Anatomy(l=asked.parameters["l"]) if anatomy else tc.SmallGroups(guarantee=asked.guarantee)
        varies = frame.group_by("pid").agg(pl.col("age").n_unique(), pl.col("ward").n_unique())
        torn = table.people is not None and bool(
            varies.select((pl.col("age") > 1) | (pl.col("ward") > 1)).to_series().any()
        )
        whole = [(row["pid"], 0, row["ill"]) for row in frame.iter_rows(named=True)]
        if torn:
            with pytest.raises(RoleError, match="varies between rows of one person"):
                method.protect(table, seed=seed)
            continue
        try:
            release = method.protect(table, seed=seed)
        except Infeasible:
            assert not anatomy or not oracle.holds(asked.kind, asked.parameters, whole), (seed, asked)
            continue
        check_release(frame, release, asked, table)


@pytest.mark.parametrize("part", range(PARTS))
def test_foreign_files_are_judged_by_the_definitions(part):
    for seed in seeds(part):
        draw = drawing(2_000_000 + seed)
        frame, asked = visits(draw, varying=draw.random() < 0.3), promise(draw)
        shown = frame.select("pid", pl.col("age") // draw.choice([1, 2, 5]), "ill")
        release = tc.Release.foreign(shown, quasi_identifiers="age", sensitive="ill", person="pid")
        verdict = tc.audit(release, claims=asked.guarantee)
        rows = [(row["pid"], row["age"], row["ill"]) for row in shown.iter_rows(named=True)]
        if frame["pid"].n_unique() == frame.height:
            continue
        assert verdict.holds is oracle.holds(asked.kind, asked.parameters, rows), (seed, asked, verdict)
        groups = {group: [row for row in rows if row[1] == group] for _, group, _ in rows}
        largest = max(oracle.largest_belief(each) for each in groups.values())
        found = [w.posterior for w in verdict.warnings if w.adversary == "several-rows"]
        assert len(found) == 1
        assert found[0] == pytest.approx(float(largest), abs=1e-9)
        assert (found[0] == 1.0) == (largest == 1)
