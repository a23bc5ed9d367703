"""Python as people write it: frames out, bounds for models, the jobs as functions, a step of a pipeline."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

import tacit as tc
from tacit.errors import Infeasible, ParameterError, RoleError, SourceError

TABLE = tc.Table(
    {
        "age": [20, 24, 60, 64, 61, 23],
        "seen": [dt.date(2024, 1, d) for d in (1, 3, 5, 7, 9, 2)],
        "town": ["a", "b", "a", "b", "c", "a"],
        "ill": ["flu", "cold", "flu", "cold", "hiv", "hiv"],
    },
    quasi_identifiers=["age", "seen", "town"],
    sensitive="ill",
)
RELEASE = tc.Mondrian([tc.KAnonymity(3)]).protect(TABLE, seed=1)


def test_frames_of_any_library():
    assert isinstance(RELEASE.to_polars(), pl.DataFrame)
    assert isinstance(RELEASE.to_arrow(), pa.Table)
    pandas = RELEASE.to_pandas()
    assert isinstance(pandas, pd.DataFrame)
    assert pandas["age"].to_list() == RELEASE.frames()["table"]["age"].to_list()
    several = tc.Anatomy(2).protect(TABLE, seed=1)
    assert set(several.to_pandas()) == set(several.to_polars()) == set(several.to_arrow()) == set(several.frames())


def test_bounds():
    bounds = RELEASE.bounds()
    assert bounds.columns == [
        *(f"age_{end}" for end in ("lower", "upper", "midpoint")),
        *(f"seen_{end}" for end in ("lower", "upper", "midpoint")),
        "town",
        "ill",
    ]
    young = bounds.filter(pl.col("age_lower") == 20)
    assert set(young["age_upper"]) == {24.0}
    assert set(young["age_midpoint"]) == {22.0}
    assert set(young["seen_lower"]) == {dt.date(2024, 1, 1)}
    assert set(young["seen_midpoint"]) == {dt.date(2024, 1, 2)}
    theirs = tc.Release.foreign(
        {"age": [">= 65", "[30, 39]"], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill"
    )
    assert theirs.bounds().select("age_lower", "age_upper", "age_midpoint").rows() == [
        (65.0, None, None),
        (30.0, 39.0, 34.5),
    ]
    frame = {"age": [1, 1], "age_lower": [1, 1]}
    release = tc.Release.foreign(frame, quasi_identifiers=["age", "age_lower"], sensitive=[])
    with pytest.raises(RoleError, match="There is a column 'age_lower' already"):
        release.bounds()


def test_inspect_a_table_a_frame_and_a_file(tmp_path):
    assert tc.inspect(TABLE).table is TABLE
    frame = {"Edad": [30, 31, 30], "Sexo": ["m", "f", "m"], "Enfermedad": ["a", "b", "a"], "Código_Postal": [1, 2, 3]}
    roles = {guess.name: guess.role.value for guess in tc.inspect(frame).guesses}
    assert roles["Enfermedad"] == "sensitive"
    assert roles["Edad"] == roles["Sexo"] == "quasi-identifier"
    with pytest.raises(ParameterError, match=r"inspect has no parameter 'seperator'\. Did you mean 'separator'\?"):
        tc.inspect(frame, seperator=";")


@pytest.mark.parametrize(
    ("names", "role"),
    [
        ("Alter Geschlecht PLZ Geburtsdatum Wohnort Familienstand", "quasi-identifier"),
        ("âge sexe code_postal date_naissance ville état_civil", "quasi-identifier"),
        ("edad sexo código_postal fecha_nacimiento ciudad estado_civil", "quasi-identifier"),
        ("idade sexo código_postal data_nascimento cidade escolaridade", "quasi-identifier"),
        ("età sesso CAP data_di_nascita città stato_civile", "quasi-identifier"),
        ("leeftijd geslacht postcode geboortedatum woonplaats opleiding", "quasi-identifier"),
        ("Krankheit Diagnose Einkommen Gehalt", "sensitive"),
        ("maladie diagnostic revenu salaire", "sensitive"),
        ("enfermedad diagnóstico ingresos salario", "sensitive"),
        ("doença diagnóstico rendimento salário", "sensitive"),
        ("malattia diagnosi reddito stipendio", "sensitive"),
        ("ziekte diagnose inkomen salaris", "sensitive"),
    ],
)
def test_names_of_columns_in_six_languages(names, role):
    from tacit.jobs.inspect.guesses import guess

    frame = pl.DataFrame({name: ["x", "y"] * 150 for name in names.split()})
    assert {g.name: g.role.value for g in guess(frame, fixed={})} == dict.fromkeys(names.split(), role)


def test_words_within_other_words_are_not_taken_for_names():
    from tacit.jobs.inspect.guesses import guess

    frame = pl.DataFrame({name: [f"v{i}" for i in range(300)] * 2 for name in ("beta", "capital", "sector", "planet")})
    assert all(g.role.value == "other" for g in guess(frame, fixed={}))


def test_compare_methods():
    methods = {"blur": tc.Mondrian([tc.KAnonymity(3)]), "buckets": tc.Anatomy(2), "hopeless": tc.Anatomy(5)}
    found = {choice.label: choice for choice in tc.compare(TABLE, methods, seed=1)}
    assert found["blur"].holds
    assert found["buckets"].ncp == 0
    assert "hopeless" in found
    assert found["hopeless"].refused
    assert [choice.label for choice in tc.compare(TABLE, [tc.Anatomy(2)], seed=1)] == [str(tc.Anatomy(2))]
    with pytest.raises(ParameterError, match=r"compare takes a Table, not a dict"):
        tc.compare({"a": [1]}, methods)
    with pytest.raises(ParameterError, match=r"compare takes methods, not a KAnonymity"):
        tc.compare(TABLE, [tc.KAnonymity(2)])


def test_publish_a_release(tmp_path: Path):
    release = tc.Mondrian([tc.KAnonymity(3)]).protect(TABLE)
    done = tc.publish(release, tmp_path / "out", format="csv")
    assert done.written is not None
    assert {"table.csv", "release.json", "datapackage.json", "report.html", "report.md"} <= set(done.written.files)
    assert (tmp_path / "out.private" / "report.html").exists()
    assert json.loads((tmp_path / "out" / "release.json").read_text())["counts"]["published"] == 6
    with pytest.raises(SourceError, match="is not empty"):
        tc.publish(release, tmp_path / "out")
    tc.publish(release, tmp_path / "out", overwrite=True)
    with pytest.raises(ParameterError, match=r"publish takes a release, not a Table\. Protect it first"):
        tc.publish(TABLE, tmp_path / "new")
    with pytest.raises(ParameterError, match="The table behind this release is not at hand"):
        tc.publish(tc.Release.read(tmp_path / "out"), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_infinity_is_refused():
    for value in (np.inf, -np.inf):
        with pytest.raises(RoleError, match=r"Column 'age' holds infinity, first in row 2\. Correct the value"):
            tc.Table({"age": [1.0, value]}, quasi_identifiers="age")
    tc.Table({"age": [1.0, 2.0], "note": [1.0, np.inf]}, quasi_identifiers="age")  # a column that is withheld


def test_intervals_and_periods_of_pandas():
    frame = pd.DataFrame(
        {
            "age": pd.cut([20, 35, 50, np.nan], [0, 30, 40, 60]),
            "month": pd.PeriodIndex(["2024-03", "2024-01", "2024-02", None], freq="M"),
            "day": pd.PeriodIndex(["2024-01-05", "2024-01-06", None, "2024-01-07"], freq="D"),
            "year": pd.PeriodIndex(["2024", "2023", None, "2024"], freq="Y"),
        }
    )
    table = tc.Table(frame, quasi_identifiers=list(frame.columns))
    assert table.frame.to_dict(as_series=False) == {
        "age": ["(0, 30]", "(30, 40]", "(40, 60]", None],
        "month": ["2024-03", "2024-01", "2024-02", None],
        "day": [dt.date(2024, 1, 5), dt.date(2024, 1, 6), None, dt.date(2024, 1, 7)],
        "year": [2024, 2023, None, 2024],
    }
    assert table.column("age").kind is tc.Kind.ORDERED
    assert table.codes("age").values.to_list() == ["(0, 30]", "(30, 40]", "(40, 60]", None]
    assert table.codes("month").values.to_list() == ["2024-01", "2024-02", "2024-03", None]
    assert isinstance(frame["month"].dtype, pd.PeriodDtype)  # the frame itself is left alone


class TestProtector:
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"age": rng.integers(20, 80, 400), "pay": rng.integers(1, 9, 400) * 100}, index=range(1000, 1400))
    y = np.where(X["age"] + rng.integers(0, 20, 400) > 60, "ill", "well")

    def test_rows_keep_their_order_and_a_model_learns_from_them(self):
        protector = tc.Protector(tc.Mondrian([tc.KAnonymity(10)]), seed=1)
        blurred = protector.fit_transform(self.X, self.y)
        assert list(blurred.index) == list(self.X.index)
        assert np.corrcoef(blurred["age"], self.X["age"])[0, 1] > 0.9
        assert blurred.drop_duplicates().shape[0] <= 40
        assert protector.guarantees_ == (tc.KAnonymity(10),)
        assert protector.transform(self.X.head(3))["age"].to_list() == self.X["age"].head(3).to_list()
        model = Pipeline([("protect", tc.Protector(tc.Mondrian([tc.KAnonymity(10)]))), ("fit", LogisticRegression())])
        assert model.fit(self.X, self.y).score(self.X, self.y) > 0.7

    def test_parameters_are_searched(self):
        pipeline = Pipeline([("protect", tc.Protector(tc.Mondrian([tc.KAnonymity(5)]))), ("fit", LogisticRegression())])
        assert pipeline.get_params()["protect__method__guarantees__0__k"] == 5
        search = GridSearchCV(pipeline, {"protect__method__guarantees__0__k": [5, 50]}, cv=2)
        search.fit(self.X, self.y)
        assert set(search.cv_results_["param_protect__method__guarantees__0__k"]) == {5, 50}

    def test_what_no_pipeline_can_do(self):
        with pytest.raises(ParameterError, match="publishes several tables"):
            tc.Protector(tc.Anatomy(2)).fit(self.X, np.tile(["ill", "well"], 200))
        with pytest.raises(Infeasible, match="withholds"):
            tc.Protector(tc.SmallGroups(tc.KAnonymity(5))).fit(self.X, self.y)
        with pytest.raises(ParameterError, match="takes a method, not a KAnonymity"):
            tc.Protector(tc.KAnonymity(2)).fit(self.X)
        with pytest.raises(ParameterError, match="not fitted yet"):
            tc.Protector(tc.Anatomy(2)).transform(self.X)

    def test_other_libraries_and_arrays(self):
        protector = tc.Protector(tc.Mondrian([tc.KAnonymity(5)]))
        assert isinstance(protector.fit_transform(pl.from_pandas(self.X)), pl.DataFrame)
        assert protector.fit_transform(self.X.to_numpy().astype(float)).columns == ["x0", "x1"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"engine": "streaming"}, "`engine` is a str"),
        ({"progress": 5}, "`progress` is a int"),
        ({"ledger": "clinic.ledger"}, "`ledger` is a str"),
    ],
)
def test_what_cannot_be_used_is_refused_by_its_name(given, said):
    table = tc.Table({"a": [1, 2, 3, 4], "s": list("xyxy")}, quasi_identifiers="a", sensitive="s")
    with pytest.raises(tc.ParameterError, match=said):
        tc.Anatomy(l=2).protect(table, **given)


def test_an_audit_asks_adversaries_only():
    table = tc.Table({"a": [1, 2, 3, 4], "s": list("xyxy")}, quasi_identifiers="a", sensitive="s")
    with pytest.raises(tc.ParameterError, match="int is none"):
        tc.audit(tc.Anatomy(l=2).protect(table), adversaries=[5])
