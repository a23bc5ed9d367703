"""Cases: every check times every instance of every class, one case each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from tacit import adversaries, engines, guarantees, methods
from tacit.adversaries import Adversary
from tacit.checks import docstrings, of_adversaries, of_engines, of_guarantees, of_methods
from tacit.guarantees import Guarantee
from tacit.methods import Method

Check = Callable[[Any], None]


@dataclass(frozen=True)
class CheckCase:
    """One check of one instance; `skip` is the reason declared on the class, if there is one."""

    instance: Any
    check: Check
    skip: str | None = None

    @property
    def name(self) -> str:
        """What a test report calls it."""
        return f"{self.instance}-{self.check.__name__.removeprefix('check_')}"

    def run(self) -> None:
        """Run the check; it raises AssertionError with a sentence."""
        self.check(self.instance)


def checks_of(instance: Any) -> list[Check]:
    """Return the checks that an instance must pass, by its family."""
    if isinstance(instance, Method):
        return [*of_methods.CHECKS, *docstrings.PROMISE_CHECKS]
    if isinstance(instance, Guarantee):
        return [*of_guarantees.CHECKS, *docstrings.PROMISE_CHECKS]
    if isinstance(instance, Adversary):
        return [*of_adversaries.CHECKS, *docstrings.CHECKS]
    return of_engines.CHECKS


def cases(instance: Any = None) -> Iterator[CheckCase]:
    """Return the cases of one instance, or of every class that the package exports.

    Examples
    --------
    >>> import tacit as tc
    >>> for case in cases(tc.KAnonymity(k=3)):
    ...     case.run()
    """
    for each in [instance] if instance is not None else everything():
        reasons = getattr(type(each), "skipped_checks", {})
        for check in checks_of(each):
            yield CheckCase(each, check, reasons.get(check.__name__))


def everything() -> Iterator[Any]:
    """Return the examples of every exported class; `__all__` of a family is the registry."""
    for room in (guarantees, methods, adversaries):
        for exported in _classes(room):
            yield from exported.examples()
    for name in engines.__all__:
        yield from getattr(getattr(engines, name), "examples", list)()


def _classes(room: ModuleType) -> Iterator[Any]:
    for name in room.__all__:
        value = getattr(room, name)
        if isinstance(value, type) and issubclass(value, Method | Guarantee | Adversary):
            yield value
