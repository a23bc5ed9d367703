"""Engines: where a job runs.

A method gets its engine from the job, never from a global. The protocol is small: group rows, count.
"""

from tacit.engines.base import Engine
from tacit.engines.local import LocalEngine

__all__ = ["Engine", "LocalEngine"]
