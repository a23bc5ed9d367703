"""The ledger: what it remembers, what it refuses, and what is left of it after a kill."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.oracles import marginals as oracle

import tacit as tc
from tacit.datasets import hospital
from tacit.errors import LedgerConflict, SourceError
from tacit.jobs.ledger import read_ledger


def frame(n: int = 60, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "zip": rng.integers(0, 9, n),
            "sex": rng.choice(["f", "m"], n),
            "disease": rng.choice(list("abcdef"), n),
        }
    )


def table(data: pl.DataFrame | None = None) -> tc.Table:
    data = frame() if data is None else data
    return tc.Table(data, quasi_identifiers=["age", "zip", "sex"], sensitive="disease")


def method(*names: str, m: int = 2) -> tc.InvariantMarginals:
    return tc.InvariantMarginals(m=m, marginals={"_".join(names): names})


def groups(release: tc.Release) -> list[list[int]]:
    assert release.inside is not None
    return [numbers.tolist() for numbers in release.inside.group.values()]


def test_a_later_marginal_is_invariant_with_the_first(tmp_path: Path) -> None:
    """Each in a process of its own: the file is all that is left between them."""
    script = """
import sys, numpy as np, polars as pl, tacit as tc
data = pl.read_csv(sys.argv[1])
table = tc.Table(data, quasi_identifiers=["age", "zip", "sex"], sensitive="disease")
method = tc.InvariantMarginals(m=2, marginals={"m": sys.argv[3].split(",")})
release = method.protect(table, ledger=tc.Ledger(sys.argv[2]))
release.write(sys.argv[4])
np.save(sys.argv[4] + ".npy", release.inside.group["m"])
"""
    frame().write_csv(tmp_path / "t.csv")
    found = []
    for names, out in (("age,sex", "today"), ("zip", "later")):
        subprocess.run(
            [sys.executable, "-c", script, tmp_path / "t.csv", tmp_path / "clinic.ledger", names, tmp_path / out],
            check=True,
        )
        found.append(np.load(tmp_path / f"{out}.npy").tolist())
    assert oracle.is_invariant(found, frame()["disease"].to_list(), 2)
    entries = tc.Ledger(tmp_path / "clinic.ledger").entries()
    assert [list(entry.frames["m"]) for entry in entries] == [
        ["group", "age", "sex", "disease"],
        ["group", "zip", "disease"],
    ]
    assert all(entry.in_place for entry in entries)


def test_without_a_ledger_two_releases_are_not_invariant() -> None:
    """What the ledger is for."""
    pair = [groups(method(name, m=m).protect(table()))[0] for name, m in (("age", 2), ("zip", 3))]
    assert not oracle.is_invariant(pair, frame()["disease"].to_list(), 2)


def test_nothing_is_remembered_until_it_is_written(tmp_path: Path) -> None:
    ledger = tc.Ledger(tmp_path / "l")
    method("age").protect(table(), ledger=ledger)
    assert not (tmp_path / "l").exists()
    assert ledger.entries() == ()


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_mode_0600(tmp_path: Path) -> None:
    path = tmp_path / "l"
    method("age").protect(table(), ledger=tc.Ledger(path)).write(tmp_path / "a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    tc.Ledger(path).entries()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir() if "tacit-new" in p.name] == []


@pytest.mark.parametrize(
    "changed",
    [
        frame()[:-1],
        frame()[::-1],
        frame().with_columns(pl.when(pl.int_range(pl.len()) == 5).then(99).otherwise("age").alias("age")),
        frame().rename({"sex": "gender"}).with_columns(pl.col("gender").alias("sex")),
    ],
)
def test_a_changed_table_is_refused(tmp_path: Path, changed: pl.DataFrame) -> None:
    ledger = tc.Ledger(tmp_path / "l")
    method("age").protect(table(), ledger=ledger).write(tmp_path / "a")
    with pytest.raises(LedgerConflict, match="another table"):
        method("zip").protect(table(changed), ledger=ledger)
    assert len(ledger.entries()) == 1


def test_two_releases_from_one_reading_conflict(tmp_path: Path) -> None:
    """Both drew buckets; only one of them can be what was published."""
    ledger = tc.Ledger(tmp_path / "l")
    first, second = (method(name).protect(table(), ledger=ledger) for name in ("age", "zip"))
    first.write(tmp_path / "a")
    with pytest.raises(LedgerConflict, match="protect the table again"):
        second.write(tmp_path / "b")
    assert not (tmp_path / "b").exists()
    assert len(ledger.entries()) == 1
    again = method("zip").protect(table(), ledger=ledger)
    again.write(tmp_path / "b")
    assert oracle.is_invariant([*groups(first), *groups(again)], frame()["disease"].to_list(), 2)


def test_the_same_release_may_be_written_twice(tmp_path: Path) -> None:
    ledger = tc.Ledger(tmp_path / "l")
    release = method("age").protect(table(), ledger=ledger)
    release.write(tmp_path / "a")
    release.write(tmp_path / "b")
    assert len(ledger.entries()) == 2


def test_a_marginal_from_elsewhere_is_refused(tmp_path: Path) -> None:
    ledger = tc.Ledger(tmp_path / "l")
    first = method("age").protect(table(), ledger=ledger)
    first.write(tmp_path / "a")
    stranger = method("zip", m=3).protect(table())
    stranger.write(tmp_path / "b")
    with pytest.raises(LedgerConflict, match="did not make this release"):
        ledger.add(stranger, folder=tmp_path / "b")
    assert len(ledger.entries()) == 1


def test_a_release_may_begin_a_ledger(tmp_path: Path) -> None:
    first = method("age").protect(table())
    first.write(tmp_path / "a")
    ledger = tc.Ledger(tmp_path / "l")
    ledger.add(first, folder=tmp_path / "a")
    second = method("zip").protect(table(), ledger=ledger)
    second.write(tmp_path / "b")
    assert oracle.is_invariant([*groups(first), *groups(second)], frame()["disease"].to_list(), 2)


def test_a_larger_m_is_refused_a_smaller_is_not(tmp_path: Path) -> None:
    ledger = tc.Ledger(tmp_path / "l")
    method("age", m=3).protect(table(), ledger=ledger).write(tmp_path / "a")
    with pytest.raises(LedgerConflict, match="m = 3 or less"):
        method("zip", m=5).protect(table(), ledger=ledger)
    assert tc.audit(method("zip", m=2).protect(table(), ledger=ledger)).holds is True


def test_series_share_a_file(tmp_path: Path) -> None:
    for day in ("monday", "tuesday"):
        data = frame(seed=len(day))
        release = method("age").protect(table(data), ledger=tc.Ledger(tmp_path / "l", series=day))
        release.write(tmp_path / day)
    assert len(tc.Ledger(tmp_path / "l", series="monday").entries()) == 1
    with pytest.raises(LedgerConflict, match="monday"):
        method("zip").protect(table(frame(seed=9)), ledger=tc.Ledger(tmp_path / "l", series="monday"))


def skewed() -> tc.Table:
    data = frame().with_columns(
        pl.when(pl.int_range(pl.len()) < 40).then(pl.lit("a")).otherwise("disease").alias("disease")
    )
    return table(data)


def test_a_skewed_table_is_explained_and_the_pipeline_works(tmp_path: Path) -> None:
    with pytest.raises(tc.Infeasible, match=r"'a' of column 'disease'") as caught:
        method("age", m=3).protect(skewed())
    assert "ShiftSuppression(l=3)" in str(caught.value)
    assert "No m from 2 up works" in str(caught.value)
    pipeline = tc.Pipeline([tc.ShiftSuppression(l=3), method("age", m=3)])
    release = pipeline.protect(skewed())
    assert tc.audit(release).holds is True
    assert release.inside is not None
    kept = release.inside.kept
    values = skewed().frame["disease"].filter(pl.Series(kept)).to_list()
    mine = [numbers[kept].tolist() for numbers in release.inside.group.values()]
    assert oracle.is_invariant(mine, values, 3)


def test_suppressed_rows_are_drawn_once(tmp_path: Path) -> None:
    """Two releases with a fresh draw would tell which value is hidden; the ledger keeps the first."""
    ledger = tc.Ledger(tmp_path / "l")
    releases = []
    for name in ("age", "zip"):
        pipeline = tc.Pipeline([tc.ShiftSuppression(l=3), method(name, m=3)])
        releases.append(pipeline.protect(skewed(), ledger=ledger))
        releases[-1].write(tmp_path / name)
    kept = [release.inside.kept for release in releases if release.inside is not None]
    assert (kept[0] == kept[1]).all()
    values = skewed().frame["disease"].filter(pl.Series(kept[0])).to_list()
    mine = [n[kept[0]].tolist() for r in releases if r.inside is not None for n in r.inside.group.values()]
    assert oracle.is_invariant(mine, values, 3)
    with pytest.raises(LedgerConflict, match="other rows"):
        tc.ShiftSuppression(l=4).protect(skewed(), ledger=ledger)
    with pytest.raises(LedgerConflict, match="rows that reach"):
        method("sex", m=2).protect(skewed(), ledger=ledger)


def test_append_only(tmp_path: Path) -> None:
    path = tmp_path / "l"
    method("age").protect(table(), ledger=tc.Ledger(path)).write(tmp_path / "a")
    with sqlite3.connect(path) as connection:
        for statement in ("DELETE FROM line", "UPDATE line SET at = 'x'"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    connection.close()


def damaged(path: Path, how: str) -> None:
    raw = path.read_bytes()
    if how == "empty":
        path.write_bytes(b"")
    elif how == "cut":
        path.write_bytes(raw[: len(raw) // 2])
    elif how == "text":
        path.write_bytes(b"not a ledger at all" * 100)
    elif how == "flipped":
        middle = raw.rfind(b"release")
        path.write_bytes(raw[:middle] + b"rElease" + raw[middle + 7 :])
    else:
        with sqlite3.connect(path) as connection:
            connection.executescript("DROP TRIGGER no_removal; DELETE FROM line WHERE number = 3;")
        connection.close()


@pytest.mark.parametrize("how", ["empty", "cut", "text", "flipped", "shortened"])
def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path, how: str) -> None:
    path = tmp_path / "l"
    method("age").protect(table(), ledger=tc.Ledger(path)).write(tmp_path / "a")
    damaged(path, how)
    before = path.read_bytes()
    for attempt in (
        lambda: tc.Ledger(path).entries(),
        lambda: method("zip").protect(table(), ledger=tc.Ledger(path)),
    ):
        with pytest.raises(SourceError, match=r"damaged|not a ledger"):
            attempt()
    assert path.read_bytes() == before


def test_a_second_writer_waits_and_is_then_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit.releases import ledger_store

    monkeypatch.setattr(ledger_store, "_WAIT", 0.1)
    ledger = tc.Ledger(tmp_path / "l")
    method("age").protect(table(), ledger=ledger).write(tmp_path / "a")
    release = method("zip").protect(table(), ledger=ledger)
    holder = sqlite3.connect(tmp_path / "l", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerConflict, match="Another process is writing"):
        release.write(tmp_path / "b")
    assert not (tmp_path / "b").exists()
    holder.execute("ROLLBACK")
    holder.close()
    release.write(tmp_path / "b")
    assert len(ledger.entries()) == 2


FORKING = """
import os, signal, sys
import numpy as np
import tacit as tc
from tacit.kernels.marginals.assign import SubTables, assign
from tacit.kernels.marginals.cost import MarginalRows
from tacit.kernels.marginals.decompose import BucketRows, decompose
from tacit.kernels.lists import number_lists
from tacit.kernels.mondrian.cells import rows_by_cell
from tacit.kernels.mondrian.partition import partition
from tacit.kernels.mondrian.rules import FREQUENCY, Rule, rules_of
from tacit.kernels.mondrian.space import Nominal, space_of
from tacit.kernels.spans import spans
from fractions import Fraction
tc.Ledger, tc.InvariantMarginals, tc.Release

