"""What blanks tell: rows that become risky by other blanks, columns with too few peers, and what is not promised."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import tacit as tc
from tacit.errors import ParameterError
from tacit.knowledge.risk import Attributes, Records
from tacit.knowledge.risk.peers import Peers

FLAGS = {"Y": 1.0, "N": 0.0}


def five_people() -> tuple[tc.Table, tc.DisclosureRisk]:
    """The second person is above a risk of 1 only after other cells were blanked, to whom a blank is a value."""
    frame = {"age": list("22212"), "town": list("ababa"), "held": list("YYYNY"), "ill": list("YNNNN")}
    table = tc.Table(frame, quasi_identifiers=["age", "town"], sensitive=["held", "ill"])
    known = {"age": 0.5, "town": 0.8, "held": 0.5, "ill": 0.05}
    return table, tc.DisclosureRisk(known=known, value_weights={"held": FLAGS, "ill": FLAGS}, missing="own")


def test_rows_that_become_risky_by_other_blanks_get_cover() -> None:
    table, risk = five_people()
    assert not risk.score(table, delta=1.0).above[1]
    for seed in range(60):
        release = tc.ValueSuppression(risk=risk, delta=1.0).protect(table, seed=seed)
        for column in ("held", "ill"):
            weighs = (table.frame[column] == "Y").to_numpy()
            blank = release.inside.cells[:, release.inside.columns.index(column)]
            assert 2 * (weighs & blank).sum() <= blank.sum() or blank.all()
        assert tc.audit(release).holds is True


def test_a_blank_without_cover_fails_though_its_row_was_no_peer_of_the_input() -> None:
    """The cells that were blanked before rows that become risky had cover: the one blank of a flag hides Y."""
    table, risk = five_people()
    attributes = Attributes.of(risk, table)
    blank = np.zeros((5, 4), dtype=bool)
    blank[[0, 3], 3] = blank[1, 2] = True
    claim = tc.RiskBelow(delta=1.0, risk=risk)
    assert not claim.score(Records.of(attributes, blank)).above.any()
    hidden = claim.hidden(Peers(Records.of(attributes), 1.0), blank)
    uncovered = [(each.column, each.who) for each in hidden if not claim.covered(each)]
    assert ("held", "no peers") in uncovered


@pytest.mark.parametrize("missing", ["adversary", "own"])
def test_where_nobody_else_had_a_reason_the_verdict_says_so(missing: str) -> None:
    frame = {"town": ["Bath", *["Cork"] * 9], "held": ["Y", *["N"] * 9]}
    table = tc.Table(frame, quasi_identifiers="town", sensitive="held")
    risk = tc.DisclosureRisk(known={"town": 0.8}, value_weights={"held": FLAGS}, missing=missing)
    release = tc.ValueSuppression(risk=risk, delta=0.5).protect(table, seed=1)
    assert release.inside.cells[:, 1].tolist() == [True, *[False] * 9]
    finding = tc.audit(release).findings[0]
    assert finding.holds is True
    assert "is blank for all 1 rows that could have had a reason to be blank" in finding.sentence
    assert finding.posterior == finding.bound == 1.0


def test_a_covered_release_says_what_a_blank_may_hide() -> None:
    frame = {"town": ["Bath", "Rome", "Cork", "Cork"], "held": ["Y", "N", "N", "N"]}
    table = tc.Table(frame, quasi_identifiers="town", sensitive="held")
    risk = tc.DisclosureRisk(known={"town": 0.8}, value_weights={"held": FLAGS}, missing="own")
    finding = tc.audit(tc.ValueSuppression(risk=risk, delta=0.5).protect(table, seed=1)).findings[0]
    promised = "a blank cell may hide any answer: at most one in 2 of those who could have it does"
    assert finding.sentence.endswith(promised)
    assert finding.posterior == finding.bound == 0.5


@pytest.mark.parametrize("missing", ["wildcard", "own"])
def test_blanks_that_were_not_checked_make_no_verdict(missing: str, tmp_path: Path) -> None:
    table, risk = five_people()
    risk = risk.model_copy(update={"missing": missing})
    claim = tc.RiskBelow(delta=1.0, risk=risk)
    release = tc.ValueSuppression(risk=risk, delta=1.0).protect(table)
    release.write(tmp_path / "out", private=tmp_path / "elsewhere")
    finding = tc.audit(tc.Release.read(tmp_path / "out"), claims=[claim]).findings[-1]
    assert (finding.holds, finding.parts.published, finding.parts.blanks) == (None, "holds", "not checked")
    assert finding.needed is not None
    assert "private part" in finding.needed
    again = tc.Release.read(tmp_path / "out", private=tmp_path / "elsewhere")
    assert tc.audit(again, table, claims=[claim]).findings[-1].parts.blanks == "holds"


def test_somebody_who_knows_the_algorithm_may_learn_more() -> None:
    """All worlds of four people of whom one has the flag: which move is made depends on who it is.

    This is a limit that docs/threats/risk.md states, not a promise: the third and the fourth are each other's cover,
    but for the fourth it is cheaper to blank the age of the third. So if both flags are blank, the third has it.
    """
    worlds: dict[bytes, dict[int, int]] = {}
    runs = 8
    for who in range(4):
        flags = ["Y" if i == who else "N" for i in range(4)]
        frame = {"age": list("2213"), "town": list("bbab"), "held": flags}
        table = tc.Table(frame, quasi_identifiers=["age", "town"], sensitive="held")
        risk = tc.DisclosureRisk(known={"age": 0.5, "town": 0.8}, value_weights={"held": FLAGS})
        for seed in range(runs):
            release = tc.ValueSuppression(risk=risk, delta=1.0).protect(table, seed=seed)
            assert tc.audit(release).holds is True
            seen = worlds.setdefault(release.inside.cells.tobytes(), {})
            seen[who] = seen.get(who, 0) + 1
    both = np.zeros((4, 3), dtype=bool)
    both[2:, 2] = True
    assert worlds[both.tobytes()] == {2: runs}  # every draw of the one world, no draw of any other
    assert "algorithm" not in tc.RiskBelow.knowledge


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan, -0.1])
def test_a_threshold_that_means_nothing_is_an_error(number: float) -> None:
    for make in (tc.RiskBelow, tc.ValueSuppression):
        with pytest.raises(ParameterError, match="delta"):
            make(delta=number)


@pytest.mark.parametrize("number", [math.inf, math.nan, -0.1, 1.5])
@pytest.mark.parametrize("parameter", ["known", "weights"])
def test_a_share_that_is_none_is_an_error(parameter: str, number: float) -> None:
    with pytest.raises(ParameterError, match=parameter):
        tc.DisclosureRisk(**{parameter: {"age": number}})
    with pytest.raises(ParameterError, match="alpha"):
        tc.DisclosureRisk(alpha=math.inf)


def test_a_risk_in_which_nothing_weighs_is_an_error() -> None:
    table = tc.Table({"age": [1, 2, 3]}, quasi_identifiers="age")
    with pytest.raises(ParameterError, match="weighs"):
        tc.ValueSuppression(delta=0.1).protect(table)
    foreign = tc.Release.foreign({"age": [1, 2, 3]}, quasi_identifiers="age", sensitive=())
    with pytest.raises(ParameterError, match="weighs"):
        tc.audit(foreign, claims=[tc.RiskBelow(delta=0.1)])


def test_a_value_that_the_release_does_not_hold_is_an_error() -> None:
    frame = {"age": [1, 1, 2, 2], "held": ["yes", "no", "no", "yes"]}
    foreign = tc.Release.foreign(frame, quasi_identifiers="age", sensitive="held")
    claim = tc.RiskBelow(delta=0.1, risk=tc.DisclosureRisk(known={"age": 1}, value_weights={"held": {"Yes": 1}}))
    with pytest.raises(ParameterError, match="Did you mean 'yes'"):
        tc.audit(foreign, claims=[claim])
