"""Roles: what a column is to the people in the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from tacit.errors import RoleError


class Role(StrEnum):
    """One of six; every column has one."""

    IDENTIFIER = "identifier"
    PERSON = "person"
    QUASI_IDENTIFIER = "quasi-identifier"
    SENSITIVE = "sensitive"
    ITEMS = "items"
    OTHER = "other"


def assign(
    columns: Sequence[str],
    *,
    identifiers: Iterable[str],
    person: Iterable[str],
    quasi_identifiers: Iterable[str],
    sensitive: Iterable[str],
    items: Iterable[str],
    members: Mapping[str, Sequence[str]],
) -> dict[str, Role]:
    """Give every column of the table its one role.

    `members` maps an items name to the binary columns it is written in; those columns have no role of their own.
    """
    parts = {part: name for name, written in members.items() for part in written}
    known = dict.fromkeys([*(name for name in columns if name not in parts), *members])  # looked up for every name
    roles: dict[str, Role] = {}
    asked = {
        Role.IDENTIFIER: identifiers,
        Role.PERSON: person,
        Role.QUASI_IDENTIFIER: quasi_identifiers,
        Role.SENSITIVE: sensitive,
        Role.ITEMS: items,
    }
    for role, names in asked.items():
        for name in names:
            if name in parts:
                raise RoleError(
                    f"Column {name!r} is named as {role} and as an item of {parts[name]!r}.",
                    hint="A column has one role; drop one of the two.",
                )
            if name not in known:
                raise RoleError.missing_column(name, known)
            if name in roles:
                again = "twice" if roles[name] is role else f"as {roles[name]} and as {role}"
                raise RoleError(
                    f"Column {name!r} is named {again}.", hint="A column has one role; drop one of the two."
                )
            roles[name] = role
    return {name: roles.get(name, Role.OTHER) for name in known}


def as_names(given: str | Iterable[str], parameter: str) -> tuple[str, ...]:
    """Take one name or several; refuse what is neither."""
    if not isinstance(given, Iterable):
        raise RoleError(f"{parameter} is {given!r}, not a list of columns.", hint="Give one name or a list of names.")
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise RoleError(f"{parameter} holds {name!r}, which is not the name of a column.")
    return names


def one_name(person: object) -> tuple[str, ...]:
    """Take the name of the person column, or none; one column says whose row a row is."""
    if person is None:
        return ()
    if not isinstance(person, str):
        raise RoleError(
            f"person is {person!r}, not the name of a column.", hint="One column says whose row a row is: name it."
        )
    return (person,)
