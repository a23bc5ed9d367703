"""Peak memory: how far a call lifts the resident set above where it was.

Three ways, the first that works is taken:

- The kernel's own high-water mark, reset before the call (Linux). It misses nothing, whoever allocates (NumPy, Polars,
  compiled kernels), and costs the call nothing.
- A thread that samples the resident set. It misses short peaks, and all of them while compiled code holds the
  interpreter lock; hence only the second choice.
- The process maximum (any POSIX system). It cannot be reset: it sees a call only as far as that exceeds everything
  before it, on Linux even what the parent needed.

Elsewhere there is no figure. Allocators keep pages that they were given back, and a warm call that reuses them seems to
need nothing; so the harness measures memory in a round of its own, if it can in a fresh process.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

T = TypeVar("T")
_PROC = Path("/proc/self")
_INTERVAL = 0.001


@dataclass(frozen=True)
class Peak:
    """Bytes above the resident set before the call, and how they were seen."""

    bytes: int
    how: str


class Gauge(Protocol):
    """One way of seeing memory."""

    how: ClassVar[str]

    def start(self) -> None:
        """Remember where memory stands; raises OSError where this way does not work."""

    def stop(self) -> int:
        """Return the bytes above that."""


class HighWaterMark:
    """The kernel's record of the largest resident set since the reset."""

    how: ClassVar[str] = "high-water mark"

    def start(self) -> None:
        """Reset the mark."""
        (_PROC / "clear_refs").write_text("5")
        self._before = self._mark()

    def stop(self) -> int:
        """Read the mark."""
        return max(0, self._mark() - self._before)

    @staticmethod
    def _mark() -> int:
        for line in (_PROC / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise OSError("the kernel keeps no high-water mark")


class Sampled:
    """A thread that looks every millisecond."""

    how: ClassVar[str] = "sampled"

    def start(self) -> None:
        """Start looking."""
        self._before = self._highest = self._resident()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> int:
        """Stop looking."""
        self._done.set()
        self._thread.join()
        return max(self._highest, self._resident()) - self._before

    def _look(self) -> None:
        while not self._done.wait(_INTERVAL):
            self._highest = max(self._highest, self._resident())

    @staticmethod
    def _resident() -> int:
        return int((_PROC / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class ProcessMaximum:
    """The largest resident set since the process began: a lower bound."""

    how: ClassVar[str] = "process maximum"

    def start(self) -> None:
        """Remember the maximum."""
        self._before = self._maximum()

    def stop(self) -> int:
        """Return how far it rose."""
        return self._maximum() - self._before

    @staticmethod
    def _maximum() -> int:
        if resource is None:
            raise OSError("this system does not tell")
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


GAUGES: tuple[type[Gauge], ...] = (HighWaterMark, Sampled, ProcessMaximum)


def peak_of(call: Callable[[], T], gauges: tuple[type[Gauge], ...] = GAUGES) -> tuple[Peak | None, T]:
    """Call, and say how much memory it took at most; None where no gauge works.

    Examples
    --------
    >>> peak, length = peak_of(lambda: len(b"x" * 50_000_000))
    >>> peak is None or peak.bytes > 20_000_000
    True
    """
    _settle()
    for kind in gauges:
        gauge = kind()
        try:
            gauge.start()
        except OSError:
            continue
        try:
            value = call()
        finally:
            height = gauge.stop()
        return Peak(height, kind.how), value
    return None, call()


def _settle() -> None:
    """Give free memory back, so that the call cannot hide in pages that lie about."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):
        return  # another C library: there is nothing to ask
