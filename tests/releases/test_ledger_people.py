"""A ledger that follows people: what it keeps of them, what it refuses, and what is left of it after a kill."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.errors import Infeasible, LedgerConflict, RoleError, SourceError
from tacit.jobs.ledger import read_ledger


def people(n: int = 60, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "pid": [f"p{i}" for i in range(n)],
            "age": rng.integers(20, 60, n),
            "zip": rng.integers(0, 9, n),
            "ill": rng.choice(list("abcdef"), n),
        }
    )


def table(data: pl.DataFrame, **changed: object) -> tc.Table:
    return tc.Table(data, **{"person": "pid", "quasi_identifiers": ["age", "zip"], "sensitive": "ill", **changed})


def publish(data: pl.DataFrame, ledger: tc.Ledger, folder: Path, m: int = 2, **given: object) -> tc.Release:
    """Publish a month; newcomers who are too much alike are filled up, so that no draw makes a month infeasible."""
    chosen = {"counterfeits": "newcomers", **given}
    release = tc.InvariantMarginals(m=m, marginals=[["age"], ["zip"]], **chosen).protect(table(data), ledger=ledger)
    release.write(folder)
    return release


def signatures(release: tc.Release, data: pl.DataFrame) -> dict[str, set[frozenset[str]]]:
    """Return the sets of values that each person stands with, over all marginals, read from the frames."""
    assert release.inside is not None
    assert isinstance(release.inside.group, dict)
    seen: dict[str, set[frozenset[str]]] = {}
    for name, frame in release.frames().items():
        values = {group: frozenset(rows["ill"]) for (group,), rows in frame.group_by("group")}
        for person, group in zip(data["pid"], release.inside.group[name].tolist(), strict=True):
            seen.setdefault(person, set()).add(values[group])
    return seen


@pytest.fixture
def ledger(tmp_path: Path) -> tc.Ledger:
    return tc.Ledger(tmp_path / "clinic.ledger")


def test_everybody_keeps_her_signature_for_ever(tmp_path: Path, ledger: tc.Ledger) -> None:
    everybody = people(80)
    first, second, third = everybody[:60], everybody[20:80], everybody[:50]  # twenty leave, twenty come; some return
    seen: dict[str, set[frozenset[str]]] = {}
    for month, data in enumerate((first, second, third)):
        release = publish(data, ledger, tmp_path / f"{month}")
        for person, sets in signatures(release, data).items():
            seen.setdefault(person, set()).update(sets)
    assert all(len(sets) == 1 for sets in seen.values())
    assert all(len(next(iter(sets))) >= 2 for sets in seen.values())


def test_the_ledger_names_nobody_and_stays_small(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = people(2_000)
    for month in range(4):
        publish(data[month * 100 : 1_600 + month * 100], ledger, tmp_path / f"{month}")
    assert ledger.path.stat().st_size < 40 * 1_900 + 40_000  # what SQLite needs for an empty file and a few lines
    key = ledger.path.with_name("clinic.ledger.key")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(key.read_bytes()) == 16
    held = b"".join(str(line.content).encode() for line in ledger.store.read())
    assert b"p17'" not in held
    line = next(line for line in ledger.store.read() if line.kind == "people")
    assert line.content["keys"].nbytes + line.content["signature"].nbytes == 20 * 1_600


def test_counterfeits_are_said_in_sum_and_never_one_by_one(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = people(60)
    publish(data, ledger, tmp_path / "0")
    release = publish(data[:25], ledger, tmp_path / "1")
    assert release.inside is not None
    assert release.inside.counterfeits is not None
    many = len(release.inside.counterfeits)
    assert many == release.shape.counterfeits > 0
    for frame in release.frames().values():
        assert frame.height == 25 + many
        assert frame.group_by("group").agg(pl.col("counterfeits").n_unique())["counterfeits"].max() == 1
        assert frame.group_by("group").agg(pl.col("counterfeits").first())["counterfeits"].sum() == many
        sizes = frame.group_by("group").agg(pl.len(), pl.col("counterfeits").first(), pl.col("ill").n_unique())
        assert (sizes["counterfeits"] < sizes["len"]).all(), "a group without anybody"
        assert (sizes["ill"] == sizes["len"]).all()
    back = tc.Release.read(tmp_path / "1")
    assert tc.audit(back, table(data[:25])).holds is True
    assert any("nobody's" in warning for warning in back.warnings)
    assert b"counterfeits" in (tmp_path / "1" / "release.json").read_bytes()
    foreign = tc.Release.foreign(release.frames(), quasi_identifiers=["age", "zip"], sensitive="ill")
    assert foreign.shape.counterfeits == many


def test_a_private_part_without_its_counterfeits_is_noticed(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = people(60)
    publish(data, ledger, tmp_path / "0")
    release = publish(data[:25], ledger, tmp_path / "1")
    assert release.inside is not None
    from dataclasses import replace

    without = replace(release, inside=replace(release.inside, counterfeits=None))
    assert tc.audit(without, table(data[:25])).holds is not True


def test_a_value_that_nobody_has_any_more_stays_in_the_signatures(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = pl.DataFrame({"pid": [1, 2, 3, 4], "age": [20, 21, 50, 51], "zip": [1, 1, 2, 2], "ill": [7, 8, 7, 8]})
    publish(data, ledger, tmp_path / "0")
    release = publish(data.filter(pl.col("ill") == 7), ledger, tmp_path / "1")
    assert sorted(release.frames()["age"]["ill"].to_list()) == [7, 7, 8, 8]
    assert release.shape.counterfeits == 2


def test_a_changed_value_within_the_signature_is_allowed_and_another_refused(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = pl.DataFrame(
        {"pid": [1, 2, 3, 4], "age": [20, 21, 50, 51], "zip": [1, 1, 2, 2], "ill": ["a", "b", "c", "d"]}
    )
    release = publish(data, ledger, tmp_path / "0", m=2)
    mine = next(iter(signatures(release, data.with_columns(pl.col("pid").cast(str)))["1"]))
    (other,) = mine - {"a"}
    publish(_with_value(data, other), ledger, tmp_path / "1")
    (strange, *_) = set("abcd") - mine
    with pytest.raises(LedgerConflict, match="1 person has a value of 'ill' now that is not among"):
        publish(_with_value(data, strange), ledger, tmp_path / "2")


def test_a_value_that_comes_and_goes_begins_a_new_episode(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = pl.DataFrame(
        {
            "pid": [str(i) for i in range(1, 9)],
            "age": [20, 21, 50, 51, 20, 21, 50, 51],
            "zip": [1, 1, 2, 2, 1, 1, 2, 2],
            "ill": ["flu", "cold", "cough", "hoarse"] * 2,
        }
    )
    comes_and_goes = ("flu", "cold", "cough", "hoarse")
    first = publish(data, ledger, tmp_path / "0", m=2, changing=comes_and_goes)
    mine = next(iter(signatures(first, data)["1"]))
    (other, *_) = set(comes_and_goes) - mine
    now = data.with_columns(pl.when(pl.col("pid") == "1").then(pl.lit(other)).otherwise(pl.col("ill")).alias("ill"))
    with pytest.raises(LedgerConflict, match="may be declared in"):
        publish(now, ledger, tmp_path / "1", m=2)
    with pytest.raises(LedgerConflict, match="1 person has a value"):
        publish(now, ledger, tmp_path / "1", m=2, changing=tuple(set(comes_and_goes) - {min(mine)}))
    second = publish(now, ledger, tmp_path / "1", m=2, changing=comes_and_goes)
    new = next(iter(signatures(second, now)["1"]))
    assert other in new
    assert new <= set(comes_and_goes)
    assert str(second.guarantees[0]) == "m-invariance(m=2, per=episode)"
    for person in ("2", "3", "4"):
        assert signatures(first, data)[person] == signatures(second, now)[person]
    third = publish(now, ledger, tmp_path / "2", m=2, changing=comes_and_goes)
    assert next(iter(signatures(third, now)["1"])) == new


def _with_value(data: pl.DataFrame, value: str) -> pl.DataFrame:
    return data.with_columns(pl.when(pl.col("pid") == 1).then(pl.lit(value)).otherwise(pl.col("ill")).alias("ill"))


def test_newcomers_who_are_too_much_alike_are_refused_or_filled(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = people(40)
    publish(data, ledger, tmp_path / "0", m=3)
    alike = pl.DataFrame({"pid": [f"n{i}" for i in range(30)], "age": [30] * 30, "zip": [1] * 30, "ill": ["a"] * 30})
    both = pl.concat([data, alike.with_columns(pl.col("age", "zip").cast(pl.Int64))])
    with pytest.raises(Infeasible, match="'a' of column 'ill' is in"):
        publish(both, ledger, tmp_path / "1", m=3, counterfeits="publish")
    release = publish(both, ledger, tmp_path / "1", m=3, counterfeits="newcomers")
    assert release.shape.counterfeits >= 40
    with pytest.raises(Infeasible, match=r"counterfeits beside 15 people, more than the allowed share of 0\.01"):
        publish(data[:15], ledger, tmp_path / "2", m=3, counterfeits=0.01)


def test_a_larger_m_than_before_is_refused(tmp_path: Path, ledger: tc.Ledger) -> None:
    publish(people(60), ledger, tmp_path / "0", m=2)
    with pytest.raises(LedgerConflict, match="cut from buckets of 2 values"):
        publish(people(60), ledger, tmp_path / "1", m=4)


def test_the_same_people_must_be_named_by_the_same_column(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = people(60)
    publish(data, ledger, tmp_path / "0")
    method = tc.InvariantMarginals(m=2)
    with pytest.raises(LedgerConflict, match="by the person column 'pid', and this table has 'key'"):
        method.protect(table(data.rename({"pid": "key"}), person="key"), ledger=ledger)
    with pytest.raises(LedgerConflict, match="does not say who they are"):
        method.protect(table(data.drop("pid"), person=None), ledger=ledger)
    with pytest.raises(RoleError, match="several rows"):
        method.protect(table(pl.concat([data, data[:3]])), ledger=ledger)


def test_other_methods_cannot_break_what_was_promised(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = people(60)
    publish(data, ledger, tmp_path / "0")
    release = tc.Anatomy(l=2).protect(table(data[:50]), ledger=ledger)
    with pytest.raises(LedgerConflict, match="read beside release 1"):
        release.write(tmp_path / "1")
    assert not (tmp_path / "1").exists()


def test_a_suppression_acts_on_newcomers_and_the_withheld_stay_withheld(tmp_path: Path, ledger: tc.Ledger) -> None:
    skewed = people(90).with_columns(
        pl.when(pl.col("age") < 45).then(pl.lit("a")).otherwise(pl.col("ill")).alias("ill")
    )
    steps = tc.Pipeline([tc.ShiftSuppression(l=2), tc.InvariantMarginals(m=2)])
    withheld: set[str] = set()
    published: set[str] = set()
    for month, rows in enumerate((skewed[:50], skewed[10:70], skewed[5:])):
        release = steps.protect(table(rows), ledger=ledger)
        release.write(tmp_path / f"{month}")
        assert release.inside is not None
        now = set(rows["pid"].filter(pl.Series(release.inside.kept)).to_list())
        assert not withheld & now, "whoever was withheld stays withheld"
        assert not published & (set(rows["pid"].to_list()) - now), "whoever was published stays published"
        published |= now
        withheld |= set(rows["pid"].to_list()) - now
    assert withheld
    with pytest.raises(LedgerConflict, match="withheld by a suppression in earlier releases"):
        tc.InvariantMarginals(m=2).protect(table(skewed), ledger=ledger)


def test_three_months_through_recipes(tmp_path: Path) -> None:
    recipe = tmp_path / "month.toml"
    data = people(60)
    for month, rows in enumerate((data[:50], data[10:55], data[5:])):
        rows.write_csv(tmp_path / "clinic.csv")
        recipe.write_text(
            f"""
