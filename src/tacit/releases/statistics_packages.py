"""Published frames as files of Stata and SPSS.

Both have rules for names: a column whose name breaks them gets another one, and its own as its label. What the files
say about when they were written is fixed, so that a release made with a seed has the same bytes every day.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import polars as pl

from tacit.borders import first_line
from tacit.errors import SourceError
from tacit.releases.worded_cells import unworded, worded
from tacit.shapes import PublishedColumn
from tacit.sources.extras import extra

Package = Literal["stata", "spss"]

_MOST_BYTES = {"stata": 2_045, "spss": 32_767}
"""How long a text may be; Stata's longer ones (strL) are not read by most other programs."""
_MOST_LETTERS = 32
"""How long a name may be, in Stata; SPSS allows more."""
_RESERVED = re.compile(
    r"all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with|byte|double|float|if|in|int|long|using|strl|str\d+"
    r"|_(?:all|b|coef|cons|n|pi|pred|rc|skip)",
    re.IGNORECASE,
)
_SPSS_MOMENT = slice(84, 101)
_STATA_MOMENT = re.compile(rb"<timestamp>\x11(.{17})</timestamp>")


def write_package(frame: pl.DataFrame, path: Path, package: Package, columns: Mapping[str, PublishedColumn]) -> None:
    """Write one frame."""
    pyreadstat = extra("pyreadstat", what=f"Writing a file of {_called(package)}")
    names = plain_names(frame.columns)
    labels = {new: _label(columns.get(old), old, new) for old, new in zip(frame.columns, names, strict=True)}
    cells = [_fitting(values, package).alias(new) for values, new in zip(worded(frame, columns), names, strict=True)]
    write = pyreadstat.write_dta if package == "stata" else pyreadstat.write_sav
    reason = None
    path.touch()  # the writer would make a file that its owner alone may change
    try:
        write(pl.DataFrame(cells), str(path), column_labels=[labels[name] for name in names])
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
        reason = first_line(error)
    if reason is not None:
        _probe(path)
        raise SourceError(
            f"{path.stem!r} cannot be written for {_called(package)} ({reason}).", hint='Say format = "csv".'
        )
    _without_moment(path, package)


def read_package(
    path: Path,
    package: Package,
    columns: Mapping[str, PublishedColumn],
    types: Sequence[Sequence[str]],
) -> pl.DataFrame:
    """Read one frame back."""
    pyreadstat = extra("pyreadstat", what=f"Reading a file of {_called(package)}")
    read = pyreadstat.read_dta if package == "stata" else pyreadstat.read_sav
    loaded, _about = read(str(path), output_format="polars")
    return unworded(list(loaded), columns, types)


def plain_names(names: Sequence[str]) -> list[str]:
    """Give every column a name that Stata and SPSS take, its own if they do; no two get the same.

    Examples
    --------
    >>> plain_names(["age", "marital-status", "marital status", "2nd", "if"])
    ['age', 'marital_status', 'marital_status_2', 'v_2nd', 'if_']
    """
    taken: set[str] = set()
    plain = []
    for name in names:
        word = re.sub(r"[^A-Za-z0-9_]", "_", name)[:_MOST_LETTERS]
        word = word if re.match(r"[A-Za-z]", word) else f"v_{word}"[:_MOST_LETTERS]
        word = f"{word}_" if _RESERVED.fullmatch(word) else word
        fresh, number = word, 1
        while fresh.lower() in taken:
            number += 1
            fresh = f"{word[: _MOST_LETTERS - 1 - len(str(number))]}_{number}"
        taken.add(fresh.lower())
        plain.append(fresh)
    return plain


def _called(package: Package) -> str:
    return {"stata": "Stata", "spss": "SPSS"}[package]


def _label(column: PublishedColumn | None, old: str, new: str) -> str | None:
    label = None if column is None else column.label
    return (label or (old if old != new else None) or "")[:80] or None


def _fitting(values: pl.Series, package: Package) -> pl.Series:
    if values.dtype == pl.Boolean:
        values = values.cast(pl.String)
    if values.dtype.is_numeric():
        return values.cast(pl.Float64)
    if values.dtype != pl.String:
        return values
    longest, most = values.str.len_bytes().max(), _MOST_BYTES[package]
    if isinstance(longest, int) and longest > most:
        raise SourceError(
            f"A text in column {values.name!r} has {longest:,} bytes; {_called(package)} takes {most:,}.",
            hint='Say format = "csv" or "parquet".',
        )
    return values.fill_null("")


def _probe(path: Path) -> None:
    """Let the operating system say why nothing more can be written, which the writer does not pass on."""
    with path.open("ab") as file:
        file.write(bytes(1 << 20))
        file.flush()
        os.fsync(file.fileno())


def _without_moment(path: Path, package: Package) -> None:
    """Write a fixed moment over the one of writing."""
    with path.open("r+b") as file:
        head = file.read(1_000)
        if package == "spss":
            file.seek(_SPSS_MOMENT.start)
            file.write(b"01 Jan 7000:00:00")
        elif moment := _STATA_MOMENT.search(head):
            file.seek(moment.start(1))
            file.write(b"01 Jan 1970 00:00")
