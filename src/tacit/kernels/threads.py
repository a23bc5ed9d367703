"""Compiled work on both cores: tasks with disjoint outputs, so that the number of threads changes nothing.

Plain threads around kernels that release the interpreter lock: an idle thread of a compiled thread pool would spin.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

__all__ = ["in_parallel", "stretches"]


def in_parallel(task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], threads: int = 0) -> list[Any]:
    """Call `task` with each tuple of arguments and return the results in order.

    Examples
    --------
    >>> in_parallel(max, [(1, 2), (4, 3)], threads=2)
    [2, 4]
    """
    workers = min(len(arguments), threads or os.cpu_count() or 1)
    if workers <= 1:
        return [task(*given) for given in arguments]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda given: task(*given), arguments))


def stretches(length: int, pieces: int) -> list[tuple[int, int]]:
    """Cut `0 .. length` into at most so many even stretches.

    Examples
    --------
    >>> stretches(10, 3)
    [(0, 4), (4, 8), (8, 10)]
    """
    step = max(1, -(-length // max(1, pieces)))
    return [(begin, min(length, begin + step)) for begin in range(0, length, step)]
