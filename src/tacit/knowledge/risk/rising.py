"""A progress that never falls back, whoever tells it how far they are: rounds overlap, and threads take turns."""

from __future__ import annotations

from threading import Lock

from tacit.progress import Progress


def rising(progress: Progress) -> Progress:
    """Return a progress that passes on the largest share it was told so far.

    Examples
    --------
    >>> told = []
    >>> tell = rising(lambda stage, done: told.append((stage, done)))
    >>> tell("one", 0.5), tell("two", 0.3), tell("two", 0.7)
    (None, None, None)
    >>> told
    [('one', 0.5), ('two', 0.5), ('two', 0.7)]
    """
    lock, reached = Lock(), 0.0

    def tell(stage: str, done: float) -> None:
        nonlocal reached
        with lock:
            reached = max(reached, done)
            progress(stage, reached)

    return tell
