"""Small tables that every class must cope with."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl

from tacit.table import Table

CANARY = "Zebedee Quillfeather"
_SYMPTOMS: tuple[list[str], ...] = (
    ["cough"],
    ["cough", "fever"],
    ["headache"],
    ["sneezing"],
    ["joint pain"],
    ["rash", "cough"],
    [],
)
"""Sets of items: some name an illness, some may be of several, one is in no book, one is empty."""


def _symptoms(rows: int, seed: int = 0) -> pl.Series:
    rng = np.random.default_rng([rows, seed])
    shares = [0.25, 0.2, 0.15, 0.15, 0.1, 0.05, 0.1]
    return pl.Series("symptoms", _SYMPTOMS).gather(rng.choice(len(_SYMPTOMS), rows, p=shares))


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
            "symptoms": _symptoms(rows, seed),
        }
    )
    if shuffled:
        frame = frame[rng.permutation(rows)]
    return Table(frame, identifiers="name", quasi_identifiers=["age", "town"], sensitive="illness", items="symptoms")


def visits(people: int = 150, *, seed: int = 0) -> Table:
    """Make people who have one to three rows each; age and town are the person's, the illness is the visit's."""
    table = ordinary(people, seed=seed)
    rng = np.random.default_rng([people, seed])
    owner = np.repeat(np.arange(people), rng.integers(1, 4, people))
    frame = table.frame[owner].with_columns(
        illness=pl.Series(rng.choice(["flu", "cold", "measles", "gout"], len(owner), p=[0.35, 0.3, 0.2, 0.15]))
    )
    return Table(
        frame, person="name", quasi_identifiers=table.quasi_identifiers, sensitive=table.sensitive, items=table.items
    )


def with_nulls() -> Table:
    """Make quasi-identifiers that hold null and NaN."""
    frame = pl.DataFrame(
        {
            "age": [30.0, None, float("nan"), 40.0] * 12,
            "town": ["Bath", None, "", "*"] * 12,
            "illness": ["flu", "cold", "gout"] * 16,
            "symptoms": _symptoms(48),
        }
    )
    return Table(frame, quasi_identifiers=["age", "town"], sensitive="illness", items="symptoms")


def one_row() -> Table:
    """Make a table of one person."""
    frame = {"age": [30], "illness": ["flu"], "symptoms": [["cough", "fever"]]}
    return Table(frame, quasi_identifiers="age", sensitive="illness", items="symptoms")


def one_value() -> Table:
    """Make a table in which everybody has the same illness."""
    frame = {"age": [30, 40] * 10, "illness": ["flu"] * 20, "symptoms": [["cough", "fever"]] * 20}
    return Table(frame, quasi_identifiers="age", sensitive="illness", items="symptoms")


def constant() -> Table:
    """Make quasi-identifiers that tell nothing."""
    frame = {"age": [30] * 20, "town": ["Bath"] * 20, "illness": ["flu", "cold", "gout", "measles"] * 5}
    frame |= {"symptoms": _symptoms(20).to_list()}
    return Table(frame, quasi_identifiers=["age", "town"], sensitive="illness", items="symptoms")


def strange_names() -> Table:
    """Make column names that break careless code."""
    frame = pl.DataFrame(
        {
            'a,b"c': [1, 2] * 20,
            "=1+1": ["x", "x", "y", "y"] * 10,
            " ": [dt.date(2024, 1, 1)] * 40,
            "ключ\n": ["flu", "cold", "gout", "measles", "gout"] * 8,
            "-;*": _symptoms(40),
        }
    )
    return Table(frame, quasi_identifiers=['a,b"c', "=1+1", " "], sensitive="ключ\n", items="-;*")


def with_numbers(table: Table) -> Table:
    """Replace every sensitive value by a number: 0, 10, 20 ... in the order of the values."""
    coded = [pl.Series(name, table.codes(name).codes.astype(np.int64) * 10) for name in table.sensitive]
    return Table(
        table.frame.with_columns(coded),
        identifiers=table.identifiers,
        person=table.person,
        missing={name: table.missing(name) for name in (*table.sensitive, *table.items)},
        allow=table.allowed,
        quasi_identifiers=table.quasi_identifiers,
        sensitive=table.sensitive,
        items=table.items,
    )
