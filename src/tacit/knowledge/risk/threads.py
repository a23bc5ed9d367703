"""Tasks on all cores: the kernels release the interpreter lock, and no idle thread spins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

_TASKS = 2  # each counts the rows for itself, so more of them cost more
_AT_MOST = 50_000  # victims of a task: it holds a few numbers for each of them and each attribute


def at_once(task: Callable[[Any], T], parts: Sequence[Any]) -> list[T]:
    """Call the task with every part; results in order.

    As many threads as Numba is allowed (all cores of this process, or `NUMBA_NUM_THREADS`); what is computed does not
    depend on it.

    Examples
    --------
    >>> at_once(abs, [-1, 2])
    [1, 2]
    """
    from numba import config

    workers = min(len(parts), config.NUMBA_NUM_THREADS)
    if workers <= 1:
        return [task(part) for part in parts]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(task, parts))


def stretches(size: int) -> list[slice]:
    """Cut sorted victims into tasks: neighbours share their nodes.

    Examples
    --------
    >>> stretches(200)
    [slice(0, 100, None), slice(100, 200, None)]
    """
    pieces = max(min(_TASKS, -(-size // 64)), -(-size // _AT_MOST))
    cuts = np.linspace(0, size, pieces + 1).astype(int).tolist()
    return [slice(a, b) for a, b in pairwise(cuts) if b > a]
