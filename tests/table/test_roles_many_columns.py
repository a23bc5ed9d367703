"""Roles of many columns: a name is looked up, and not compared with all columns."""

from __future__ import annotations

import pytest

from tacit.table.roles import Role, assign


class Name(str):
    """A name that counts how often it is compared."""

    compared = 0
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.parametrize("roles", [0, 100])
def test_comparisons_grow_with_the_columns_and_not_with_their_square(roles: int) -> None:
    columns = [Name(f"c{i}") for i in range(400)]
    Name.compared = 0
    given = assign(
        columns,
        identifiers=[],
        person=[],
        quasi_identifiers=[f"c{i}" for i in range(300, 300 + roles)],
        sensitive=[],
        items=["bought"],
        members={"bought": [f"c{i}" for i in range(50)]},
    )
    assert len(given) == 351
    assert list(given.values()).count(Role.QUASI_IDENTIFIER) == roles
    assert Name.compared < 4 * len(columns)
