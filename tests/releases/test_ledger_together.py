"""Every method through a ledger: repetitions, and releases that are judged beside one another."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.datasets import hospital
from tacit.errors import AuditFailed, LedgerConflict
from tacit.guarantees.quasi_sensitive.diversity import KNOWN

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


def table(data: pl.DataFrame, person: str | None = "pid") -> tc.Table:
    names = {"person": person} if person else {"identifiers": "pid"}
    return tc.Table(data, quasi_identifiers=["age", "zip"], sensitive="ill", **names)


@pytest.fixture
def ledger(tmp_path: Path) -> tc.Ledger:
    return tc.Ledger(tmp_path / "clinic.ledger")


def together(release: tc.Release, rows: pl.DataFrame) -> set[frozenset[str]]:
    assert release.inside is not None
    groups: dict[int, set[str]] = {}
    for person, number in zip(rows["pid"].to_list(), release.inside.group.tolist(), strict=True):
        groups.setdefault(number, set()).add(person)
    return {frozenset(each) for each in groups.values()}


@pytest.mark.parametrize("person", ["pid", None])
@pytest.mark.parametrize("method", [MONDRIAN, tc.ART(r=1.5), tc.Anatomy(l=2), tc.Anatomy(l=2, buckets="random")])
def test_a_repetition_groups_as_before(
    tmp_path: Path, ledger: tc.Ledger, method: tc.Method, person: str | None
) -> None:
    data = clinic()
    releases = [method.protect(table(data, person), ledger=ledger) for _ in range(1)]
    releases[0].write(tmp_path / "0")
    releases.append(method.protect(table(data, person), ledger=ledger))
    releases[1].write(tmp_path / "1")
    third = method.protect(table(data, person), ledger=tc.Ledger(ledger.path))
    third.write(tmp_path / "2")
    assert together(releases[0], data) == together(releases[1], data) == together(third, data)
    assert len(ledger.entries()) == 3


def test_a_repetition_removes_the_same_items(tmp_path: Path, ledger: tc.Ledger) -> None:
    items = [item for row in KNOWN.values() for item in row]
    rng = np.random.default_rng(1)
    rows = [[str(i) for i in rng.choice(items, 4)] for _ in range(40)]
    data = tc.Table({"age": [30, 40] * 20, "symptoms": rows}, quasi_identifiers="age", items="symptoms")
    method = tc.QuasiSensitive(guarantee=tc.QSDiversity(c=1, l=2, knowledge=KNOWN), time_bound=0.05)
    shown = []
    for name in ("a", "b"):
        release = method.protect(data, ledger=ledger)
        release.write(tmp_path / name)
        shown.append(sorted(map(sorted, release.frames()["table"]["symptoms"].to_list())))
    assert shown[0] == shown[1]


@pytest.mark.parametrize("person", ["pid", None])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_two_releases_tell_together_is_refused_in_either_order(
    tmp_path: Path, ledger: tc.Ledger, person: str | None, order: tuple[int, int]
) -> None:
    methods = (MONDRIAN, tc.Anatomy(l=3))
    data = table(clinic(), person)
    methods[order[0]].protect(data, ledger=ledger).write(tmp_path / "0")
    with pytest.raises(
        LedgerConflict, match=r"read beside release 1 .*of this release fails.*of release 1 fails"
    ) as no:
        methods[order[1]].protect(data, ledger=ledger).write(tmp_path / "1")
    assert isinstance(no.value, AuditFailed)
    assert "--accept-composition" in str(no.value)
    assert len(ledger.entries()) == 1
    assert not (tmp_path / "1").exists()


def test_an_accepted_composition_leaves_the_broken_claims_out_and_is_recorded(
    tmp_path: Path, ledger: tc.Ledger
) -> None:
    data = table(clinic())
    MONDRIAN.protect(data, ledger=ledger).write(tmp_path / "0")
    tc.Anatomy(l=3).protect(data, ledger=ledger).write(tmp_path / "1", accept_composition=True)
    assert tc.Release.read(tmp_path / "1").claims == ()
    entry = ledger.entries()[-1]
    assert entry.together["broken"][0]["people"] > 0
    assert entry.together["posterior"] == pytest.approx(1.0)
    assert entry.together["pinned"] > 0


def test_a_table_that_changes_may_be_published_by_any_method(tmp_path: Path, ledger: tc.Ledger) -> None:
    """Nobody is in both months, so that nothing is learned from both."""
    data = clinic(200)
    MONDRIAN.protect(table(data[:100]), ledger=ledger).write(tmp_path / "0")
    MONDRIAN.protect(table(data[100:]), ledger=ledger).write(tmp_path / "1")
    with pytest.raises(LedgerConflict, match="fails for"):
        MONDRIAN.protect(table(data[50:150]), ledger=ledger).write(tmp_path / "2")


def test_a_missing_private_part_is_said_to_be_unchecked(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = clinic()
    MONDRIAN.protect(table(data), ledger=ledger).write(tmp_path / "0")
    shutil.rmtree(tmp_path / "0.private")
    release = MONDRIAN.protect(table(data[:150]), ledger=ledger)
    release.write(tmp_path / "1")
    (reason,) = ledger.entries()[-1].together["unchecked"]
    assert reason.startswith("release 1 (")
    assert "its private part is not there" in reason


def test_every_signature_is_checked_although_the_private_part_is_gone(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = clinic()
    tc.InvariantMarginals(m=3, marginals=[["age"]]).protect(table(data), ledger=ledger).write(tmp_path / "0")
    shutil.rmtree(tmp_path / "0.private")
    with pytest.raises(LedgerConflict, match=r"m-invariance.m=3. of the earlier releases fails"):
        tc.Anatomy(l=3).protect(table(data), ledger=ledger).write(tmp_path / "1")


def test_a_release_put_back_from_a_backup_is_noticed(tmp_path: Path, ledger: tc.Ledger) -> None:
    data = clinic()
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(table(data[:150]), ledger=ledger).write(tmp_path / "out")
    shutil.copytree(tmp_path / "out", tmp_path / "backup")
    backup = ledger.path.read_bytes()
    method.protect(table(data), ledger=ledger).write(tmp_path / "out", overwrite=True)
    ledger.path.write_bytes(backup)  # the ledger of last month beside the files of this one
    with pytest.raises(LedgerConflict, match=r"out/ holds a release that the ledger does not know.*backup"):
        method.protect(table(data), ledger=ledger).write(tmp_path / "next")


def test_an_older_ledger_is_noticed_by_the_releases_beside_its_own(tmp_path: Path, ledger: tc.Ledger) -> None:
    """Every month has a folder of its own: the ledger of last month does not know the newest."""
    data = clinic()
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(table(data[:150]), ledger=ledger).write(tmp_path / "may")
    backup = ledger.path.read_bytes()
    method.protect(table(data), ledger=ledger).write(tmp_path / "june")
    newest = ledger.path.read_bytes()
    ledger.path.write_bytes(backup)
    with pytest.raises(LedgerConflict, match=r"june/ holds a release that the ledger does not know.*backup"):
        method.protect(table(data), ledger=ledger).write(tmp_path / "july")
    assert not (tmp_path / "july").exists()
    ledger.path.write_bytes(newest)
    method.protect(table(data), ledger=ledger).write(tmp_path / "july")
    # Another series of the same file, and another ledger of the same people, are no such releases.
    second = tc.Ledger(ledger.path, series="other")
    method.protect(table(data), ledger=second).write(tmp_path / "other-1")
    method.protect(table(data), ledger=second).write(tmp_path / "other-2")
    method.protect(table(data), ledger=ledger).write(tmp_path / "august")
    third = tc.Ledger(tmp_path / "third.ledger")
    for number in range(2):
        method.protect(table(data), ledger=third).write(tmp_path / f"third-{number}")


def test_a_clock_that_goes_backwards_is_refused(
    tmp_path: Path, ledger: tc.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tacit.releases import ledger_store

    data = table(clinic())
    MONDRIAN.protect(data, ledger=ledger).write(tmp_path / "0")

    class Earlier(ledger_store.datetime):
        @classmethod
        def now(cls, tz=None):  # type: ignore[no-untyped-def]
            return super().now(tz) - ledger_store.timedelta(days=3)

    monkeypatch.setattr(ledger_store, "datetime", Earlier)
    with pytest.raises(LedgerConflict, match=r"The clock of this machine says .* set the clock"):
        MONDRIAN.protect(data, ledger=ledger).write(tmp_path / "1")
    assert len(ledger.entries()) == 1


def test_methods_that_promise_nothing_of_values_share_a_ledger(tmp_path: Path, ledger: tc.Ledger) -> None:
    """The same table, blurred in two ways under k-anonymity: rows that may be hers are counted."""
    data = tc.Table(hospital(400).frame, quasi_identifiers=["age", "sex"], sensitive="diagnosis")
    tc.Mondrian(guarantees=[tc.KAnonymity(k=4)]).protect(data, ledger=ledger).write(tmp_path / "0")
    with pytest.raises(LedgerConflict, match=r"k-anonymity.k=5. of this release fails"):
        tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(data, ledger=ledger).write(tmp_path / "1")


def test_what_cannot_be_read_beside_another_release_of_the_same_table_is_refused(
    tmp_path: Path, ledger: tc.Ledger
) -> None:
    """As long as the groups are the same nothing has to be read; otherwise a missing private part decides nothing."""
    data = table(clinic())
    MONDRIAN.protect(data, ledger=ledger).write(tmp_path / "0")
    shutil.rmtree(tmp_path / "0.private")
    with pytest.raises(LedgerConflict, match="is known to hold only beside releases of the same groups"):
        tc.Anatomy(l=3).protect(data, ledger=ledger).write(tmp_path / "1")
    visits = tc.Ledger(tmp_path / "visits.ledger")
    twice = table(pl.concat([clinic(), clinic(seed=1)]))
    two = tc.Mondrian(guarantees=[tc.LDiversity(l=2, kind="frequency")])
    two.protect(twice, ledger=visits).write(tmp_path / "2")
    two.protect(twice, ledger=visits).write(tmp_path / "3")
    with pytest.raises(LedgerConflict, match="is known to hold only beside releases of the same groups"):
        tc.Mondrian(guarantees=[tc.LDiversity(l=3)]).protect(twice, ledger=visits).write(tmp_path / "4")
