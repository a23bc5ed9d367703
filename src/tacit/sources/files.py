"""Files: what they are is decided by their content first, and by their name where the content could be anything."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import polars as pl

from tacit.errors import SourceError
from tacit.sources.columnar import read_arrow, read_parquet
from tacit.sources.columns import plain
from tacit.sources.compressed import Content, look_into
from tacit.sources.delimited import read_delimited

_COMPRESSED = {".gz", ".zst"}
_TAB = {".tsv", ".tab"}
_EXPECTED = {
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".arrow": "Arrow",
    ".feather": "Arrow",
    ".ipc": "Arrow",
    ".arrows": "Arrow",
}
# How files begin that are often tried, and what to do instead.
_OTHERS = {
    b"SQLite format 3\0": ("an SQLite database", "Give it as sqlite:///file.db, with a query."),
    b"PK\x03\x04": ("a zip archive or a spreadsheet", "Unpack it, or save the sheet as csv."),
    b"\xd0\xcf\x11\xe0": ("an old spreadsheet", "Save the sheet as csv."),
    b"FEA1": ("a Feather file of version 1", "Write it again as Feather version 2 or Parquet."),
    b"BZh": ("compressed with bzip2", "Unpack it, or compress it with gzip or zstd."),
    b"\xfd7zXZ\0": ("compressed with xz", "Unpack it, or compress it with gzip or zstd."),
    b"%PDF": ("a PDF document", "Give a csv, tsv, Parquet or Arrow file."),
}


def read_file(
    name: str, *, nulls: Sequence[str] = ("",), separator: str | None = None, text: Collection[str] = ()
) -> pl.DataFrame:
    """Read a csv, tsv, txt, Parquet or Arrow file, compressed with gzip or zstd or not.

    Parameters
    ----------
    name
        The path of the file.
    nulls, separator, text
        How text files are read: see `tacit.sources.delimited.read_delimited`.
    """
    content = look_into(name)
    # Marks made of letters may also begin the name of a csv's first column: text has no zero bytes.
    binary = b"\0" in content.head
    if binary and content.head.startswith(b"PAR1"):
        return read_parquet(content)
    if binary and content.head.startswith(b"ARROW1"):
        return read_arrow(content, stream=False)
    if binary and content.head.startswith(b"\xff\xff\xff\xff"):
        return read_arrow(content, stream=True)
    suffix = _suffix(content.path)
    if binary:
        _refuse_others(content)
    if suffix in _EXPECTED:
        kind = _EXPECTED[suffix]
        raise SourceError(
            f"{content.name} does not begin like {'an' if kind == 'Arrow' else 'a'} {kind} file.",
            hint="Make it again, or give it the ending of what it is.",
        )
    if separator is None and suffix in _TAB:
        separator = "\t"
    return plain(read_delimited(content, nulls=nulls, separator=separator, text=text))


def _suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _refuse_others(content: Content) -> None:
    for start, (what, hint) in _OTHERS.items():
        if content.head.startswith(start):
            raise SourceError(f"{content.name} is {what}, which cannot be read as a table.", hint=hint)
