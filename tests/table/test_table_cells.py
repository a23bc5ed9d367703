"""Cells: what they count is what a dictionary of tuples counts, and parts make the whole."""

from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit as tc
from tacit.table import Cells, cells_from_arrow, cells_to_arrow, encode
from tacit.table.cell_cache import CellCache

AGES, TOWNS, ILLS = [30, 41, 55, None], ["Ulm", "Bonn", ""], ["flu", "cold", "HIV", None]
ROWS = st.lists(st.tuples(st.sampled_from(AGES), st.sampled_from(TOWNS), st.sampled_from(ILLS)), max_size=30)
COLUMNS = {"age": pl.Int64, "town": pl.String}


def cells_of(rows, weights=None):
    series = [pl.Series([row[j] for row in rows], dtype=t) for j, t in enumerate((pl.Int64, pl.String, pl.String))]
    age, town, ill = (encode(column) for column in series)
    return Cells.of({"age": age, "town": town}, {"ill": ill}, rows=len(rows), weights=weights)


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


@given(st.lists(ROWS, min_size=1, max_size=5))
def test_any_number_of_parts_merges_at_once_or_one_after_another(parts):
    first, *others = [cells_of(part) for part in parts]
    at_once, in_turn = first.merged(*others), first
    for other in others:
        in_turn = in_turn.merged(other)
    whole = counted(cells_of([row for part in parts for row in part]))
    assert counted(at_once) == counted(in_turn) == whole


@given(ROWS, st.randoms(use_true_random=False))
def test_a_row_of_weight_three_counts_like_three_equal_rows(rows, random):
    weights = [random.randrange(4) for _ in rows]
    repeated = [row for row, weight in zip(rows, weights, strict=True) for _ in range(weight)]
    found, inside = counted(cells_of(rows, np.array(weights, dtype=np.int64)))
    assert {key: weight for key, weight in found.items() if weight} == expected(repeated)[0]
    assert {key: values for key, values in inside.items() if values} == expected(repeated)[1]


def sent(cells):
    """Send cells through a stream of bytes."""
    batch, sink = cells_to_arrow(cells), pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return cells_from_arrow(pa.ipc.open_stream(sink.getvalue()).read_next_batch())


@given(ROWS, ROWS)
def test_cells_that_were_sent_count_and_merge_as_before(one, other):
    cells, received = cells_of(one), sent(cells_of(one))
    assert counted(received) == counted(cells)
    assert (received.codes.tolist(), received.columns) == (cells.codes.tolist(), cells.columns)
    assert all(received.dictionaries[name].equals(cells.dictionaries[name]) for name in cells.columns)
    assert counted(received.merged(sent(cells_of(other)))) == counted(cells_of(one + other))


def test_names_of_columns_may_be_any_when_cells_are_sent():
    same = encode(pl.Series([1, 2]))
    cells = sent(Cells.of({"weight": same}, {"count": same}, rows=2))
    assert (cells.columns, tuple(cells.values), cells.rows) == (("weight",), ("count",), 2)
    assert sent(Cells.of({}, {}, rows=2)).weights.tolist() == [2]


def test_a_slice_of_what_was_sent_is_those_cells():
    cells = cells_of([(30, "Ulm", "flu"), (41, "Ulm", "cold"), (41, "Ulm", "flu"), (55, "Bonn", None)])
    part = cells_from_arrow(cells_to_arrow(cells).slice(1, 2))
    assert part.weights.tolist() == cells.weights[1:3].tolist()
    assert part.histograms["ill"].distinct().tolist() == cells.histograms["ill"].distinct()[1:3].tolist()


def test_a_declared_order_and_its_hierarchy_survive_a_merge():
    order, tree = pl.Series(["mild", "severe"]), tc.hierarchies.make({"interval": 10})
    parts = [
        Cells.of({"state": encode(pl.Series(values, dtype=pl.String), domain=order)}, {"age": age}, rows=len(values))
        for values, age in ((["severe"], encode(pl.Series([31]))), (["mild", None], encode(pl.Series([35, 48]))))
    ]
    merged = parts[0].merged(parts[1])
    assert merged.dictionaries["state"].to_list() == ["mild", "severe", None]
    assert not merged.trees
    assert merged.bound({"age": tree}).trees["age"].leaves.tolist()[0] == 3


@given(ROWS)
def test_fewer_columns_tell_less_apart(rows):
    cells = cells_of(rows)
    town, alike = cells.by(["town"]), cells.alike(["town"])
    assert counted(town) == expected(rows, project=lambda row: (row[1],))
    assert town.ids is None
    assert alike.count == len(town)
    assert town.column("town")[alike.ids].tolist() == cells.column("town").tolist()


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


def table_of(rows=4000):
    rng = np.random.default_rng(1)
    frame = {name: rng.integers(0, 9, rows) for name in "abcdefs"}
    return tc.Table(frame, quasi_identifiers=list("abcdef"), sensitive="s")


def test_a_table_counts_its_quasi_identifiers_once():
    table = table_of()
    assert table.cells() is table.cells() is table.cells(table.quasi_identifiers)
    assert table.groups().ids is table.cells().ids
    assert table.cells().histograms["s"] is table.cells().histograms["s"]


def test_a_table_keeps_other_columns_when_they_are_asked_for_again():
    table = table_of()
    first, second = table.cells(["a", "b"]), table.cells(["a", "b"])
    assert first is not second
    assert table.cells(["a", "b"]) is second
    assert first.codes.tolist() == second.codes.tolist()


def test_a_table_keeps_no_more_than_a_share_of_its_size():
    table = table_of()
    pairs = [[a, b] for a in "abcdef" for b in "abcdef" if a < b]
    for _ in range(3):
        for pair in pairs:
            table.cells(pair)
    kept = [cells for columns, cells in table._cells._kept.items() if columns != table.quasi_identifiers]
    assert 0 < sum(cells.nbytes for cells in kept) <= table._nbytes() / 2
    assert len(kept) < len(pairs)


def test_small_cells_are_kept_at_once_and_the_longest_unasked_are_let_go():
    cells = Cells.of({"age": encode(pl.Series([1, 2]))}, {}, rows=2)  # 40 bytes
    roomy = CellCache(("main",), size=20 * cells.nbytes)
    roomy.keep(("age",), cells)
    assert roomy.get(("age",)) is cells
    tight = CellCache(("main",), size=4 * cells.nbytes)
    for name in ("a", "a", "b", "b"):
        tight.keep((name,), cells)
    assert tight.get(("a",)) is cells  # and so it is b that was not asked for the longest
    for _ in range(2):
        tight.keep(("c",), cells)
    assert [tight.get((name,)) is cells for name in "abc"] == [True, False, True]
