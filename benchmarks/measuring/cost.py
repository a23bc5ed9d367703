"""Cost: the seconds of one call."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

try:
    import resource
except ImportError:  # not on Windows: there, the work of child processes is not seen
    resource = None  # type: ignore[assignment]

T = TypeVar("T")


@dataclass(frozen=True)
class Cost:
    """CPU seconds over all threads and finished child processes, and wall seconds."""

    cpu: float
    wall: float


def cost_of(call: Callable[[], T]) -> tuple[Cost, T]:
    """Call, and say what it took.

    Garbage is collected before, so that a call does not pay for what the one before left behind.

    Examples
    --------
    >>> cost, value = cost_of(lambda: 6 * 7)
    >>> value, cost.cpu >= 0
    (42, True)
    """
    gc.collect()
    cpu, wall = _cpu(), time.perf_counter()
    value = call()
    return Cost(_cpu() - cpu, time.perf_counter() - wall), value


def _cpu() -> float:
    own = time.process_time()
    if resource is None:
        return own
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own + children.ru_utime + children.ru_stime
