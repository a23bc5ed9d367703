"""`tacit audit A B C` and `--ledger`: what somebody learns who has all of them; `tacit ledger` and what it changes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.cli import run
from tacit.errors import LedgerConflict

MONDRIAN = tc.Mondrian(guarantees=[tc.LDiversity(l=3, kind="frequency")])


def clinic(n: int = 200, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "pid": [f"p{i}" for i in range(n)],
            "age": rng.integers(20, 60, n),
            "zip": rng.integers(0, 9, n),
            "ill": rng.choice(list("abcdef"), n),
        }
    )


def table(data: pl.DataFrame, **roles: object) -> tc.Table:
    return tc.Table(data, quasi_identifiers=["age", "zip"], sensitive="ill", **(roles or {"person": "pid"}))


def test_two_blurred_files_of_two_publishers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ganta and others: the same person in two hospitals."""
    for name, ages, values in (("a", "[20, 30]", ["flu", "gout", "cold"]), ("b", "[25, 35]", ["gout", "mumps"])):
        pl.DataFrame({"age": [ages] * len(values), "ill": values}).write_csv(tmp_path / f"{name}.csv")
    pl.DataFrame({"age": [27, 21, 34]}).write_csv(tmp_path / "people.csv")
    files = [str(tmp_path / f"{name}.csv") for name in "ab"]
    people = ["--victims", str(tmp_path / "people.csv")]
    assert run(["audit", *files, "--qi", "age", "--sensitive", "ill", *people, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["people"] == 3
    assert found["shared"] == 1
    (column,) = found["columns"]
    assert column["alone"] == [0, 0]
    assert column["pinned"] == 2  # she who is in both has gout, so her only company in b has mumps
    assert found["matched"] == "by age, of the people in people.csv"
    assert run(["audit", *files, "--qi", "age", "--sensitive", "ill"]) == 0
    said = capsys.readouterr().out
    assert "made-up people" in said
    assert "--victims" in said


def test_folders_are_read_together_and_a_claim_that_fails_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = clinic()
    tc.Anatomy(l=3).protect(table(data)).write(tmp_path / "anatomy")
    MONDRIAN.protect(table(data)).write(tmp_path / "mondrian")
    assert run(["audit", str(tmp_path / "anatomy"), str(tmp_path / "mondrian")]) == 1
    said = capsys.readouterr()
    assert "by age, zip, of the people whom anatomy shows as they are" in said.out
    assert "carries her beliefs on" in said.out
    assert "NOT KEPT  l-diversity(l=3, kind=frequency) of release 1 fails for" in said.out
    assert "tell more together" in said.err


def test_a_ledger_is_read_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tc.Ledger(tmp_path / "c.ledger")
    data = clinic()
    method = tc.InvariantMarginals(m=2, marginals=[["age"], ["zip"]])
    for month in range(3):
        method.protect(table(data[month * 20 : 140 + month * 20]), ledger=ledger).write(tmp_path / f"{month}")
    assert run(["audit", "--ledger", str(ledger.path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (column,) = found["columns"]
    assert column["posterior"] == pytest.approx(0.5)
    assert column["pinned"] == 0
    assert column["equivalence"]["people"] > 1
    tc.Anatomy(l=2).protect(table(data[:150]), ledger=ledger).write(tmp_path / "x", accept_composition=True)
    assert run(["audit", "--ledger", str(ledger.path)]) == 1
    assert "m-invariance(m=2) of release 1 fails" in capsys.readouterr().out
    assert run(["ledger", str(ledger.path), "--picture", str(tmp_path / "c.svg")]) == 0
    said = capsys.readouterr().out
    assert "release 4 was accepted although it breaks" in said
    assert "m-invariance(m=2)" in said
    assert (tmp_path / "c.svg").read_text().startswith("<svg")


def test_somebody_who_is_forgotten_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tc.Ledger(tmp_path / "c.ledger")
    data = clinic()
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(table(data[:150]), ledger=ledger).write(tmp_path / "0")
    assert run(["ledger", str(ledger.path), "--forget", "nobody"]) == 2
    assert "knows nobody by 'nobody' in column 'pid'" in capsys.readouterr().err
    assert run(["ledger", str(ledger.path), "--forget", "p7"]) == 0
    assert "1 of them forgotten" in capsys.readouterr().out
    for each in (method, MONDRIAN):
        with pytest.raises(LedgerConflict, match="1 person is in the table whom the ledger"):
            each.protect(table(data), ledger=ledger)
    method.protect(table(data.filter(pl.col("pid") != "p7")), ledger=ledger).write(tmp_path / "1")


def test_a_ledger_of_one_table_is_brought_over_to_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tc.Ledger(tmp_path / "c.ledger")
    data = clinic()
    data.write_csv(tmp_path / "old.csv")
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    first = method.protect(table(data, identifiers="pid"), ledger=ledger)
    first.write(tmp_path / "0")
    with pytest.raises(LedgerConflict, match="--migrate OLD_TABLE --person"):
        method.protect(table(data[:150]), ledger=ledger)
    wrong = ["ledger", str(ledger.path), "--migrate", str(tmp_path / "other.csv"), "--person", "pid"]
    data[::-1].write_csv(tmp_path / "other.csv")
    assert run(wrong) == 2
    assert "is about another table" in capsys.readouterr().err
    assert run(["ledger", str(ledger.path), "--migrate", str(tmp_path / "old.csv"), "--person", "pid"]) == 0
    assert "follows 200 people by the column 'pid'" in capsys.readouterr().out
    second = method.protect(table(data[20:]), ledger=ledger)
    second.write(tmp_path / "1")
    assert first.inside is not None
    assert second.inside is not None
    seen: dict[str, set[frozenset[str]]] = {}
    for release, rows in ((first, data), (second, data[20:])):
        frame = release.frames()["age"]
        sets = {n: frozenset(part["ill"].to_list()) for (n,), part in frame.group_by("group")}
        for person, number in zip(rows["pid"].to_list(), release.inside.group["age"].tolist(), strict=True):
            seen.setdefault(person, set()).add(sets[number])
    assert all(len(each) == 1 for each in seen.values())
    with pytest.raises(LedgerConflict, match="fails for"):
        tc.Anatomy(l=2).protect(table(data), ledger=ledger).write(tmp_path / "2")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit"], "name a folder or a file"),
        (["audit", "--ledger", "none.ledger"], "There is no ledger none.ledger"),
        (["audit", "a", "b", "--report", "r.html"], "about one release"),
        (["ledger", "none.ledger", "--forget", "x"], "There is no ledger"),
        (["ledger", "none.ledger", "--migrate", "t.csv"], "--migrate needs --person"),
        (["ledger", "none.ledger", "--person", "pid"], "--person goes with --migrate"),
    ],
)
def test_bad_input(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


def test_bad_input_through_the_command_line(tmp_path: Path) -> None:
    """A table without a person column, keys that repeat, another person column, a changed value: one sentence each."""
    recipe = tmp_path / "r.toml"
    data = pl.DataFrame({"pid": [1, 2, 3, 4], "age": [20, 21, 50, 51], "ill": ["a", "b", "c", "d"]})

    def publish(rows: pl.DataFrame, person: str | None, folder: str) -> subprocess.CompletedProcess[str]:
        rows.write_csv(tmp_path / "t.csv")
        named = "" if person is None else f'person = "{person}"\n'
        recipe.write_text(
            f'[table]\nsource = "t.csv"\n[roles]\n{named}quasi_identifiers = ["age"]\nsensitive = ["ill"]\n'
            '[[steps]]\nmethod = "invariant-marginals"\nm = 2\n[ledger]\npath = "c.ledger"\n'
            f'[output]\nfolder = "{folder}"\n'
        )
        return subprocess.run(
            [sys.executable, "-m", "tacit", "publish", str(recipe)], capture_output=True, text=True, check=False
        )

    assert publish(data, "pid", "a").returncode == 0
    for rows, person, said in (
        (data, None, "does not say who they are. Name the person column: 'pid'."),
        (pl.concat([data, data]), "pid", "4 people have several rows. Make one row per person first"),
        (data.with_columns(key="pid"), "key", "by the person column 'pid', and this table has 'key'"),
        (data.with_columns(ill=pl.Series(["e", "e", "e", "e"])), "pid", "4 people have a value of 'ill' now"),
    ):
        done = publish(rows, person, "b")
        assert done.returncode == 2, done
        assert said in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_reader_of_a_ledger_learns_from_what_she_knows_of_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two of four diseases are those of the young: who knows ages learns it, and who of a group has which."""
    rng = np.random.default_rng(8)
    age = rng.integers(20, 60, 300)
    ill = [("flu", "cold", "gout", "mumps")[2 * (at >= 40) + int(rng.integers(0, 2))] for at in age.tolist()]
    data = pl.DataFrame({"pid": np.arange(300), "age": age, "zip": rng.integers(0, 2, 300), "ill": ill})
    ledger = tc.Ledger(tmp_path / "c.ledger")
    for month in range(2):
        method = tc.InvariantMarginals(m=3, marginals=[["zip"]], counterfeits="newcomers")
        method.protect(table(data[month * 20 : 260 + month * 20]), ledger=ledger).write(tmp_path / f"{month}")
    data.select("pid", "age").write_csv(tmp_path / "known.csv")
    data.select("age").write_csv(tmp_path / "nobody.csv")
    data.select("pid").write_csv(tmp_path / "nothing.csv")
    assert run(["audit", "--ledger", str(ledger.path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["columns"][0]["learned"] is None
    assert any("--victims gives her" in sentence for sentence in said["assumed"])
    assert run(["audit", "--ledger", str(ledger.path), "--victims", str(tmp_path / "known.csv"), "--json"]) == 0
    (column,) = json.loads(capsys.readouterr().out)["columns"]
    assert column["learned"] > column["expected"] + 0.02, column
    assert run(["audit", "--ledger", str(ledger.path), "--victims", str(tmp_path / "nobody.csv")]) == 2
    assert "has no column 'pid'" in capsys.readouterr().err
    assert run(["audit", "--ledger", str(ledger.path), "--victims", str(tmp_path / "nothing.csv")]) == 2
    assert "says nothing of people" in capsys.readouterr().err


def test_made_up_people_break_no_claim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Releases of one ledger, read without it and without a list of people: nothing is known to fail, or to hold."""
    ledger, data = tc.Ledger(tmp_path / "c.ledger"), clinic()
    method = tc.InvariantMarginals(m=2, counterfeits="newcomers")
    folders = []
    for month in range(3):
        method.protect(table(data[3 * month :]), ledger=ledger).write(tmp_path / f"{month}")
        shutil.copytree(tmp_path / f"{month}", tmp_path / "handed out" / f"{month}")  # without the private part
        folders.append(str(tmp_path / "handed out" / f"{month}"))
    assert run(["audit", "--ledger", str(tmp_path / "c.ledger")]) == 0
    capsys.readouterr()
    run(["audit", *folders, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert "made-up people" in found["matched"]
    assert found["broken"] == []
    pinned = found["columns"][0]["pinned"]
    assert not pinned or any("these people are made up" in sentence for sentence in found["unchecked"])
    assert run(["audit", *folders, "--allow-unchecked"]) == 0


def months_that_follow_people(place: Path) -> tuple[pl.DataFrame, list[str]]:
    """Publish three months of one ledger, with rows that are nobody's; return everybody and the folders."""
    ledger, data = tc.Ledger(place / "c.ledger"), clinic(400)
    method = tc.InvariantMarginals(m=3, counterfeits="newcomers")
    for month in range(3):
        release = method.protect(table(data[20 * month : 300 + 20 * month]), ledger=ledger)
        release.write(place / f"{month}")
    assert release.shape.counterfeits
    return data, [str(place / f"{month}") for month in range(3)]


def test_whoever_has_the_private_parts_gets_a_verdict_on_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Folders with their private parts beside them are read by the people themselves, counterfeits and all."""
    _, folders = months_that_follow_people(tmp_path)
    assert run(["audit", *folders, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "in the private parts beside the folders" in found["matched"]
    assert found["unchecked"] == found["broken"] == []
    assert found["columns"][0]["posterior"] == pytest.approx(1 / 3)
    assert found["columns"][0]["worlds"]["people"] == found["shared"]


def test_a_private_part_that_was_changed_is_not_believed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, folders = months_that_follow_people(tmp_path)
    (tmp_path / "1.private" / "groups.bin").write_bytes((tmp_path / "0.private" / "groups.bin").read_bytes())
    assert run(["audit", *folders, "--json", "--allow-unchecked"]) == 0
    assert "made-up people" in json.loads(capsys.readouterr().out)["matched"]


def test_people_who_may_have_left_break_no_claim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """People of the first month who left fit groups of the next: nothing was broken, and nothing is said to be."""
    data, folders = months_that_follow_people(tmp_path)
    data[:300].drop("ill").write_csv(tmp_path / "people.csv")
    run(["audit", *folders, "--victims", str(tmp_path / "people.csv"), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["broken"] == []
    assert any("if they are in every release that they fit" in sentence for sentence in found["unchecked"])


def test_a_ledger_says_that_a_broken_promise_cannot_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a release was accepted that breaks a promise, a repetition with the promise is refused, and it says so."""
    ledger, data = tc.Ledger(tmp_path / "c.ledger"), clinic()
    MONDRIAN.protect(table(data), ledger=ledger).write(tmp_path / "a")
    other = tc.Anatomy(l=3).protect(table(data), ledger=ledger)
    other.write(tmp_path / "b", accept_composition=True)
    assert ledger.entries()[-1].together["broken"]
    with pytest.raises(tc.AuditFailed):
        MONDRIAN.protect(table(data), ledger=ledger).write(tmp_path / "c")
    assert run(["ledger", str(tmp_path / "c.ledger")]) == 0
    said = capsys.readouterr().out
    assert "safe: nothing that claims what was broken" in said
    assert "None" not in said


def test_releases_in_which_nobody_is_found_twice_are_not_called_safe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cells of another notation fit nobody; the reader is told, and a claim is not checked by it."""
    pl.DataFrame({"age": ["<20;30>"] * 2, "ill": ["flu", "cold"]}).write_csv(tmp_path / "a.csv")
    pl.DataFrame({"age": [25, 25], "ill": ["flu", "gout"]}).write_csv(tmp_path / "b.csv")
    given = ["audit", str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), "--qi", "age", "--sensitive", "ill"]
    assert run(given) == 0
    assert "nobody was found in two of the releases" in capsys.readouterr().out
    assert run([*given, "--claim", "l-diversity:l=2"]) == 1
    assert "not checked" in capsys.readouterr().out
