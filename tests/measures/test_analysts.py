"""Figures for analysts against oracles, and what must be true of them."""

import numpy as np
import polars as pl
import pytest
from tests.oracles import analysts as oracle

import tacit as tc
from tacit.errors import RoleError
from tacit.measures.analysts import associations, propensity, score_models, usefulness
from tacit.measures.analysts.associations import Association, Estimate
from tacit.measures.analysts.drawn_rows import one_of_each
from tacit.measures.analysts.feature_space import FeatureSpace, means
from tacit.measures.analysts.learned_models import area, wilson
from tacit.measures.analysts.target import Target
from tacit.measures.analysts.usefulness import check_targets
from tacit.shapes import cover

pytest.importorskip("sklearn", reason="models need the extra tacit[utility]")


def people(rows: int = 900, seed: int = 3) -> tc.Table:
    draws = np.random.default_rng(seed)
    age = draws.integers(20, 80, rows)
    sex = draws.choice(["f", "m"], rows)
    town = draws.choice(["a", "b", "c", "d"], rows, p=[0.4, 0.3, 0.2, 0.1])
    income = (20 * age + 300 * (sex == "m") + draws.normal(0, 150, rows)).round().astype(int)
    ill = np.where(draws.random(rows) < 1 / (1 + np.exp(-(age - 50) / 5)), "heart", "flu")
    frame = pl.DataFrame({"age": age, "sex": sex, "town": town, "income": income, "ill": ill})
    return tc.Table(frame, quasi_identifiers=["age", "sex", "town"], sensitive=["income", "ill"])


def balanced() -> tc.Table:
    """A table in which no value is too frequent for any method."""
    frame = TABLE.frame.drop("income").with_columns(pl.Series("ill", ["heart", "flu", "cold"] * 300))
    return tc.Table(frame, quasi_identifiers=["age", "sex", "town"], sensitive="ill")


TABLE = people()
ALIKE = tc.Mondrian([tc.KAnonymity(1)])
BLURRED = tc.Mondrian([tc.KAnonymity(20)])


def test_areas_are_those_of_the_definition_and_of_scikit_learn():
    from sklearn.metrics import roc_auc_score

    draws = np.random.default_rng(1)
    truth = draws.integers(0, 3, 80)
    given = draws.random((80, 3)).round(1)
    expected, total = 0.0, 0
    for answer in range(3):
        inside = int((truth == answer).sum())
        one = oracle.area(given[:, answer].tolist(), (truth == answer).tolist())
        assert one == pytest.approx(roc_auc_score(truth == answer, given[:, answer]))
        expected, total = expected + inside * one, total + inside
    assert area(given, truth, 3) == pytest.approx(expected / total)
    assert area(given, np.zeros(80, dtype=np.int64), 3) is None


def test_intervals_of_shares():
    low, high = wilson(0, 10)
    assert low == 0
    assert high == pytest.approx(0.2775, abs=1e-4)  # Newcombe 1998, table I, method 3 gives such ends
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)  # Newcombe 1998


def test_cells_are_taken_at_the_mean_of_what_they_may_be():
    release = BLURRED.protect(TABLE)
    shape = release.shape
    labels, values = shape.classes.labels["age"], TABLE.codes("age").values
    covers = cover(labels, shape.column("age"), values)
    found = means(covers, values.to_numpy().astype(float)[:, None])[:, 0]
    expected = [oracle.mean_of_cell(str(cell), values.to_list()) for cell in labels.to_list()]
    assert found == pytest.approx(expected)
    drawn = one_of_each(covers, np.repeat(np.arange(len(labels)), 50), np.random.default_rng(0))
    matches = covers.matches()
    assert matches[np.repeat(np.arange(len(labels)), 50), drawn].all()


def test_sets_and_nodes_are_taken_at_their_shares():
    frame = {"town": ["a", "b", "c", "c"] * 5, "ill": ["x", "y"] * 10}
    table = tc.Table(frame, quasi_identifiers="town", sensitive="ill")
    column = tc.Release.foreign(
        {"town": ["{a, b}", "c", "*"], "ill": ["x", "y", "x"]}, quasi_identifiers="town", sensitive="ill"
    ).shape
    covers = cover(column.classes.labels["town"], column.column("town"), table.codes("town").values)
    shares = dict(zip(column.classes.labels["town"].to_list(), means(covers, np.eye(3)).tolist(), strict=True))
    assert shares["c"] == [0, 0, 1]
    assert shares["{a, b}"] == [0.5, 0.5, 0]
    assert shares["*"] == pytest.approx([1 / 3, 1 / 3, 1 / 3])


def test_correlations_are_those_of_the_definition():
    release = BLURRED.protect(TABLE)
    found = {each.name: each for each in associations(release.shape, TABLE, []) if each.kind == "correlation"}
    age, income = TABLE.frame["age"].to_list(), TABLE.frame["income"].to_list()
    assert found["age and income"].table.value == pytest.approx(oracle.correlation(age, income, [1.0] * 900))
    rows = release.frames()["table"]
    mids = [oracle.mean_of_cell(str(cell), sorted(set(age))) for cell in rows["age"].to_list()]
    after = oracle.correlation(mids, rows["income"].to_list(), [1.0] * len(mids))
    assert found["age and income"].release.value == pytest.approx(after)
    assert found["age and income"].table.low < found["age and income"].table.value < found["age and income"].table.high


