"""Encodings of text files: what is not UTF-8 becomes UTF-8 before anything else looks at it.

A byte order mark settles it. Without one, every second byte of UTF-16 is zero in most European text. Bytes that are no
UTF-8 at all are Windows-1252, of which Latin-1 is a part, unless some of them are UTF-8: then the file is a broken
mixture, and only its owner knows what it should be.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace

import numpy as np

from tacit.errors import ParameterError, SourceError
from tacit.sources.compressed import HEAD, Content

_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SAMPLE = 1 << 12
"""Bytes in which the zeros of UTF-16 are counted. More would take longer and tell the same. Chosen by hand."""
_MOSTLY, _HARDLY = 0.5, 0.05
"""In UTF-16 more than half of the bytes at one parity are zero, and hardly one at the other. A smaller first share
takes more languages for UTF-16, and more binary files too. Chosen by hand."""
_LATIN = "windows-1252"
_UTF8_SEQUENCE = re.compile(rb"[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}")


def check_encoding(encoding: str) -> str:
    """Return the encoding's usual name, or say that there is none of this name.

    Examples
    --------
    >>> check_encoding("Latin-1"), check_encoding("cp1252")
    ('iso8859-1', 'cp1252')
    """
    try:
        found = codecs.lookup(encoding)
    except (LookupError, TypeError, ValueError):
        found = None
    if found is None or not found._is_text_encoding:
        raise ParameterError(
            f"There is no encoding {encoding!r}.",
            hint='Usual ones: "utf-8", "windows-1252", "latin-1", "utf-16", "cp850", "iso8859-2", "shift-jis".',
        )
    return found.name


def guess_encoding(head: bytes) -> str | None:
    """Recognise UTF-16 and UTF-32 in the first bytes; None where they may be UTF-8.

    Examples
    --------
    >>> guess_encoding("age;größe".encode("utf-16")), guess_encoding("age;größe".encode("utf-16-be"))
    ('utf-16', 'utf-16-be')
    >>> guess_encoding(b"age,size")
    """
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return encoding
    sample = np.frombuffer(head[:_SAMPLE], dtype=np.uint8)
    if len(sample) < 4:
        return None
    even, odd = float((sample[::2] == 0).mean()), float((sample[1::2] == 0).mean())
    for encoding, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros > _MOSTLY and others < _HARDLY:
            return encoding
    return None


def is_mixed(data: bytes) -> bool:
    r"""Tell whether bytes that are not UTF-8 hold characters that are.

    Examples
    --------
    >>> is_mixed("Grösse".encode("latin-1")), is_mixed("ä".encode() + b"\xe4")
    (False, True)
    """
    return _UTF8_SEQUENCE.search(data) is not None


def _is_cut(data: bytes) -> bool:
    """Tell whether all is UTF-8 but the last character, of which a part is missing."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False


def latin(content: Content) -> tuple[Content, str] | None:
    """Read a text that is not UTF-8 as Windows-1252; None where it cannot be that either."""
    data = content.data if content.data is not None else content.path.read_bytes()
    if is_mixed(data) or _is_cut(data):
        return None
    try:
        text = data.decode(_LATIN)
    except UnicodeDecodeError:
        return None
    return _replaced(content, text), f"{content.name} is not UTF-8; it was read as Windows-1252 (Latin-1)"


def decoded(content: Content, encoding: str) -> Content:
    """Turn a text of a known encoding into UTF-8, or name the line that is not in it."""
    data = content.data if content.data is not None else content.path.read_bytes()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, errors="replace").count("\n")
    else:
        return _replaced(content, text.removeprefix("\ufeff"))
    raise SourceError(
        f"Line {before + 1:,} of {content.name} is not {encoding}.", hint="Name the file's own encoding in `encoding`."
    )


def _replaced(content: Content, text: str) -> Content:
    data = text.encode()
    return replace(content, head=data[:HEAD], data=data, size=len(data))
