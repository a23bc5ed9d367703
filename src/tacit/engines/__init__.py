"""Engines: where a job runs.

A method gets its engine from the job, never from a global. An engine has six verbs (domains, count, fragments, map,
rank, write), and one idea carries all of them: count, plan, apply, count again.
"""

from tacit.engines.base import Engine
from tacit.engines.local import LocalEngine
from tacit.engines.spark import SparkEngine
from tacit.engines.streaming import StreamingEngine

__all__ = ["Engine", "LocalEngine", "SparkEngine", "StreamingEngine"]
