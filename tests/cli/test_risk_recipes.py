"""Value suppression from the command line: what goes wrong ends in one sentence; what goes right shows its bar."""

from __future__ import annotations

import pytest

RECIPE = """
[table]
source = "patients.csv"
[roles]
quasi_identifiers = ["age", "zip", "sex"]
sensitive = ["disease"]
[[steps]]
method = "value-suppression"
{delta}
{risk}
[output]
folder = "out"
"""


def recipe(delta: str = "delta = 0.1", risk: str = "") -> str:
    return RECIPE.format(delta=delta, risk=risk)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (recipe(delta=""), ["delta"]),
        (recipe(delta="delta = -1"), ["delta = -1", "greater than or equal to 0"]),
        (recipe(delta="delta = nan"), ["delta"]),
        (recipe(delta="delta = 0.1\ncover = 0"), ["cover = 0", "greater than or equal to 1"]),
        (recipe(delta='delta = 0.1\nmode = "two-pass"'), ["mode", "one-pass"]),
        (recipe(risk="risk = { known = { sex = 1.5 } }"), ["known.sex = 1.5"]),
        (recipe(risk="risk = { known = { sexx = 0.5 } }"), ["sexx", "Did you mean 'sex'?"]),
        (recipe(risk="risk = { weights = { disease = -0.5 } }"), ["weights.disease = -0.5"]),
        (recipe(risk="risk = { weights = { illness = 1 } }"), ["illness", "disease"]),
        (recipe(risk="risk = { value_weights = { disease = { fluu = 1 } } }"), ["fluu", "Did you mean 'flu'?"]),
        (recipe(risk="risk = { value_weights = { disease = { flu = 7 } } }"), ["value_weights.disease.flu = 7"]),
        (recipe(risk="risk = { alpha = 0 }"), ["alpha = 0", "greater than 0"]),
        (recipe(risk='risk = { missing = "none" }'), ["missing", "wildcard"]),
        (recipe(risk="risk = { beta = 1 }"), ["beta"]),
    ],
)
def test_bad_numbers_columns_and_values(clinic, tacit, text: str, told: list[str]) -> None:
    (clinic / "risk.toml").write_text(text)
    done = tacit("publish", "risk.toml")
    assert done.code == 2
    assert all(part in done.err for part in told), done.err
    assert "Traceback" not in done.err
    assert not (clinic / "out").exists()


def test_publish_tells_before_and_after(clinic, tacit) -> None:
    (clinic / "risk.toml").write_text(recipe(risk="risk = { value_weights = { disease = { flu = 1, gout = 0.5 } } }"))
    done = tacit("publish", "risk.toml")
    assert done.code == 0, done.err
    for told in ("12 of 48 records were above 0.1", "12 cells suppressed", "risk-below", "holds"):
        assert told in done.out
    report = (clinic / "out.private" / "report.md").read_text()
    for told in ("Disclosure risk before and after", "before", "12 of 48", "after", "0 of 48", "the paper's one pass"):
        assert told in report
    assert (clinic / "out" / "release.json").exists()
    assert "flu" not in (clinic / "out" / "release.json").read_text()


def test_publish_shows_a_bar_that_moves(clinic, tacit, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import contextmanager

    told: list[float] = []

    @contextmanager
    def watched(quiet: bool):
        yield lambda stage, done: told.append(done)

    monkeypatch.setattr("tacit.cli.progress", watched)
    (clinic / "risk.toml").write_text(recipe())
    assert tacit("publish", "risk.toml").code == 0
    during = told[1 : told.index(1.0) + 1]  # from reading to the end of the method
    assert during == sorted(during)
    assert len(set(during)) > 5


@pytest.mark.parametrize("text", ["sex", "sex=", "sex=often", "=0.5", "sex=-0.1", "sex=nan"])
def test_inspect_refuses_what_is_no_probability(clinic, tacit, text: str) -> None:
    done = tacit("inspect", "patients.csv", "--known", text)
    assert done.code == 2
    assert "known" in done.err or "column" in done.err
    assert "Traceback" not in done.err
