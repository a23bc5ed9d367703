"""Borders: calls into libraries that may fail in ways of their own.

A library in another language may panic at input that it has not met. Its exception passes `except Exception`, and it
writes pages to the error stream by itself. `guarded` is put around every such call: what fails inside it becomes one
error of ours, and what a panic wrote is left out. Whatever else was written meanwhile is written out afterwards.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock

from tacit.errors import TacitError

_LONGEST_REASON = 300
"""Characters of what a library says that a message repeats; all of it may be as long as a file. Chosen by hand."""
_LIBRARIES = {
    "polars",
    "pyarrow",
    "narwhals",
    "fastexcel",
    "_fastexcel",
    "pyreadstat",
    "duckdb",
    "sqlite3",
    "zlib",
    "csv",
}
_one_at_a_time = RLock()


def is_panic(error: BaseException) -> bool:
    """Tell whether a library written in Rust panicked; each has an exception of its own by this name."""
    return any(kind.__name__ == "PanicException" for kind in type(error).__mro__)


def first_line(error: BaseException) -> str:
    r"""Give the first line of what a library said, without its full stop; the error's name where it said nothing.

    Examples
    --------
    >>> first_line(ValueError("no such type.\nSee the manual.")), first_line(KeyError())
    ('no such type', 'KeyError')
    """
    return str(error)[:_LONGEST_REASON].strip().partition("\n")[0].rstrip(". ") or type(error).__name__


@contextmanager
def guarded(explained: Callable[[str], TacitError]) -> Iterator[None]:
    """Turn what a library raises into an error of ours; ours pass as they are, and so does Python's lack of memory.

    Parameters
    ----------
    explained
        Makes the error from the first line of what the library said.
    """
    try:
        with quiet():
            yield
    except BaseException as error:
        if isinstance(error, TacitError) or not (is_panic(error) or _is_foreign(error)):
            raise
        # A damaged file may announce more than any memory holds, and so says the library that believed it.
        reason = "it needs more memory than there is" if isinstance(error, MemoryError) else first_line(error)
    else:
        return
    raise explained(reason)


def _is_foreign(error: BaseException) -> bool:
    """Tell whether an error comes from a library or the system; one of our own is a fault that must be seen."""
    if isinstance(error, OSError | UnicodeError | OverflowError | RecursionError):
        return True
    return any(kind.__module__.partition(".")[0] in _LIBRARIES for kind in type(error).__mro__)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep from the error stream what a panic writes there by itself."""
    with _one_at_a_time:
        try:
            sys.stderr.flush()
            saved, sink = os.dup(2), tempfile.TemporaryFile()  # noqa: SIM115 - closed below, after the stream is back
        except (OSError, ValueError, AttributeError):  # there is no error stream, or no place to keep what it gets
            yield
            return
        panicked = False
        try:
            os.dup2(sink.fileno(), 2)
            yield
        except BaseException as error:
            panicked = is_panic(error)
            raise
        finally:
            os.dup2(saved, 2)
            os.close(saved)
            sink.seek(0)
            said = sink.read()
            sink.close()
            if said and not panicked and b"panicked at" not in said:
                os.write(2, said)
