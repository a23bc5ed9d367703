"""How a text file separates its fields, and what it calls its columns: recognised in its head."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tacit.errors import ParameterError, SourceError
from tacit.sources.columns import check_names
from tacit.sources.compressed import HEAD, Content

SEPARATORS = (",", ";", "\t", "|")
_SAMPLE = 1 << 14
"""Characters that are parsed once for each possible separator: some hundred lines of a usual table. More make fewer
wrong guesses and take longer. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The form of a text file.

    Parameters
    ----------
    separator
        What stands between two fields.
    newline
        What stands at the end of a line; a carriage return before a line feed belongs to it.
    header
        The names of the columns.
    body
        Where the records begin, in bytes, if the fast reader would misread the header: a name has quotes in it.
    """

    separator: str
    newline: str
    header: tuple[str, ...]
    body: int | None = None


def recognise(content: Content, separator: str | None) -> Dialect:
    """Find the dialect of a text file, and refuse a head that is not text or names its columns badly."""
    text = _decoded(content)
    newline = "\r" if "\r" in text and "\n" not in text else "\n"
    if not text.strip("\r\n"):
        raise SourceError(
            f"{content.name} is empty.", hint="A table needs at least a line with the names of its columns."
        )
    if not content.whole and newline not in text.lstrip("\r\n"):
        raise too_long(content.name, 1)
    if separator is None:
        separator = guess_separator(text, whole=content.whole)
    elif len(separator) != 1 or not separator.isascii() or separator in '"\r\n':
        raise ParameterError(f"The separator is {separator!r}.", hint="It must be one character, such as ',' or ';'.")
    header = _records(text, separator, limit=1)[0]
    for position, name in enumerate(header, start=1):
        if not name.strip():
            raise SourceError(
                f"Column {position} of {content.name} has no name in the first line.",
                hint="Name it or drop it (pandas writes such a column unless it is told index=False).",
            )
    check_names(header, place=content.name)
    quoted = any('"' in name for name in header)
    body = _end_of_header(content.head, text, separator) if quoted else None
    return Dialect(separator=separator, newline=newline, header=tuple(header), body=body)


def _end_of_header(head: bytes, text: str, separator: str) -> int:
    """Return how many bytes the header takes, with blank lines and a byte order mark before it."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            taken.append(line)
            yield line

    reader = csv.reader(lines(), delimiter=separator)
    next(record for record in reader if record)
    mark = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    return mark + sum(len(line.encode()) for line in taken)


def guess_separator(text: str, *, whole: bool = True) -> str:
    r"""Choose the separator under which the most lines have as many fields as the header, which must have several.

    Quoted fields are respected. If no separator cuts the header there is one column, and any separator that cuts no
    other line will do.

    Examples
    --------
    >>> guess_separator('id;note\n1;"a, b, c"\n2;"d, e"\n')
    ';'
    >>> guess_separator("symptoms\ncough;fever\n")
    ','
    """
    best, best_score = SEPARATORS[0], (0.0, 0)
    for separator in SEPARATORS:
        records = _records(text, separator, whole=whole)
        widths = Counter(len(record) for record in records)
        width = len(records[0])
        agreement = widths[width] / len(records)
        score = (agreement + (width > 1), width)
        if score > best_score:
            best, best_score = separator, score
    return best


def complete_lines(content: Content, newline: str) -> bytes:
    """Cut the head after its last complete record: at a line's end outside of quotes."""
    if content.whole:
        return content.head
    if b'"' not in content.head:
        return content.head[: content.head.rfind(newline.encode()) + 1]
    values = np.frombuffer(content.head, dtype=np.uint8)
    ends = np.flatnonzero(values == ord(newline))
    quotes_before = np.searchsorted(np.flatnonzero(values == ord('"')), ends)
    ends = ends[quotes_before % 2 == 0]
    return content.head[: int(ends[-1]) + 1] if ends.size else b""


def too_long(name: str, line: int) -> SourceError:
    """Refuse a line that is longer than the head."""
    return SourceError(
        f"Line {line:,} of {name} is longer than {HEAD:,} bytes.",
        hint="Check that this is a table, and that quotes are closed.",
    )


def _decoded(content: Content) -> str:
    head = content.head.removeprefix(codecs.BOM_UTF8)
    if b"\0" in head:
        raise SourceError(
            f"{content.name} holds binary data, and not of a kind that is known here.",
            hint="Give a csv, tsv, Parquet, Arrow or Excel file.",
        )
    try:
        return head.decode()
    except UnicodeDecodeError as error:
        # The head may end within a character.
        if not content.whole and error.start > len(head) - 4 and error.reason == "unexpected end of data":
            return head[: error.start].decode()
        line = head.count(b"\n", 0, error.start) + 1
    raise not_utf8(content.name, line)


class NotUTF8(SourceError):
    """A text that is not UTF-8; it may be another encoding."""


def not_utf8(name: str, line: int) -> NotUTF8:
    """Refuse bytes that are no text."""
    return NotUTF8(
        f"Line {line:,} of {name} is not UTF-8.", hint="Save the file as UTF-8, or name its encoding in `encoding`."
    )


def _records(text: str, separator: str, *, limit: int | None = None, whole: bool = True) -> list[list[str]]:
    """Parse the first lines; the header's line however long it is."""
    first_line = len(text) - len(text.lstrip("\r\n"))
    end = text.find("\n", first_line)
    sample = text if end < 0 else text[: max(_SAMPLE, end + 1)]
    records: list[list[str]] = []
    try:
        for record in csv.reader(io.StringIO(sample, newline=""), delimiter=separator):
            if record:
                records.append(record)
            if len(records) == limit:
                return records
    except csv.Error:  # a field longer than the module allows: what came before it is enough
        pass
    cut = len(sample) < len(text) or not whole
    return records[:-1] if cut and len(records) > 1 else records or [[text]]
