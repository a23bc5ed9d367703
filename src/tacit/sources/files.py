"""Files: what they are is decided by their content first, and by their name where the content could be anything."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tacit.errors import SourceError
from tacit.sources.columnar import read_arrow, read_parquet
from tacit.sources.columns import plain
from tacit.sources.compressed import Content, look_into
from tacit.sources.decimals import check_decimal
from tacit.sources.delimited import read_delimited
from tacit.sources.dialect import NotUTF8
from tacit.sources.encodings import check_encoding, decoded, guess_encoding, latin
from tacit.sources.spreadsheets import read_spreadsheet
from tacit.sources.statistics_packages import expected_package, package_of, read_package
from tacit.sources.understood import Reading

_COMPOUND = b"\xd0\xcf\x11\xe0"
_BOOKS = {"xl/workbook.xml", "xl/workbook.bin"}
_COMPRESSED = {".gz", ".zst"}
_TAB = {".tsv", ".tab"}
_SHEETS = {".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"}
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
    b"PK\x03\x04": ("a zip archive", "Unpack it."),
    b"FEA1": ("a Feather file of version 1", "Write it again as Feather version 2 or Parquet."),
    b"BZh": ("compressed with bzip2", "Unpack it, or compress it with gzip or zstd."),
    b"\xfd7zXZ\0": ("compressed with xz", "Unpack it, or compress it with gzip or zstd."),
    b"%PDF": ("a PDF document", "Give a csv, tsv, Parquet or Arrow file."),
}


@dataclass(frozen=True)
class FileOptions:
    """How a file is read.

    Attributes
    ----------
    nulls, separator, decimal, text
        Text files: see `tacit.sources.delimited.read_delimited`. `nulls` and `text` hold for spreadsheets too.
    encoding
        The encoding of text; guessed if not given.
    sheet
        The sheet of a spreadsheet, by name or by number from 1.
    """

    nulls: Sequence[str] = ("",)
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | int | None = None
    text: Collection[str] = ()

    def __post_init__(self) -> None:
        if self.decimal is not None:
            check_decimal(self.decimal)
        if self.encoding is not None:
            check_encoding(self.encoding)


def read_file(name: str, options: FileOptions = FileOptions()) -> Reading:  # noqa: B008  (frozen)
    """Read a file of data, text compressed with gzip or zstd or not.

    csv, tsv, txt, Parquet, Arrow, and with the extra `files` spreadsheets (xlsx, xls, ods) and files of Stata, SPSS and
    SAS.
    """
    content = look_into(name)
    # Marks made of letters may also begin the name of a csv's first column: text has no zero bytes.
    binary = b"\0" in content.head
    if binary and content.head.startswith(b"PAR1"):
        return Reading(read_parquet(_no_sheet(content, options)))
    if binary and content.head.startswith(b"ARROW1"):
        return Reading(read_arrow(_no_sheet(content, options), stream=False))
    if binary and content.head.startswith(b"\xff\xff\xff\xff"):
        return Reading(read_arrow(_no_sheet(content, options), stream=True))
    suffix = _suffix(content.path)
    if _is_spreadsheet(content):
        return _plain(read_spreadsheet(content, sheet=options.sheet, nulls=options.nulls, text=options.text))
    if suffix in _SHEETS:
        raise SourceError(
            f"{content.name} is damaged or not a complete spreadsheet.", hint="Copy or make the file again."
        )
    _no_sheet(content, options)
    package = package_of(content, suffix)
    if package is not None:
        return _plain(read_package(content, package, encoding=options.encoding, nulls=options.nulls))
    encoding = options.encoding or guess_encoding(content.head)
    if binary and encoding is None:
        _refuse_others(content)
    kind = _EXPECTED.get(suffix) or expected_package(suffix)
    if kind is not None:
        raise SourceError(
            f"{content.name} does not begin like {'an' if kind == 'Arrow' else 'a'} {kind} file.",
            hint="Make it again, or give it the ending of what it is.",
        )
    if options.separator is None and suffix in _TAB:
        options = replace(options, separator="\t")
    if encoding is not None:
        reading = _text(decoded(content, encoding), options)
        return reading if options.encoding else _remarked(reading, f"{content.name} was read as {encoding.upper()}")
    try:
        return _text(content, options)
    except NotUTF8:
        other = latin(content)
        if other is None:
            raise
    return _remarked(_text(other[0], options), other[1])


def _text(content: Content, options: FileOptions) -> Reading:
    how = {"nulls": options.nulls, "separator": options.separator, "decimal": options.decimal, "text": options.text}
    return _plain(read_delimited(content, **how))  # type: ignore[arg-type]


def _plain(reading: Reading) -> Reading:
    return replace(reading, frame=plain(reading.frame))


def _remarked(reading: Reading, remark: str) -> Reading:
    return replace(reading, remarks=(remark, *reading.remarks))


def _is_spreadsheet(content: Content) -> bool:
    """Tell a spreadsheet by what is in it: the new ones are zip archives, the old ones compound files."""
    if content.head.startswith(_COMPOUND):
        return True
    if not content.head.startswith(b"PK\x03\x04"):
        return False
    try:
        with content.open() as stream, zipfile.ZipFile(stream) as archive:
            names = set(archive.namelist())
            return bool(names & _BOOKS) or (
                "mimetype" in names and b"opendocument.spreadsheet" in archive.read("mimetype")[:100]
            )
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError):
        return False


def _no_sheet(content: Content, options: FileOptions) -> Content:
    if options.sheet is not None:
        raise SourceError(f"A sheet was named, but {content.name} is not a spreadsheet.", hint="Leave `sheet` away.")
    return content


def _suffix(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _refuse_others(content: Content) -> None:
    for start, (what, hint) in _OTHERS.items():
        if content.head.startswith(start):
            raise SourceError(f"{content.name} is {what}, which cannot be read as a table.", hint=hint)