# Everything is imported and compiled once; Polars, whose threads do not survive a fork, is not touched before it.
space, codes, values = space_of([Nominal(2, 2)]), np.zeros((4, 1), np.int32), np.array([[0], [1], [0], [1]], np.int32)
rows_by_cell(space, codes, np.arange(4))
partition(space, rules_of([Rule(FREQUENCY, fraction=Fraction(1, 2))], [2]), codes, np.arange(5), values)
assign(SubTables(np.array([0, 4]), np.arange(4), np.zeros(4, np.int64), values[:, 0].copy(), 2), 2)
marginal = MarginalRows(space, codes, np.zeros(4, np.int64))
decompose(marginal, BucketRows(np.array([0, 2, 1, 3]), np.array([0, 4]), np.array([2])))
number_lists(np.array([0, 1]), np.array([1]))
spans(np.zeros(1, np.int64), np.zeros(1, np.int32), 1, 1)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
data, ledger, out = sys.argv[1:]
for line in sys.stdin:
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    columns = dict(np.load(data, allow_pickle=True))
    table = tc.Table(columns, quasi_identifiers=["age", "zip", "sex"], sensitive="disease")
    for i in range(1_000):
        method = tc.InvariantMarginals(m=2, marginals={"m": [("age", "zip", "sex")[i % 3]]})
        method.protect(table, ledger=tc.Ledger(ledger)).write(f"{out}-{line.strip()}-{i}")
    os._exit(0)
