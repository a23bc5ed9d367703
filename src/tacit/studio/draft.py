"""Draft: the recipe while it is being made, and the ones before it.

The recipe is the only state of the studio. A draft is its content, as TOML has it, and where its file would lie; every
edit makes a new one, so that undo is the draft before.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tacit.errors import TacitError
from tacit.recipes import Recipe
from tacit.recipes.writing import as_toml
from tacit.table import Role

ORDER = (
    "include",
    "table",
    "read",
    "roles",
    "kinds",
    "hierarchies",
    "changing",
    "steps",
    "batches",
    "ledger",
    "engine",
)
"""The order of sections in the text; others follow."""

ROLE_KEYS = {
    Role.IDENTIFIER: "identifiers",
    Role.PERSON: "person",
    Role.QUASI_IDENTIFIER: "quasi_identifiers",
    Role.SENSITIVE: "sensitive",
    Role.ITEMS: "items",
}


@dataclass(frozen=True)
class Draft:
    """A recipe that may not be whole yet.

    Attributes
    ----------
    path
        Where its file lies or would lie; paths in it are relative to that folder.
    content
        Its sections.

    Examples
    --------
    >>> draft = Draft(Path("a.toml"), {"table": {"source": "a.csv"}}).with_role("age", Role.QUASI_IDENTIFIER)
    >>> draft.content["roles"], draft.role("age"), draft.role("name")
    ({'quasi_identifiers': ['age']}, <Role.QUASI_IDENTIFIER: 'quasi-identifier'>, <Role.OTHER: 'other'>)
    """

    path: Path
    content: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The recipe as TOML."""
        known = [key for key in ORDER if key in self.content]
        rest = [key for key in self.content if key not in ORDER]
        return as_toml({key: self.content[key] for key in [*known, *rest]})

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The methods, in order."""
        return [dict(step) for step in self.content.get("steps", [])]

    def section(self, name: str) -> dict[str, Any]:
        """Return a section; empty where there is none."""
        return dict(self.content.get(name, {}))

    def role(self, column: str) -> Role:
        """Return the role that a column has."""
        roles = self.section("roles")
        if roles.get("person") == column:
            return Role.PERSON
        return next((role for role, key in ROLE_KEYS.items() if column in (roles.get(key) or ())), Role.OTHER)

    def columns(self, role: Role) -> list[str]:
        """Return the columns of a role."""
        given = self.section("roles").get(ROLE_KEYS[role]) or []
        return [given] if isinstance(given, str) else list(given)

    def with_section(self, name: str, content: Any) -> Draft:
        """Return the draft with another section; an empty one is taken out."""
        rest = {key: value for key, value in self.content.items() if key != name}
        return replace(self, content=rest | ({name: content} if content else {}))

    def with_key(self, section: str, key: str, value: Any) -> Draft:
        """Return the draft with one key of a section changed; None takes it out."""
        changed = self.section(section) | {key: value}
        return self.with_section(section, {k: v for k, v in changed.items() if v is not None})

    def with_role(self, column: str, role: Role) -> Draft:
        """Return the draft with another role of a column; there is one person column at most."""
        roles = self.section("roles")
        for each, key in ROLE_KEYS.items():
            if each is Role.PERSON:
                if roles.get(key) == column:
                    del roles[key]
            elif isinstance(roles.get(key), list):
                roles[key] = [name for name in roles[key] if name != column]
        if role is Role.PERSON:
            roles["person"] = column
        elif role is not Role.OTHER:
            roles[ROLE_KEYS[role]] = [*(roles.get(ROLE_KEYS[role]) or []), column]
        order = [*ROLE_KEYS.values(), *(key for key in roles if key not in ROLE_KEYS.values())]
        return self.with_section("roles", {key: roles[key] for key in order if roles.get(key)})

    def whole(self, path: str) -> str:
        """Return a path of the recipe made whole."""
        return str((self.path.parent / Path(path).expanduser()).resolve())

    def near(self, path: Path) -> str:
        """Return a path as the recipe would write it: relative where it lies beside or below."""
        real = Path(os.path.realpath(path))
        here = Path(os.path.realpath(self.path.parent))
        return str(real.relative_to(here)) if real.is_relative_to(here) else str(real)

    def recipe(self) -> Recipe:
        """Check the draft as a recipe; what is missing or wrong is an error that says so."""
        return Recipe.parse(self.text, self.path)

    def problem(self) -> str | None:
        """Say what keeps the draft from being a recipe; None where it is one."""
        if not self.content.get("table"):
            return "No table is open yet."
        if not self.steps:
            return "No method is chosen yet."
        try:
            self.recipe()
        except TacitError as error:
            return str(error)
        return None


@dataclass
class History:
    """All drafts, and which of them is the present one."""

    drafts: list[Draft]
    at: int = 0

    @property
    def draft(self) -> Draft:
        """The present one."""
        return self.drafts[self.at]

    def edit(self, draft: Draft) -> bool:
        """Go on from the present draft; what was undone before is forgotten. Return whether something changed."""
        if draft == self.draft:
            return False
        self.drafts = [*self.drafts[: self.at + 1], draft]
        self.at += 1
        return True

    def undo(self) -> bool:
        """Go back to the draft before, if there is one."""
        self.at, moved = max(0, self.at - 1), self.at > 0
        return moved

    def redo(self) -> bool:
        """Go forward again, if something was undone."""
        last = len(self.drafts) - 1
        self.at, moved = min(last, self.at + 1), self.at < last
        return moved
