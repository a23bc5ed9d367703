"""Shipped: machine code that was compiled elsewhere, in the optional package `tacit-kernels`.

The package holds what a cache of this version holds, made for any processor of the platform, and a file `about.json`
that says for which Python, Numba, LLVM and NumPy. It is used only if all of that is the same here. Its folders are
named by digests of sources like those of the cache, so code of other sources is never run.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba import config

PACKAGE = "tacit_kernels"
ABOUT = "about.json"


@dataclass(frozen=True)
class Shipped:
    """Where the machine code lies, and how Numba names the processor that it was made for."""

    folder: Path
    processor: tuple[str, ...]


def made_with() -> list[str]:
    """Name what machine code depends on besides its source and the processor."""
    settings = [f"{name}={getattr(config, name, None)}" for name in ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "OPT")]
    return [sys.version, numba.__version__, llvmlite.__version__, np.__version__, *settings, sys.platform]


@cache
def shipped() -> Shipped | None:
    """Return what the package brought; None where it is not installed, or was made with something else."""
    try:
        found = find_spec(PACKAGE)
    except (ImportError, ValueError):
        return None
    if found is None or not found.submodule_search_locations:
        return None
    place = Path(next(iter(found.submodule_search_locations)))
    try:
        about = json.loads((place / ABOUT).read_text("utf-8"))
        fits = about["made_with"] == made_with()
        return Shipped(place / "code", tuple(about["processor"])) if fits else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
