"""A process to fork from: it has imported everything and loaded the kernels' machine code, and has run none of it.

Threads do not survive a fork, so nothing here may let Polars or Numba start theirs. What is loaded here is shared by
all forks, which makes a command cost a tenth of a second instead of three.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
from contextlib import suppress
from functools import cache

APART = ("studio", "spark", "__main__", "warm")
"""Parts of the package that bring servers or clusters, or that run when they are imported."""
BESIDE = ("numba", "pyarrow.feather", "pyarrow.parquet", "zoneinfo", "sqlite3", "email.parser", "email.feedparser")


def one_thread() -> None:
    """Ask libraries for one thread; must come before they are imported."""
    for name in ("POLARS_MAX_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def preload() -> None:
    """Import the package, and load its kernels."""
    import tacit

    for name in BESIDE:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(tacit.__path__, "tacit."):
        if not any(part in module.name for part in APART):
            with suppress(ImportError):  # an extra that is not installed
                importlib.import_module(module.name)
    _ = [getattr(tacit, name) for name in dir(tacit)]
    from tacit.kernels.entries import listed

    for entry in listed():
        with suppress(Exception):  # what no longer fits its entry is compiled by whoever calls it
            entry.compile()
    import typer.main

    from tacit import cli

    typer.main.get_command = cache(typer.main.get_command)  # type: ignore[assignment]
    typer.main.get_command(cli.app)
    gc.collect()
    gc.freeze()  # a fork that looks for garbage would copy every page that it looks at
