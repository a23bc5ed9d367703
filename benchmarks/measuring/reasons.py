"""Reasons: why something could not be measured, in words that may be published."""

from __future__ import annotations

import re

_START = r"(?:[A-Za-z][A-Za-z0-9+.-]*://|[A-Za-z]:[\\/]|~?/)"
_QUOTED = re.compile(rf"(['\"])(?:{_START})[^'\"]*\1")
_BARE = re.compile(rf"(?<![\w.)\]]){_START}[^\s'\",;)\]]*")
_LONGEST = 300


def without_places(text: str) -> str:
    """Leave paths and addresses out of a text: they name machines and people.

    Examples
    --------
    >>> without_places("No such file: '/home/ann/a b.csv', see https://host/x; 1/3 of and/or stays")
    'No such file: <place>, see <place>; 1/3 of and/or stays'
    """
    return _BARE.sub("<place>", _QUOTED.sub("<place>", text))


def reason_of(error: BaseException) -> str:
    """Say in one line what went wrong.

    Examples
    --------
    >>> reason_of(ValueError("k is 0.\\nIt must be larger."))
    'ValueError: k is 0. It must be larger.'
    """
    words = " ".join(without_places(str(error)).split())
    name = type(error).__name__
    return f"{name}: {words}"[:_LONGEST] if words else name
