"""Schemas: which columns each marginal publishes, beside the sensitive one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from tacit.errors import RoleError
from tacit.table import Table

WHOLE = "all"
"""The name of the one marginal where none is named: all quasi-identifiers together."""


def _named(given: Any) -> Any:
    """Take a mapping, or lists of columns, which are named after their columns."""
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        if not isinstance(given, Sequence) or not all(isinstance(part, list | tuple) for part in given):
            raise ValueError("give a list of lists of columns, or a name for each list")
        names = ["_".join(map(str, part)) for part in given]
        if len(set(names)) < len(names):
            raise ValueError("two marginals have the same columns")
        given = dict(zip(names, given, strict=True))
    if not given:
        raise ValueError("name at least one marginal")
    return {name: tuple(part) if isinstance(part, list | tuple) else part for name, part in given.items()}


Schemas = Annotated[
    dict[str, tuple[str, ...]] | None,
    BeforeValidator(_named, json_schema_input_type=dict[str, list[str]] | list[list[str]] | None),
    Field(description="lists of quasi-identifiers, or a name for each list; by default one list of all of them"),
]


def resolve(schemas: Mapping[str, Sequence[str]] | None, table: Table) -> dict[str, tuple[str, ...]]:
    """Return the quasi-identifiers of each marginal, in the table's order; the sensitive column may be named too."""
    if schemas is None:
        return {WHOLE: table.quasi_identifiers}
    resolved = {}
    for name, columns in schemas.items():
        for column in columns:
            table.column(column)
            if column not in table.quasi_identifiers + table.sensitive:
                raise RoleError(
                    f"Marginal {name!r} names the column {column!r}, which is not a quasi-identifier.",
                    hint=f"Quasi-identifiers: {', '.join(table.quasi_identifiers)}.",
                )
        resolved[name] = tuple(column for column in table.quasi_identifiers if column in columns)
    return resolved


def one_sensitive(table: Table, method: str) -> str:
    """Return the one sensitive column, or say why there must be one."""
    if len(table.sensitive) != 1:
        named = f"{len(table.sensitive)} are named" if table.sensitive else "none is named"
        raise RoleError(
            f"{method} protects one sensitive column, and {named}.",
            hint="Name one in `sensitive`; leave the others without a role, so that they are withheld.",
        )
    return table.sensitive[0]
