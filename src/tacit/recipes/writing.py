"""Writing a recipe: from its content to TOML, as a person would lay it out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def as_toml(content: Mapping[str, Any]) -> str:
    """Write the content of a recipe: a heading per section, a line per key, inner values in one line.

    Examples
    --------
    >>> print(as_toml({"table": {"source": "a.csv"}, "steps": [{"method": "anatomy", "l": 3}]}), end="")
    [table]
    source = "a.csv"
    <BLANKLINE>
    [[steps]]
    method = "anatomy"
    l = 3
    """
    blocks: list[list[str]] = []
    plain = [f"{_key(key)} = {as_value(value)}" for key, value in content.items() if not _is_section(value)]
    if plain:
        blocks.append(plain)
    for key, value in content.items():
        if isinstance(value, Mapping):
            blocks.append([f"[{_key(key)}]", *_lines(value)])
        elif _is_section(value):
            blocks += [[f"[[{_key(key)}]]", *_lines(each)] for each in value]
    return "\n".join("\n".join([*block, ""]) for block in blocks)


def as_value(value: Any) -> str:
    """Write a value in one line of TOML.

    Examples
    --------
    >>> as_value({"k": [1, 2.5], "an item": True})
    '{ k = [1, 2.5], "an item" = true }'
    """
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {as_value(part)}" for key, part in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_value, value)) + "]"
    if isinstance(value, bool | str):
        # JSON writes these as TOML does, but for one character that TOML allows in no text.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float | int):
        return repr(value)
    return str(value)  # dates and times, which TOML has too


def _lines(section: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {as_value(value)}" for key, value in section.items() if value is not None]


def _is_section(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)
    )


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else as_value(str(key))
