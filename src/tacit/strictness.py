"""Strictness: a parameter is what it looks like.

Where a number is asked for, true is not 1 and the text '3' is not 3; where true or false is asked for, 1 is neither. No
number is infinite or undefined: a limit of infinity would promise nothing and still be said to hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import numpy as np

_LARGEST = 2**63
"""What does not fit into the 64 bits that tables are counted in."""
_SCALARS = (bool, int, float, str, bytes, NoneType)


def scalar_kinds(annotation: object) -> frozenset[type]:
    """Return the plain types that an annotation allows beside others; `object` stands for the others.

    Examples
    --------
    >>> sorted(kind.__name__ for kind in scalar_kinds(int | None)), scalar_kinds(dict[str, int])
    (['NoneType', 'int'], frozenset({<class 'object'>}))
    """
    origin = get_origin(annotation)
    if origin is Annotated:
        return scalar_kinds(get_args(annotation)[0])
    if origin in {Union, UnionType}:
        return frozenset().union(*map(scalar_kinds, get_args(annotation)))
    if annotation is None:
        return frozenset({NoneType})
    return frozenset({annotation if annotation in _SCALARS else object})


def complaint_of_kind(value: object, kinds: frozenset[type]) -> str | None:
    """Say what is wrong with the kind of a value, or None."""
    if not_finite(value):
        return "should be a finite number"
    if isinstance(value, int) and abs(value) >= _LARGEST:
        return "should be smaller than 2 to the power of 63"
    if object in kinds:
        return None
    is_truth = isinstance(value, bool | np.bool_)
    if kinds & {int, float} and bool not in kinds and is_truth:
        return f"should be a {_number(kinds)}"
    if kinds & {int, float} and str not in kinds and isinstance(value, str | bytes | Decimal):
        return f"should be a {_number(kinds)}"
    if bool in kinds and not kinds & {int, float} and not is_truth and value is not None and str not in kinds:
        return "should be true or false"
    return None


def _number(kinds: frozenset[type]) -> str:
    return "valid number" if float in kinds else "valid integer"


def not_finite(value: object, *, depth: int = 6) -> bool:
    """Tell whether a value is infinite or undefined, or holds such a number."""
    if isinstance(value, bool | str | bytes | int | Fraction):
        return False
    if isinstance(value, float | np.floating):
        return not math.isfinite(value)
    if isinstance(value, Decimal):
        return not value.is_finite()
    if depth and isinstance(value, Mapping):
        return any(not_finite(part, depth=depth - 1) for pair in value.items() for part in pair)
    if depth and isinstance(value, Sequence | set | frozenset):
        return any(not_finite(part, depth=depth - 1) for part in value)
    return False


def truth(value: Any, what: str) -> bool:
    """Take true or false from a caller of a verb, such as whether to overwrite."""
    from tacit.errors import ParameterError, shown

    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{what} = {shown(value)} is not allowed: it should be True or False.")
    return bool(value)