[table]
source = "clinic.csv"
[roles]
person = "pid"
quasi_identifiers = ["age", "zip"]
sensitive = ["ill"]
[[steps]]
method = "invariant-marginals"
m = 2
marginals = [["age"], ["zip"]]
counterfeits = "newcomers"
[ledger]
path = "clinic.ledger"
[output]
folder = "month-{month}"
"""
        )
        done = _tacit("publish", str(recipe))
        assert done.returncode == 0, done.stderr
    assert "60 people, by a keyed hash, published 3 times" in _tacit("ledger", str(tmp_path / "clinic.ledger")).stdout
    for frame in tc.Release.read(tmp_path / "month-2").frames().values():
        assert "pid" not in frame.columns


def _tacit(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "tacit", *words], capture_output=True, text=True, check=False)


def test_a_lost_or_damaged_key_is_no_reason_to_begin_again(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = people(60)
    publish(data, ledger, tmp_path / "0")
    key = ledger.path.with_name("clinic.ledger.key")
    kept = key.read_bytes()
    key.unlink()
    with pytest.raises(SourceError, match=r"key of the ledger clinic\.ledger is missing"):
        publish(data, ledger, tmp_path / "1")
    key.write_bytes(kept[:7])
    with pytest.raises(SourceError, match="is damaged"):
        publish(data, ledger, tmp_path / "1")
    key.write_bytes(kept)
    publish(data, ledger, tmp_path / "1")


def test_two_publishers_at_once(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = people(60)
    releases = [tc.InvariantMarginals(m=2).protect(table(data), ledger=ledger) for _ in range(2)]
    releases[0].write(tmp_path / "0")
    with pytest.raises(LedgerConflict):
        releases[1].write(tmp_path / "1")
    assert not (tmp_path / "1").exists()
    assert len(ledger.entries()) == 1


def test_what_the_ledger_says_of_itself(tmp_path: Path, ledger: tc.Ledger) -> None:
    from tacit.jobs.terminal.ledger import ledger_lines

    data = people(60)
    publish(data[:50], ledger, tmp_path / "0")
    publish(data[20:], ledger, tmp_path / "1")
    view = read_ledger(ledger.path)
    (series,) = view.series
    assert series.people == 60
    assert [entry.newcomers for entry in series.entries] == [50, 10]
    text = "\n".join(ledger_lines(view))
    assert "60 people, by a keyed hash, published 2 times" in text
    assert "40 people, 10 new" in text
    assert "after people came, left, returned or moved" in text


FORKING = """
import os, signal, sys
import numpy as np
import tacit as tc
tc.Ledger, tc.InvariantMarginals, tc.Release, tc.Table

