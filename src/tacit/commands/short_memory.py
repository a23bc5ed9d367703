"""Short memory: where the system limits memory, a command runs in a child, and its end becomes a sentence.

Python raises an error where memory is short, but libraries in other languages end the process. Where a limit is set
(`ulimit -v`), the command therefore runs in a child; if a signal ends that, the parent says what happened. Releases are
moved to their place when they are whole, so nothing is half written then. Without a limit nothing is different.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

_FATAL = {"SIGABRT", "SIGSEGV", "SIGBUS", "SIGILL", "SIGTRAP", "SIGKILL"}
"""How libraries end a process that gets no memory, or the system one that takes too much."""
_NOISE = b"<jemalloc>"
"""What the allocator of a library begins its lines with."""


def supervised(run: Callable[[], int]) -> int:
    """Run a command and return its exit code; in a child where memory is limited."""
    if not is_limited():
        return run()
    sys.stdout.flush()
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        os.close(ear)
        os.dup2(mouth, 2)
        os.close(mouth)
        code = 2
        try:
            code = run()
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    os.close(mouth)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal tells the child as well, which ends in its own way
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(child, number))
    with os.fdopen(ear, "rb") as pipe:
        said = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0 and signal.Signals(-code).name in _FATAL:
        sys.stderr.write("tacit: there is not enough memory for this table. Nothing is half written; allow more.\n")
        return 2
    kept = b"".join(line for line in said.splitlines(keepends=True) if not line.startswith(_NOISE))
    sys.stderr.write(kept.decode("utf-8", "backslashreplace"))
    return code if code >= 0 else 128 - code


def is_limited() -> bool:
    """Tell whether somebody limits the memory of this process."""
    try:
        import resource
    except ImportError:  # not every system has limits
        return False
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return hasattr(os, "fork") and any(limit != resource.RLIM_INFINITY for limit in limits)
