"""Files of statistics packages: Stata (dta), SPSS (sav, zsav, por), SAS (sas7bdat, xpt).

Such a file says more than its values: what a coded value means, what a column is about, and which values mean that
nothing is known. A coded value becomes its label where every value of the column has one; what means missing becomes
null; the label of a column goes with it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tacit.borders import first_line, is_panic, quiet
from tacit.errors import SourceError, TacitError
from tacit.sources.columns import check_names, whole_numbers
from tacit.sources.compressed import Content
from tacit.sources.extras import extra
from tacit.sources.understood import Reading

_SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_OLD_STATA = {bytes([version, order, 1, 0]) for version in range(0x68, 0x74) for order in (1, 2)}
_READERS = {
    "Stata": "read_dta",
    "SPSS": "read_sav",
    "SPSS (portable)": "read_por",
    "SAS": "read_sas7bdat",
    "SAS (transport)": "read_xport",
}
_PACKED = 1_100
"""How many bytes one byte of a packed file can stand for, at most: what zlib reaches is 1,032."""
_ENDINGS = {
    ".dta": "Stata",
    ".sav": "SPSS",
    ".zsav": "SPSS",
    ".por": "SPSS (portable)",
    ".sas7bdat": "SAS",
    ".xpt": "SAS (transport)",
}


def package_of(content: Content, suffix: str) -> str | None:
    """Tell which package wrote a file, by how it begins; only SPSS's portable files are known by their names."""
    head = content.head
    if head.startswith(b"<stata_dta>") or head[:4] in _OLD_STATA:
        return "Stata"
    if head.startswith((b"$FL2", b"$FL3")) and b"\0" in head:
        return "SPSS"
    if head.startswith(_SAS):
        return "SAS"
    if head.startswith((b"HEADER RECORD*******LIBRARY HEADER", b"HEADER RECORD*******LIBV8")):
        return "SAS (transport)"
    named = _ENDINGS.get(suffix)
    return named if named == "SPSS (portable)" else None


def expected_package(suffix: str) -> str | None:
    """Name the package whose files have this ending."""
    return _ENDINGS.get(suffix)


def read_package(
    content: Content, package: str, *, encoding: str | None = None, nulls: Sequence[str] = ("",)
) -> Reading:
    """Read the values with what the file says about them."""
    pyreadstat = extra("pyreadstat", what=f"{content.name} is a file of {package}, and reading it")
    reader = getattr(pyreadstat, _READERS[package])
    try:
        # Missing values that a user declared come as missing: that is the reader's default, said here for the reader.
        # XPT and portable files have none, and their readers no such parameter.
        options: dict[str, Any] = {"user_missing": False} if package in {"Stata", "SPSS", "SAS"} else {}
        if encoding is not None and package != "SPSS (portable)":
            options["encoding"] = encoding

        def source() -> Any:
            return str(content.path) if content.data is None else io.BytesIO(content.data)

        with quiet():
            _refuse_impossible(content, package, reader(source(), metadataonly=True, **options)[1])
            frame, about = reader(source(), output_format="polars", **options)
    except TacitError:
        raise
    except MemoryError:
        raise
    except BaseException as error:  # the reader hands what it finds to a library, which fails in ways of its own
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        reason = first_line(error)
    else:
        check_names(frame.columns, place=content.name)
        return _meant(content.name, frame, about, [null for null in nulls if null])
    raise SourceError(
        f"{content.name} cannot be read as a file of {package} ({reason}).",
        hint="Copy or make the file again; if its text is in an old encoding, name it in `encoding`.",
    )


def _refuse_impossible(content: Content, package: str, about: Any) -> None:
    """Refuse a file that announces more than it can hold: its reader would take memory for all of it first."""
    size = content.path.stat().st_size if content.data is None else len(content.data)
    rows, columns = about.number_rows or 0, about.number_columns or 1
    cells = rows * max(1, columns)
    # A cell takes a byte at least; SAS may shorten many cells of a row to a few bytes, and SPSS may pack a whole file.
    most = size * _PACKED if content.head.startswith(b"$FL3") else size
    if (cells > most) if package in {"Stata", "SPSS"} else (rows > size):
        raise SourceError(
            f"{content.name} announces {rows:,} rows of {columns:,} columns, and has {size:,} bytes.",
            hint="It is damaged: copy or make it again.",
        )


def _meant(place: str, frame: pl.DataFrame, about: Any, marks: Sequence[str]) -> Reading:
    columns, remarks, orders = [], [], {}
    for column in frame.iter_columns():
        given = about.variable_value_labels.get(column.name) or {}
        # Labels of Stata's own kinds of missing, .a to .z, are labels of letters: their values came as missing.
        worded = column.dtype == pl.String
        labels = {value: label for value, label in given.items() if isinstance(value, str) == worded}
        series = _text(column, marks) if worded else column
        if labels:
            named = _labelled(series, labels)
            if named is None:
                bare = series.drop_nulls().unique()
                some = [f"{_shown(value)} ({label!r})" for value, label in labels.items() if value in bare]
                if some:
                    remarks.append(
                        f"{place}: of the values of {column.name!r} only {', '.join(some[:5])} "
                        f"{'has a label' if len(some) == 1 else 'have labels'}; all were kept as they are"
                    )
            elif about.variable_measure.get(column.name) == "ordinal":
                present = set(named.drop_nulls())
                orders[column.name] = tuple(labels[value] for value in sorted(labels) if labels[value] in present)
            series = series if named is None else named
        columns.append(whole_numbers(series) if series.dtype.is_float() else series)
    described = {name: label for name, label in about.column_names_to_labels.items() if label and label != name}
    return Reading(pl.DataFrame(columns), tuple(remarks), described, orders)


def _text(column: pl.Series, marks: Sequence[str]) -> pl.Series:
    """Mark empty text as null, which these packages cannot tell apart, and whatever else means null."""
    missing = (column == "") | column.is_in(list(marks))
    return column.set(missing, None) if missing.any() else column


def _labelled(column: pl.Series, labels: Mapping[Any, str]) -> pl.Series | None:
    """Put labels in the place of coded values; None if a value has none, or two values have the same."""
    bare = column.drop_nulls().unique()
    known = {value: str(label) for value, label in labels.items()}
    if len(set(known.values())) < len(known):
        return None
    old = pl.Series(list(known), strict=False).cast(column.dtype, strict=False)
    if not bare.is_in(old.drop_nulls().implode()).all():
        return None
    return column.replace_strict(old, pl.Series(list(known.values())), default=None, return_dtype=pl.String)


def _shown(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
