"""warm: compile the kernels once, so that nobody waits for it in the middle of a job.

Numba compiles a kernel when it is first called, and keeps it on disk. `python -m tacit.jobs.warm` calls those that the
demonstration calls; an installation does it as its last step.
"""

from __future__ import annotations

import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tacit.jobs.demo.story import ACTS, play, set_stage

_ROWS = 18_204  # as many as the demonstration has: smaller tables would not call every kernel


def warm() -> None:
    """Play every act of the demonstration, two at a time, and keep nothing but the compiled kernels."""
    begun = time.monotonic()
    sys.stdout.write("compiling kernels, once: this takes two or three minutes\n")
    sys.stdout.flush()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for name in pool.map(_play, ACTS):
            sys.stdout.write(f" {name:<13} {time.monotonic() - begun:4.0f} s\n")
            sys.stdout.flush()


def _play(name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        play(name, set_stage(_ROWS), Path(folder))
    return name


if __name__ == "__main__":
    warm()
