"""A start: a commented recipe that runs, made from an inspection."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from tacit.jobs.inspect.guesses import Guess
from tacit.jobs.inspect.trials import RULE, Trials
from tacit.table import Kind, Role

_WIDTH = 118  # columns of a comment line

_HEAD = """\
# A start made by `tacit inspect`. Roles are guesses: read them, correct them, then `tacit publish` this file.

[table]
source = {source}
"""


def start(
    source: str,
    guesses: Sequence[Guess],
    trials: Trials,
    caveats: Sequence[str | None],
    folder: str,
    read: Mapping[str, Any],
    marks: Sequence[str] = (),
) -> str:
    """Write the recipe: the recommended steps, and the others that were tried as comments with what they cost."""
    roles = [
        ("identifiers", Role.IDENTIFIER, "name a person; they never leave"),
        ("person", Role.PERSON, "whose row a row is; it never leaves"),
        ("quasi_identifiers", Role.QUASI_IDENTIFIER, "an outsider may know these"),
        ("sensitive", Role.SENSITIVE, "a person would not tell these"),
        ("items", Role.ITEMS, "sets; published only by a method that protects them"),
    ]
    lines = [_HEAD.format(source=_text(source))]
    lines += _read(read, marks)
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
        "# A column without a hierarchy blurs to intervals or sets, which lose least; with one, to nodes of it:",
        *(blurs or ['# age = { interval = 10 }, zip = { prefix = 5 }, or a file in ARX\'s format: town = "town.csv"']),
    ]
    lines += [
        "",
        *_steps(trials, caveats),
        "",
        "[output]",
        f"folder = {_text(folder)}",
        'format = "csv"  # or "parquet", "arrow", "xlsx", "stata", "spss"',
        "",
    ]
    return "\n".join(lines)


def _read(read: Mapping[str, Any], marks: Sequence[str]) -> list[str]:
    """Write how the file is read, and which values may mean that nothing is known."""
    nulls = list(read.get("nulls", [""]))
    lines = [] if nulls == [""] else [f"nulls = [{', '.join(_text(text) for text in nulls)}]"]
    if marks:
        listed = ", ".join(_text(text) for text in [*nulls, *marks])
        lines.append(f"# nulls = [{listed}]  # if these mean that nothing is known")
    for key, value in read.items():
        if key == "round" and isinstance(value, Mapping):
            decimals = ", ".join(f"{_text(name)} = {each}" for name, each in value.items())
            lines.append(f"round = {{ {decimals} }}  # decimals of numbers with many more digits than anybody can use")
        elif key != "nulls":
            lines.append(f"{key} = {_text(value)}")
    return ["[read]", *lines, ""] if lines else []


def _hierarchy(g: Guess) -> list[str]:
    """Suggest a hierarchy where the kind or the name of a column suggests one."""
    key = _text(g.name)
    if g.kind is Kind.DATE:
        return [f'# {key} = {{ calendar = ["month", "quarter", "year"] }}  # instead of intervals of days']
    if g.kind is Kind.NUMERIC and re.search(r"(^|[^a-z])age($|[^a-z])", g.name.lower()):
        return [f"# {key} = {{ interval = 10 }}  # decades instead of intervals of any width"]
    if g.kind is Kind.CATEGORICAL and re.search(r"zip|post", g.name.lower()):
        return [f"# {key} = {{ prefix = 5 }}  # 130** instead of sets"]
    return []


def _steps(trials: Trials, caveats: Sequence[str | None]) -> list[str]:
    chosen = trials.chosen
    tried = f"# Tried on {trials.rows:,} rows. NCP (normalized certainty penalty) is the information lost, 0 to 1."
    lines = [*wrapped(f"Chosen: {RULE}."), tried, *wrapped(f"Promise: {chosen.candidate.promise}.")]
    lines += wrapped(f"Cost: {chosen.figures}.")
    lines += [line for sentence in caveats if sentence is not None for line in wrapped(sentence)]
    lines += chosen.candidate.lines()
    for trial in trials.others:
        lines += ["", *wrapped(f"Also tried: {trial.candidate.promise}."), *wrapped(f"Cost: {trial.figures}.")]
        lines += [f"# {line}".rstrip() for line in trial.candidate.lines()]
    return lines


def wrapped(sentence: str) -> list[str]:
    """Write a sentence as comment lines."""
    return textwrap.wrap(_comment(sentence), _WIDTH, initial_indent="# ", subsequent_indent="# ")


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _comment(text: str) -> str:
    return " ".join(text.split())
