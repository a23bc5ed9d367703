"""Visible text: what comes from data or from a user, made fit for a sentence on a terminal.

A name or a value may hold anything. Printed as it is, an escape sequence would recolour a terminal or hide what stands
before it, a line end would forge a second message, and a sign that turns the direction of writing would show other text
than is there. Such characters are written as Python writes them, so that they are seen. Long text is cut, and an object
whose text may be a whole table is named by its type.
"""

from __future__ import annotations

import json
import re
from datetime import date
from enum import Enum
from numbers import Number

LONGEST = 2_000
"""Characters that a message has at most: about twenty-five lines of a terminal. Longer ones would push what was asked
out of sight, and tell no more. Chosen by hand."""

_SHOWN = 80
"""How many characters of a wrong value a message shows: enough to recognise it, and still one line."""

# Control characters, line and paragraph separators, marks that are not seen or turn the direction of writing, halves of
# characters, and code points that are no characters.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def visible(text: str, *, keep: str = "") -> str:
    r"""Write characters that a terminal would obey, or not show, as Python writes them in a string.

    Parameters
    ----------
    text
        Any text.
    keep
        Characters that stay as they are, such as line ends where lines are printed.

    Examples
    --------
    >>> visible("red \x1b[31m, and a line\nend")
    'red \\x1b[31m, and a line\\nend'
    """
    return _HIDDEN.sub(lambda found: found[0] if found[0] in keep else _escaped(found[0]), text)


def visible_json(text: str) -> str:
    r"""Write such characters in a JSON text as JSON writes them; the text means the same.

    Examples
    --------
    >>> visible_json('{"a": "\u009b31m"}')
    '{"a": "\\u009b31m"}'
    """
    return _HIDDEN.sub(lambda found: found[0] if found[0] == "\n" else json.dumps(found[0])[1:-1], text)


def _escaped(character: str) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or character.encode(
        "unicode_escape", "surrogatepass"
    ).decode("ascii")


def shortened(text: str, limit: int = LONGEST) -> str:
    """Cut long text in its middle, and say how much is left out.

    Examples
    --------
    >>> shortened("a" * 50 + "b" * 50, 40)
    'aaaaaaaa ... (84 characters) ... bbbbbbbb'
    """
    if len(text) <= limit:
        return text
    half = max(1, (limit - 24) // 2)
    return f"{text[:half]} ... ({len(text) - 2 * half:,} characters) ... {text[-half:]}"


def shown(value: object, *, depth: int = 3) -> str:
    r"""Write a value that a user gave for a sentence: short, visible, and never a table.

    Examples
    --------
    >>> print(shown("a\x1bb"), shown(5), shown([1, "two"]), shown(object()))
    'a\x1bb' 5 [1, 'two'] a value of type 'object'
    """
    if not isinstance(value, str | bytes | bool | int | float | complex | list | tuple | dict | set | None):
        from pathlib import PurePath

        if isinstance(value, PurePath):
            return visible(shortened(str(value), 300))
        return visible(shortened(repr(value), _SHOWN)) if isinstance(value, Number | date | Enum) else _kind(value)
    if isinstance(value, int) and abs(value) >= 10**_SHOWN:
        return f"a number of {value.bit_length():,} bits"
    return visible(_plain(value, depth - 1))


def _plain(value: object, depth: int) -> str:
    """Write a value of Python's own types; what else it holds is named by its type."""
    if isinstance(value, list | tuple | set | dict) and value and depth <= 0:
        return "{...}" if isinstance(value, dict | set) else "[...]"
    if isinstance(value, list | tuple | set):
        inner = [shown(part, depth=depth) for _, part in zip(range(8), value, strict=False)] + ["..."] * (
            len(value) > 8
        )
        around = "({})" if isinstance(value, tuple) else "[{}]" if isinstance(value, list) else "{{{}}}"
        return shortened(around.format(", ".join(inner)), 3 * _SHOWN)
    if isinstance(value, dict):
        entries = [
            f"{shown(k, depth=depth)}: {shown(v, depth=depth)}"
            for _, (k, v) in zip(range(6), value.items(), strict=False)
        ]
        return shortened("{" + ", ".join(entries + ["..."] * (len(value) > 6)) + "}", 3 * _SHOWN)
    if isinstance(value, str | bytes) and len(value) > _SHOWN:
        return f"{value[:_SHOWN]!r}..."
    return repr(value)


def _kind(value: object) -> str:
    return f"a value of type {type(value).__name__!r}"
