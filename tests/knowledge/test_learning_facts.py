"""Further facts and uncut groups: against slow twins, and on groups whose answer is plain."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import learning as slow

import tacit as tc
from tacit.knowledge.learning.equivalence import Equivalence
from tacit.knowledge.learning.facts import Facts
from tacit.knowledge.learning.uncut import uncut, uncut_inside
from tacit.report.figures import tight_ends
from tacit.shapes import Inside
from tacit.shapes.cells import extents
from tacit.shapes.published import Counterfeits
from tacit.table import Histogram, Kind


@settings(max_examples=60)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=7))
def test_the_fewest_facts_are_those_of_a_search_of_all(values: list[int]) -> None:
    ids = np.zeros(len(values), np.int64)
    facts = Facts.of(Histogram.of(ids, 1, np.array(values), 4))
    assert facts.neighbours_half[0] == slow.facts_needed(values, 0.5, "neighbours")
    assert facts.neighbours_certain[0] == slow.facts_needed(values, 1, "neighbours")
    assert facts.excluded_half[0] == slow.facts_needed(values, 0.5, "values")
    assert facts.excluded_certain[0] == slow.facts_needed(values, 1, "values")


@settings(max_examples=60)
@given(st.data())
def test_one_known_value_decides_whom_plain_elimination_decides(data: st.DataObject) -> None:
    people = data.draw(st.integers(1, 9))
    values = data.draw(st.lists(st.integers(0, 2), min_size=people, max_size=people))
    groups = st.lists(st.integers(0, 3), min_size=people, max_size=people)
    tables = data.draw(st.lists(groups, min_size=1, max_size=3))
    rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), max_size=3)
    nobody = data.draw(st.one_of(st.just([]), st.lists(rows, min_size=len(tables), max_size=len(tables))))
    made_up = [tuple(np.array(each, dtype=np.int64).reshape(-1, 2).T) for each in nobody]
    found = Equivalence.of([np.array(table) for table in tables], np.array(values), 3, made_up)
    anyway = slow.decided_by(tables, values, None, nobody)
    for person in range(people):
        expected = 0 if person in anyway else len(slow.decided_by(tables, values, person, nobody) - anyway) - 1
        assert found.decided[person] == expected


def test_pairs_that_overlap_are_decided_by_one_person() -> None:
    rows = 40
    frame = {"a": list(range(rows)), "b": list(range(rows)), "ill": ["x", "y"] * (rows // 2)}
    table = tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="ill")
    release = tc.InvariantMarginals(m=2, marginals={"one": ["a"], "two": ["b"]}).protect(table, seed=1)
    found = Equivalence.inside(release.inside, table, "ill")
    assert found.telling == rows
    assert found.most >= 1


def test_somebody_beside_a_row_that_is_nobody_s_is_not_certain() -> None:
    """Before, her group seemed to have one value, so she was taken for known, and her partners elsewhere with her."""
    kept = np.ones(2, dtype=bool)
    table = tc.Table({"age": [1, 2], "ill": ["a", "c"]}, quasi_identifiers="age", sensitive="ill")
    groups = {"one": np.array([0, 1]), "two": np.array([5, 5])}
    # In "one" both stand beside a row that is nobody's and has b, a value that nobody in the table has.
    made_up = Counterfeits(pl.Series("ill", ["b", "b"]), {"one": np.array([0, 1]), "two": np.array([7, 8])})
    inside = Inside(kept, groups, np.zeros((2, 2), dtype=bool), ("age", "ill"), counterfeits=made_up)
    found = Equivalence.inside(inside, table, "ill")
    assert found.decided.tolist() == [1, 1]  # each decides the other in "two"; without b both were certain before


def ages() -> tc.Table:
    """Sixty people of 40, twenty who are younger and twenty who are older: no cut leaves thirty on either side."""
    age = [*range(20, 40), *[40] * 60, *range(41, 61)]
    return tc.Table({"age": age, "ill": ["x", "y"] * 50}, quasi_identifiers="age", sensitive="ill")


def test_a_group_that_was_not_cut_has_many_people_with_one_value() -> None:
    table = ages()
    release = tc.Mondrian([tc.KAnonymity(k=30)]).protect(table, seed=1)
    said, known = uncut(release.shape, 30), uncut_inside(release.shape, release.inside, table, 30)
    assert [each.groups for each in said] == [each.groups for each in known]
    assert (known[0].groups, known[0].right, known[0].cells) == (1, 1, 100 - 2 * 30 + 2)
    assert said[0].cells == known[0].cells
    assert said[0].ends == 1
    snapped = tc.Mondrian([tc.KAnonymity(k=30)], bounds="snapped").protect(table, seed=1)
    assert uncut(snapped.shape, 30, tight=tight_ends(snapped))[0].ends == 0


def test_snapped_intervals_hold_their_group_and_do_not_show_its_values() -> None:
    rng = np.random.default_rng(5)
    frame = {
        "age": rng.integers(17, 91, 600),
        "pay": rng.gamma(2.0, 1000.0, 600),
        "day": [dt.date(2023, 1, 1) + dt.timedelta(days=int(d)) for d in rng.integers(0, 700, 600)],
        "ill": rng.choice(["x", "y", "z"], 600),
    }
    table = tc.Table(frame, quasi_identifiers=["age", "pay", "day"], sensitive="ill")
    tight = tc.Mondrian([tc.KAnonymity(k=4)]).protect(table, seed=1)
    release = tc.Mondrian([tc.KAnonymity(k=4)], bounds="snapped").protect(table, seed=1)
    assert tc.audit(release).holds
    assert (release.inside.group == tight.inside.group).all()  # the same groups, other ends
    cells = release.frames()["table"]
    for name, kind in (("age", Kind.NUMERIC), ("pay", Kind.NUMERIC), ("day", Kind.DATE)):
        bounds = extents(cells[name].cast(pl.String), kind)
        assert np.isfinite(bounds.low).all()
        blurred = bounds.low < bounds.high
        shown = extents(tight.frames()["table"][name].cast(pl.String), kind)
        assert len(np.unique(bounds.low[blurred])) < len(np.unique(shown.low)) / 2
    assert set(extents(cells["age"].cast(pl.String), Kind.NUMERIC).low % 5) <= {0.0, 1.0, 2.0, 3.0, 4.0}
    wide, narrow = tc.utility(release, table).ncp, tc.utility(tight, table).ncp
    assert narrow < wide < 1.6 * narrow


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e12])
def test_snapped_ends_are_never_inside_the_group(scale: float) -> None:
    rng = np.random.default_rng(3)
    values = np.sort(rng.normal(size=200) * scale)
    table = tc.Table({"x": values, "ill": ["a", "b"] * 100}, quasi_identifiers="x", sensitive="ill")
    release = tc.Mondrian([tc.KAnonymity(k=9)], bounds="snapped").protect(table, seed=1)
    assert tc.audit(release, table).holds
    found = tc.LinkageAdversary(victims=table.frame.select("x")).attack(release)
    assert (found.candidates >= 9).all()  # everybody is found, in her own group at least
