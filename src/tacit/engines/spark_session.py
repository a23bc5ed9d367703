"""The session of a cluster: found or made, encrypted, and with workers that have this package."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from tacit.engines.spark_complaints import quiet
from tacit.errors import ParameterError, SourceError

ENCRYPTED = {
    "spark.io.encryption.enabled": "what is shuffled lies on the workers' disks",
    "spark.network.crypto.enabled": "what is shuffled crosses the network",
}
"""Settings that must be on, and what would be in the clear otherwise."""

WORKERS = {
    # A connection over the loopback network drops what its receiver has no room for, and is given up after a quarter
    # of an hour in which nothing got through. A local socket waits, and notices at once if the other side is gone.
    "spark.python.unix.domain.socket.enabled": "true",
    # A worker that crashes writes where it was to its log.
    "spark.python.worker.faulthandler.enabled": "true",
}
"""How Java and Python talk to each other in a session that is made here, unless the recipe says otherwise."""


def session_of(master: str | None, settings: Mapping[str, Any]) -> Any:
    """Return the session that is running, or make one."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise SourceError(
            "The Spark engine needs PySpark, which is not installed.", hint="Install it: pip install 'tacit[spark]'."
        ) from None
    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    if shutil.which("java") is None and not Path(os.environ.get("JAVA_HOME", "/nowhere"), "bin", "java").exists():
        raise SourceError(
            "The Spark engine needs Java 17 or 21, and none is found.", hint="Install it, or set JAVA_HOME."
        )
    builder = SparkSession.builder.appName("tacit")
    if master is not None:
        builder = builder.master(master)
    for key, value in {**WORKERS, **settings}.items():
        builder = builder.config(key, str(value).lower() if isinstance(value, bool) else str(value))
    try:
        with quiet():
            return builder.getOrCreate()
    except Exception as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise SourceError(f"Spark did not start: {reason}.", hint="Check [engine] master and settings.") from None


def require_context(session: Any) -> None:
    """Refuse a session of Spark Connect, which has no context: settings could not be checked."""
    if type(session).__module__.startswith("pyspark.sql.connect"):
        raise ParameterError(
            "The Spark engine does not run over Spark Connect: such a session has no context, so that nobody could "
            "check whether what is shuffled is encrypted.",
            hint='Start the job where the driver runs: [engine] master = "yarn", or spark-submit.',
        )


def require_encryption(session: Any) -> None:
    """Refuse a session that would let cells cross the network or lie on disks in the clear."""
    for setting, why in ENCRYPTED.items():
        if str(session.sparkContext.getConf().get(setting, "false")).lower() != "true":
            raise ParameterError(
                f"The session of Spark does not have {setting} = true: {why}.",
                hint="Turn it on (it needs spark.authenticate and a secret), or say allow_plain = true for tests.",
            )


def require_package(session: Any) -> None:
    """Ask one worker whether it can import this package, before any row is read."""

    def ask(batches: Any) -> Any:
        import tacit

        for _ in batches:
            yield pa.RecordBatch.from_pydict({"version": [tacit.__version__]})

    from tacit import __version__

    with quiet():
        told = session.range(1, numPartitions=1).mapInArrow(ask, "version string").toArrow()
    versions = set(told.column(0).to_pylist())
    if versions != {__version__}:
        raise SourceError(
            f"The workers of the cluster have tacit {', '.join(sorted(versions))}, this is {__version__}.",
            hint="Send the same environment along, see docs/scale.md.",
        )


def worker_memory(session: Any) -> int:
    """Return how many bytes a worker may use, as far as the settings say."""
    text = str(session.sparkContext.getConf().get("spark.executor.memory", "1g")).lower()
    unit = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}.get(text[-1:], 1)
    digits = "".join(c for c in text if c.isdigit())
    return int(digits or 1) * unit
