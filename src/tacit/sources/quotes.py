"""Quotes of a text file: whether they can be understood in one way only, and how many records there are then.

RFC 4180 has one rule: a field with quotes in it stands in quotes itself, and each inner quote is doubled. Then a quote
opens at the beginning of a field and closes at its end, and line ends outside of quotes end records. Readers differ in
what they make of any other quote, and some lose rows over it without a word. So do they with a carriage return that
stands alone in a file whose lines end otherwise: for some it ends a record, for others it is part of a value.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tacit.sources.compressed import Content

_QUOTE, _RETURN = ord('"'), ord("\r")
_MARK = b"\xef\xbb\xbf"


def count_records(content: Content, separator: str, newline: str) -> int | None:
    """Count the records, blank lines and the header included; None where a quote or a return stands out of place.

    Quotes are numbered through the file: those with an even number open, those with an odd one close. A doubled quote
    is one that closes and one that opens at once.
    """
    counted = count_fields(content, separator, newline, separators=False)
    return None if counted is None else counted[0]


def count_fields(content: Content, separator: str, newline: str, *, separators: bool = True) -> tuple[int, int] | None:
    """Count the records as `count_records` does, and the separators outside of quotes, if they are asked for."""
    around = np.zeros(256, dtype=bool)
    around[[ord(separator), ord(newline), _RETURN, _QUOTE]] = True
    ends = seen = between = 0
    before = newline.encode()  # the file begins where a line would
    first = True
    for block, after in _looking_ahead(content):
        whole = block.removeprefix(_MARK) if first else block
        first = False
        if seen % 2 == 0 and b'"' not in whole:
            if newline == "\n" and _lone_return(whole, after):
                return None
            plain = np.frombuffer(whole, dtype=np.uint8)
            ends += int(np.count_nonzero(plain == ord(newline)))
            between += int(np.count_nonzero(plain == ord(separator))) if separators else 0
            before = whole[-1:] or before
            continue
        values = np.frombuffer(before + whole + (after or newline.encode()), dtype=np.uint8)
        inner = values[1:-1]
        quotes = np.flatnonzero(inner == _QUOTE)
        lines = np.flatnonzero(inner == ord(newline))
        number = seen + np.arange(quotes.size)
        opening = number % 2 == 0
        neighbour = np.where(opening, values[quotes], values[quotes + 2])
        if not around[neighbour].all():
            return None
        outside = (seen + np.searchsorted(quotes, lines)) % 2 == 0
        ends += int(outside.sum())
        if newline == "\n" and b"\r" in whole:
            returns = np.flatnonzero(inner == _RETURN)
            alone = returns[values[returns + 2] != ord(newline)]
            if ((seen + np.searchsorted(quotes, alone)) % 2 == 0).any():
                return None
        if separators:
            found = np.flatnonzero(inner == ord(separator))
            between += int(((seen + np.searchsorted(quotes, found)) % 2 == 0).sum())
        seen += quotes.size
        before = whole[-1:] or before
    if seen % 2:
        return None
    return ends + (before != newline.encode()), between


def _lone_return(block: bytes, after: bytes) -> bool:
    """Whether a carriage return stands alone, where lines end with a line feed and nothing is quoted."""
    return b"\r" in block and block.count(b"\r") != (block + (after or b"\n")).count(b"\r\n")


def _looking_ahead(content: Content) -> Iterator[tuple[bytes, bytes]]:
    """Go through the bytes in blocks, each with the byte behind it; none behind the last."""
    blocks = content.blocks()
    block = next(blocks, b"")
    for following in blocks:
        yield block, following[:1]
        block = following
    yield block, b""
