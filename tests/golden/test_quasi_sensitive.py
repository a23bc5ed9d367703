"""Worked values of specs/quasi_sensitive.md and of figure 1 of Shi, Xiong and Fung, CIKM 2010."""

from fractions import Fraction
from math import sqrt

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.knowledge.quasi_sensitive import LabelTable, Linking, prior_of, removal_cost
from tacit.table.items import from_lists

FIGURE_1C = {"Flu": ["coughing", "headache", "sore throat"], "HepB": ["loss of appetite", "vomiting", "dark urine"]}
FIGURE_1A = [
    ["coughing", "headache", "sore throat"],
    ["coughing", "headache"],
    ["headache", "vomiting"],
    ["headache", "sore throat"],
]
FAR = {"A": ["1", "2"], "B": ["3"], "C": ["1", "2", "4"]}
FAR_ROWS = [["1", "2"]] * 3 + [["1", "2", "4"]]


def linking(knowledge: dict[str, list[str]], rows: list[list[str]]) -> Linking:
    return Linking.of(LabelTable(knowledge), from_lists(pl.Series("items", rows, dtype=pl.List(pl.String))))


def table(rows: list[list[str]], groups: list[int] | None = None) -> tc.Table:
    who = list(range(len(rows))) if groups is None else groups
    return tc.Table({"who": who, "items": rows}, quasi_identifiers="who", items="items")


def test_figure_1_links() -> None:
    """K = {Flu}, {Flu}, {}, {Flu}."""
    found = linking(FIGURE_1C, FIGURE_1A)
    assert found.sizes.tolist() == [1, 1, 0, 1]
    assert found.belief(0).numerators == (3, 0)
    assert found.belief(0).denominator == 4


def test_figure_1_the_victim_has_flu() -> None:
    """Two-anonymous and two-diverse in its symptoms, and yet the first patient has Flu."""
    published = {"age": ["[20, 30]"] * 2 + ["[30, 40]"] * 2, "symptoms": FIGURE_1A}
    release = tc.Release.foreign(published, quasi_identifiers="age", sensitive=(), items="symptoms")
    she = tc.LabelAdversary(knowledge=FIGURE_1C)
    assert she.posterior(release, {"age": 22}) == {"Flu": 1.0}
    assert she.warn(release)[0].people == 2
    assert she.attack(release).frame()["label"].to_list() == ["Flu", "Flu"]


def test_reach_is_not_monotone() -> None:
    """A = {1,2}, B = {2,3}, rows {1,2}, {2,3}, c = 1: l' = 2; without item 1 it is 1."""
    knowledge = {"A": ["1", "2"], "B": ["2", "3"]}
    promise = tc.QSDiversity(c=1, l=2, knowledge=knowledge)
    assert promise.measure(linking(knowledge, [["1", "2"], ["2", "3"]])) == 2
    assert promise.measure(linking(knowledge, [["2"], ["2", "3"]])) == 1


def test_one_linkable_row_among_ten() -> None:
    """beta = .1, and l' = 1 at c = 1."""
    found = linking({"A": ["1"]}, [["1"]] + [["unknown"]] * 9)
    assert found.belief(0).floats().tolist() == [0.1]
    assert tc.QSDiversity(c=1, l=1, knowledge={"A": ["1"]}).measure(found) == 1


def test_removing_everything_can_be_farther_than_removing_nothing() -> None:
    """The distance of a fully suppressed row is .445, of an untouched {1,2} .177."""
    promise = tc.QSCloseness(t=0.2, knowledge=FAR)
    prior = promise.believed(table(FAR_ROWS))
    assert prior.values.tolist() == [0.375, 0.0, 0.625]
    assert promise.measure(linking(FAR, [[]]), prior) == pytest.approx(0.445, abs=0.0005)
    assert promise.measure(linking(FAR, [["1", "2"]]), prior) == pytest.approx(sqrt(1 / 32))


def test_a_group_that_can_be_helped_is_helped() -> None:
    """At t = .2 the fourth row loses item 4, and nobody is withheld."""
    release = tc.QuasiSensitive(guarantee=tc.QSCloseness(t=0.2, knowledge=FAR)).protect(table(FAR_ROWS))
    assert release.inside.kept.all()
    assert release.frames()["table"]["items"].to_list() == [["1", "2"]] * 4
    assert tc.utility(release, table(FAR_ROWS)).item_cost == pytest.approx((1 / 3) / (3 * 3 / 2 + 11 / 6))


def test_groups_that_cannot_be_helped_are_withheld_with_cover() -> None:
    """A row whose items only B has cannot come near a prior of A; the withheld together are near to it."""
    knowledge = {"A": ["1"], "B": ["3"]}
    rows = [["1"]] * 12 + [["3"]]
    release = tc.QuasiSensitive(guarantee=tc.QSCloseness(t=0.15, knowledge=knowledge)).protect(table(rows))
    kept = release.inside.kept
    assert not kept[12]
    assert 0 < (~kept).sum() < 13
    hidden = [rows[i] for i in np.flatnonzero(~kept)]
    share = Fraction(sum(row == ["3"] for row in hidden), len(hidden))
    assert 2 * (share - Fraction(1, 13)) ** 2 <= Fraction(15, 100) ** 2
    assert tc.audit(release).holds
    assert any("could not be brought within t: 1" in remark.sentence for remark in release.inside.remarks)
    with pytest.raises(tc.Infeasible, match="withhold every row"):
        tc.QuasiSensitive(guarantee=tc.QSCloseness(t=0.001, knowledge=knowledge)).protect(table(rows))


def test_cost() -> None:
    """From a row of three the first item costs 1/3, the next 1/2, the last 1."""
    assert removal_cost(np.array([3, 2]), np.array([1, 2])) == pytest.approx((1 / 3 + 1 / 2) / (11 / 6 + 3 / 2))
    assert removal_cost(np.array([3]), np.array([0])) == 1.0
    assert removal_cost(np.array([], dtype=int), np.array([], dtype=int)) == 0.0


def test_priors() -> None:
    """`size` is proportional to |S_L|."""
    labels = LabelTable(FIGURE_1C | {"Cold": ["coughing"]})
    assert prior_of("uniform", labels).exact.numerators == (1, 1, 1)
    assert prior_of("size", labels).values.tolist() == [3 / 7, 3 / 7, 1 / 7]
    with pytest.raises(tc.ParameterError, match="'size' needs"):
        prior_of("size", LabelTable({"A": []}))


@pytest.mark.parametrize(("c", "l", "feasible"), [(1, 2, True), (1, 3, False), (0.5, 1, True), (0.5, 2, False)])
def test_diversity_is_feasible_iff_everything_removed_is_diverse(c: float, l: int, feasible: bool) -> None:
    """1 <= c (|E| - l + 1)."""
    method = tc.QuasiSensitive(guarantee=tc.QSDiversity(c=c, l=l, knowledge=FIGURE_1C))
    if feasible:
        assert tc.audit(method.protect(table(FIGURE_1A))).holds
        return
    with pytest.raises(tc.Infeasible) as caught:
        method.protect(table(FIGURE_1A))
    assert f"largest l that works is {1 if c == 0.5 else 2}" in caught.value.hint
    assert ("smallest c that works is 1/1" in caught.value.hint) == (c == 0.5)
