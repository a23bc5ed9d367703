"""People: the table that the scripts share."""

from __future__ import annotations

from functools import lru_cache

import polars as pl

from tacit.datasets import census

QUASI_IDENTIFIERS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "race",
    "sex",
    "native-country",
    "salary-class",
)
SENSITIVE = "occupation"


@lru_cache(maxsize=1)
def people(rows: int) -> pl.DataFrame:
    """Return the made-up census, text and whole numbers, the same at every call."""
    return census(rows, seed=1).frame
