"""A person whose key is written in another way is the same person, or the table is refused; she is never a stranger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tacit as tc
from tacit.errors import LedgerConflict, RoleError
from tacit.releases.ledger_people import LedgerPeople

MONTHLY = tc.InvariantMarginals(m=2)


def month(keys: list[Any]) -> tc.Table:
    frame = pl.DataFrame(
        {
            "pid": pl.Series(keys, strict=False),
            "age": [20 + 3 * i for i in range(len(keys))],
            "ill": ["flu", "cold"] * (len(keys) // 2),
        }
    )
    return tc.Table(frame, person="pid", quasi_identifiers="age", sensitive="ill")


@pytest.mark.parametrize(
    ("may", "june"),
    [
        ([1, 2, 3, 4], ["1", "2", "3", "4"]),
        ([1, 2, 3, 4], [1.0, 2.0, 3.0, 4.0]),
        (["1.0", "2.0", "3.0", "4.0"], [1, 2, 3, 4]),
        (["a", "b", "c", "d"], ["a ", " b", "\tc", "d\u00a0"]),
        (["é", "ü", "ñ", "ç"], ["e\u0301", "u\u0308", "n\u0303", "c\u0327"]),
    ],
)
def test_a_key_written_in_another_way_is_the_same_person(tmp_path: Path, may: list[Any], june: list[Any]) -> None:
    for first, second in ((may, june), (june, may)):
        ledger = tc.Ledger(tmp_path / f"{first is may}.ledger")
        MONTHLY.protect(month(first), ledger=ledger).write(tmp_path / f"{first is may}-may")
        MONTHLY.protect(month(second), ledger=ledger).write(tmp_path / f"{first is may}-june")
        assert [entry.newcomers for entry in ledger.entries()] == [4, 0]


def test_capital_letters_and_leading_zeros_tell_people_apart(tmp_path: Path) -> None:
    ledger = tc.Ledger(tmp_path / "c.ledger")
    MONTHLY.protect(month(["a", "A", "7", "007"]), ledger=ledger).write(tmp_path / "may")
    assert ledger.entries()[-1].newcomers == 4


@pytest.mark.parametrize("pair", [("a", "a "), ("é", "e\u0301"), ("7", "7.0")])
def test_keys_that_differ_only_in_how_they_are_written_are_refused(tmp_path: Path, pair: tuple[str, str]) -> None:
    with pytest.raises(RoleError, match="differ only in how they are written"):
        MONTHLY.protect(month([*pair, "x", "y"]), ledger=tc.Ledger(tmp_path / "c.ledger"))


def test_a_key_of_nothing_but_spaces_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RoleError, match="nothing but spaces"):
        MONTHLY.protect(month(["a", "  ", "x", "y"]), ledger=tc.Ledger(tmp_path / "c.ledger"))


def test_a_forgotten_person_does_not_return_by_another_spelling(tmp_path: Path) -> None:
    ledger = tc.Ledger(tmp_path / "c.ledger")
    MONTHLY.protect(month(["a", "b", "c", "d"]), ledger=ledger).write(tmp_path / "may")
    ledger.forget([" a"])
    with pytest.raises(LedgerConflict, match="told to forget"):
        MONTHLY.protect(month(["a ", "b", "c", "d"]), ledger=ledger)


def test_whom_an_earlier_version_knows_by_her_key_as_written_stays_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tc.Ledger(tmp_path / "c.ledger")
    with monkeypatch.context() as earlier:
        earlier.setattr(LedgerPeople, "_hashes", lambda self, keys, _: self.key.hashed(keys))
        MONTHLY.protect(month(["a ", "b ", "c", "d"]), ledger=ledger).write(tmp_path / "may")
    MONTHLY.protect(month(["a ", "b ", "c ", "d"]), ledger=ledger).write(tmp_path / "june")
    assert [entry.newcomers for entry in ledger.entries()] == [4, 0]


def test_the_key_of_another_ledger_is_refused(tmp_path: Path) -> None:
    """With any key but its own everybody would be new, and get a second signature."""
    ledger, other = tc.Ledger(tmp_path / "c.ledger"), tc.Ledger(tmp_path / "o.ledger")
    for each, folder in ((ledger, "c"), (other, "o")):
        MONTHLY.protect(month(["a", "b", "c", "d"]), ledger=each).write(tmp_path / folder)
    (tmp_path / "c.ledger.key").write_bytes((tmp_path / "o.ledger.key").read_bytes())
    with pytest.raises(LedgerConflict, match=r"c\.ledger\.key is not the key with which people were noted"):
        MONTHLY.protect(month(["a", "b", "c", "d"]), ledger=ledger)


def test_a_table_of_nothing_but_strangers_is_refused(tmp_path: Path) -> None:
    """Keys that were renumbered, or got leading zeros, would give everybody a second signature."""
    ledger = tc.Ledger(tmp_path / "c.ledger")
    MONTHLY.protect(month(list(range(24))), ledger=ledger).write(tmp_path / "may")
    with pytest.raises(LedgerConflict, match="knows none of the 24 people"):
        MONTHLY.protect(month([f"{i:04d}" for i in range(24)]), ledger=ledger)
    MONTHLY.protect(month(list(range(23, 47))), ledger=ledger).write(tmp_path / "june")
    told = tc.Ledger(tmp_path / "c.ledger", all_new=True)  # the data owner knows that they are
    assert MONTHLY.protect(month(list(range(200, 224))), ledger=told).shape.rows == 24
    MONTHLY.protect(month([100, 101, 102, 103]), ledger=ledger).write(tmp_path / "july")  # a few may all be new


def test_it_is_said_where_no_other_release_has_any_of_the_people(tmp_path: Path) -> None:
    """Whose keys were given anew cannot be seen, so the verdict must not seem to cover them."""
    ledger = tc.Ledger(tmp_path / "c.ledger")
    method = tc.Mondrian([tc.LDiversity(l=2, kind="frequency")])
    method.protect(month(list(range(24))), ledger=ledger).write(tmp_path / "may")
    for keys, strangers in ((range(30, 54), True), (range(23, 47), False)):
        together = method.protect(month(list(keys)), ledger=ledger).together
        assert (
            any("nobody in this release was found in an earlier one" in said for said in together.unchecked)
            == strangers
        )
