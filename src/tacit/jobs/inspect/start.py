"""A start: a commented recipe that runs, made from an inspection."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tacit.jobs.inspect.guesses import Guess
from tacit.table import Kind, Role

_HEAD = """\
# A start made by `tacit inspect`. Roles are guesses: read them, correct them, then `tacit publish` this file.

[table]
source = {source}
"""


def start(source: str, guesses: Sequence[Guess], steps: Sequence[str], folder: str, nulls: Sequence[str]) -> str:
    """Write the recipe."""
    roles = [
        ("identifiers", Role.IDENTIFIER, "name a person; they never leave"),
        ("person", Role.PERSON, "whose row a row is; it never leaves"),
        ("quasi_identifiers", Role.QUASI_IDENTIFIER, "an outsider may know these"),
        ("sensitive", Role.SENSITIVE, "a person would not tell these"),
        ("items", Role.ITEMS, "sets; published only by a method that protects them"),
    ]
    lines = [_HEAD.format(source=_text(source))]
    if list(nulls) != [""]:
        lines += ["[read]", f"nulls = [{', '.join(_text(text) for text in nulls)}]", ""]
    lines.append("[roles]")
    for key, role, what in roles:
        names = [g.name for g in guesses if g.role is role]
        if role is Role.PERSON:
            lines += [f"person = {_text(name)}  # {what}" for name in names]
            continue
        if names or role in {Role.QUASI_IDENTIFIER, Role.SENSITIVE}:
            lines.append(f"{key} = [{', '.join(_text(name) for name in names)}]  # {what}")
    incomplete = [g for g in guesses if g.role is Role.SENSITIVE and g.nulls]
    if incomplete:
        lines += ["", "[roles.missing]  # a value of its own, counted like any other; or withhold these rows"]
        lines += [f'{_text(g.name)} = "value"  # {g.nulls:,} rows have none' for g in incomplete]
    words = {role: role.value for role in Role} | {Role.OTHER: "withheld"}
    lines += [f"# {_comment(g.name)}: {words[g.role]} because {_comment(g.reason)}" for g in guesses]
    blurs = [line for g in guesses if g.role is Role.QUASI_IDENTIFIER for line in _hierarchy(g)]
    lines += [
        "",
        "[hierarchies]",
        '# How values may blur. A file in ARX\'s format works too: disease = "disease.csv"',
        *blurs,
    ]
    lines += ["", *steps, "", "[output]", f"folder = {_text(folder)}", 'format = "csv"  # or "parquet", "arrow"', ""]
    return "\n".join(lines)


def _hierarchy(g: Guess) -> list[str]:
    key = _text(g.name)
    if g.kind is Kind.DATE:
        return [f'{key} = {{ calendar = ["month", "quarter", "year"] }}']
    return []


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _comment(text: str) -> str:
    return " ".join(text.split())
