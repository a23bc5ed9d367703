"""Cells as Arrow: what one worker of several sends, and what another makes of it.

A cell is a row of one record batch: its value in each column, its weight, and for each sensitive column a list of
values with counts. Values travel in dictionaries, so that codes stay what they were.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints
from tacit.table.cells import Cells, stacked
from tacit.table.codes import Codes32
from tacit.table.groups import Histogram

_COLUMNS = b"tacit.columns"
"""The key of the schema's metadata that holds the number of columns; columns come first, then the weight, then the
sensitive ones. Places tell them apart and not names, which may be any."""
_WEIGHT, _VALUE, _COUNT = "weight", "value", "count"


def cells_to_arrow(cells: Cells) -> pa.RecordBatch:
    """Write cells as one record batch; the rows they were counted from stay where they are.

    Examples
    --------
    >>> from tacit.table import Cells, encode
    >>> age, ill = encode(pl.Series([30, 41, 30])), encode(pl.Series(["flu", "flu", "cold"]))
    >>> batch = cells_to_arrow(Cells.of({"age": age}, {"ill": ill}, rows=3))
    >>> batch.schema.names, batch.column("age").to_pylist(), batch.column("ill").to_pylist()[1]
    (['age', 'weight', 'ill'], [30, 41], [{'value': 'flu', 'count': 1}])
    >>> cells_from_arrow(batch).weights.tolist()
    [2, 1]
    """
    columns = [_with_dictionary(cells.column(name), values) for name, values in cells.dictionaries.items()]
    counts = [_lists(cells.histograms[name], values) for name, values in cells.values.items()]
    names = [*cells.columns, _WEIGHT, *cells.values]
    arrays = [*columns, pa.array(cells.weights, pa.int64()), *counts]
    fields = [pa.field(name, array.type) for name, array in zip(names, arrays, strict=True)]
    schema = pa.schema(fields, metadata={_COLUMNS: str(len(columns)).encode()})
    return pa.record_batch(arrays, schema=schema)


def cells_from_arrow(batch: pa.RecordBatch) -> Cells:
    """Read cells that `cells_to_arrow` wrote; their hierarchies are bound again by `Cells.bound`."""
    many = int((batch.schema.metadata or {})[_COLUMNS])
    names = batch.schema.names
    codes, dictionaries = [], {}
    for place in range(many):
        coded = batch.column(place)
        codes.append(np.asarray(coded.indices))
        dictionaries[names[place]] = pl.Series(names[place], coded.dictionary)
    histograms, values = {}, {}
    for place in range(many + 1, len(names)):
        entries, coded, counts = _entries(batch.column(place))
        values[names[place]] = pl.Series(names[place], coded.dictionary)
        value = np.asarray(coded.indices).astype(np.int64)
        histograms[names[place]] = Histogram(entries, value, counts, len(coded.dictionary))
    weights = np.asarray(batch.column(many)).astype(np.int64)
    return Cells(stacked(codes, batch.num_rows), weights, dictionaries, histograms, values)


def _with_dictionary(codes: Codes32, values: pl.Series) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), values.to_arrow())


def _lists(histogram: Histogram, values: pl.Series) -> pa.LargeListArray:
    counts = pa.array(histogram.counts, pa.int64())
    entries = pa.StructArray.from_arrays(
        [_with_dictionary(histogram.values.astype(np.int32), values), counts], [_VALUE, _COUNT]
    )
    return pa.LargeListArray.from_arrays(pa.array(histogram.offsets, pa.int64()), entries)


def _entries(lists: pa.LargeListArray) -> tuple[Ints, pa.DictionaryArray, Ints]:
    """Return where each list begins, and the values and counts of all of them."""
    offsets = np.asarray(lists.offsets).astype(np.int64)
    entries = lists.values.slice(int(offsets[0]), int(offsets[-1] - offsets[0]))
    counts = np.asarray(entries.field(_COUNT)).astype(np.int64)
    return offsets - offsets[0], entries.field(_VALUE), counts
