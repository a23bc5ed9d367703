"""Where a text file is broken: it is read line by line, which is slow, and only once something is known to be wrong."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from typing import TextIO

import numpy as np
import numpy.typing as npt

from tacit.errors import SourceError
from tacit.sources.compressed import HEAD, Content
from tacit.sources.dialect import Dialect, not_utf8, too_long
from tacit.sources.quotes import count_records


def fault(content: Content, dialect: Dialect, reason: str) -> SourceError:
    """Name the first line that a strict reader stops at; if there is none, the fast reader's own reason."""
    try:
        _check_encoding(content)
        doubtful = count_records(content, dialect.separator, dialect.newline) is None
        for line, record in _records(content, dialect):
            _check(content.name, dialect, line, record, doubtful)
    except SourceError as first_fault:
        return first_fault
    return SourceError(
        f"{content.name} cannot be read: {reason}.", hint="Check that it is a text file with one record per line."
    )


def blank_records(content: Content, dialect: Dialect) -> tuple[npt.NDArray[np.int64], int]:
    """Give the positions of the blank lines among the records, and how many records there are with them.

    A line with too few or too many fields is an error that names it, and so is a quote out of place.
    """
    blank = []
    count = 0
    doubtful = count_records(content, dialect.separator, dialect.newline) is None
    for line, record in _records(content, dialect):
        if record:
            _check(content.name, dialect, line, record, doubtful)
        else:
            blank.append(count)
        count += 1
    return np.array(blank, dtype=np.int64), count


def _check(name: str, dialect: Dialect, line: int, record: list[str], doubtful: bool) -> None:
    """Refuse a record of another width than the header, or with a quote that no rule explains, if there are any."""
    if not record:
        return
    if doubtful and any(value.count('"') % 2 for value in record):
        raise _stray_quote(name, line)
    expected = len(dialect.header)
    if len(record) != expected:
        has = f"{len(record):,} field" + "s" * (len(record) != 1)
        raise SourceError(
            f"Line {line:,} of {name} has {has} where the header has {expected:,}.",
            hint=f"Complete the line; a field that contains {dialect.separator!r} must stand in double quotes.",
        )


def _stray_quote(name: str, line: int) -> SourceError:
    return SourceError(
        f"Line {line:,} of {name} has a double quote out of place.",
        hint='A field with quotes in it must stand in quotes itself, with each inner quote doubled: "5"" pipe".',
    )


def _check_encoding(content: Content) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    for block in content.blocks():
        try:
            line += decoder.decode(block).count("\n")
        except UnicodeDecodeError as error:
            before = error.object[: error.start].count(b"\n")
            raise not_utf8(content.name, line + before) from None
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise not_utf8(content.name, line) from None


def _records(content: Content, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Go through the records after the header, each with the line that it begins at."""
    with io.TextIOWrapper(content.open(), encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(_lines(stream, content.name), delimiter=dialect.separator, strict=True)
        begins, header = 1, False
        try:
            for record in reader:
                if header:
                    yield begins, record
                header = header or bool(record)
                begins = reader.line_num + 1
        except csv.Error:
            raise _stray_quote(content.name, begins) from None


def _lines(stream: TextIO, name: str) -> Iterator[str]:
    """Give the lines, but none that would not fit into memory."""
    number = 0
    while line := stream.readline(HEAD):
        number += 1
        if len(line) == HEAD:
            raise too_long(name, number)
        yield line
