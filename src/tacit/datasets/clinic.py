"""A clinic's visits of two years, in which a patient has several rows and three of them very many."""

from __future__ import annotations

import numpy as np
import polars as pl

from tacit.datasets.diseases import DISEASES
from tacit.datasets.draws import begin
from tacit.datasets.visitors import Visitors
from tacit.table import Table

_COMMON = """
    hypertension 14 diabetes 11 arthritis 10 asthma 8 depression 8 migraine 7 influenza 7 gastritis 6 anaemia 5
    hay_fever 5 thyroid_disorder 4 anxiety_disorder 4 arrhythmia 3 kidney_stones 3 epilepsy 2 hepatitis_B 1.5
    HIV_infection 1 tuberculosis 0.5
"""
_HEAVY = (
    ("patient-dialysis", "kidney infection"),
    ("patient-infusion", "anaemia"),
    ("patient-methadone", "hepatitis B"),
)
"""The planted visitors: each comes more often than all others of her neighbourhood together, always for the same."""
_SMALLEST = 200
"""From this number of rows on the planted visitors come."""
_OFTEN = 0.02
"""The share of all rows that are those of one planted visitor; at least twelve rows."""


def clinic(rows: int = 12_000, *, seed: int | None = 0) -> Table:
    """Return the visits of a made-up clinic in two years: one row per visit, several rows per patient.

    Most patients come a few times, often for the same. A patient's age grows from one year to the next, so that it
    varies between her rows. From 200 rows on three patients are planted who come very often, each for one diagnosis: a
    group of rows that looks safe may be one of them, and whoever knows how often she comes knows her diagnosis.

    ==========  ================  =============================================================
    column      role              values
    ==========  ================  =============================================================
    patient     person            text; it stands in several rows
    age         quasi-identifier  1 to 96, at the visit
    sex         quasi-identifier  female, male
    district    quasi-identifier  16 of them
    visited     no role           a day of 2023 or 2024
    diagnosis   sensitive         18 of them, and that of one planted patient
    ==========  ================  =============================================================

    Parameters
    ----------
    rows
        How many visits, at least 1.
    seed
        The same seed gives the same table; None a new one each time.

    Examples
    --------
    >>> table = clinic(1_000)
    >>> table
    Table: 1,000 rows; person: patient; quasi-identifiers: age, sex, district; sensitive: diagnosis; others: visited
    >>> table.people.count < 300
    True
    """
    generator = begin(rows, seed)
    heavy = max(12, round(_OFTEN * rows)) if rows >= _SMALLEST else 0
    visitors = Visitors.draw(generator, max(1, rows - len(_HEAVY) * heavy))
    words = _COMMON.split()
    names = [word.replace("_", " ") for word in words[::2]]
    shares = np.array(words[1::2], dtype=np.float64)
    matter = visitors.habit(generator, shares / shares.sum(), loyal=0.7)
    person = visitors.person
    district = generator.integers(0, 16, len(visitors.age))
    day = generator.integers(0, 731, len(person))
    drawn = pl.DataFrame(
        {
            "patient": [f"patient-{number:06d}" for number in person.tolist()],
            "age": visitors.age[person] + day // 365.5,
            "sex": np.where(visitors.female, "female", "male")[person],
            "district": [f"district {number + 1:02d}" for number in district[person].tolist()],
            "visited": np.datetime64("2023-01-01") + day,
            "diagnosis": np.array(names)[matter],
        }
    ).with_columns(pl.col("age").cast(pl.Int64), pl.col("visited").cast(pl.Date))
    planted = [_often(name, diagnosis, heavy, turn) for turn, (name, diagnosis) in enumerate(_HEAVY)]
    frame = pl.concat([drawn, *(each for each in planted if heavy)])
    frame = frame[generator.permutation(frame.height)]
    return Table(
        frame,
        person="patient",
        quasi_identifiers=["age", "sex", "district"],
        sensitive="diagnosis",
        hierarchies={"diagnosis": {"tree": {disease.name: disease.chapter for disease in DISEASES}}},
    )


def _often(name: str, diagnosis: str, rows: int, turn: int) -> pl.DataFrame:
    """Return the visits of somebody who comes every few days."""
    days = np.datetime64("2023-01-02") + np.arange(rows) * 730 // max(1, rows)
    return pl.DataFrame(
        {
            "patient": [name] * rows,
            "age": [52 + 7 * turn] * rows,
            "sex": ["female" if turn % 2 else "male"] * rows,
            "district": [f"district {turn + 3:02d}"] * rows,
            "visited": pl.Series(days).cast(pl.Date),
            "diagnosis": [diagnosis] * rows,
        },
        schema_overrides={"age": pl.Int64},
    )
