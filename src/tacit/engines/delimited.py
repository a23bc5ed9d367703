"""Text larger than memory: read once, in batches, into files of Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from tacit import sources
from tacit.engines.parts import Parts
from tacit.engines.scratch import Scratch, full
from tacit.errors import SourceError
from tacit.sources.delimited import check_records

_LINES = 50_000
"""Lines by which separator and types are guessed, as for a file that fits in memory. Chosen by hand."""


def read_text(
    files: Sequence[Path],
    scratch: Scratch,
    *,
    nulls: Sequence[str],
    separator: str | None,
    encoding: str | None,
    decimal: str | None = None,
    text: Sequence[str] = (),
) -> Parts:
    """Read csv files into the private folder; their types are those of their first lines.

    Parameters
    ----------
    files
        The files, each with a header of the same columns.
    scratch
        The private folder.
    nulls, separator, encoding
        How they are read; guessed where not given.
    decimal
        The sign before decimals, "," or "."; the other one may stand between thousands.
    text
        Columns that stay text, whatever they look like.
    """
    if encoding is not None and encoding.lower().replace("_", "-") not in {"utf-8", "utf8", "ascii"}:
        raise SourceError(
            f"A text of encoding {encoding!r} is not read in batches.", hint="Write it as UTF-8 or as Parquet first."
        )
    start = scratch.new("head.csv")
    try:
        with files[0].open("rb") as whole, start.open("wb") as head:
            head.writelines(islice(whole, _LINES))
        frame = sources.read_source(
            str(start), nulls=tuple(nulls), separator=separator, decimal=decimal, text=list(text)
        ).frame
        numbers = [] if decimal is None else [name for name, kind in frame.schema.items() if kind.is_numeric()]
        types = {**dict(frame.schema), **dict.fromkeys(numbers, pl.String())}
        sign = separator or _separator(start)
        made = []
        for path in files:
            target = scratch.new(f"{path.stem}.parquet")
            lazy = pl.scan_csv(
                path,
                separator=sign,
                null_values=[text for text in nulls if text] or None,
                schema_overrides=types,
                infer_schema=False,
                empty_string_is_null="" in nulls,
            )
            lazy = lazy.with_columns(_number(name, frame.schema[name], str(decimal)) for name in numbers)
            lazy.select(frame.columns).sink_parquet(target, compression="uncompressed", statistics=False)
            target.chmod(0o600)
            check_records(path, sign, pq.read_metadata(target).num_rows)
            made.append(target)
    except FileNotFoundError as error:
        raise SourceError(f"{Path(error.filename or files[0]).name} has vanished while the table was read.") from None
    except OSError as error:
        raise full(error, scratch.folder) from None
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0][:160]
        raise SourceError(
            f"{files[0].name} cannot be read in batches: {reason}.",
            hint="A later line is not like the first ones; correct it, or write the table as Parquet.",
        ) from None
    return Parts.of(made)


def _number(name: str, kind: pl.DataType, decimal: str) -> pl.Expr:
    """Read numbers that are written with a sign of their own before decimals, and perhaps another between thousands."""
    between = r"[.'\u{2019}\s]" if decimal == "," else r"[,'\u{2019}\s]"
    bare = pl.col(name).str.strip_chars().str.replace_all(between, "").str.replace(",", ".", literal=True)
    return pl.when(bare == "").then(None).otherwise(bare).str.strip_prefix("+").cast(kind).alias(name)


def _separator(path: Path) -> str:
    """Guess the separator by the first line."""
    with path.open("r", encoding="utf-8", errors="replace") as file:
        line = file.readline()
    return max(",;\t|", key=line.count)
