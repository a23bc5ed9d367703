"""The content of a file, decompressed if need be; its first part is read and judged before the rest."""

from __future__ import annotations

import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from tacit.errors import SourceError

HEAD = 1 << 20
"""Bytes at the beginning of a file (1 MB) from which separator and types are guessed. A line of a text file that is
longer is refused. More would accept longer lines and take more memory and time for every file. Chosen by hand."""
_PAGE = 1 << 12
"""Bytes in which the end of a line is looked for first: nearly every usual line ends within them. Fewer would make a
second look more frequent, more would read bytes that are not needed. Chosen by hand."""
_BLOCK = 1 << 18
"""Bytes that are read at a time: few enough to stay in a processor's cache while they are counted, and many enough
that calls do not dominate. Chosen by trial."""
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file: on disk, or in memory where they had to be decompressed.

    Parameters
    ----------
    name
        The file as its user wrote it, for messages.
    path
        Where it is.
    head
        The first bytes.
    data
        All bytes, decompressed; None where the file on disk is not compressed.
    size
        How many bytes there are.
    """

    name: str
    path: Path
    head: bytes = field(repr=False)
    data: bytes | None = field(repr=False)
    size: int

    @property
    def whole(self) -> bool:
        """Whether the head is all there is."""
        return len(self.head) == self.size

    @property
    def source(self) -> Path | bytes:
        """What a reader is given."""
        return self.path if self.data is None else self.data

    def open(self) -> BinaryIO:
        """Open the (decompressed) bytes."""
        return self.path.open("rb") if self.data is None else io.BytesIO(self.data)

    def blocks(self) -> Iterator[bytes]:
        """Go through the bytes in blocks."""
        with self.open() as stream:
            while block := stream.read(_BLOCK):
                yield block

    def count(self, character: str, *, watch: str = '"') -> tuple[int, bool]:
        """Count how often a one-byte character occurs, and tell whether another does at all."""
        code, watched = ord(character), ord(watch)
        count, watched_seen = 0, False
        block = bytearray(_BLOCK)  # One for all: new memory for each costs more than the counting.
        values = np.frombuffer(block, dtype=np.uint8)
        with self.open() as stream:
            while size := stream.readinto(block):  # type: ignore[attr-defined]
                count += int(np.count_nonzero(values[:size] == code))
                watched_seen = watched_seen or block.find(watched, 0, size) >= 0
        return count, watched_seen

    def endless_line(self, newline: str) -> int | None:
        """Give the number of a line that is longer than the head, if one is at least twice as long.

        The file is cut into stretches as long as the head. A line of twice that length covers one of them completely,
        so it is enough to look for a stretch without an end of a line, which takes little time.
        """
        page = min(_PAGE, HEAD)
        with self.open() as stream:
            for start in range(0, self.size - HEAD + 1, HEAD):
                stream.seek(start)
                if not any(newline.encode() in stream.read(size) for size in (page, HEAD - page)):
                    stream.seek(0)
                    before = (stream.read(min(_BLOCK, start - at)) for at in range(0, start, _BLOCK))
                    return sum(block.count(newline.encode()) for block in before) + 1
        return None

    def tail(self) -> bytes:
        """Give the last bytes."""
        with self.open() as stream:
            stream.seek(max(0, self.size - _BLOCK))
            return stream.read()


def look_into(name: str) -> Content:
    """Open a file, and name what is in the way: it is not there, not a file, not readable, empty, or cut off."""
    path = Path(name)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SourceError(f"{name} is a folder.", hint="Name a file in it.")
        if not stat.S_ISREG(mode):
            raise SourceError(f"{name} is not a regular file.", hint="Save its content to a file first.")
        with path.open("rb") as stream:
            head = stream.read(HEAD)
        size = path.stat().st_size
        data = _decompressed(name, path, head)
    except FileNotFoundError:
        raise SourceError(f"There is no file {name}.", hint=_similar(path)) from None
    except PermissionError:
        raise SourceError(f"{name} may not be read.", hint="Ask its owner for permission to read it.") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"{name} cannot be read: {reason}.", hint="Check the path.") from None
    if data is not None:
        head, size = data[:HEAD], len(data)
    if size == 0:
        raise SourceError(f"{name} is empty.", hint="A table needs at least a line with the names of its columns.")
    return Content(name=name, path=path, head=head, data=data, size=size)


def _decompressed(name: str, path: Path, head: bytes) -> bytes | None:
    kind = "gzip" if head.startswith(_GZIP) else "zstd" if head.startswith(_ZSTD) else None
    if kind is None:
        return None
    try:
        with gzip.open(path) if kind == "gzip" else pa.input_stream(str(path), compression=kind) as stream:
            start: bytes = stream.read(HEAD)
            # A line that long is refused anyway: better before gigabytes are unpacked than after.
            if len(start) == HEAD and not any(byte in start for byte in (b"\0", b"\r", b"\n")):
                return start + b"."
            return start + bytes(stream.read())
    except (EOFError, OSError, zlib.error) as error:
        reason = str(error)
    raise SourceError(
        f"{name} is damaged: its {kind} compression ends early or is broken ({reason}).",
        hint="Copy or make the file again.",
    )


def _similar(path: Path) -> str:
    try:
        close = get_close_matches(path.name, [file.name for file in path.parent.iterdir()], n=1)
    except OSError:
        return f"There is no folder {path.parent} either."
    return f"Did you mean {close[0]!r}?" if close else "Check the path."