def test_a_coefficient_and_its_interval_are_those_of_a_line():
    frame = TABLE.frame.select("age", "income")
    table = tc.Table(frame, quasi_identifiers="age", sensitive="income")
    (found,) = [e for e in associations(ALIKE.protect(table).shape, table, ["income"]) if e.kind == "coefficient"]
    ages = frame["age"].to_numpy().astype(float)
    slope, error = oracle.line(((ages - ages.mean()) / ages.std()).tolist(), frame["income"].to_list())
    for each in (found.table, found.release):
        assert each.value == pytest.approx(slope)
        assert each.high - each.low == pytest.approx(2 * 1.959963984540054 * error, rel=1e-6)
    assert found.overlap == pytest.approx(1.0)


def test_overlap_of_intervals():
    same = Estimate(1.0, 0.0, 2.0)
    assert Association("coefficient", "a", same, same).overlap == 1
    assert Association("coefficient", "a", same, Estimate(5.0, 4.0, 6.0)).overlap == 0
    assert Association("coefficient", "a", same, Estimate(1.0, 0.5, 1.5)).overlap == pytest.approx((1 + 0.5) / 2)


def test_nobody_who_is_asked_about_was_learnt_from():
    seen: list[tc.Table] = []

    def protect(table: tc.Table) -> tc.Release:
        seen.append(table)
        return BLURRED.protect(table)

    frame = TABLE.frame.with_columns(pl.Series("income", np.arange(900)))
    table = tc.Table(frame, quasi_identifiers=["age", "sex", "town"], sensitive=["income", "ill"])
    scores = score_models(table, ["ill"], protect)
    assert len(seen) == 1
    assert {score.learnt for score in scores} == {len(seen[0])} == {630}
    assert {score.asked for score in scores} == {270}


def test_models_know_from_an_unblurred_release_what_they_know_from_the_table():
    for score in score_models(TABLE, ["ill"], ALIKE.protect):
        assert score.release.accuracy == pytest.approx(score.table.accuracy, abs=0.03)
        assert score.table.auc is not None
        assert score.table.auc > 0.85
        assert score.release.auc == pytest.approx(score.table.auc, abs=0.02)
        assert score.table.interval[0] < score.table.accuracy < score.table.interval[1]


def test_models_know_nothing_where_there_is_nothing_to_know():
    draws = np.random.default_rng(5)
    frame = TABLE.frame.with_columns(pl.Series("ill", draws.choice(["heart", "flu"], 900)))
    table = tc.Table(frame, quasi_identifiers=["age", "sex", "town"], sensitive=["income", "ill"])
    for score in score_models(table, ["ill"], ALIKE.protect):
        assert score.table.auc == pytest.approx(0.5, abs=0.08)
        assert score.release.auc == pytest.approx(0.5, abs=0.08)


def test_blurring_everything_leaves_the_most_frequent_answer():
    (logistic, _) = score_models(TABLE, ["ill"], tc.Mondrian([tc.KAnonymity(600)]).protect)
    assert logistic.release.auc == pytest.approx(0.5, abs=0.05)
    assert logistic.release.accuracy <= logistic.table.accuracy


def test_numbers_are_asked_by_their_median_and_many_words_by_the_most_frequent():
    target = Target.of(TABLE, "income")
    share = target.exact(TABLE, np.arange(900)).mean()
    assert 0.4 <= share <= 0.5
    assert target.answers == ("not above", "above")
    many = tc.Table({"a": [1] * 60, "b": [f"v{i % 12}" for i in range(60)]}, quasi_identifiers="a", sensitive="b")
    assert len(Target.of(many, "b").answers) == 10
    assert Target.of(many, "b").answers[-1] == "another"


@pytest.mark.parametrize("method", [tc.Anatomy(2), tc.Mondrian([tc.KAnonymity(5)]), tc.ValueSuppression(delta=0.2)])
def test_every_shape_is_measured(method):
    table = balanced()
    found = usefulness(method.protect(table), table, ["ill", "sex", "age"], method.protect)
    assert found.missing == ()
    assert len(found.models) == 6
    assert found.propensity[0][1].pmse >= 0
    assert {each.kind for each in found.associations} == {"coefficient"}


def test_marginals_and_what_cannot_be_protected():
    table = balanced()
    method = tc.InvariantMarginals(m=2, marginals=[["age", "sex"], ["town"]])
    found = usefulness(method.protect(table), table, ["ill"], method.protect)
    assert len(found.models) == 2
    assert len(found.propensity) == 2

    def refuse(given: tc.Table) -> tc.Release:
        raise tc.Infeasible("too few")

    found = usefulness(method.protect(table), table, ["ill"], refuse)
    assert found.models == ()
    assert found.missing == ("Models were not trained: too few",)


def test_propensity_is_that_of_two_samples_where_nothing_was_blurred_and_large_where_all_was():
    table = tc.Table(TABLE.frame.drop("income"), quasi_identifiers=["age", "sex", "town"], sensitive="ill")
    same = propensity(ALIKE.protect(table).shape, table)
    assert same is not None
    assert 0.1 < same.ratio < 3
    worse = propensity(tc.Mondrian([tc.KAnonymity(400)]).protect(table).shape, table)
    assert worse is not None
    assert worse.pmse > 5 * same.pmse
    assert worse.pmse <= 0.25


def test_features_have_names_and_a_reference():
    space = FeatureSpace.of(TABLE, ["age", "town"])
    assert space.names == ("age", "town = b", "town = c", "town = d")
    exact = space.exact(np.arange(900))
    assert exact[:, 0].mean() == pytest.approx(0, abs=1e-9)
    assert set(np.unique(exact[:, 1:])) == {0.0, 1.0}


def test_a_target_that_is_not_there():
    with pytest.raises(RoleError, match="ills"):
        check_targets(TABLE, ["ills"], "the table")
