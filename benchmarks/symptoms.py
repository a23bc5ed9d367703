"""Symptoms: the setting of the quasi-sensitive paper, people with random items and labels with random sets of them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.people import QUASI_IDENTIFIERS, people
from tacit.knowledge.quasi_sensitive import LabelTable

ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "adult.csv.gz"
TRAINING, COMPLETE = 32_561, 30_162
VOCABULARY, ITEMS, LABELS, MEAN = 200, 9, 3_000, 100


@lru_cache(maxsize=4)
def knowledge(labels: int = LABELS, vocabulary: int = VOCABULARY, mean: int = MEAN) -> LabelTable:
    """Labels whose item sets have Poisson(mean) size."""
    rng = np.random.default_rng(2)
    sizes = np.minimum(rng.poisson(mean, labels), vocabulary)
    return LabelTable(
        {f"label {i}": [f"item {x}" for x in rng.permutation(vocabulary)[:size]] for i, size in enumerate(sizes)}
    )


def persons(rows: int) -> pl.DataFrame:
    """Adult where it is at hand and large enough, as in the paper; else the made-up census."""
    if not ADULT.exists() or rows > COMPLETE:
        return people(rows)
    return tc.Table.read(ADULT, nulls=("", "?"), quasi_identifiers="age").frame.head(TRAINING).drop_nulls().head(rows)


@lru_cache(maxsize=2)
def patients(rows: int, vocabulary: int = VOCABULARY) -> tc.Table:
    """People, each with so many items."""
    rng = np.random.default_rng(3)
    drawn = rng.random((rows, vocabulary)).argpartition(ITEMS, axis=1)[:, :ITEMS]
    items = pl.Series("items", [f"item {x}" for x in range(vocabulary)]).gather(drawn.ravel())
    sets = items.reshape((rows, ITEMS)).cast(pl.List(pl.String)).alias("items")
    frame = persons(rows).select(QUASI_IDENTIFIERS).with_columns(sets)
    return tc.Table(frame, quasi_identifiers=QUASI_IDENTIFIERS, items="items")
