"""Calls of the public verbs with arguments of another kind: they end in one sentence of the package's own."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_type_hints

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.argument_kinds import fits, in_words
from tacit.calls import checked_call
from tacit.errors import ParameterError, TacitError

TABLE = {"age": [20, 20, 30, 30], "ill": ["flu", "cold", "flu", "cold"], "name": list("abcd")}


@pytest.fixture
def table() -> tc.Table:
    return tc.Table(TABLE, identifiers="name", quasi_identifiers="age", sensitive="ill")


@pytest.fixture
def release(table: tc.Table) -> tc.Release:
    return tc.Anatomy(l=2).protect(table)


@pytest.fixture
def followed(tmp_path: Path) -> tc.Ledger:
    ledger = tc.Ledger(tmp_path / "c.ledger")
    named = tc.Table(TABLE, person="name", quasi_identifiers="age", sensitive="ill")
    method = tc.InvariantMarginals(m=2, marginals=[["age"]])
    method.protect(named, ledger=ledger).write(tmp_path / "out", format="csv")
    return ledger


@pytest.mark.parametrize(
    ("value", "annotation", "wanted"),
    [
        ("a", str, True),
        ("\ud800", str, False),
        (b"a", str, False),
        (1, int, True),
        (True, int, False),
        (np.int64(3), int, True),
        (10**30, int, False),
        (0.5, int, False),
        (0.5, float, True),
        (1, float, True),
        (float("nan"), float, False),
        (10**400, float, False),
        (np.True_, bool, True),
        (1, bool, False),
        (None, str | None, True),
        ("abc", Sequence[str], False),
        ("abc", str | Sequence[str], True),
        (["a", 1], Sequence[str], False),
        ((x for x in "ab"), Iterable[str], True),
        ({"a": 1}, Mapping[str, int], True),
        ({1: 1}, Mapping[str, int], False),
        ((1, "a"), tuple[int, str], True),
        ((1,), tuple[int, str], False),
        (Path("x"), str | os.PathLike[str], True),
        ("csv", Literal["csv", "arrow"], True),
        (1, Literal[True], False),
        (print, "not a type", True),
    ],
)
def test_a_value_fits_its_annotation(value: Any, annotation: Any, wanted: bool) -> None:
    assert fits(value, annotation) is wanted


def test_an_annotation_in_words() -> None:
    assert in_words(str | Path | None) == "text or a path or None"
    assert in_words(tc.Table) == "a Table"
    assert in_words(bool) == "True or False"


def test_annotations_of_every_checked_verb_can_be_read() -> None:
    """What cannot be read could not be compared with an argument, and a call would fail in a way of its own."""
    owners = [getattr(tc, name) for name in tc.__all__]
    verbs = [owner for owner in owners if inspect.isfunction(owner)]
    verbs += [part for owner in owners if inspect.isclass(owner) for _, part in inspect.getmembers(owner, callable)]
    checked = {inspect.unwrap(verb) for verb in verbs if hasattr(verb, "__wrapped__") and inspect.isroutine(verb)}
    ours = [verb for verb in checked if verb.__module__.startswith("tacit.") and verb.__name__ != "__repr__"]
    assert len(ours) > 20
    for verb in ours:
        assert get_type_hints(verb, include_extras=True)


def test_what_fails_for_another_reason_fails_as_it_does() -> None:
    @checked_call()
    def divide(by: int) -> float:
        return 1 / by

    with pytest.raises(ZeroDivisionError):
        divide(0)
    with pytest.raises(ParameterError, match=r"^divide: by = 'a' is not allowed: it should be a whole number\.$"):
        divide("a")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [5, [5], pl.Series([1]), object(), "x", {"a": 1}, np.array([1, 2])])
def test_an_audit_says_what_it_takes(release: tc.Release, wrong: Any) -> None:
    with pytest.raises(TacitError):
        tc.audit(release, adversaries=wrong)
    with pytest.raises(TacitError):
        tc.audit(release, claims=wrong)


@pytest.mark.parametrize("given", [{"ledger": "x"}, {"progress": 5}, {"engine": "streaming"}, {"seed": "1"}])
def test_protecting_says_what_it_takes(table: tc.Table, given: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match=next(iter(given))):
        tc.Anatomy(l=2).protect(table, **given)


@pytest.mark.parametrize(
    "given",
    [{"models": 5}, {"models": pl.Series(["ill"])}, {"outside": 5}, {"weights": 5}, {"profile": 5}, {"format": []},
     {"private": 5}, {"database": "sqlite:///x"}, {"certificate": 1}, {"method": "anatomy"}, {"progress": "x"}],
)  # fmt: skip
def test_publishing_says_what_it_takes(release: tc.Release, tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(TacitError):
        tc.publish(release, tmp_path / "out", **{"certificate": False, **given})
    assert not (tmp_path / "out").exists()


def test_one_person_is_not_forgotten_letter_by_letter(followed: tc.Ledger) -> None:
    """A text is a list of letters to Python; 'ab' would have refused two other people for ever."""
    before = followed.lines()
    for wrong in ("ab", 5, None, [1]):
        with pytest.raises(ParameterError, match="persons"):
            followed.forget(wrong)  # type: ignore[arg-type]
    assert len(followed.lines()) == len(before)


def test_other_verbs_say_what_they_take(table: tc.Table, release: tc.Release, tmp_path: Path) -> None:
    calls: list[Any] = [
        lambda: tc.Ledger(tmp_path / "l", series=5),  # type: ignore[arg-type]
        lambda: tc.Ledger(tmp_path / "l").open(release),  # type: ignore[arg-type]
        lambda: tc.Ledger(tmp_path / "l").add(table, folder="x"),  # type: ignore[arg-type]
        lambda: tc.audit(release).require(allow_unchecked="no"),  # type: ignore[arg-type]
        lambda: tc.special_uniques(release),  # type: ignore[arg-type]
        lambda: tc.population_risk(table, population=tmp_path),  # type: ignore[arg-type]
        lambda: tc.compare(table, 5),  # type: ignore[arg-type]
        lambda: tc.compare(table, [tc.Anatomy(l=2)], by=...),  # type: ignore[arg-type]
        lambda: tc.DisclosureRisk(known={"age": 0.5}).score(release),  # type: ignore[arg-type]
        lambda: tc.StreamingEngine(fragment_rows=np.array([1, 2])),  # type: ignore[arg-type]
        lambda: tc.Calendar(levels=Path("x")),  # type: ignore[arg-type]
        lambda: tc.TreeHierarchy(5),  # type: ignore[arg-type]
        lambda: tc.Destination(5),  # type: ignore[arg-type]
        lambda: tc.Release.read(tmp_path, hierarchies=5),  # type: ignore[arg-type]
        lambda: tc.inspect(TABLE, roles=5),
        lambda: tc.Protector(tc.Mondrian([tc.KAnonymity(2)]), quasi_identifiers=["no"]).fit(TABLE),
    ]
    for call in calls:
        with pytest.raises(TacitError):
            call()
