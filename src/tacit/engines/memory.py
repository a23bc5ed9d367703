"""How much memory there is: of the machine, or what this process was allowed."""

from __future__ import annotations

import os
from pathlib import Path

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where a container is told its limit."""


def memory() -> int:
    """Return the bytes that this process may use: of the machine, the container, and its own limit the least.

    Examples
    --------
    >>> memory() > 0
    True
    """
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for place in _LIMITS:
        try:
            limit = Path(place).read_text(encoding="ascii").strip()
        except OSError:
            continue
        sizes += [int(limit)] if limit.isdigit() else []
    try:
        import resource

        limits = (resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
        sizes += [limit for limit in limits if limit > 0]
    except ImportError:  # not every system has limits
        pass
    return min(sizes)
