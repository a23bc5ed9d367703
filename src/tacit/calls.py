"""Calls of the public verbs: a misspelt keyword, and an argument of the wrong kind, end in the package's own error."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from tacit.errors import ParameterError, nearest

P = ParamSpec("P")
R = TypeVar("R")

_SELF = ("self", "cls")


def checked_call(*, rest: Callable[..., Any] | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function say in one sentence which of its parameters a call misspells or leaves out.

    Parameters
    ----------
    rest
        What takes the keywords that the function passes on, if it passes any on: its parameters are known too.

    Examples
    --------
    >>> @checked_call()
    ... def write(folder, *, overwrite=False): ...
    >>> write("out", overwirte=True)
    Traceback (most recent call last):
    tacit.errors.ParameterError: write has no parameter 'overwirte'. Did you mean 'overwrite'? ...
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        name = function.__qualname__.removesuffix(".__init__").rpartition("<locals>.")[2]
        known = [*_named(function), *(() if rest is None else _named(rest))]

        @wraps(function)
        def call(*args: P.args, **given: P.kwargs) -> R:
            for word in given:
                if word not in known:
                    raise ParameterError(
                        f"{name} has no parameter {word!r}.", hint=nearest(word, known, what="Parameters")
                    )
            try:
                signature.bind(*args, **given)
            except TypeError as error:
                way = f"It is {name}({', '.join(known)})."
                raise ParameterError(f"{name} was called wrongly: {error}.", hint=way) from None
            return function(*args, **given)

        return call

    return decorated


def expect(verb: str, what: str, value: object, kind: type, *, hint: str) -> None:
    """Refuse an argument of the wrong kind.

    Examples
    --------
    >>> expect("audit", "a release", {"age": [30]}, int, hint="Say tacit.Release.foreign(frame, ...).")
    Traceback (most recent call last):
    tacit.errors.ParameterError: audit takes a release, not a dict. Say tacit.Release.foreign(frame, ...).
    """
    if not isinstance(value, kind):
        raise ParameterError(f"{verb} takes {what}, not a {type(value).__name__}.", hint=hint)


def _named(function: Callable[..., Any]) -> list[str]:
    taken = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.kind in taken and each.name not in _SELF]
