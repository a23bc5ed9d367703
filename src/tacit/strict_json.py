"""JSON as the standard has it: no NaN, no infinity, no key twice, and no nesting that exhausts a reader."""

from __future__ import annotations

import json
import math
from typing import Any


def loads(content: bytes | str) -> Any:
    """Read JSON; what the standard does not know is a ValueError.

    Examples
    --------
    >>> loads('{"a": NaN}')
    Traceback (most recent call last):
    ValueError: NaN is not a number of JSON
    """
    try:
        return json.loads(content, parse_constant=_refuse, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def dumps(value: Any, *, default: Any = None) -> str:
    r"""Write JSON for people to read too; a number that is not finite has no form there and becomes null.

    Examples
    --------
    >>> dumps([0.5, float("inf")])
    '[\n  0.5,\n  null\n]'
    """
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False, default=default)
    except ValueError:
        return json.dumps(_finite(value), indent=2, ensure_ascii=False, default=default)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice!r} is there twice")
    return made


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return value
