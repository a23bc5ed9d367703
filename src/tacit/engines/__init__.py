"""Engines: where a job runs.

A method gets its engine from the job, never from a global. An engine has six verbs (domains, count, fragments, map,
rank, write), and one idea carries all of them: count, plan, apply, count again. Those that work on parts of a table are
imported when somebody names them: most jobs fit in memory.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tacit.engines.base import Engine
from tacit.engines.local import LocalEngine

if TYPE_CHECKING:
    from tacit.engines.spark import SparkEngine
    from tacit.engines.streaming import StreamingEngine

__all__ = ["Engine", "LocalEngine", "SparkEngine", "StreamingEngine"]

_OF_PARTS = {"SparkEngine": "spark", "StreamingEngine": "streaming"}


def __getattr__(name: str) -> Any:
    if name not in _OF_PARTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_OF_PARTS[name]}"), name)
