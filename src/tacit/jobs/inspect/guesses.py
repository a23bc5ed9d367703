"""Guesses: what role and kind a column probably has, and why. The data owner decides."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import polars as pl

from tacit.errors import RoleError
from tacit.jobs.inspect import column_names
from tacit.jobs.inspect.repeated_keys import constant_columns
from tacit.table import Kind, Role
from tacit.table.kinds import infer
from tacit.table.naming import KEYS, NAMES, naming

_IDENTIFIER = f"{KEYS}|{NAMES}|{column_names.IDENTIFIER}"
_PERSON = (
    r"^(pid|ssn|nhs|mrn)$|person|patient|subject|participant|respondent|customer|client|member|student|pupil|employee|"
    r"e-?mail|passport"
)
"""Words in the name of a column that says whose row a row is, where its values repeat."""
_KEY = r"^(id|uid|uuid|guid)$|_id$|^id_|_no$|_nr$|account|phone|mobile|iban|licen[cs]e"
"""Words in the name of a column of keys, which may be those of persons or of anything else."""
_ROWS_PER_KEY = 50
"""A column of keys that stand in at most this many rows each, on average, may be one of persons. A larger number takes
more keys of wards, schools or days for persons. Chosen by hand."""
_SENSITIVE = (
    r"disease|diagnos|illness|condition|disorder|cause|medic|drug|treat|symptom|hiv|cancer|salary|income|wage|religio|"
    r"politic|party|orient|ethnic|crime|offen[cs]e|grade|score|debt|occupation|disab|suspen|" + column_names.SENSITIVE
)
_QUASI = (
    r"age|birth|dob|zip|post|sex|gender|race|national|country|county|city|town|region|state|marital|educat|school|work|"
    r"job|admission|discharge|visit|date|day|month|year|height|weight|relationship|class|language|household|"
    + column_names.QUASI
)
_FEW = 200
"""A column of at most this many distinct values may be something that an outsider knows. A larger number guesses more
quasi-identifiers. Chosen by hand."""

_FEW_KEYS = 20
"""Keys that are fewer than this are not taken for those of persons unless their name says so. Chosen by hand."""

_ODD = 3
"""Cells that are no numbers, at most, for a column of text to be called one of numbers but for them. Chosen by hand."""

_ITEM = re.compile(r"[^;]+;[^;]+")


@dataclass(frozen=True)
class Guess:
    """A column, what it seems to be, and the reason."""

    name: str
    role: Role
    kind: Kind
    reason: str
    distinct: int
    nulls: int


def guess(frame: pl.DataFrame, *, fixed: dict[str, Role]) -> list[Guess]:
    """Guess every column that the user has not fixed.

    Where she named sensitive columns or quasi-identifiers, no other column is guessed to be one.
    """
    given = frozenset(fixed.values())
    guesses = [_one(frame[name], fixed.get(name), given) for name in frame.columns]
    if Role.PERSON not in given and all(g.role is not Role.PERSON for g in guesses):
        guesses = [_whose(frame, g) if g.name not in fixed else g for g in guesses]
    persons = [g for g in guesses if g.role is Role.PERSON]
    named = next((g for g in persons if g.name in fixed), None)
    person = named or min(persons, key=lambda g: (not re.search(_PERSON, g.name.lower()), -g.distinct), default=None)
    return [_beside(g, person, fixed, frame.height) for g in guesses]


def _whose(frame: pl.DataFrame, g: Guess) -> Guess:
    """Take a column whose name says nothing for one of persons, where rows with the same value belong together."""
    column = frame[g.name]
    if g.role is not Role.OTHER or g.distinct <= _FEW or g.nulls or g.distinct == len(column):
        return g
    if column.dtype.is_float() or g.kind in {Kind.DATE, Kind.ITEMS}:
        return g
    same = constant_columns(frame, g.name)
    if not same:
        return g
    reason = f"its values repeat, and rows with the same one agree in {', '.join(same[:3])}"
    return replace(g, role=Role.PERSON, reason=reason + (f" and {len(same) - 3} more" if len(same) > 3 else ""))


def _beside(g: Guess, person: Guess | None, fixed: dict[str, Role], rows: int) -> Guess:
    """Leave one column of persons, and no identifier that repeats where there is none: it would be refused."""
    if g.name in fixed or g is person:
        return g
    if g.role is Role.PERSON and person is not None:
        return replace(g, role=Role.IDENTIFIER, reason=f"its keys repeat, as those of {person.name!r} do")
    if g.role is Role.IDENTIFIER and person is None and g.distinct < rows - g.nulls:
        reason = "it looks like names or keys, and some stand in several rows: if those are of one person, it is person"
        return replace(g, role=Role.OTHER, reason=reason)
    return g


def _one(column: pl.Series, fixed: Role | None, named: frozenset[Role]) -> Guess:
    try:
        kind = infer(column)
    except RoleError as error:
        return Guess(column.name, Role.OTHER, Kind.CATEGORICAL, error.message, 0, column.null_count())
    distinct = column.n_unique() - (1 if column.null_count() else 0)
    if fixed is not None:
        kind = Kind.ITEMS if fixed is Role.ITEMS else kind
        return Guess(column.name, fixed, kind, "you said so", distinct, column.null_count())
    role, kind, reason = _role(column, kind, distinct, Role.SENSITIVE in named)
    if role is Role.QUASI_IDENTIFIER and role in named:
        role, reason = Role.OTHER, "you named the quasi-identifiers, and it is none of them"
    reason += _text_because_of(column)
    return Guess(column.name, role, kind, reason, distinct, column.null_count())


def _role(column: pl.Series, kind: Kind, distinct: int, sensitive_named: bool) -> tuple[Role, Kind, str]:
    name, rows = column_names.plain(column.name), len(column) - column.null_count()
    if kind is Kind.ITEMS or _looks_like_items(column):
        return Role.ITEMS, Kind.ITEMS, "its cells are sets"
    if distinct <= 1:
        return Role.OTHER, kind, "it has one value"
    if _names_persons(column, name, kind, distinct, rows):
        return Role.PERSON, kind, f"its keys repeat: {distinct:,} of them in {rows:,} rows"
    if re.search(_IDENTIFIER, name) and distinct > 0.5 * rows:
        return Role.IDENTIFIER, kind, f"of its name, and {distinct:,} distinct values in {rows:,} rows"
    if kind is Kind.CATEGORICAL and rows >= 20 and distinct == rows:
        return Role.IDENTIFIER, kind, "every row has a value of its own"
    looks = naming(column)
    if looks == "free text":
        return Role.OTHER, kind, "it looks like free text, which may name people"
    if looks is not None:
        return Role.IDENTIFIER, kind, f"it looks like {looks}"
    if re.search(_SENSITIVE, name) and not sensitive_named:
        return Role.SENSITIVE, kind, "of its name"
    if re.search(_QUASI, name):
        return Role.QUASI_IDENTIFIER, kind, "of its name"
    if kind is Kind.DATE:
        return Role.QUASI_IDENTIFIER, kind, "dates are often known"
    if distinct <= _FEW:
        return Role.QUASI_IDENTIFIER, kind, f"only {distinct:,} distinct values: it may be known"
    return Role.OTHER, kind, f"{distinct:,} distinct values and a name that says nothing"


def _text_because_of(column: pl.Series) -> str:
    """Name the cell that keeps a column of numbers from being one; nothing where there are several such cells."""
    if column.dtype != pl.String:
        return ""
    numbers = column.cast(pl.Float64, strict=False)
    odd = (column.is_not_null() & numbers.is_null()).arg_true()
    if not 0 < len(odd) <= _ODD or len(odd) * 10 > numbers.count():
        return ""
    cells = ", ".join(f"{column[row]!r} in row {row + 1:,}" for row in odd)
    return f"; it would be numbers but for {cells}"


def _names_persons(column: pl.Series, name: str, kind: Kind, distinct: int, rows: int) -> bool:
    """Whether a column looks like keys of persons, some of whom have several rows."""
    if kind is Kind.DATE or column.null_count() or distinct == rows or column.dtype.is_float():
        return False
    if re.search(_SENSITIVE, name) or not re.search(f"{_PERSON}|{_KEY}", name):
        return False
    if re.search(_PERSON, name) and re.search(r"id$|^(ssn|nhs|mrn)$|_no$|_nr$|number|key|mail|passport", name):
        return True
    keys = column.dtype.is_integer() or bool(column.head(1_000).str.contains(r"\d|@").all())
    return keys and distinct > _FEW_KEYS and rows <= _ROWS_PER_KEY * distinct


def _looks_like_items(column: pl.Series) -> bool:
    if column.dtype != pl.String:
        return False
    head = column.drop_nulls().head(1_000)
    several = sum(1 for text in head if _ITEM.search(text))
    return len(head) > 0 and several > 0.3 * len(head)
