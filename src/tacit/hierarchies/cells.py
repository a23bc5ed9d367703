"""The cells of a hierarchy file: separated by semicolons, commas or tabs, quoted where needed, leaf first."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from tacit.errors import HierarchyError, SourceError
from tacit.regular_files import regular_bytes

SEPARATORS = (";", ",", "\t")


def read_cells(path: Path) -> tuple[list[list[str]], list[int]]:
    """Read rows of cells and the line on which each row ends; blank lines are skipped.

    The separator is the first of ``;``, ``,`` and tab that gives all rows the same number of cells, more than one.
    If none does, rows differ in length or there is one column; then the separator that splits the most rows is taken.
    """
    try:
        content = regular_bytes(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise HierarchyError(f"There is no hierarchy file {str(path)!r}.", hint="Check the path.") from None
    except UnicodeDecodeError as error:
        raise HierarchyError(
            f"The hierarchy file {str(path)!r} is not UTF-8 text (byte {error.start:,}).", hint="Save it as UTF-8."
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise HierarchyError(f"The hierarchy file {str(path)!r} cannot be read: {reason}.") from None

    readings: list[tuple[list[list[str]], list[int]]] = []
    broken = ""
    for separator in SEPARATORS:
        try:
            reading = _split(content, separator)
        except csv.Error as error:
            broken = broken or str(error)
            continue
        lengths = {len(row) for row in reading[0]}
        if len(lengths) == 1 and lengths != {1}:
            return reading
        readings.append(reading)
    if not readings:
        raise HierarchyError(f"The hierarchy file {str(path)!r} has a broken quoted cell: {broken}.")
    return max(readings, key=lambda reading: sum(len(row) > 1 for row in reading[0]))


def _split(content: str, separator: str) -> tuple[list[list[str]], list[int]]:
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=separator, strict=True)
    rows, lines = [], []
    for row in reader:
        if row:
            rows.append(row)
            lines.append(reader.line_num)
    return rows, lines


def write_cells(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Write rows with ``;`` between cells."""
    content = "".join(";".join(map(_quoted, row)) + "\n" for row in rows)
    try:
        path.write_bytes(content.encode("utf-8"))
    except OSError as error:
        raise SourceError(f"The hierarchy cannot be written to {str(path)!r}: {error.strerror}.") from None


def _quoted(cell: str) -> str:
    # A byte order mark would vanish at the start of a file, and blanks at the ends are easily lost: quoted they stay.
    if any(mark in cell for mark in ';,\t"\r\n\ufeff') or cell != cell.strip():
        return '"' + cell.replace('"', '""') + '"'
    return cell
