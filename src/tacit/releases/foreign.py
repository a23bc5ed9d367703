"""Tables that somebody else published: which shape they have, and which cells are blurred."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from tacit import sources
from tacit.errors import RoleError
from tacit.hierarchies import Hierarchy, make
from tacit.shapes import MISSING, Persons, PublishedColumn, Shape, extents, shape_classes
from tacit.table import Kind, People, Role
from tacit.table.items import from_binary
from tacit.table.kinds import infer
from tacit.table.people import check_persons
from tacit.table.roles import as_names, one_name


def shape_of(
    given: Any,
    quasi_identifiers: str | Iterable[str],
    sensitive: str | Iterable[str],
    items: str | Iterable[str] | Mapping[str, Sequence[str]],
    hierarchies: Mapping[str, Any],
    person: str | None = None,
) -> tuple[Shape, Persons | None]:
    """Take one frame or several, and make the shape an outsider sees; say what is known of the people behind."""
    members = (
        {name: as_names(parts, f"items[{name!r}]") for name, parts in items.items()}
        if isinstance(items, Mapping)
        else {}
    )
    roles = _roles(
        {
            Role.PERSON: one_name(person),
            Role.QUASI_IDENTIFIER: as_names(quasi_identifiers, "quasi_identifiers"),
            Role.SENSITIVE: as_names(sensitive, "sensitive"),
            Role.ITEMS: as_names(items, "items"),
        }
    )
    several = _several(given)
    frames = {str(name): sources.as_frame(part) for name, part in (given if several else {"table": given}).items()}
    frames = {name: _with_sets(frame, members) for name, frame in frames.items()}
    place = "the published tables" if several else "the published table"
    known = list(dict.fromkeys(column for frame in frames.values() for column in frame.columns))
    for name in (*roles, *hierarchies):
        if name not in known:
            raise RoleError.missing_column(name, known, place=place)
    for name, frame in frames.items():
        if not frame.height:
            raise RoleError(f"The published table {name!r} has no rows.", hint="There is nothing to attack.")
    blurs = {name: make(spec) for name, spec in hierarchies.items()}

    def describe(series: pl.Series, role: Role) -> PublishedColumn:
        return _column(series, role, blurs.get(series.name))

    whose, frames = _persons(frames, person)
    roles = {name: role for name, role in roles.items() if role is not Role.PERSON}
    for shape in shape_classes().values():
        made = shape.foreign(frames if several else {"": frames["table"]}, roles, describe)
        if made is not None:
            return _owned(made, whose)
    raise RoleError(f"{place.capitalize()} have no shape that is known.", hint="Give one frame, or frames by name.")


def _persons(
    frames: dict[str, pl.DataFrame], person: str | None
) -> tuple[tuple[str, pl.Series] | None, dict[str, pl.DataFrame]]:
    """Take the column that says whose row a row is out of the one frame that has it."""
    if person is None:
        return None, frames
    places = [name for name, frame in frames.items() if person in frame.columns]
    if len(places) > 1:
        raise RoleError(
            f"The person column {person!r} is in {len(places)} of the published tables.",
            hint="Give the table in which every row is of one person, or audit the tables one by one.",
        )
    column = frames[places[0]][person]
    check_persons(column)
    return (places[0], column), {name: frame.drop(person, strict=False) for name, frame in frames.items()}


def _owned(shape: Shape, whose: tuple[str, pl.Series] | None) -> tuple[Shape, Persons | None]:
    if whose is None:
        return shape, None
    place, column = whose
    if shape.several or shape.rows != len(column):
        raise RoleError(
            f"The person column {column.name!r} of {place!r} says nothing about the rows of the other tables.",
            hint="Audit the tables one by one.",
        )
    people = People.of(column)
    return shape.owned(people), "one row" if people is None else "several rows"


def _with_sets(frame: pl.DataFrame, members: Mapping[str, tuple[str, ...]]) -> pl.DataFrame:
    """Write binary columns, one per item, as one column of sets."""
    for name, parts in members.items():
        if not set(parts) & set(frame.columns):
            continue
        for part in parts:
            if part not in frame.columns:
                raise RoleError.missing_column(part, frame.columns, place="the published table")
        sets = from_binary(name, frame, parts, "value").lists()
        frame = frame.drop(parts).with_columns(sets.alias(name))
    return frame


def _roles(asked: Mapping[Role, tuple[str, ...]]) -> dict[str, Role]:
    roles: dict[str, Role] = {}
    for role, names in asked.items():
        for name in names:
            if name in roles:
                again = "twice" if roles[name] is role else f"as {roles[name]} and as {role}"
                raise RoleError(f"Column {name!r} is named {again}.", hint="A column has one role.")
            roles[name] = role
    return roles


def _several(given: Any) -> bool:
    # Asked of the type: a lazy frame would be resolved to name its columns.
    return isinstance(given, Mapping) and any(
        isinstance(part, Mapping) or hasattr(type(part), "columns") for part in given.values()
    )


def _column(series: pl.Series, role: Role, hierarchy: Hierarchy | None) -> PublishedColumn:
    blurred = role is Role.QUASI_IDENTIFIER and series.dtype == pl.String
    kind = _blurred_kind(series) if blurred else infer(series)
    if (kind is Kind.ITEMS) != (role is Role.ITEMS):
        raise RoleError(
            f"Column {series.name!r} is named as {role} but holds {series.dtype} values.",
            hint="Name columns of lists, and no others, in `items`.",
        )
    suppressed = role is Role.SENSITIVE and series.null_count() > 0
    return PublishedColumn(series.name, role, kind, hierarchy, blurred, suppressed, foreign=True)


def _blurred_kind(series: pl.Series) -> Kind:
    """Guess what most cells are about; cells that are none of it are read by themselves, and may be anything.

    A column is about numbers, or about dates, if at least half of its cells are numbers, dates or ranges of them:
    half of the distinct cells, or half of the rows. Marks of what is missing, sets and cut values have no vote.
    """
    cells = series.drop_nulls().str.strip_chars().alias("cell").value_counts(name="rows")
    texts = cells.to_series(0)
    votes = ~texts.str.contains(MISSING) & ~texts.str.contains(r'^[{"]|\*')
    texts, rows = texts.filter(votes), cells["rows"].filter(votes).to_numpy()
    if not len(texts):
        return Kind.CATEGORICAL
    measured = texts.filter(~np.isnan(extents(texts, Kind.NUMERIC).low))
    cut = series.str.contains(r"[^*]\*").any()
    if measured.str.contains(r"^\d+$").all() and (cut or measured.str.contains(r"^0\d").any()):
        return Kind.CATEGORICAL  # codes, such as postcodes: a number has no leading zero and is not cut
    for kind in (Kind.NUMERIC, Kind.DATE):
        read = ~np.isnan(extents(texts, kind).low)
        if 2 * int(read.sum()) >= len(read) or 2 * int(rows[read].sum()) >= int(rows.sum()):
            return kind
    return Kind.CATEGORICAL
