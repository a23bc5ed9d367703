"""The recipe that an inspection writes: candidates are tried, one is kept by a stated rule, the others are comments."""

import tomllib

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.jobs.inspect import inspect
from tacit.jobs.inspect.candidates import candidates
from tacit.jobs.inspect.exposure import Spreading
from tacit.jobs.inspect.trials import MOST_LOST, MOST_WITHHELD, SAMPLE, sampled, tried
from tacit.table import Role


def _survey(rows: int, share: float, seed: int = 0) -> pl.DataFrame:
    """Make people, of whom a share has the same income; it does not depend on anything else."""
    random = np.random.default_rng(seed)
    income = np.where(random.random(rows) < share, "low", random.choice(["middle", "high"], rows))
    return pl.DataFrame(
        {
            "age": random.integers(18, 90, rows),
            "sex": random.choice(["F", "M"], rows),
            "town": random.choice([f"t{i}" for i in range(8)], rows),
            "income": income,
        }
    )


@pytest.mark.parametrize("share", [0.3, 0.45, 0.8])
def test_the_unedited_recipe_publishes_most_of_the_table(tmp_path, monkeypatch, tacit, share):
    monkeypatch.chdir(tmp_path)
    _survey(3_000, share).write_csv("survey.csv")
    told = tacit("inspect", "survey.csv", "--recipe", "survey.toml", "--json")
    assert told.code == 0, told.err
    kept = next(trial for trial in told.json["trials"]["each"] if trial["chosen"])
    done = tacit("publish", "survey.toml", "--json")
    assert done.code == 0, done.err
    assert done.json["utility"]["ncp"] == pytest.approx(kept["ncp"], abs=0.02)
    assert done.json["utility"]["ncp"] < MOST_LOST
    assert done.json["utility"]["suppression_rate"] < MOST_WITHHELD
    assert done.json["costly"] == []
    recipe = (tmp_path / "survey.toml").read_text()
    assert tomllib.loads(recipe)["steps"] == kept["steps"]
    for other in told.json["trials"]["each"]:
        assert other["chosen"] or f"# Also tried: {other['promise'][:30]}" in recipe
    assert recipe.count("NCP 0.") == len(told.json["trials"]["each"])


