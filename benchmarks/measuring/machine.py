"""The machine: what a reader must know to judge a figure, and nothing that names its owner."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("tacit", "polars", "numpy", "numba", "pyarrow", "scipy", "narwhals", "pydantic")


@dataclass(frozen=True)
class Machine:
    """Cores, memory, system and versions; no host name, no user name, no path."""

    system: str
    architecture: str
    cores: int
    memory_bytes: int | None
    python: str
    libraries: Mapping[str, str]

    @classmethod
    def this(cls) -> Machine:
        """Describe the machine this runs on; cores are those that the process may use."""
        return cls(
            system=platform.system(),
            architecture=platform.machine(),
            cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
            memory_bytes=_memory(),
            python=f"{platform.python_implementation()} {platform.python_version()}",
            libraries={name: found for name in LIBRARIES if (found := _version(name)) is not None},
        )


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
