"""ADBC drivers: importing them, and turning what they report into a sentence that may be shown."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import Any

from tacit.errors import SourceError

# What drivers put before the reason, and after it.
_BEFORE = (
    "ERROR: ",
    "FATAL: ",
    "Failed to connect: ",
    "Failed to prepare query: ",
    "Failed to step query: ",
    "[SQLite] ",
)
_AFTER = (" LINE 1: ", " Query was: ", " query: ", " SQLSTATE: ", " Is the server running ")


def driver(name: str) -> Any:
    """Import the DBAPI of an ADBC driver."""
    try:
        return importlib.import_module(f"adbc_driver_{name}.dbapi")
    except ImportError:
        pass
    raise SourceError(f"The database driver adbc-driver-{name} is not installed.", hint="pip install 'tacit[database]'")


def said(error: BaseException, *, secrets: Collection[str] = ()) -> str:
    r"""Give what a driver said in one line, without its own names and the query; nothing of it if a secret is in it.

    Examples
    --------
    >>> said(OSError('IO: [libpq] Failed to connect: FATAL:  database "x" does not exist\n'))
    'database "x" does not exist'
    >>> said(OSError("invalid token 'hush'"), secrets=["hush"])
    'the driver gave a reason that may hold a secret'
    """
    if any(secret in str(error) for secret in secrets):
        return "the driver gave a reason that may hold a secret"
    line = " ".join(str(error).split()) or type(error).__name__
    for mark in _BEFORE:
        line = line.rpartition(mark)[2]
    for mark in _AFTER:
        line = line.partition(mark)[0]
    return line.strip().rstrip(".:")
