"""Group guarantees on tables that other tools published: suppressed rows, orders that are not told, parameters."""

from __future__ import annotations

import math

import pytest

import tacit as tc

CELLS = {
    "age": ["[1, 2]"] * 3 + ["[3, 4]"] * 3,
    "zip": ["1*"] * 6,
    "ill": ["flu", "cold", "gout"] * 2,
}


def published(suppressed: list[str]) -> tc.Release:
    """Two sound groups, and rows in which every quasi-identifier is suppressed, the way ARX writes them."""
    blank = ["*"] * len(suppressed)
    frame = {"age": CELLS["age"] + blank, "zip": CELLS["zip"] + blank, "ill": CELLS["ill"] + suppressed}
    return tc.Release.foreign(frame, quasi_identifiers=["age", "zip"], sensitive="ill")


@pytest.mark.parametrize(
    ("claim", "suppressed", "holds"),
    [
        (tc.KAnonymity(k=3), ["flu"] * 2, False),
        (tc.KAnonymity(k=3), ["flu"] * 3, True),
        (tc.LDiversity(l=2), ["flu"] * 3, False),
        (tc.LDiversity(l=2), ["flu", "cold"], True),
        (tc.LDiversity(l=3, kind="frequency"), ["flu", "cold", "gout"], True),
        (tc.TCloseness(t=0.1), ["flu", "cold", "gout"], True),
        (tc.TCloseness(t=0.6), ["flu", "flu", "flu"], False),
    ],
)
def test_suppressed_rows_are_one_more_group_and_named(claim: tc.Guarantee, suppressed: list[str], holds: bool) -> None:
    (finding,) = tc.audit(published(suppressed), claims=[claim]).findings
    assert finding.holds is holds
    assert (finding.parts.published, finding.parts.withheld) == ("holds", "holds" if holds else "fails")
    assert "2 groups" in finding.sentence
    assert "groups break it" not in finding.sentence
    assert f"{len(suppressed)} rows with every quasi-identifier suppressed, read as withheld" in finding.sentence


def test_a_table_that_shows_no_quasi_identifier_at_all_is_one_group() -> None:
    frame = {"age": ["*"] * 3, "ill": ["flu", "cold", "gout"]}
    release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="ill")
    (finding,) = tc.audit(release, claims=[tc.KAnonymity(k=3)]).findings
    assert (finding.parts.published, finding.parts.withheld) == ("holds", "none")


def test_a_group_of_this_tool_that_is_blurred_away_is_published() -> None:
    table = tc.Table(
        {"age": ["a", "b"] * 2 + ["c"] * 2, "ill": ["flu", "cold"] * 3}, quasi_identifiers="age", sensitive="ill"
    )
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table, seed=1)
    assert release.shape.suppressed_group is None


def test_an_order_that_nobody_told_is_not_made_up() -> None:
    frame = {"age": [1, 1, 2, 2], "pain": ["low", "high", "mid", "low"]}
    release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="pain")
    (finding,) = tc.audit(release, claims=[tc.TCloseness(t=1.0, distance="ordered")]).findings
    assert finding.holds is None
    assert finding.needed is not None
    assert "order of the values of 'pain'" in finding.needed
    numbers = tc.Release.foreign({"age": [1, 1], "pay": [10, 20]}, quasi_identifiers="age", sensitive="pay")
    assert tc.audit(numbers, claims=[tc.TCloseness(t=0.1, distance="ordered")]).holds is True


@pytest.mark.parametrize("value", [math.inf, math.nan])
@pytest.mark.parametrize(
    ("guarantee", "given"),
    [
        (tc.DeltaDisclosure, {"delta": None}),
        (tc.BetaLikeness, {"beta": None}),
        (tc.TCloseness, {"t": None}),
        (tc.AlphaK, {"alpha": None, "k": 2}),
        (tc.LDiversity, {"l": None}),
        (tc.LDiversity, {"l": None, "kind": "entropy"}),
        (tc.LDiversity, {"l": 2, "kind": "recursive", "c": None}),
    ],
)
def test_a_limit_that_nothing_exceeds_is_refused(guarantee: type, given: dict[str, object], value: float) -> None:
    with pytest.raises(tc.ParameterError, match="not allowed"):
        guarantee(**{key: value if each is None else each for key, each in given.items()})


def test_blanks_in_a_sensitive_column_are_not_checked() -> None:
    frame = {"age": [1, 1, 1], "ill": ["flu", "cold", None]}
    release = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="ill")
    (finding,) = tc.audit(release, claims=[tc.LDiversity(l=2)]).findings
    assert finding.parts.blanks == "not checked"
    assert finding.holds is None


def test_what_cannot_be_read_is_counted() -> None:
    frame = {"age": ["20-29", "30-39", "NULL", "unknown"], "edu": ["Undergraduate", "HS", "HS", "HS"]}
    release = tc.Release.foreign(frame, quasi_identifiers=["age", "edu"], sensitive=())
    attack = tc.LinkageAdversary(victims={"age": [25, 34], "edu": ["BA", "HS"]}).attack(release)
    doubts = {doubt.column: doubt for doubt in attack.doubts}
    assert (doubts["age"].rows, doubts["age"].reason) == (2, "unread")
    assert (doubts["edu"].rows, doubts["edu"].reason, doubts["edu"].example) == (1, "node", "Undergraduate")
    assert "give the hierarchy" in doubts["edu"].sentence
    everybody = tc.LinkageAdversary(victims={"age": [34], "edu": ["HS"]}).attack(release)
    assert [doubt.reason for doubt in everybody.doubts] == ["unread"]
