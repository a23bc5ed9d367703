"""Progress: a callable that a long job calls with the name of the stage and the share done, from 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

Progress = Callable[[str, float], None]


def silent(stage: str, done: float) -> None:
    """Tell nobody."""


def part(progress: Progress, start: float, stop: float) -> Progress:
    """Return a progress that fills one part of another."""
    return lambda stage, done: progress(stage, start + (stop - start) * done)


def monotone(progress: Progress) -> Progress:
    """Return a progress that never falls back: it passes on the largest share it was told so far.

    Rounds of a search overlap and threads take turns, so the shares that they tell are not in order.

    Examples
    --------
    >>> shares = []
    >>> tell = monotone(lambda stage, done: shares.append((stage, done)))
    >>> tell("one", 0.5), tell("two", 0.3), tell("two", 0.7)
    (None, None, None)
    >>> shares
    [('one', 0.5), ('two', 0.5), ('two', 0.7)]
    """
    lock, reached = Lock(), 0.0

    def tell(stage: str, done: float) -> None:
        nonlocal reached
        with lock:
            reached = max(reached, done)
            progress(stage, reached)

    return tell


@contextmanager
def told_of_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` once if something has to be compiled meanwhile, before it begins."""
    _listeners.append(tell)
    try:
        yield
    finally:
        if tell in _listeners:
            _listeners.remove(tell)


def compilation_begins() -> None:
    """Tell whoever wants to know that somebody will have to wait; each is told once."""
    while _listeners:
        _listeners.pop()()


_listeners: list[Callable[[], None]] = []
