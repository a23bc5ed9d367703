"""What a cluster complains of, as one sentence without a cell in it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from tacit.errors import Infeasible, ParameterError, SourceError

_NO_MEMORY = ("OutOfMemory", "MemoryError", "exit status 137", "OOM", "Python worker exited unexpectedly")
"""Words of a cluster whose worker had no memory left. One that the system ends says nothing but that it is gone."""


@contextmanager
def quiet() -> Iterator[None]:
    """Say nothing of the version of pandas, which is installed beside Spark and not used here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def explained() -> Iterator[None]:
    """Turn what a cluster complains of into one sentence, without a cell in it."""
    try:
        with quiet():
            yield
    except (SourceError, ParameterError):
        raise
    except Exception as error:
        kind = type(error).__module__.split(".")[0]
        if kind not in {"pyspark", "py4j"}:
            raise
        raise said(str(error)) from None


def said(text: str) -> Exception:
    """Return the error that a message of Spark means."""
    refusals = re.findall(r"tacit\.errors\.(\w+): (.*)", text)
    for kind, message in refusals:
        if kind in {"Infeasible", "ParameterError", "RoleError", "SourceError"}:
            made = {"Infeasible": Infeasible, "ParameterError": ParameterError}.get(kind, SourceError)
            return made(message.strip())
    if "No module named" in text:
        missing = re.findall(r"No module named '([\w.]+)'", text)
        return SourceError(
            f"The workers of the cluster cannot import {missing[0] if missing else 'tacit'!r}.",
            hint="Send the environment along: spark.archives and PYSPARK_PYTHON, see docs/scale.md.",
        )
    if any(sign in text for sign in _NO_MEMORY):
        return SourceError(
            "A worker of the cluster ran out of memory, or was ended from outside.",
            hint="Give workers more (spark.executor.memory, spark.executor.memoryOverhead), or smaller fragments: "
            "[engine] fragment_rows.",
        )
    if "No space left" in text:
        return SourceError(
            "A disk of the cluster is full.", hint="Make room in spark.local.dir and in the scratch folder."
        )
    if "FileNotFound" in text or "PATH_NOT_FOUND" in text or "does not exist" in text:
        return SourceError(
            "The cluster cannot find a file of the table.", hint="Check the path, and that no part vanished."
        )
    if "TABLE_OR_VIEW_NOT_FOUND" in text:
        return SourceError(
            "The cluster knows no such table.", hint="Give the name of a Spark table, or a path with a /."
        )
    if "CSV header does not conform" in text or "PARQUET_COLUMN_DATA_TYPE_MISMATCH" in text:
        return SourceError(
            "A file of the table has other columns than the first.",
            hint="Write all parts of the table with the same columns and types.",
        )
    found = re.findall(r"\[([A-Z_.]{4,60})\]", text)
    return SourceError(
        f"The cluster could not do the work{f' ({found[0]})' if found else ''}.",
        hint="Its own log says more; nothing was published.",
    )
