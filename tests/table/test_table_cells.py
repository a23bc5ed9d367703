"""Cells: what they count is what a dictionary of tuples counts, and parts make the whole."""

from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.table import encode
from tacit.table.cells import Cells

AGES, TOWNS, ILLS = [30, 41, 55, None], ["Ulm", "Bonn", ""], ["flu", "cold", "HIV", None]
ROWS = st.lists(st.tuples(st.sampled_from(AGES), st.sampled_from(TOWNS), st.sampled_from(ILLS)), max_size=30)
COLUMNS = {"age": pl.Int64, "town": pl.String}


def cells_of(rows):
    series = [pl.Series([row[j] for row in rows], dtype=t) for j, t in enumerate((pl.Int64, pl.String, pl.String))]
    age, town, ill = (encode(column) for column in series)
    return Cells.of({"age": age, "town": town}, {"ill": ill}, rows=len(rows))


def counted(cells):
    """Read cells back into plain dictionaries of values."""
    weights, inside = {}, {}
    names, histogram = cells.columns, cells.histograms["ill"]
    for c in range(len(cells)):
        key = tuple(cells.dictionaries[name][int(cells.codes[c, j])] for j, name in enumerate(names))
        assert key not in weights
        weights[key] = int(cells.weights[c])
        entries = range(int(histogram.offsets[c]), int(histogram.offsets[c + 1]))
        inside[key] = {cells.values["ill"][int(histogram.values[e])]: int(histogram.counts[e]) for e in entries}
    return weights, inside


def expected(rows, project=lambda row: row[:2]):
    weights, inside = Counter(), defaultdict(Counter)
    for row in rows:
        weights[project(row)] += 1
        inside[project(row)][row[2]] += 1
    return dict(weights), {key: dict(values) for key, values in inside.items()}


@given(ROWS)
def test_cells_are_the_distinct_combinations_with_their_counts(rows):
    assert counted(cells_of(rows)) == expected(rows)


@given(ROWS, ROWS)
def test_the_cells_of_two_parts_make_the_cells_of_the_whole(one, other):
    merged, whole = cells_of(one).merged(cells_of(other)), cells_of(one + other)
    assert counted(merged) == counted(whole)
    assert merged.codes.tolist() == whole.codes.tolist()  # numbered by value, not by which part came first
    assert merged.ids is None


@given(ROWS)
def test_fewer_columns_tell_less_apart(rows):
    cells = cells_of(rows)
    town = cells.by(["town"])
    assert counted(town) == expected(rows, project=lambda row: (row[1],))
    assert town.ids.tolist() == [town.dictionaries["town"].to_list().index(row[1]) for row in rows] if rows else True


@given(ROWS, st.randoms(use_true_random=False))
def test_united_cells_count_the_rows_of_the_chosen_ones(rows, random):
    cells = cells_of(rows)
    chosen = np.array([random.random() < 0.5 for _ in range(len(cells))], dtype=bool)
    stats = cells.united(chosen)
    kept = [row for row, cell in zip(rows, cells.ids, strict=True) if chosen[cell]]
    assert stats.sizes.tolist() == [len(kept)]
    totals = dict(zip(cells.values["ill"].to_list(), stats.histograms["ill"].totals().tolist(), strict=True))
    assert {value: n for value, n in totals.items() if n} == dict(Counter(row[2] for row in kept))
    assert cells.whole.sizes.tolist() == [len(rows)]


def test_no_column_at_all_is_one_cell():
    ill = encode(pl.Series(["flu", "cold"]))
    cells = Cells.of({}, {"ill": ill}, rows=2)
    assert (len(cells), cells.rows, cells.columns) == (1, 2, ())


def test_parts_with_other_columns_do_not_merge():
    age = encode(pl.Series([1, 2]))
    with pytest.raises(ValueError, match="same columns"):
        Cells.of({"age": age}, {}, rows=2).merged(Cells.of({"years": age}, {}, rows=2))
