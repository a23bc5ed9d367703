"""Text files with separated fields: csv, tsv and their kin.

Polars does the work. What it does silently (a short line filled up with nulls, a blank line made a record, two
columns of one name renamed, a code's leading zeros dropped) is checked around it; what it cannot read is looked at
again, line by line, to name the place.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tacit.borders import first_line
from tacit.sources.compressed import Content, look_into
from tacit.sources.decimals import canonical, guess_decimal
from tacit.sources.dialect import Dialect, complete_lines, recognise, too_long
from tacit.sources.faults import blank_records, fault
from tacit.sources.inference import Meaning, convert, meanings, padded
from tacit.sources.quotes import count_fields, count_records
from tacit.sources.understood import Reading

SAMPLE = 5_000
"""Rows that types are guessed from. More rows make fewer wrong guesses, each of which costs a second reading, and every
file pays for them. Chosen by trial."""


def read_delimited(
    content: Content,
    *,
    nulls: Sequence[str] = ("",),
    separator: str | None = None,
    decimal: str | None = None,
    text: Collection[str] = (),
) -> Reading:
    """Read a text file in UTF-8.

    Types are guessed from the first rows. If a later value does not fit the guess, the whole file is read as text
    and every column gets the type that all its values fit; see `tacit.sources.inference` for what the types are.

    Parameters
    ----------
    content
        The file.
    nulls
        The strings that mean null, quoted or not.
    separator
        What stands between fields; guessed among comma, semicolon, tab and bar if not given.
    decimal
        The sign before decimals, "," or "."; the other one and spaces may stand between thousands. Guessed from cells
        that can be read in one way only, if not given.
    text
        Names of columns to keep as text.
    """
    reader = _Reader(content, recognise(content, separator), tuple(nulls))
    if not content.whole:
        # The readers below would parse a line of a gigabyte several times, each time with several gigabytes of memory.
        endless = content.endless_line(reader.dialect.newline)
        if endless is not None:
            raise too_long(content.name, endless)
        sample = reader.sample()
        plain = sample is not None and decimal is None and reader.decimal(sample, text) is None
        guessed = meanings(sample, text) if sample is not None and plain else {}
        frame = reader.typed(guessed) if guessed else None
        # What was empty in the sample may be numbers of another country.
        unseen = [name for name, means in guessed.items() if not means.seen]
        if frame is not None and reader.decimal(frame.select(unseen), text) is None:
            left = {name: means for name, means in guessed.items() if means.parsed == pl.String}
            return Reading(convert(reader.records(frame), left))
    frame = reader.records(reader.text())
    written = decimal if decimal is not None else reader.decimal(frame, text)
    remarks: tuple[str, ...] = ()
    if written is not None:
        plainly = canonical(frame, written, text)
        if decimal is None and (changed := [c.name for c in plainly if not c.equals(frame[c.name])]):
            remarks = (_guessed_decimal(content.name, written, changed),)
        frame = plainly
    return Reading(convert(frame, meanings(frame, text)), remarks)


def check_records(path: Path, separator: str, rows: int) -> None:
    """Refuse a text file that another reader made rows of, unless every record is one row with all its fields.

    Parameters
    ----------
    path
        The file.
    separator
        What stands between fields.
    rows
        How many rows were made of it.

    Raises
    ------
    SourceError
        With the line, where one is blank or short, or has a quote out of place.
    """
    content = look_into(str(path))
    dialect = recognise(content, separator)
    start = content.head.removeprefix(codecs.BOM_UTF8)
    blank = start[: len(start) - len(start.lstrip(b"\r\n"))].count(dialect.newline.encode())
    if count_fields(content, separator, dialect.newline) == (rows + 1 + blank, (len(dialect.header) - 1) * (rows + 1)):
        return
    lines, _ = blank_records(content, dialect)
    reason = "it has blank lines" if len(lines) else "its quotes or line ends can be understood in two ways"
    raise fault(content, dialect, reason)


def _guessed_decimal(place: str, decimal: str, columns: Sequence[str]) -> str:
    sign, example = ("comma", "1.234,5") if decimal == "," else ("point", "1,234.5")
    return f"{place}: numbers were read with a decimal {sign}, such as {example} ({', '.join(columns)})"


@dataclass(frozen=True, slots=True)
class _Reader:
    """A file, its dialect, and what means null in it."""

    content: Content
    dialect: Dialect
    nulls: tuple[str, ...]

    def sample(self) -> pl.DataFrame | None:
        """Read the head as text, to guess from; None if the head alone cannot be read."""
        lines = complete_lines(self.content, self.dialect.newline)
        try:
            sample = self._parse(lines, None, rows=SAMPLE)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            return None
        if sample.is_empty():
            raise too_long(self.content.name, lines.count(self.dialect.newline.encode()) + 1)
        return sample

    def decimal(self, sample: pl.DataFrame, text: Collection[str]) -> str | None:
        """Guess the sign before decimals."""
        return guess_decimal(sample, self.dialect.separator, text)

    def typed(self, guessed: dict[str, Meaning]) -> pl.DataFrame | None:
        """Read the file with the types guessed; None if a value does not fit them."""
        try:
            frame = self._parse(self.content.source, guessed)
            # Codes of one length, such as postcodes, may have their leading zeros after the head: parsed as
            # integers some of them would be shorter than the others.
            short = [
                name
                for name, means in guessed.items()
                if means.width is not None and (frame[name] < 10 ** (means.width - 1)).any()
            ]
            if short:
                codes = self._parse(self.content.source, None, columns=short)
                frame = frame.with_columns(column for column in codes.iter_columns() if padded(column))
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            return None
        return frame

    def text(self) -> pl.DataFrame:
        """Read all columns as text, or name the line that cannot be read."""
        if self.content.count('"')[0] % 2:  # The reader would find out as well, but at great length.
            raise fault(self.content, self.dialect, "a double quote is not closed")
        try:
            return self._parse(self.content.source, None)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            reason = first_line(error)
        raise fault(self.content, self.dialect, reason)

    def records(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Drop what the reader made of blank lines, and refuse lines that lack fields and records that were lost.

        In a file of one column a blank line is an empty value, as some programs write it, except at the end of the
        file.
        """
        tail = self.content.tail()
        ends = tail[len(tail.rstrip(b"\r\n")) :].count(self.dialect.newline.encode())
        read, frame = frame.height, frame.head(max(0, frame.height - max(0, ends - 1)))
        counted = self._counted() == read
        if counted and not tail.endswith(self.dialect.separator.encode()) and self._complete(frame):
            return frame
        blank, count = blank_records(self.content, self.dialect)
        if count != read:
            raise fault(self.content, self.dialect, "its quotes or line ends can be understood in two ways")
        keep = np.ones(read, dtype=bool)
        keep[blank] = frame.width == 1
        return frame.filter(pl.Series(keep[: frame.height]))

    def _counted(self) -> int | None:
        """Count the records by a rule that is not the reader's; None where that takes a slower reader."""
        total = count_records(self.content, self.dialect.separator, self.dialect.newline)
        if total is None:
            return None
        start = self.content.head.removeprefix(codecs.BOM_UTF8)
        blank = start[: len(start) - len(start.lstrip(b"\r\n"))].count(self.dialect.newline.encode())
        return total - blank - 1

    def _complete(self, frame: pl.DataFrame) -> bool:
        """Tell whether surely no line is blank or short; False where it would take long to find out."""
        fields = frame.width - 1
        last = frame.to_series(-1)
        if not fields or not (last.null_count() or (last.dtype == pl.String and (last == "").any())):
            return True
        # A line with its last field empty is complete, or short, or blank. All are complete if there are as many
        # separators outside of quotes as there should be.
        separator = self.dialect.separator
        separators, quotes = self.content.count(separator, watch='"')
        if quotes:
            texts = [column for column in frame.iter_columns() if column.dtype == pl.String]
            separators -= sum(int(column.str.count_matches(separator, literal=True).sum()) for column in texts)
            separators -= sum(name.count(separator) for name in self.dialect.header)
        return separators == fields * (frame.height + 1)

    def _parse(
        self,
        source: object,
        guessed: dict[str, Meaning] | None,
        *,
        rows: int | None = None,
        columns: list[str] | None = None,
    ) -> pl.DataFrame:
        """Let Polars read, with the types that were guessed, or everything as text."""
        body = self.dialect.body
        named = {name: name if body is None else f"c{at}" for at, name in enumerate(self.dialect.header)}
        if body is not None:  # the reader would misread the names: it gets others, and the records as they are
            data = source if isinstance(source, bytes) else self.content.path.read_bytes()
            names = self.dialect.separator.join(named.values()) + self.dialect.newline
            source = names.encode() + data[body:]
        frame = pl.read_csv(
            source,  # type: ignore[arg-type]
            separator=self.dialect.separator,
            eol_char=self.dialect.newline,
            schema=None if guessed is None else {named[name]: means.parsed for name, means in guessed.items()},
            infer_schema=guessed is not None,
            columns=None if columns is None else [named[name] for name in columns],
            null_values=[null for null in self.nulls if null] or None,
            empty_string_is_null="" in self.nulls,
            n_rows=rows,
            glob=False,
        )
        expected = columns or list(self.dialect.header)
        if frame.columns != [named[name] for name in expected]:
            raise pl.exceptions.SchemaError("the first line is quoted in an unusual way")
        frame.columns = expected
        return self._without_empty(frame) if "" in self.nulls else frame

    def _without_empty(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Make null what Polars keeps: an empty field in quotes. Listing "" in `null_values` is slower."""
        texts = [column for column in frame.iter_columns() if column.dtype == pl.String]
        quoted = [column.set(empty, None) for column in texts if (empty := column == "").any()]
        return frame.with_columns(quoted) if quoted else frame
