"""Tasks on all cores that this process may use; their outputs are disjoint, so the number of threads changes nothing.

These are plain threads around kernels that release the interpreter lock: an idle thread of a compiled thread pool would
keep its core busy.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["in_parallel", "stretches", "worker_count"]

T = TypeVar("T")


def worker_count() -> int:
    """Return how many threads may work at the same time.

    `NUMBA_NUM_THREADS` decides if it is a positive number, as it does for compiled loops; otherwise there is one thread
    for each core that the operating system lets this process use (its affinity, which may be fewer than the machine
    has). It is read at every call.
    """
    wanted = os.environ.get("NUMBA_NUM_THREADS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def in_parallel(task: Callable[..., T], arguments: Sequence[tuple[Any, ...]], threads: int = 0) -> list[T]:
    """Call `task` with each tuple of arguments and return the results in order.

    Parameters
    ----------
    task
        What to call.
    arguments
        The positional arguments of each call.
    threads
        At most so many threads; 0 means `worker_count()`.

    Examples
    --------
    >>> in_parallel(max, [(1, 2), (4, 3)], threads=2)
    [2, 4]
    """
    workers = min(len(arguments), threads or worker_count())
    if workers <= 1:
        return [task(*given) for given in arguments]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda given: task(*given), arguments))


def stretches(length: int, pieces: int) -> list[tuple[int, int]]:
    """Cut `0 .. length` into at most so many even stretches, each given by its begin and its end.

    Examples
    --------
    >>> stretches(10, 3)
    [(0, 4), (4, 8), (8, 10)]
    """
    step = max(1, -(-length // max(1, pieces)))
    return [(begin, min(length, begin + step)) for begin in range(0, length, step)]
