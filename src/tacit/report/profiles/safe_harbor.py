"""HIPAA, safe harbor: eighteen kinds of identifiers, looked for in every published column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from tacit.report.evidence.requirement import Requirement
from tacit.report.profiles.base import Measured, Profile
from tacit.report.profiles.safe_harbor_cells import dates_and_ages, distinct_codes, places

_SOURCE = "45 CFR 164.514(b)(2)(i)"

_PLACES = r"zip|post(al)?_?code|plz|city|county|address|street|district|parish|precinct|town|geo|^lat|^lon"
_PHONE = r"^\+[0-9][0-9 ()/.-]{6,}[0-9]$|^\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}$|^0\d{2,4}[ /-][0-9 ]{5,}$"
_IP = r"^(\d{1,3}\.){3}\d{1,3}$|^[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){3,7}$"

_SAMPLE = 10_000
"""Distinct cells of a column that are looked at. More find rarer patterns and take longer. Chosen by hand."""


@dataclass(frozen=True)
class IdentifierKind:
    """One of the eighteen kinds.

    Attributes
    ----------
    letter, title
        Its place in the rule, and what it is in short.
    named
        A pattern of names of columns that may hold it.
    cells
        A pattern that most cells of such a column match; None where cells show nothing.
    judge
        What looks closer at a column that is named so, or at any column where `named` is empty; it returns why the
        column is such an identifier, or None.
    """

    letter: str
    title: str
    named: str = ""
    cells: str | None = None
    judge: Callable[[pl.Series, bool], str | None] | None = None


KINDS = (
    IdentifierKind("A", "names", r"(^|_)(first|last|full|middle|sur|maiden|patient)?_?name$|surname|vorname|nachname"),
    IdentifierKind("B", "places smaller than a state", _PLACES, judge=places),
    IdentifierKind("C", "dates finer than a year, ages above 89", judge=dates_and_ages),
    IdentifierKind("D", "telephone numbers", r"phone|mobile|telefon", _PHONE),
    IdentifierKind("E", "fax numbers", r"fax"),
    IdentifierKind("F", "e-mail addresses", r"e-?mail", r"^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$"),
    IdentifierKind("G", "social security numbers", r"ssn|social_?sec", r"^\d{3}-\d{2}-\d{4}$"),
    IdentifierKind("H", "medical record numbers", r"mrn|medical_?record|record_?n(o|um|r)|chart_?n(o|um|r)"),
    IdentifierKind(
        "I", "health plan beneficiary numbers", r"beneficiary|(member|plan|insurance)_?id|policy_?n(o|um|r)"
    ),
    IdentifierKind("J", "account numbers", r"account|iban|card_?n(o|um|r)", r"^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$"),
    IdentifierKind("K", "certificate and licence numbers", r"licen[cs]e|certificate|passport"),
    IdentifierKind("L", "vehicles and licence plates", r"vehicle|vin$|plate"),
    IdentifierKind("M", "devices and serial numbers", r"device_?(id|n(o|um|r))|serial|imei"),
    IdentifierKind("N", "web addresses", r"url|website|homepage", r"^(https?://|www\.)\S+$"),
    IdentifierKind("O", "IP addresses", r"(^|_)ip(_|$)|ip_?addr", _IP),
    IdentifierKind("P", "biometric identifiers", r"finger_?print|voice_?print|iris|retina|biometric|face_?id"),
    IdentifierKind("Q", "photographs of faces", r"photo|picture|image|portrait"),
    IdentifierKind(
        "R", "any other number or code of one person", r"(^|_)(id|uid|uuid|guid|pid|key|code)$", judge=distinct_codes
    ),
)
"""The eighteen kinds of 45 CFR 164.514(b)(2)(i), in the order and with the letters of the rule; words are our own."""


def _asks(measured: Measured) -> tuple[Requirement, ...]:
    columns = list(_published(measured))
    found = [_look(kind, columns) for kind in KINDS]
    knowledge = Requirement(
        "no actual knowledge that what is left identifies somebody",
        "",
        "for the data owner to judge",
        None,
        "45 CFR 164.514(b)(2)(ii)",
    )
    return (*found, knowledge)


def _published(measured: Measured) -> Iterator[pl.Series]:
    """Return the distinct cells of every published column; numbers of groups and counts are no attributes."""
    names = {column.name for column in measured.columns}
    seen: set[str] = set()
    for frame in measured.frames.values():
        for series in frame:
            if series.name in names and series.name not in seen and series.dtype != pl.List:
                seen.add(series.name)
                yield series


def _look(kind: IdentifierKind, columns: list[pl.Series]) -> Requirement:
    """Look for one kind in every column."""
    reasons = []
    for series in columns:
        why = _why(kind, series)
        if why is not None:
            reasons.append(f"{series.name}: {why}")
    return Requirement(
        f"({kind.letter}) {kind.title}",
        "none",
        "; ".join(reasons) or "no column looks like it",
        not reasons,
        f"{_SOURCE}({kind.letter})",
    )


def _why(kind: IdentifierKind, series: pl.Series) -> str | None:
    named = bool(kind.named) and re.search(kind.named, series.name.lower()) is not None
    if kind.judge is not None:
        return kind.judge(series, named) if named or not kind.named else None
    if named:
        return "its name says so"
    if kind.cells is None or series.dtype != pl.String:
        return None
    cells = series.drop_nulls().unique().head(_SAMPLE)
    matching = int(cells.str.strip_chars().str.contains(kind.cells).sum())
    return "its cells look like it" if len(cells) and 2 * matching > len(cells) else None


SAFE_HARBOR = Profile(
    "hipaa-safe-harbor",
    "HIPAA, safe harbor: the eighteen kinds of identifiers",
    "Columns are judged by their names and cells. What is hidden in free text or under a name that says nothing is not "
    "found, and identifiers of relatives, employers and household members are identifiers too.",
    _asks,
)
