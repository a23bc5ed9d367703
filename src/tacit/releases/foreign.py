"""Tables that somebody else published: which shape they have, and which cells are blurred."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from tacit import sources
from tacit.errors import RoleError
from tacit.hierarchies import Hierarchy, make
from tacit.shapes import ANYTHING, Bucketized, Generalized, Marginals, PublishedColumn, Shape, extents
from tacit.shapes.bucketized import COUNT, GROUP, QI_FRAME, SENSITIVE_FRAME
from tacit.table import Kind, Role
from tacit.table.kinds import infer
from tacit.table.roles import as_names


def shape_of(
    given: Any,
    quasi_identifiers: str | Iterable[str],
    sensitive: str | Iterable[str],
    items: str | Iterable[str],
    hierarchies: Mapping[str, Any],
) -> Shape:
    """Take one frame or several, and make the shape an outsider sees."""
    roles = dict.fromkeys(as_names(quasi_identifiers, "quasi_identifiers"), Role.QUASI_IDENTIFIER)
    for name in as_names(sensitive, "sensitive"):
        if name in roles:
            raise RoleError(f"Column {name!r} is named as quasi-identifier and as sensitive.")
        roles[name] = Role.SENSITIVE
    roles |= dict.fromkeys(as_names(items, "items"), Role.ITEMS)
    blurs = {name: make(spec) for name, spec in hierarchies.items()}
    if not _several(given):
        frame = sources.as_frame(given)
        for name in roles:
            if name not in frame.columns:
                raise RoleError.missing_column(name, frame.columns, place="the published table")
        return _flat(frame, roles, blurs)
    frames = {str(name): sources.as_frame(part) for name, part in given.items()}
    known = {column for frame in frames.values() for column in frame.columns}
    for name in roles:
        if name not in known:
            raise RoleError.missing_column(name, sorted(known), place="the published tables")
    return _bucketized(frames, roles, blurs) if QI_FRAME in frames else _marginals(frames, roles, blurs)


def _several(given: Any) -> bool:
    return isinstance(given, Mapping) and any(
        hasattr(part, "columns") or isinstance(part, Mapping) for part in given.values()
    )


def _flat(frame: pl.DataFrame, roles: Mapping[str, Role], blurs: Mapping[str, Hierarchy]) -> Generalized:
    shown = [name for name in frame.columns if name in roles]
    return Generalized(frame.select(shown), tuple(_column(frame[name], roles[name], blurs.get(name)) for name in shown))


def _marginals(
    frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role], blurs: Mapping[str, Hierarchy]
) -> Marginals:
    return Marginals({name: _flat(frame, roles, blurs) for name, frame in frames.items()})


def _bucketized(
    frames: Mapping[str, pl.DataFrame], roles: Mapping[str, Role], blurs: Mapping[str, Hierarchy]
) -> Bucketized:
    people = frames[QI_FRAME]
    tables: dict[str, pl.DataFrame] = {}
    for name in (name for name, role in roles.items() if role is Role.SENSITIVE):
        found = [f for key, f in frames.items() if key.startswith(SENSITIVE_FRAME) and name in f.columns]
        if not found:
            raise RoleError(f"No frame of sensitive values has a column {name!r}.", hint="Name it 'sensitive'.")
        table = found[0] if COUNT in found[0].columns else found[0].group_by(GROUP, name).len(COUNT)
        tables[name] = table.select(GROUP, name, COUNT)
    for frame in (people, *tables.values()):
        if GROUP not in frame.columns:
            raise RoleError.missing_column(GROUP, frame.columns, place="a bucketized release")
    shown = [name for name in people.columns if roles.get(name) is Role.QUASI_IDENTIFIER]
    columns = [_column(people[name], roles[name], blurs.get(name)) for name in shown]
    columns += [_column(table[name], Role.SENSITIVE, blurs.get(name)) for name, table in tables.items()]
    return Bucketized(people.select(GROUP, *shown), tables, tuple(columns))


def _column(series: pl.Series, role: Role, hierarchy: Hierarchy | None) -> PublishedColumn:
    blurred = role is Role.QUASI_IDENTIFIER and series.dtype == pl.String
    kind = _blurred_kind(series) if blurred else infer(series)
    return PublishedColumn(series.name, role, kind, hierarchy, blurred)


def _blurred_kind(series: pl.Series) -> Kind:
    cells = series.drop_nulls().unique()
    cells = cells.filter(cells != ANYTHING)
    for kind in (Kind.NUMERIC, Kind.DATE):
        if len(cells) and not np.isnan(extents(cells, kind).low).any():
            return kind
    return Kind.CATEGORICAL
