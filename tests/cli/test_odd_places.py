"""Devices, pipes, endless sweeps, ledgers that may not be written: one sentence, and nothing is left behind."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from tacit.errors import ParameterError, SourceError
from tacit.jobs.compare import parse_sweep
from tacit.releases.ledger_store import LedgerStore, Line


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices")
@pytest.mark.parametrize("place", ["/dev/zero", "pipe", "large.toml", "deep.toml", "a\\u0000b", "~nobody-here/x.toml"])
def test_a_recipe_is_a_small_regular_file(clinic, tacit, place):
    os.mkfifo(clinic / "pipe")
    with (clinic / "large.toml").open("wb") as file:
        file.truncate(1 << 30)
    (clinic / "deep.toml").write_text("a = " + "[" * 20_000)
    (clinic / "other.toml").write_text(f'include = "{place}"\n' + (clinic / "clinic.toml").read_text())
    for command in (["publish", "other.toml"], ["recipe", "other.toml"]):
        done = tacit(*command)
        assert done.code == 2, done.err
        assert done.err.count("\n") == 1
        assert "should not happen" not in done.err
    if "\\" not in place:
        assert tacit("publish", place).code == 2
        assert tacit("inspect", place).code == 2
    assert not (clinic / "out").exists()


def test_recipes_that_include_one_another_without_end(clinic, tacit):
    for number in range(60):
        (clinic / f"r{number}.toml").write_text(f'include = "r{number + 1}.toml"\n')
    done = tacit("publish", "r0.toml")
    assert done.code == 2
    assert "included through" in done.err


@pytest.mark.parametrize(
    "text", ["k=1..99999999", "k=1..999999999999999999999", "k=" + "1," * 5000, "k=²..³", "k=1..²"]
)
def test_a_sweep_has_an_end(text):
    with pytest.raises(ParameterError) as caught:
        parse_sweep(text)
    assert len(str(caught.value)) < 2200
    assert parse_sweep("k=1..1000")[1] == list(range(1, 1001))


@pytest.mark.parametrize("said", ["attempt to write a readonly database", "database or disk is full", "disk I/O error"])
def test_a_ledger_that_may_not_be_written_is_not_called_damaged(tmp_path, said):
    error = LedgerStore(tmp_path / "c.ledger")._busy(sqlite3.OperationalError(said))
    assert isinstance(error, SourceError)
    assert "cannot be written" in str(error)
    assert "is damaged" not in str(error)


def test_drafts_of_the_killed_are_swept_and_those_of_the_living_are_not(tmp_path):
    store = LedgerStore(tmp_path / "c.ledger")
    stale = tmp_path / ".c.ledger.tacit-new-0123"
    stale.write_bytes(b"")
    living = tmp_path / ".c.ledger.tacit-new-4567"
    import fcntl

    with living.open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        store.append(
            [Line("", "table", {"digest": "x", "rows": 1, "quasi_identifiers": [], "sensitive": []})],
            lambda lines: None,
        )
        assert not stale.exists()
        assert living.exists()
    store.append([Line("", "odd", {})], lambda lines: None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.ledger"]


def test_a_ledger_behind_a_link_is_made_where_the_link_points(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "c.ledger").symlink_to(tmp_path / "disk" / "real.ledger")
    store = LedgerStore(tmp_path / "c.ledger")
    store.append(
        [Line("", "table", {"digest": "x", "rows": 1, "quasi_identifiers": [], "sensitive": []})], lambda lines: None
    )
    assert (tmp_path / "c.ledger").is_symlink()
    assert len(store.read()) == 1
    assert sorted(path.name for path in (tmp_path / "disk").iterdir()) == ["real.ledger"]
