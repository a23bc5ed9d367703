"""Symptoms: the set that a patient reports, drawn from the symptoms that the label table lists for her disease."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.random import Generator

from tacit.arrays import Ints
from tacit.datasets.diseases import DISEASES

_MOST = max(len(disease.symptoms) for disease in DISEASES)
_SHOWS = np.linspace(0.75, 0.15, _MOST)
"""The probability that a patient has the first, second, ... symptom of her disease."""
_BESIDE = ("", "fatigue", "headache", "insomnia", "back pain", "itching", "constipation", "bruising")
"""Symptoms that may come from elsewhere; the first means none."""
_BESIDE_SHARE = 0.08
"""The share of patients who have a symptom from elsewhere."""
_SILENT_SHARE = 0.01
"""The share of patients who report no symptom."""


def draw_symptoms(generator: Generator, diagnosis: Ints) -> pl.Series:
    """Draw a list of symptoms for every diagnosis: some of the disease's own, now and then one from elsewhere.

    One patient in a hundred reports none. The lists are in alphabetical order.
    """
    rows = len(diagnosis)
    known = np.array([len(disease.symptoms) for disease in DISEASES])
    shown = np.zeros(rows, dtype=np.int64)
    for place in range(_MOST):
        shows = (generator.random(rows) < _SHOWS[place]) & (place < known[diagnosis])
        shown |= shows.astype(np.int64) << place
    shown[shown == 0] = 1
    beside = np.where(generator.random(rows) < _BESIDE_SHARE, generator.integers(1, len(_BESIDE), rows), 0)
    silent = generator.random(rows) < _SILENT_SHARE
    shown[silent], beside[silent] = 0, 0
    # There are far fewer different sets than patients: write each set once.
    sets, of_row = np.unique((diagnosis * len(_BESIDE) + beside) << _MOST | shown, return_inverse=True)
    return pl.Series("symptoms", [_written(int(code)) for code in sets], dtype=pl.List(pl.String)).gather(of_row)


def _written(code: int) -> list[str]:
    disease, beside = divmod(code >> _MOST, len(_BESIDE))
    typical = {symptom for place, symptom in enumerate(DISEASES[disease].symptoms) if code >> place & 1}
    return sorted((typical | {_BESIDE[beside]}) - {""})
