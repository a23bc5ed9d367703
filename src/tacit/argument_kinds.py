"""Kinds of arguments: whether a value is what an annotation says, and the annotation in words.

A verb's annotations say what it takes. They are asked when a call has failed, so that somebody who gave a list where a
table belongs reads that, and not where a library stumbled over it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

_LARGEST = 2**63
"""What does not fit into the 64 bits that tables are counted in."""
_WORDS: dict[Any, str] = {
    str: "text",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    NoneType: "None",
    Mapping: "a mapping",
    Sequence: "a list",
    Iterable: "a list",
    Callable: "a function",
}


def fits(value: object, annotation: Any) -> bool:
    """Tell whether a value is of the kind that an annotation says; what cannot be told fits.

    Examples
    --------
    >>> fits("age", str | list[str]), fits(["age", 5], Sequence[str]), fits(True, int)
    (True, False, False)
    """
    kind, parts = _taken_apart(annotation)
    if kind in {Union, UnionType}:
        return any(fits(value, part) for part in parts)
    if kind is Literal:
        return any(type(value) is type(part) and value == part for part in parts)
    if kind in _SCALARS:
        return _SCALARS[kind](value)
    if kind is Callable:
        return callable(value)
    if not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return True
    if isinstance(value, str | bytes) and not issubclass(kind, str | bytes) and kind is not object:
        return False  # text is a sequence of texts to Python, and nobody means that
    if not isinstance(value, kind):
        return False
    return _inside(value, kind, parts)


def in_words(annotation: Any) -> str:
    """Say what an annotation allows.

    Examples
    --------
    >>> in_words(str | None), in_words(Literal["csv", "arrow"]), in_words(Mapping[str, int])
    ('text or None', "'csv' or 'arrow'", 'a mapping')
    """
    kind, parts = _taken_apart(annotation)
    if kind in {Union, UnionType}:
        return " or ".join(dict.fromkeys(in_words(part) for part in parts))
    if kind is Literal:
        return " or ".join(repr(part) for part in parts)
    if kind in _WORDS:
        return _WORDS[kind]
    if isinstance(kind, type) and issubclass(kind, os.PathLike):
        return "a path"
    if isinstance(kind, type) and issubclass(kind, list | tuple):
        return "a list"
    return f"a {getattr(kind, '__name__', 'value of its own kind')}"


def _taken_apart(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _taken_apart(parts[0])
    if annotation is None:
        return NoneType, ()
    if origin is None:
        return annotation, ()
    return (Callable if origin is _CALLABLE else origin), parts


def _inside(value: Any, kind: type, parts: tuple[Any, ...]) -> bool:
    """Look at what a collection holds; what can be looked at only once is left alone."""
    if not parts or not isinstance(value, Collection):
        return True
    if isinstance(value, Mapping):
        if not issubclass(kind, Mapping):
            return all(fits(key, parts[0]) for key in value)
        return all(fits(key, parts[0]) and fits(part, parts[-1]) for key, part in value.items())
    if issubclass(kind, tuple) and parts[-1] is not Ellipsis:
        return len(value) == len(parts) and all(map(fits, value, parts))
    return all(fits(part, parts[0]) for part in value)


def _is_truth(value: object) -> bool:
    return isinstance(value, bool | np.bool_)


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not _is_truth(value) and abs(int(value)) < _LARGEST


def _is_number(value: object) -> bool:
    if _is_truth(value) or not isinstance(value, Real):
        return False
    return abs(int(value)) < _LARGEST if isinstance(value, Integral) else math.isfinite(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


_CALLABLE = get_origin(Callable[[], None])
_SCALARS: dict[Any, Callable[[Any], bool]] = {
    Any: lambda value: True,
    object: lambda value: True,
    str: _is_text,
    bool: _is_truth,
    int: _is_whole,
    float: _is_number,
    NoneType: lambda value: value is None,
}
