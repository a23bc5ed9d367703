"""Tables that somebody else published: which shape they have, and which cells are blurred."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from tacit import sources
from tacit.errors import RoleError
from tacit.hierarchies import Hierarchy, make
from tacit.shapes import ANYTHING, Bucketized, Generalized, Marginal, Marginals, PublishedColumn, Shape, extents
from tacit.shapes.bucketized import COUNT, GROUP, QI_FRAME, SENSITIVE_FRAME
from tacit.table import Kind, Role, as_text
from tacit.table.items import from_binary
from tacit.table.kinds import infer
from tacit.table.roles import as_names


def shape_of(
    given: Any,
    quasi_identifiers: str | Iterable[str],
    sensitive: str | Iterable[str],
    items: str | Iterable[str] | Mapping[str, Sequence[str]],
    hierarchies: Mapping[str, Any],
) -> Shape:
    """Take one frame or several, and make the shape an outsider sees."""
    members = (
        {name: as_names(parts, f"items[{name!r}]") for name, parts in items.items()}
        if isinstance(items, Mapping)
        else {}
    )
    roles = _roles(
        {
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
    if not several:
        return _flat("table", frames["table"], roles, blurs)
    return _bucketized(frames, roles, blurs) if QI_FRAME in frames else _marginals(frames, roles, blurs)


def _with_sets(frame: pl.DataFrame, members: Mapping[str, tuple[str, ...]]) -> pl.DataFrame:
    """Write binary columns, one per item, as one column of sets."""
    for name, parts in members.items():
        if not set(parts) & set(frame.columns):
            continue
        for part in parts:
            if part not in frame.columns:
                raise RoleError.missing_column(part, frame.columns, place="the published table")
        sets = from_binary(name, frame, parts).lists()
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


def _flat(place: str, frame: pl.DataFrame, roles: Mapping[str, Role], blurs: Mapping[str, Hierarchy]) -> Generalized:
    shown = [name for name in frame.columns if name in roles]
    if not shown:
        raise RoleError(
            f"The published table {place!r} has none of the columns that were named.",
            hint=f"Its columns are {', '.join(frame.columns)}.",
        )
    return Generalized(frame.select(shown), tuple(_column(frame[name], roles[name], blurs.get(name)) for name in shown))


def _marginals(
    frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role], blurs: Mapping[str, Hierarchy]
) -> Marginals:
    apart = {name: frame for name, frame in frames.items() if name.startswith(SENSITIVE_FRAME) and GROUP in frame}
    if len(apart) in {0, len(frames)}:
        return Marginals({name: _marginal(name, frame, roles, blurs) for name, frame in frames.items()})
    parts = {}
    for name, frame in frames.items():
        if name not in apart:
            mine = {c: role for c, role in roles.items() if role is Role.SENSITIVE or c in frame.columns}
            parts[name] = _bucketized({QI_FRAME: frame, **apart}, mine, blurs)
    return Marginals(parts)


def _marginal(name: str, frame: pl.DataFrame, roles: Mapping[str, Role], blurs: Mapping[str, Hierarchy]) -> Marginal:
    """Take one marginal, with the numbers of its groups if these were published."""
    flat = _flat(name, frame, roles, blurs)
    numbered = [frame[GROUP]] if GROUP in frame.columns and GROUP not in roles else []
    return Marginal(flat.frames()["table"].with_columns(numbered), flat.columns)


def _bucketized(
    frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role], blurs: Mapping[str, Hierarchy]
) -> Bucketized:
    people, values = frames[QI_FRAME], {k: f for k, f in frames.items() if k.startswith(SENSITIVE_FRAME)}
    for name, frame in {QI_FRAME: people, **values}.items():
        if GROUP not in frame.columns:
            raise RoleError.missing_column(GROUP, frame.columns, place=f"the frame {name!r} of a bucketized release")
        if frame[GROUP].null_count():
            raise RoleError(f"The column {GROUP!r} of {name!r} holds nulls.", hint="Every row belongs to a group.")
    for name, role in roles.items():
        if name in {GROUP, COUNT}:
            raise RoleError(f"Column {name!r} is a bucketized release's own; it has no role.", hint="Rename it.")
        if (name in people.columns) == (role is Role.SENSITIVE):
            told = "shows whose it is" if role is Role.SENSITIVE else "is missing"
            raise RoleError(f"The {role} column {name!r} {told} in {QI_FRAME!r}.", hint="Give it as it was published.")
    tables = {name: _counted(name, values) for name, role in roles.items() if role is Role.SENSITIVE}
    shown = [name for name in people.columns if name in roles]
    columns = [_column(people[name], roles[name], blurs.get(name)) for name in shown]
    columns += [_column(table[name], Role.SENSITIVE, blurs.get(name)) for name, table in tables.items()]
    if any(table[GROUP].dtype != people[GROUP].dtype for table in tables.values()):
        people = people.with_columns(_number(people[GROUP]))
        tables = {name: table.with_columns(_number(table[GROUP])) for name, table in tables.items()}
    return Bucketized(people.select(GROUP, *shown), tables, tuple(columns))


def _counted(name: str, frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return group, value and count of a sensitive column; without counts, every row counts once."""
    frame = next((frame for frame in frames.values() if name in frame.columns), None)
    if frame is None:
        raise RoleError(f"No frame of sensitive values has a column {name!r}.", hint="Name it 'sensitive'.")
    if COUNT not in frame.columns:
        return frame.group_by(GROUP, name, maintain_order=True).len(COUNT)
    counts = frame[COUNT].cast(pl.Int64, strict=False)
    if counts.null_count() or (counts < 0).any():
        raise RoleError(f"The counts of {name!r} are not all whole numbers.", hint="Give how many rows have the value.")
    return frame.select(GROUP, name, counts)


def _number(groups: pl.Series) -> pl.Series:
    """Write group numbers alike, whatever read them."""
    whole = groups.dtype.is_float() and bool((groups == groups.round()).all())
    return as_text(groups.cast(pl.Int64) if whole else groups)


def _column(series: pl.Series, role: Role, hierarchy: Hierarchy | None) -> PublishedColumn:
    blurred = role is Role.QUASI_IDENTIFIER and series.dtype == pl.String
    kind = _blurred_kind(series) if blurred else infer(series)
    if (kind is Kind.ITEMS) != (role is Role.ITEMS):
        raise RoleError(
            f"Column {series.name!r} is named as {role} but holds {series.dtype} values.",
            hint="Name columns of lists, and no others, in `items`.",
        )
    return PublishedColumn(series.name, role, kind, hierarchy, blurred)


def _blurred_kind(series: pl.Series) -> Kind:
    cells = series.drop_nulls().unique()
    cells = cells.filter(cells != ANYTHING)
    if cells.str.contains(r"^0\d").any() and not cells.str.contains(r"\D").any():
        return Kind.CATEGORICAL  # codes, such as postcodes: a number has no leading zero
    for kind in (Kind.NUMERIC, Kind.DATE):
        if len(cells) and not np.isnan(extents(cells, kind).low).any():
            return kind
    return Kind.CATEGORICAL