# Everything is imported once; Polars, whose threads do not survive a fork, is not touched before it.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
place = sys.argv[1]
for line in sys.stdin:
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    columns = dict(np.load(place + "/t.npz", allow_pickle=True))
    method = tc.InvariantMarginals(m=2, marginals=[["age"]], counterfeits="newcomers")
    rng = np.random.default_rng(int(line))
    for month in range(1_000):
        rows = rng.permutation(60)[:40]
        data = {name: column[rows] for name, column in columns.items()}
        table = tc.Table(data, person="pid", quasi_identifiers=["age", "zip"], sensitive="ill")
        release = method.protect(table, ledger=tc.Ledger(place + "/c.ledger"))
        out = f"{place}/r{line.strip()}-{month}"
        release.write(out, private=out + ".private")
    os._exit(0)
"""


@pytest.mark.skipif(os.name != "posix", reason="fork and kill")
def test_killed_at_any_moment_ledger_and_folders_agree(tmp_path: Path) -> None:
    """Every release that is in place is in the ledger and can be read; a kill leaves at most one that was not moved."""
    data = people(60)
    np.savez(tmp_path / "t.npz", **{name: data[name].to_numpy() for name in data.columns})
    kills = int(os.environ.get("TACIT_KILLS", "20"))
    rng = np.random.default_rng(5)
    forking = subprocess.Popen(
        [sys.executable, "-c", FORKING, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert forking.stdin is not None
    assert forking.stdout is not None
    with forking:
        for kill in range(kills):
            forking.stdin.write(f"{kill}\n")
            forking.stdin.flush()
            child = int(forking.stdout.readline())
            deadline = time.monotonic() + 60
            while not list(tmp_path.glob(f"r{kill}-*")) and time.monotonic() < deadline:
                time.sleep(0.002)
            time.sleep(float(rng.uniform(0.0, 0.3)))
            os.kill(child, signal.SIGKILL)
            while _alive(child):
                time.sleep(0.002)
            entries = tc.Ledger(tmp_path / "c.ledger").entries()
            known = {Path(entry.folder).name for entry in entries}
            there = {place.name for place in tmp_path.glob("r*-*") if not place.name.endswith(".private")}
            assert there <= known, "published, and the ledger does not know"
            assert len(known - there) <= kill + 1
        forking.stdin.close()
    assert there, "no publisher got as far as one release"
    for folder in sorted(there):
        tc.Release.read(tmp_path / folder)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
