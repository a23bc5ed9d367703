"""What QuasiSensitive publishes, and what it does not."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.oracles import quasi_sensitive as oracle

import tacit as tc
from tacit.recipes import Recipe

KNOWLEDGE = {
    "flu": ["cough", "fever", "headache"],
    "cold": ["cough", "sneezing", "headache"],
    "hepatitis B": ["dark urine", "headache", "fever"],
    "nothing known": [],
}
ROWS = [["cough", "fever", "cough"], ["dark urine"], ["sneezing", "cough"], [], ["Zebedee"], ["headache", "fever"]] * 4
PROMISE = tc.QSDiversity(c=1, l=2, knowledge=KNOWLEDGE)


def table(**more: object) -> tc.Table:
    frame = pl.DataFrame({"age": np.tile([30, 41, 52, 63, 74, 85], 4), "items": ROWS})
    return tc.Table(frame, quasi_identifiers="age", items="items", **more)


@pytest.mark.parametrize("form", ["csv", "parquet", "arrow"])
def test_round_trip(form: str, tmp_path: Path) -> None:
    release = tc.QuasiSensitive(guarantee=PROMISE).protect(table())
    release.write(tmp_path / "out", format=form)
    again = tc.Release.read(tmp_path / "out")
    assert again.frames()["table"].equals(release.frames()["table"])
    assert tc.audit(again).holds is None, "the label table is not published"
    judged = tc.audit(again, claims=[PROMISE]).findings[-1]
    assert judged.holds
    if form == "csv":
        assert "fever;headache" in (tmp_path / "out" / "table.csv").read_text(encoding="utf-8")


def test_the_label_table_and_removed_items_do_not_leave(tmp_path: Path) -> None:
    people = tc.Table(
        {"age": [30, 41], "items": [["cough", "secretsign"], ["headache"]]}, quasi_identifiers="age", items="items"
    )
    knowledge = {"flu": ["cough", "headache"], "cold": ["cough", "headache"], "hiddenlabel": ["cough", "secretsign"]}
    release = tc.QuasiSensitive(guarantee=tc.QSDiversity(c=1, l=2, knowledge=knowledge)).protect(people)
    assert ["cough"] in release.frames()["table"]["items"].to_list()
    for form in ("csv", "parquet", "arrow"):
        release.write(tmp_path / form, format=form)
        for path in (tmp_path / form).iterdir():
            content = path.read_bytes()
            assert b"secretsign" not in content
            assert b"hiddenlabel" not in content


def test_other_methods_publish_no_items() -> None:
    assert tc.SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table()).frames()["table"].columns == ["age"]


def test_inside_says_where_items_were_removed() -> None:
    people = table()
    release = tc.QuasiSensitive(guarantee=PROMISE).protect(people)
    marked = release.inside.cells[:, release.inside.columns.index("items")]
    gone = sum(len(set(row)) for row in ROWS) - sum(map(len, release.frames()["table"]["items"].to_list()))
    assert 0 < marked.sum() <= gone
    assert not release.inside.cells[:, release.inside.columns.index("age")].any()
    assert set(np.unique(release.inside.group)) == set(range(6))


def test_the_public_file_tells_the_verdict_and_no_figure_that_needs_the_label_table(tmp_path: Path) -> None:
    release = tc.QuasiSensitive(guarantee=PROMISE).protect(table())
    release.write(tmp_path / "out", format="csv")
    verdict = json.loads((tmp_path / "out" / "release.json").read_text(encoding="utf-8"))["audit"]["findings"][0]
    assert verdict["holds"] is True
    assert verdict["posterior"] is verdict["where"] is verdict["bound"] is None
    assert not any(digit in verdict["sentence"] for digit in "0123456789")


def test_what_is_published_holds_by_the_definition_and_costs_what_it_says() -> None:
    people = table()
    release = tc.QuasiSensitive(guarantee=PROMISE).protect(people)
    for (_,), group in release.frames()["table"].group_by("age"):
        assert oracle.diverse(group["items"].to_list(), KNOWLEDGE, 1, 2)
    whole = sum(oracle.row_cost(len(set(row)), 0) for row in ROWS)
    left = sum(oracle.row_cost(len(row), 0) for row in release.frames()["table"]["items"].to_list())
    assert tc.utility(release, people).item_cost == pytest.approx(float((whole - left) / whole))


@pytest.mark.parametrize("marks", [(0, 1), ("No", "Yes"), (False, True), (0.0, 1.0)])
def test_binary_columns_come_out_as_they_came_in(marks: tuple[object, object], tmp_path: Path) -> None:
    items = ["sneezing", "cough", "fever", "headache", "dark urine", "Zebedee"]
    binary = {item: [marks[item in row] for row in ROWS] for item in items}
    people = tc.Table(
        {"age": np.tile([30, 41, 52, 63, 74, 85], 4), **binary}, quasi_identifiers="age", items={"signs": items}
    )
    method = tc.QuasiSensitive(guarantee=PROMISE)
    release = method.protect(people, seed=1)
    frame = release.frames()["table"]
    assert frame.columns == ["age", *items]
    assert all(
        set(frame[item].unique()) <= set(marks) and frame[item].dtype == pl.Series(marks).dtype for item in items
    )
    as_lists = method.protect(table(), seed=1).frames()["table"]
    sets = sorted(
        (age, *sorted(i for i in items if row[i] == marks[1]))
        for age, row in zip(frame["age"], frame.rows(named=True), strict=True)
    )
    assert sets == sorted((age, *row) for age, row in as_lists.rows())
    assert release.shape.items == ("signs",)
    she = tc.LabelAdversary(knowledge=KNOWLEDGE)
    with pytest.warns(UserWarning, match="seed"):
        release.write(tmp_path / "out", format="csv")
    again = tc.Release.read(tmp_path / "out")
    assert again.frames()["table"].equals(frame)
    assert she.attack(again).max_posterior == she.attack(release).max_posterior <= 0.5
    foreign = tc.Release.foreign(frame, quasi_identifiers="age", sensitive=(), items={"signs": items})
    assert she.attack(foreign).max_posterior == she.attack(release).max_posterior
    assert tc.audit(foreign, claims=[PROMISE]).holds


def test_lists_of_numbers_stay_numbers() -> None:
    people = tc.Table({"items": [[1, 2], [2, 3], [2, 2]]}, items="items")
    knowledge = {"A": [1, 2], "B": [2, 3]}
    release = tc.QuasiSensitive(guarantee=tc.QSDiversity(c=1, l=2, knowledge=knowledge)).protect(people)
    assert release.frames()["table"]["items"].dtype == pl.List(pl.Int64)


def test_a_group_where_nobody_links_holds_and_the_finding_says_so() -> None:
    people = tc.Table(
        {"age": [30, 30, 41, 41], "items": [["x"], ["y"], ["cough"], ["sneezing"]]},
        quasi_identifiers="age",
        items="items",
    )
    release = tc.QuasiSensitive(guarantee=tc.QSDiversity(c=1, l=2, knowledge=KNOWLEDGE)).protect(people)
    finding = tc.audit(release).findings[0]
    assert "rows that link to no label: 2 of 4" in finding.sentence
    assert "nobody in them links to a label: 1" in finding.sentence
    hopeless = tc.QSDiversity(c=1, l=9, knowledge=KNOWLEDGE)
    with pytest.raises(tc.Infeasible, match="4 labels"):
        tc.QuasiSensitive(guarantee=hopeless).protect(people)


def test_which_items_column() -> None:
    frame = {"age": [30, 30], "signs": [["cough"], ["sneezing"]], "drugs": [["aspirin"], []]}
    people = tc.Table(frame, quasi_identifiers="age", items=["signs", "drugs"])
    with pytest.raises(tc.RoleError, match="the table has 2"):
        tc.QuasiSensitive(guarantee=PROMISE).protect(people)
    promise = tc.QSDiversity(c=1, l=2, knowledge=KNOWLEDGE, column="signs")
    assert tc.QuasiSensitive(guarantee=promise).protect(people).frames()["table"].columns == ["age", "signs"]
    with pytest.raises(tc.RoleError, match="'sings'"):
        tc.QuasiSensitive(guarantee=promise.model_copy(update={"column": "sings"})).protect(people)
    with pytest.raises(tc.RoleError, match="the table has 0"):
        tc.QuasiSensitive(guarantee=PROMISE).protect(tc.Table({"age": [1]}, quasi_identifiers="age"))


def test_sensitive_columns_are_published_with_a_warning() -> None:
    people = tc.Table({"ill": ["flu", "cold"], "items": [["cough"], ["cough"]]}, sensitive="ill", items="items")
    release = tc.QuasiSensitive(guarantee=PROMISE).protect(people)
    assert any("'ill' is published as it is" in warning for warning in release.warnings)


def test_k_blurs_the_quasi_identifiers_and_is_claimed() -> None:
    rng = np.random.default_rng(0)
    frame = {"age": rng.integers(20, 80, 60), "sex": rng.choice(["f", "m"], 60), "items": ROWS[:20] * 3}
    people = tc.Table(frame, quasi_identifiers=["age", "sex"], items="items")
    release = tc.QuasiSensitive(guarantee=PROMISE, k=5).protect(people)
    assert [g.name for g in release.guarantees] == ["qs-diversity", "k-anonymity"]
    assert tc.audit(release).holds
    assert release.frames()["table"].group_by("age", "sex").len()["len"].min() >= 5
    with pytest.raises(tc.Infeasible, match="60 rows"):
        tc.QuasiSensitive(guarantee=PROMISE, k=61).protect(people)


def test_an_auditor_sees_through_items_that_were_put_back() -> None:
    people = table()
    release = tc.QuasiSensitive(guarantee=PROMISE).protect(people)
    forged = tc.Release.foreign(people.frame, quasi_identifiers="age", sensitive=(), items="items")
    assert tc.audit(forged, claims=release.guarantees).holds is False


def test_the_prior_of_the_data_needs_the_table() -> None:
    promise = tc.QSCloseness(t=0.9, knowledge=KNOWLEDGE)
    foreign = tc.Release.foreign(table().frame, quasi_identifiers="age", sensitive=(), items="items")
    assert tc.audit(foreign, claims=[promise]).holds is None
    assert tc.audit(foreign, table(), claims=[promise]).holds is True


def test_as_a_step_it_hands_on_what_it_left() -> None:
    people = table()
    pipeline = tc.Pipeline(
        [
            tc.QuasiSensitive(guarantee=PROMISE),
            tc.QuasiSensitive(guarantee=tc.QSDiversity(c=1, l=3, knowledge=KNOWLEDGE)),
        ]
    )
    release = pipeline.protect(people)
    assert tc.audit(release).holds
    assert tc.audit(
        tc.Pipeline([tc.QuasiSensitive(guarantee=PROMISE), tc.SmallGroups(guarantee=tc.KAnonymity(k=2))]).protect(
            people
        )
    ).holds


def test_recipe(tmp_path: Path) -> None:
    table().frame.with_columns(pl.col("items").list.join(";")).write_csv(tmp_path / "people.csv")
    (tmp_path / "labels.json").write_text(json.dumps(KNOWLEDGE), encoding="utf-8")
    (tmp_path / "job.toml").write_text(
        """
[table]
source = "people.csv"
[roles]
quasi_identifiers = ["age"]
items = ["items"]
[[steps]]
method = "quasi-sensitive"
k = 2
time_bound = 0.5
guarantee = { name = "qs-diversity", c = 1, l = 2, knowledge = "labels.json" }
""",
        encoding="utf-8",
    )
    recipe = Recipe.read(tmp_path / "job.toml")
    assert tc.audit(recipe.method.protect(recipe.table())).holds


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"c": 0}, "greater than 0"),
        ({"l": 0}, "greater than or equal to 1"),
        ({"knowledge": {}}, "no labels"),
        ({"knowledge": {"flu": 3.5j}}, "list of items"),
        ({"knowledge": None}, "cannot be made"),
    ],
)
def test_bad_parameters(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(tc.TacitError, match=message):
        tc.QSDiversity(**{"c": 1, "l": 2, "knowledge": KNOWLEDGE, **wrong})


def test_bad_bounds() -> None:
    for wrong in ({"k": 0}, {"time_bound": 0}, {"search": "clever"}, {"guarantee": tc.KAnonymity(k=2)}):
        with pytest.raises(tc.ParameterError):
            tc.QuasiSensitive(**{"guarantee": PROMISE, **wrong})