"""


@pytest.mark.skipif(os.name != "posix", reason="fork and kill")
def test_killed_at_random_moments_it_agrees_with_what_was_published(tmp_path: Path) -> None:
    """Fifty kills and more: the ledger opens, and every release that is in place is in it and keeps the signatures."""
    data = frame(24)
    np.savez(tmp_path / "t.npz", **{name: data[name].to_numpy() for name in data.columns})
    path = tmp_path / "clinic.ledger"
    rng = np.random.default_rng(0)
    forking = subprocess.Popen(
        [sys.executable, "-c", FORKING, tmp_path / "t.npz", path, tmp_path / "out"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert forking.stdin is not None
    assert forking.stdout is not None
    halfway = 0
    with forking:
        for kill in range(52):
            forking.stdin.write(f"{kill}\n")
            forking.stdin.flush()
            child = int(forking.stdout.readline())
            deadline = time.monotonic() + 20
            while not list(tmp_path.glob(f"out-{kill}-*")) and time.monotonic() < deadline:
                time.sleep(0.002)
            time.sleep(float(rng.uniform(0.0, 0.06)))
            os.kill(child, signal.SIGKILL)
            while _alive(child):
                time.sleep(0.002)
            entries = tc.Ledger(path).entries()
            known = {Path(entry.folder).name for entry in entries}
            there = {p.name for p in tmp_path.glob("out-*") if p.is_dir() and not p.name.endswith(".private")}
            assert there <= known
            assert len(known - there) <= kill + 1  # at most one per kill was committed and not moved
            halfway += bool(list(tmp_path.glob(".*tacit*")))
        forking.stdin.close()
    assert len(entries) >= 52
    published = []
    for entry in entries[:: max(1, len(entries) // 40)]:
        if Path(entry.folder).is_dir():
            inside = tc.Release.read(entry.folder).inside  # finishes what was begun
            assert inside is not None
            published.append(inside.group["m"].tolist())
    assert len(published) > 20
    assert oracle.is_invariant(published, data["disease"].to_list(), 2)
    assert halfway  # some kills did hit a writer at work


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_anatomy_has_the_same_buckets_again(tmp_path: Path) -> None:
    table = hospital(600)
    ledger = tc.Ledger(tmp_path / "clinic.ledger")
    steps = [tc.ShiftSuppression(l=3), tc.Anatomy(l=3)]
    groups = []
    for name in ("first", "second"):
        release = tc.Pipeline(steps).protect(table, ledger=ledger)
        release.write(tmp_path / name)
        groups.append(release.inside.group)
    together = set(zip(*(group.tolist() for group in groups), strict=True))
    assert len(together) == len(set(groups[0].tolist())) == len(set(groups[1].tolist()))
    with pytest.raises(LedgerConflict, match="other buckets"):
        tc.Pipeline([tc.ShiftSuppression(l=3), tc.Anatomy(l=2)]).protect(table, ledger=ledger)


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (tc.Anatomy(l=3), "safe: the same steps"),
        (tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]), "safe: the same steps"),
    ],
)
def test_a_repetition_is_called_safe(tmp_path: Path, last: tc.Method, told: str) -> None:
    ledger = tc.Ledger(tmp_path / "clinic.ledger")
    release = tc.Pipeline([tc.ShiftSuppression(l=3), last]).protect(hospital(600), ledger=ledger)
    release.write(tmp_path / "out")
    assert read_ledger(tmp_path / "clinic.ledger").series[0].advice.startswith(told)


def test_a_ledger_without_groupings_takes_no_release_and_names_the_way_out(tmp_path: Path) -> None:
    """Earlier versions did not note how people were grouped; the error and `tacit ledger` say what is left to do."""
    method = tc.InvariantMarginals(m=2, marginals={"a": ["age"]})
    method.protect(hospital(400), ledger=tc.Ledger(tmp_path / "now.ledger")).write(tmp_path / "first")
    old = tc.Ledger(tmp_path / "old.ledger")
    lines = tc.Ledger(tmp_path / "now.ledger").lines()
    without = [
        {key: value for key, value in line.content.items() if key not in {"grouping", "claims"}} for line in lines
    ]
    old.store.append([replace(line, content=each) for line, each in zip(lines, without, strict=True)], lambda _: None)
    with pytest.raises(LedgerConflict, match="did not note how people were grouped") as refused:
        method.protect(hospital(400), ledger=old).write(tmp_path / "second")
    assert not (tmp_path / "second").exists()
    advice = read_ledger(tmp_path / "old.ledger").series[0].advice
    assert advice.startswith("refused: any further release")
    for sentence in (str(refused.value), advice):
        assert "hand out the files that are there; or, if nobody has been given any of them" in sentence
        assert "begin a new ledger" in sentence


@pytest.mark.parametrize("first", [0, 1])
def test_two_ways_to_group_the_same_people_are_refused(tmp_path: Path, first: int) -> None:
    ledger = tc.Ledger(tmp_path / "clinic.ledger")
    ways = [tc.Anatomy(l=2), tc.InvariantMarginals(m=2, marginals={"a": ["age"]})]
    ways[first].protect(hospital(400), ledger=ledger).write(tmp_path / "first")
    with pytest.raises(LedgerConflict, match="read beside release 1"):
        ways[1 - first].protect(hospital(400), ledger=ledger).write(tmp_path / "second")
    assert not (tmp_path / "second").exists()


def test_the_whole_table_is_refused_after_a_part_of_it(tmp_path: Path) -> None:
    table, ledger = hospital(400), tc.Ledger(tmp_path / "clinic.ledger")
    tc.ShiftSuppression(l=3).protect(table, ledger=ledger).write(tmp_path / "first")
    with pytest.raises(LedgerConflict, match="whose rows were withheld"):
        tc.Anatomy(l=2).protect(table, ledger=ledger).write(tmp_path / "second")


def test_rows_as_they_are_are_refused_after_buckets(tmp_path: Path) -> None:
    table, ledger = hospital(400), tc.Ledger(tmp_path / "clinic.ledger")
    tc.Pipeline([tc.ShiftSuppression(l=3), tc.Anatomy(l=3)]).protect(table, ledger=ledger).write(tmp_path / "first")
    with pytest.raises(LedgerConflict, match="read beside release 1"):
        tc.ShiftSuppression(l=3).protect(table, ledger=ledger).write(tmp_path / "second")


def test_buckets_are_refused_after_rows_as_they_are(tmp_path: Path) -> None:
    """The order of two releases does not matter: a reader of both has everybody's value from the rows."""
    table, ledger = hospital(400), tc.Ledger(tmp_path / "clinic.ledger")
    tc.ShiftSuppression(l=3).protect(table, ledger=ledger).write(tmp_path / "first")
    marginals = tc.InvariantMarginals(m=3, marginals={"a": ["age"]})
    for last in (marginals, tc.Anatomy(l=3)):
        release = tc.Pipeline([tc.ShiftSuppression(l=3), last]).protect(table, ledger=ledger)
        with pytest.raises(LedgerConflict, match="read beside release 1"):
            release.write(tmp_path / "second")
        assert not (tmp_path / "second").exists()


def test_what_somebody_else_wrote_meanwhile_is_seen(tmp_path: Path) -> None:
    """Both were made from an empty ledger: whoever writes second must not pass."""
    table, ledger = hospital(400), tc.Ledger(tmp_path / "clinic.ledger")
    first = tc.Anatomy(l=2).protect(table, ledger=ledger)
    second = tc.InvariantMarginals(m=2, marginals={"a": ["age"]}).protect(table, ledger=ledger)
    third = tc.ShiftSuppression(l=3).protect(table, ledger=ledger)
    first.write(tmp_path / "first")
    for late in (second, third):
        with pytest.raises(LedgerConflict, match="written by somebody else"):
            late.write(tmp_path / "late")
        assert not (tmp_path / "late").exists()
