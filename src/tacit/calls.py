"""Calls of the public verbs: a misspelt keyword, and an argument of the wrong kind, end in the package's own error."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar, get_type_hints

from tacit.argument_kinds import fits, in_words
from tacit.borders import is_panic
from tacit.errors import ParameterError, TacitError, nearest, shown

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_SELF = ("self", "cls")


def checked_call(
    *, rest: Callable[..., Any] | None = None, ahead: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function say in one sentence which of its parameters a call misspells, leaves out or gives wrongly.

    An argument is compared with its annotation after the call has failed: what a function can use it takes, and what it
    says by itself is said better than it could be said here. Where a wrong one could be used by mistake, it is compared
    ahead.

    Parameters
    ----------
    rest
        What takes the keywords that the function passes on, if it passes any on: its parameters are known too.
    ahead
        Whether arguments are compared with their annotations before the function is called.

    Examples
    --------
    >>> @checked_call()
    ... def write(folder, *, overwrite=False): ...
    >>> write("out", overwirte=True)
    Traceback (most recent call last):
    tacit.errors.ParameterError: write has no parameter 'overwirte'. Did you mean 'overwrite'? ...
    >>> @checked_call()
    ... def total(counts: list[int]) -> int:
    ...     return sum(counts)
    >>> total(5)
    Traceback (most recent call last):
    tacit.errors.ParameterError: total: counts = 5 is not allowed: it should be a list.
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
                bound = signature.bind(*args, **given)
            except TypeError as error:
                way = f"It is {name}({', '.join(known)})."
                raise ParameterError(f"{name} was called wrongly: {error}.", hint=way) from None
            if ahead and (wrong := _complaint(function, rest, bound.arguments)):
                raise ParameterError(f"{name}: {wrong}")
            try:
                return function(*args, **given)
            except (TacitError, MemoryError):
                raise
            except BaseException as error:
                failed = isinstance(error, Exception) or is_panic(error)
                wrong = _complaint(function, rest, bound.arguments) if failed else ""
                if not wrong:
                    raise
                raise ParameterError(f"{name}: {wrong}") from error

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


def _complaint(function: Callable[..., Any], rest: Callable[..., Any] | None, arguments: Mapping[str, Any]) -> str:
    """Say which argument is of another kind than its annotation, or nothing."""
    parameters = inspect.signature(function).parameters
    for name, value in arguments.items():
        if parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            further = "" if rest is None else _complaint(rest, None, value)
            if further:
                return further
        elif not fits(value, expected := get_type_hints(function, include_extras=True).get(name, Any)):
            return f"{name} = {shown(value)} is not allowed: it should be {in_words(expected)}."
    return ""


def checked_class(made: type[T]) -> type[T]:
    """Check calls of a data class, as `checked_call` does those of a function."""
    made.__init__ = checked_call()(made.__init__)  # type: ignore[method-assign]
    return made


def _named(function: Callable[..., Any]) -> list[str]:
    taken = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if each.kind in taken and each.name not in _SELF]
