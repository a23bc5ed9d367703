"""Regular files: the only ones that small files of a user's are read from; and looking whether a path is there.

A device, a pipe or a socket may never end, or never begin. Its name may come from a recipe, or from somebody else's
file.
"""

from __future__ import annotations

import errno
import stat
from pathlib import Path

LARGEST = 256 << 20
"""Bytes of a file that is read whole into Python's own types: about two gigabytes of memory. Chosen by hand."""


def is_there(path: Path) -> bool:
    """Tell whether there is something; no where the system does not take the name, or does not let us look.

    Examples
    --------
    >>> is_there(Path("a" * 1_000)), is_there(Path("/"))
    (False, True)
    """
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Tell whether there is a folder; no where the system does not take the name, or does not let us look."""
    return is_there(path) and path.is_dir()


def is_file(path: Path) -> bool:
    """Tell whether there is a file; no where the system does not take the name, or does not let us look."""
    return is_there(path) and path.is_file()


def regular_bytes(path: Path, *, largest: int = LARGEST) -> bytes:
    """Read a file whole; raises `OSError`, with a reason that fits into a sentence, where it is not a regular file.

    Examples
    --------
    >>> regular_bytes(Path("/dev/zero"))
    Traceback (most recent call last):
    OSError: [Errno 22] it is not a regular file: '/dev/zero'
    """
    about = path.stat()
    if not stat.S_ISREG(about.st_mode) and not stat.S_ISDIR(about.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    if about.st_size > largest:
        raise OSError(errno.EFBIG, f"it has {about.st_size:,} bytes, and may have {largest:,}", str(path))
    return path.read_bytes()
