"""Missing: what happens where somebody's sensitive value, or the answer about an item, is not known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import polars as pl

from tacit.errors import ParameterError, RoleError
from tacit.table.roles import Role

Missing = Literal["refuse", "value", "withhold"]
"""Refuse the table; take the missing for a value of its own, counted like any other; or withhold the row."""
MissingSpec = Missing | Mapping[str, Missing]


def missing_of(given: object, roles: Mapping[str, Role]) -> dict[str, Missing]:
    """Return what happens to each sensitive column and each set of items; the others are not concerned.

    Examples
    --------
    >>> missing_of({"ill": "value"}, {"age": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE})
    {'ill': 'value'}
    """
    concerned = [name for name, role in roles.items() if role in {Role.SENSITIVE, Role.ITEMS}]
    if not isinstance(given, Mapping):
        return dict.fromkeys(concerned, _word(given, "missing"))
    for name in given:
        if name not in roles:
            raise RoleError.missing_column(name, roles)
        if name not in concerned:
            raise RoleError(
                f"missing names {name!r}, which is {roles[name]}.",
                hint="It is about sensitive columns and items; elsewhere a null is a value of its own.",
            )
    return {name: _word(given.get(name, "refuse"), f"missing[{name!r}]") for name in concerned}


def _word(given: object, place: str) -> Missing:
    for word in get_args(Missing):
        if given == word:
            return word  # type: ignore[no-any-return]
    raise ParameterError(f"{place} = {given!r} is not allowed.", hint='Say "refuse", "value" or "withhold".')


def refuse_missing(column: pl.Series, item_of: str | None = None) -> None:
    """Refuse a column with nulls, with the line that says what to do with them."""
    if not column.null_count():
        return
    row = int(column.is_null().arg_max() or 0) + 1
    who = f"Sensitive column {column.name!r}" if item_of is None else f"Column {column.name!r}, an item of {item_of!r},"
    key = item_of or column.name
    key = key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else f'"{key}"'
    neither = "" if item_of is None else ", and a null is not a no"
    raise RoleError(
        f"{who} has {column.null_count():,} nulls, the first in row {row:,}{neither}.",
        hint=f'Leave these rows out, or say what the missing is: [roles.missing] {key} = "value" counts it as a value '
        'of its own, "withhold" withholds these rows; in Python, '
        f'missing={{{(item_of or column.name)!r}: "value"}}.',
    )
