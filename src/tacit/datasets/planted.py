"""Planted people: a known worst case for each of the five threats, in every hospital of a few hundred rows or more.

Their names are not among those drawn for others, which is how they are found again. What makes them stand out is kept
free of other people at any number of rows: places that begin with 00, one nationality, ages above 99 and one quiet day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.errors import RoleError
from tacit.table import Table

SMALLEST = 200
"""From this number of rows on the people below are in the hospital."""
QUIET_DAY = date(2024, 2, 29)
"""A strike: only four patients are admitted."""

# A threat, then its people: name, age, postcode, sex, nationality, admission, diagnosis, symptoms.
_PEOPLE = """
risk
  Sigrun Ljosavik | 44 | 02701 | female | Icelandic | 2024-06-11 | porphyria | stomach ache, red urine, confusion
  Cornelius Oxenlow | 107 | 01201 | male | American | 2024-03-19 | leprosy | numbness, nosebleed
  Maud Underhollow | 61 | 00740 | female | British | 2024-09-02 | Huntington disease | jerky movements, memory loss
  Giles Underhollow | 63 | 00740 | male | British | 2024-10-07 | porphyria | red urine, muscle weakness
marginals
  Bob Tarnquist | 34 | 00210 | male | American | 2024-02-29 | bronchitis | cough, wheezing, hoarseness
  Alex Tarnquist | 34 | 00230 | male | American | 2024-02-29 | gastritis | stomach ache, heartburn
  Jane Tarnquist | 51 | 00210 | female | American | 2024-02-29 | pneumonia | fever, chest pain, chills
  Lily Tarnquist | 51 | 00230 | female | American | 2024-02-29 | syphilis | rash, hair loss
distribution
  Walter Ibsworth | 58 | 00620 | male | American | 2024-11-12 | heart disease | chest pain, fatigue
  Haruo Ibsworth | 58 | 00620 | male | Japanese | 2024-11-12 | influenza | fever, cough, chills
quasi_sensitive
  Ned Yarrowmoor | 29 | 00530 | male | American | 2024-05-14 | HIV infection | night sweats, rash
  Rob Yarrowmoor | 29 | 00530 | male | American | 2024-05-14 | HIV infection | swollen glands, fever, fatigue
  Tim Yarrowmoor | 29 | 00530 | male | American | 2024-05-14 | HIV infection | swollen glands, night sweats
  Ben Yarrowmoor | 29 | 00530 | male | American | 2024-05-14 | HIV infection | rash, weight loss
"""
_LOOKED_AT: dict[str, tuple[tuple[str, ...], ...]] = {
    "skew": (),
    "risk": (("nationality",), ("age",), ("postcode", "sex")),
    "marginals": (("admission", "age", "sex"), ("postcode",)),
    "distribution": (("nationality",),),
    "quasi_sensitive": (("age", "postcode", "sex", "nationality", "admission"),),
}
_STORIES = {
    "skew": "influenza is in more than a third of the rows, so no 3-diverse grouping of all of them exists",
    "risk": "each is the only one of this nationality, of this age, or of this sex in a hamlet, and has a rare disease",
    "marginals": "grouped by day, age and sex, and again by postcode, all groups have two people with two diseases; "
    "the two groups of a person share only her own disease",
    "distribution": "an American and a Japanese who differ in nothing else, with heart disease and with influenza: "
    "a 2-diverse group, but whoever knows how rare heart disease is among Japanese knows who has it",
    "quasi_sensitive": "four people who differ in no quasi-identifier, with symptoms that several diseases share one "
    "by one, but of which only one has all",
}


@dataclass(frozen=True, eq=False)
class Case:
    """A worst case of one threat.

    Attributes
    ----------
    threat
        The threat: skew, risk, marginals, distribution or quasi_sensitive.
    rows
        The rows of the people it is about, ascending, ``int64``.
    attributes
        The sets of quasi-identifiers by which an adversary looks at them.
    story
        What gives them away.
    """

    threat: str
    rows: npt.NDArray[np.int64]
    attributes: Sequence[Sequence[str]]
    story: str


def people() -> pl.DataFrame:
    """Return the planted people as rows of a hospital."""
    names = ["name", "age", "postcode", "sex", "nationality", "admission", "diagnosis", "symptoms"]
    rows = [row for group in _by_threat().values() for row in group]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row").select(
        "name",
        pl.col("age").cast(pl.Int64),
        "postcode",
        "sex",
        "nationality",
        pl.col("admission").str.to_date("%Y-%m-%d"),
        pl.col("symptoms").str.split(", ").list.sort(),
        "diagnosis",
    )


def planted(table: Table) -> dict[str, Case]:
    """Find the planted worst cases of a hospital, by threat.

    A case of which somebody is missing (a small table, or a part of one) is left out.

    Parameters
    ----------
    table
        What `hospital` returned, or some of its rows.

    Examples
    --------
    >>> from tacit.datasets import hospital
    >>> table = hospital(500)
    >>> case = planted(table)["distribution"]
    >>> sorted(table.frame[case.rows]["diagnosis"])
    ['heart disease', 'influenza']
    """
    frame = table.frame
    for column in ("name", "diagnosis"):
        if column not in frame.columns:
            raise RoleError(
                f"The table has no column {column!r}, so it is not a hospital.",
                hint="People are planted in what `tacit.datasets.hospital` returns.",
            )
    cases = {}
    ill = (frame["diagnosis"] == "influenza").to_numpy()
    if 3 * int(ill.sum()) > frame.height:
        cases["skew"] = _case("skew", np.flatnonzero(ill))
    for threat, group in _by_threat().items():
        names = [person[0] for person in group]
        rows = frame["name"].is_in(names).arg_true().to_numpy().astype(np.int64)
        if len(rows) == len(names):
            cases[threat] = _case(threat, rows)
    return cases


def _case(threat: str, rows: npt.NDArray[np.int64]) -> Case:
    return Case(threat, rows, _LOOKED_AT[threat], _STORIES[threat])


def _by_threat() -> dict[str, list[list[str]]]:
    people: dict[str, list[list[str]]] = {}
    threat = ""
    for line in _PEOPLE.strip().splitlines():
        if "|" in line:
            people[threat].append([cell.strip() for cell in line.split("|")])
        else:
            threat = line.strip()
            people[threat] = []
    return people
