"""Special uniques against their definition, and against values that others have published."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import special_uniques as oracle

from tacit.errors import ParameterError, RoleError
from tacit.measures.risk import special_uniques, special_uniques_of_release
from tacit.shapes import Generalized
from tacit.table import Table

GUIDELINE = {
    "residence": ["urban"] * 4 + ["rural"] + ["urban"] * 5,
    "gender": list("FFFMFMFMFF"),
    "education": ["si", "si", "pi", "sc", "sc", "sc", "pc", "ps", "si", "si"],
    "labor": ["E", "E", "N", "E", "U", "E", "N", "U", "N", "N"],
}
"""The example of the guide to statistical disclosure control for sdcMicro, with shorter words for the same values."""

BOOK = {
    "age": ["20s"] * 7 + ["60s"],
    "gender": ["m"] * 4 + ["f"] * 3 + ["m"],
    "income": ["50k+"] * 2 + ["50k-"] * 6,
    "education": ["high"] * 4 + ["university", "high", "middle", "university"],
}


def table(columns):
    return Table(columns, quasi_identifiers=list(columns))


def test_scores_are_those_that_sdcmicro_publishes():
    assert special_uniques(table(GUIDELINE)).scores.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    assert special_uniques(table(BOOK)).scores[4:].tolist() == [4, 2, 6, 8]
    shares = dict(special_uniques(table({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]})).by_column)
    assert shares == {"a": 0.5, "b": 0.375, "c": 0.375}


def test_intrusion_by_hand():
    """Four unique rows, six in pairs: 4 * 0.01 / (4 * 0.01 + 6 * 0.99)."""
    found = special_uniques(table(GUIDELINE), fraction=0.01)
    assert found.unique == 4
    assert found.pairs == 6
    assert found.intrusion == pytest.approx(0.04 / 5.98)
    assert (found.dis_scores > 0).tolist() == (found.scores > 0).tolist()
    order = np.argsort(found.scores, kind="stable")
    assert (np.diff(found.dis_scores[order]) >= 0).all()  # a larger score is a larger risk
    # The spread keeps the odds: the mean of 1/odds of the scored rows is that of the file, for equal scores.
    alike = special_uniques(table({"a": list("abcdee"), "b": list("xyzwvv")}), fraction=0.2)
    assert alike.dis_scores[:4] == pytest.approx([alike.intrusion] * 4)
    assert special_uniques(table(GUIDELINE)).dis_scores is None
    assert special_uniques(table(GUIDELINE), fraction=1.0).intrusion == 1.0


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_against_the_definition(data):
    columns = data.draw(st.integers(1, 5))
    rows = data.draw(st.integers(1, 12))
    values = st.integers(0, data.draw(st.integers(0, 4))) | st.none()
    grid = [data.draw(st.lists(values, min_size=rows, max_size=rows)) for _ in range(columns)]
    largest = data.draw(st.integers(1, 5))
    frame = pl.DataFrame({f"c{j}": pl.Series(column, dtype=pl.Int64) for j, column in enumerate(grid)})
    found = special_uniques(table(frame.to_dict(as_series=False)), largest=largest)
    lines = frame.rows()
    most = min(largest, columns)
    assert found.scores.tolist() == oracle.scores(lines, most)
    sets = oracle.minimal_sets(lines, most)
    assert list(found.sets) == [sum(len(s) == size for each in sets for s in each) for size in range(1, most + 1)]
    alone = [sum(any(len(s) <= size for s in each) for each in sets) for size in range(1, most + 1)]
    assert list(found.alone) == alone
    shares = oracle.column_shares(lines, most)
    assert dict(found.by_column) == pytest.approx({f"c{j}": float(share) for j, share in enumerate(shares)})


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(10)), st.permutations(list(GUIDELINE)))
def test_neither_rows_nor_columns_have_an_order(rows, names):
    frame = pl.DataFrame(GUIDELINE)[list(rows)].select(names)
    found = special_uniques(table(frame.to_dict(as_series=False)))
    usual = special_uniques(table(GUIDELINE))
    assert found.scores.tolist() == usual.scores[list(rows)].tolist()
    assert dict(found.by_column) == dict(usual.by_column)


def test_values_add_up_to_their_columns():
    found = special_uniques(table(GUIDELINE))
    for name, part in found.by_column:
        assert sum(v.share for v in found.by_value if v.column == name) == pytest.approx(part)


def test_a_row_that_occurs_often_is_never_alone():
    often = {"a": ["x"] * 500 + ["y"], "b": ["u"] * 500 + ["v"]}
    found = special_uniques(table(often))
    assert found.scored == 1
    assert found.alone == (1, 1)


def test_of_a_release_by_its_published_cells():
    given_table = Table({"age": [30, 30, 41], "ill": list("aba")}, quasi_identifiers="age", sensitive="ill")
    shape = Generalized.publish(given_table, np.ones(3, bool), np.arange(3))
    found = special_uniques_of_release(shape)
    assert (found.rows, found.alone, found.scored) == (3, (1,), 1)


def test_bad_parameters():
    with pytest.raises(ParameterError, match="largest = 0"):
        special_uniques(table(GUIDELINE), largest=0)
    with pytest.raises(ParameterError, match="fraction = 2"):
        special_uniques(table(GUIDELINE), fraction=2)
    with pytest.raises(RoleError, match="nope"):
        special_uniques(table(GUIDELINE), columns=["nope"])
    with pytest.raises(RoleError, match="no quasi-identifier"):
        special_uniques(Table({"a": [1, 2]}))