def test_the_strongest_promise_that_is_good_enough_is_kept_and_else_the_cheapest():
    frame = _survey(400, 0.45)
    found = inspect(frame).trials
    good = [trial for trial in found.each if trial.is_good]
    assert found.chosen is (good[0] if good else min(found.each, key=lambda t: (t.refused is not None, t.ncp)))
    alone = pl.DataFrame({f"year{i}": np.random.default_rng(i).integers(0, 10**6, 40) for i in range(6)})
    told = inspect(alone)
    assert not told.trials.chosen.is_good
    assert told.shortfall is not None
    assert "6 quasi-identifiers and 40 rows" in told.shortfall
    assert "name fewer columns as quasi-identifiers, or lower k of k-anonymity (now 3)." in told.shortfall
    assert told.trials.chosen.ncp == min(trial.ncp for trial in told.trials.each)


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 60), st.lists(st.integers(1, 5), min_size=1, max_size=3), st.integers(0, 10**6))
def test_every_candidate_is_a_recipe_that_can_be_made_and_what_runs_holds(rows, distinct, seed):
    random = np.random.default_rng(seed)
    frame = {"age": random.integers(0, 9, rows)} | {
        f"disease{i}": random.integers(0, d, rows).astype(str) for i, d in enumerate(distinct)
    }
    table = tc.Table(frame, quasi_identifiers="age", sensitive=[n for n in frame if n != "age"])
    spread = [
        Spreading(n, "", int(table.codes(n).counts().max()), rows // int(table.codes(n).counts().max()), d)
        for n, d in zip(table.sensitive, distinct, strict=True)
    ]
    found = candidates(rows, spread)
    assert 2 <= len(found) <= 4
    for candidate in found:
        assert tomllib.loads("\n".join(candidate.lines()))["steps"] == list(candidate.steps)
        try:
            release = candidate.method.protect(table)
        except tc.Infeasible:
            continue
        assert tc.audit(release, table).holds
    assert tried(table, found).chosen in tried(table, found).each


def test_a_sample_takes_people_whole_and_at_most_so_many_rows():
    people = np.repeat(np.arange(3_000), 3)
    table = tc.Table({"pid": people, "age": people % 70}, person="pid", quasi_identifiers="age")
    sample = sampled(table, 1_000)
    assert 990 <= len(sample) <= 1_000
    assert set(np.unique(sample.frame["pid"].to_numpy(), return_counts=True)[1]) == {3}
    assert sampled(table) is table
    assert SAMPLE == 20_000


def test_named_sensitive_columns_and_quasi_identifiers_replace_the_guess():
    frame = _survey(100, 0.3).with_columns(disease=pl.lit("flu"), grade=pl.Series([str(i % 3) for i in range(100)]))
    roles = {g.name: g.role for g in inspect(frame, roles={"grade": Role.SENSITIVE}).guesses}
    assert [name for name, role in roles.items() if role is Role.SENSITIVE] == ["grade"]
    assert roles["income"] is Role.QUASI_IDENTIFIER
    roles = {g.name: g.role for g in inspect(frame, roles={"age": Role.QUASI_IDENTIFIER}).guesses}
    assert [name for name, role in roles.items() if role is Role.QUASI_IDENTIFIER] == ["age"]


def test_a_column_that_is_text_because_of_one_cell_names_the_cell():
    frame = pl.DataFrame({"age": [*(str(20 + i) for i in range(30)), "4e"], "disease": ["flu", *["cold"] * 30]})
    reason = next(g.reason for g in inspect(frame).guesses if g.name == "age")
    assert reason.endswith("it would be numbers but for '4e' in row 31")


def test_one_group_much_lost_and_much_withheld_are_announced_with_what_to_change(tmp_path, monkeypatch, tacit):
    monkeypatch.chdir(tmp_path)
    _survey(60, 0.75).write_csv("survey.csv")
    head = (
        '[table]\nsource = "survey.csv"\n[roles]\nquasi_identifiers = ["age", "sex", "town"]\nsensitive = ["income"]\n'
    )
    shift = '[[steps]]\nmethod = "shift-suppression"\nl = 3\n'
    (tmp_path / "shift.toml").write_text(f'{head}{shift}[[steps]]\nmethod = "anatomy"\nl = 2\n')
    told = tacit("publish", "shift.toml").out
    assert "of the rows are withheld by shift-suppression. To publish more: lower l (now 3)" in told
    (tmp_path / "one.toml").write_text(
        f'{head}[[steps]]\nmethod = "mondrian"\nguarantees = [{{ name = "k-anonymity", k = 40 }}]\n'
    )
    told = tacit("publish", "one.toml", "--folder", "one").out
    assert "All 60 published rows are one group" in told
    assert "lower k of k-anonymity (now 40) or name fewer columns" in told
    (tmp_path / "lost.toml").write_text(
        f'{head}[[steps]]\nmethod = "mondrian"\nguarantees = [{{ name = "k-anonymity", k = 25 }}]\n'
    )
    told = tacit("publish", "lost.toml", "--folder", "lost").out
    assert "More than half of the information is lost" in told


def test_inspect_and_publish_both_say_that_a_quarter_is_lost_and_what_to_change(tmp_path, monkeypatch, tacit):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({f"year{i}": np.random.default_rng(i).integers(0, 10**6, 40) for i in range(6)}).write_csv("y.csv")
    told = tacit("inspect", "y.csv", "--recipe", "y.toml").out
    assert "This table cannot do better with these roles" in told
    assert "name fewer columns as quasi-identifiers, or lower k of k-anonymity (now 3)." in told
    done = tacit("publish", "y.toml").out
    assert " of the information is lost (NCP 0." in done
    assert "To lose less: lower k of k-anonymity (now 3) or name fewer columns as quasi-identifiers." in done
