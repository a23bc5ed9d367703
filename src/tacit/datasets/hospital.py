"""A hospital's admissions of one year."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
from numpy.random import Generator

from tacit.arrays import Ints
from tacit.datasets.diseases import DISEASES
from tacit.datasets.draws import begin, quota
from tacit.datasets.incidence import INFLUENZA_SHARE, draw_diagnoses
from tacit.datasets.names import draw_names
from tacit.datasets.nations import CONTINENT_OF, SHARES
from tacit.datasets.places import draw_postcodes
from tacit.datasets.planted import QUIET_DAY, SMALLEST, people
from tacit.datasets.shares import Shares
from tacit.datasets.symptoms import draw_symptoms
from tacit.table import Table

_FIRST_DAY = date(2024, 1, 1)
_DAYS = 366
_BY_MONTH = np.array([1.5, 1.4, 1.2, 1.0, 0.9, 0.8, 0.8, 0.8, 0.9, 1.0, 1.1, 1.4])
_BY_WEEKDAY = np.array([1.2, 1.1, 1.0, 1.0, 1.0, 0.8, 0.7])
_AGE_FROM = np.array([0, 5, 18, 30, 45, 60, 75, 90, 100])
_AGES = Shares.one([f"{low}-" for low in _AGE_FROM[:-1]], [7, 7, 11, 15, 19, 22, 16, 3])
_FEMALE_BY_AGE = np.array([0.47, 0.48, 0.57, 0.54, 0.49, 0.49, 0.56, 0.68])


def hospital(rows: int = 18_204, *, seed: int | None = 0) -> Table:
    """Return the admissions of a made-up hospital in 2024, one row per patient.

    Diagnosis follows age, sex, nationality and season, symptoms follow the diagnosis, postcode follows nationality.
    Influenza is in 41% of the rows, whatever their number, and heart disease in 10% of the Americans and .3% of the
    Japanese. From 200 rows on a few people are planted, so that each of the five threats has a worst case (`planted`).

    ==========  ================  =============================================================
    column      role              values
    ==========  ================  =============================================================
    name        identifier        text
    age         quasi-identifier  0 to 99, one planted person is older
    postcode    quasi-identifier  text of five digits, leading zeros; blurs digit by digit
    sex         quasi-identifier  female, male
    nationality quasi-identifier  24 of them; blurs into the continent
    admission   quasi-identifier  a day of 2024; blurs into month, quarter, year
    symptoms    items             lists of text, see `knowledge`
    diagnosis   sensitive         40 of them; blurs into a chapter
    ==========  ================  =============================================================

    Parameters
    ----------
    rows
        How many patients, at least 1.
    seed
        The same seed gives the same table; None a new one each time.

    Examples
    --------
    >>> table = hospital(1_000)
    >>> table
    Table: 1,000 rows; identifiers: name; quasi-identifiers: age, postcode, sex, nationality, admission; ...
    >>> table.frame["diagnosis"].value_counts(sort=True).row(0)
    ('influenza', 410)
    """
    generator = begin(rows, seed)
    planted = people() if rows >= SMALLEST else people().clear()
    influenza = round(INFLUENZA_SHARE * rows) - int((planted["diagnosis"] == "influenza").sum())
    frame = _scatter(generator, _admissions(generator, rows - planted.height, influenza), planted)
    return Table(
        frame,
        identifiers="name",
        quasi_identifiers=["age", "postcode", "sex", "nationality", "admission"],
        items="symptoms",
        sensitive="diagnosis",
        hierarchies={
            "age": {"interval": 5},
            "postcode": {"prefix": 5},
            "sex": "flat",
            "nationality": {"tree": CONTINENT_OF},
            "admission": "calendar",
            "diagnosis": {"tree": {disease.name: disease.chapter for disease in DISEASES}},
        },
    )


def _admissions(generator: Generator, rows: int, influenza: int) -> pl.DataFrame:
    nation = quota(generator, list(SHARES.values()), rows)
    band = _AGES.alike(generator, rows)
    age = generator.integers(_AGE_FROM[band], _AGE_FROM[band + 1])
    female = generator.random(rows) < _FEMALE_BY_AGE[band]
    day = _draw_days(generator, rows)
    dates = np.datetime64(_FIRST_DAY) + day.astype("timedelta64[D]")
    month = dates.astype("datetime64[M]").astype(np.int64) % 12
    diagnosis = draw_diagnoses(generator, age=age, female=female, nation=nation, month=month, influenza=influenza)
    return pl.DataFrame(
        [
            draw_names(generator, female),
            pl.Series("age", age),
            draw_postcodes(generator, nation),
            pl.Series("sex", ["male", "female"]).gather(female.astype(np.int64)),
            pl.Series("nationality", list(SHARES)).gather(nation),
            pl.Series("admission", dates.astype("datetime64[D]")).cast(pl.Date),
            draw_symptoms(generator, diagnosis),
            pl.Series("diagnosis", [disease.name for disease in DISEASES]).gather(diagnosis),
        ]
    )


def _draw_days(generator: Generator, rows: int) -> Ints:
    """Draw days of the year: more in winter, fewer at weekends, none on the quiet day."""
    days = np.datetime64(_FIRST_DAY) + np.arange(_DAYS)
    month = days.astype("datetime64[M]").astype(np.int64) % 12
    weekday = np.arange(_DAYS) % 7  # 2024 began on a Monday
    weights = _BY_MONTH[month] * _BY_WEEKDAY[weekday] * (days != np.datetime64(QUIET_DAY))
    return Shares.one([str(day) for day in days], weights).alike(generator, rows)


def _scatter(generator: Generator, frame: pl.DataFrame, planted: pl.DataFrame) -> pl.DataFrame:
    """Put the planted people at random places between the others."""
    cuts = [0, *np.sort(generator.integers(0, frame.height + 1, planted.height)).tolist(), frame.height]
    pieces: list[pl.DataFrame] = []
    for i, turn in enumerate(generator.permutation(planted.height).tolist()):
        pieces += [frame.slice(cuts[i], cuts[i + 1] - cuts[i]), planted.slice(turn, 1)]
    return pl.concat([*pieces, frame.slice(cuts[-2])]).rechunk()
