"""Small tables that every class must cope with."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl

from tacit.table import Table

CANARY = "Zebedee Quillfeather"


def ordinary(rows: int = 300, *, seed: int = 0, shuffled: bool = False) -> Table:
    """Make people in a few fine groups and some who are alone; every sensitive value is frequent enough for l = 2."""
    rng = np.random.default_rng(seed)
    age = np.where(rng.random(rows) < 0.97, rng.integers(3, 6, rows) * 10, rng.integers(60, 99, rows))
    frame = pl.DataFrame(
        {
            "name": [f"{CANARY} {i}" for i in range(rows)],
            "age": age,
            "town": rng.choice(["Aberdeen", "Bath", "Cork"], rows, p=[0.5, 0.3, 0.2]),
            "illness": rng.choice(["flu", "cold", "measles", "gout"], rows, p=[0.35, 0.3, 0.2, 0.15]),
        }
    )
    if shuffled:
        frame = frame[rng.permutation(rows)]
    return Table(frame, identifiers="name", quasi_identifiers=["age", "town"], sensitive="illness")


def with_nulls() -> Table:
    """Make quasi-identifiers that hold null and NaN."""
    frame = pl.DataFrame(
        {
            "age": [30.0, None, float("nan"), 40.0] * 12,
            "town": ["Bath", None, "", "*"] * 12,
            "illness": ["flu", "cold", "gout"] * 16,
        }
    )
    return Table(frame, quasi_identifiers=["age", "town"], sensitive="illness")


def one_row() -> Table:
    """Make a table of one person."""
    return Table({"age": [30], "illness": ["flu"]}, quasi_identifiers="age", sensitive="illness")


def one_value() -> Table:
    """Make a table in which everybody has the same illness."""
    return Table({"age": [30, 40] * 10, "illness": ["flu"] * 20}, quasi_identifiers="age", sensitive="illness")


def constant() -> Table:
    """Make quasi-identifiers that tell nothing."""
    frame = {"age": [30] * 20, "town": ["Bath"] * 20, "illness": ["flu", "cold", "gout", "measles"] * 5}
    return Table(frame, quasi_identifiers=["age", "town"], sensitive="illness")


def strange_names() -> Table:
    """Make column names that break careless code."""
    frame = pl.DataFrame(
        {
            'a,b"c': [1, 2] * 20,
            "=1+1": ["x", "x", "y", "y"] * 10,
            " ": [dt.date(2024, 1, 1)] * 40,
            "ключ\n": ["flu", "cold", "gout", "measles", "gout"] * 8,
        }
    )
    return Table(frame, quasi_identifiers=['a,b"c', "=1+1", " "], sensitive="ключ\n")
