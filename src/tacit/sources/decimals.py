"""Numbers as different countries write them: 1.234,5 and 1,234.5 and 1 234,5 and 1'234.5.

What the sign before the last digits means is a property of a file, not of a cell: `1,234` alone may be either. It is
taken from the cells that can be read in one way only, or said by whoever reads the file.
"""

from __future__ import annotations

from collections.abc import Collection

import polars as pl
from polars import selectors

from tacit.errors import ParameterError

_SPACES = "[ \u00a0\u2009\u202f'\u2019]"  # between thousands: a space of some width, or an apostrophe
_GROUPED = rf"[0-9]{{1,3}}(?:{_SPACES}[0-9]{{3}})+"
_COMMA = rf"^[-+]?(?:(?:[0-9]{{1,3}}(?:\.[0-9]{{3}})+|{_GROUPED}|[0-9]+)(?:,[0-9]+)?|,[0-9]+)$"
_POINT = rf"^[-+]?(?:(?:[0-9]{{1,3}}(?:,[0-9]{{3}})+|{_GROUPED}|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)$"
# Cells that only one of the two can have written.
_SURELY_COMMA = (
    r"^[-+]?(?:0?,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|[0-9]{4,},[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+"
    rf"|[0-9]{{1,3}}(?:\.[0-9]{{3}}){{2,}}|{_GROUPED},[0-9]+)$"
)
_SURELY_POINT = (
    r"^[-+]?(?:0?\.[0-9]+|[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})|[0-9]{4,}\.[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+"
    rf"|[0-9]{{1,3}}(?:,[0-9]{{3}}){{2,}}|{_GROUPED}\.[0-9]+)$"
)


def check_decimal(decimal: str) -> str:
    """Return the sign, or say which there are."""
    if decimal not in {",", "."}:
        raise ParameterError(f"decimal is {decimal!r}.", hint='It must be "," (1.234,5) or "." (1,234.5).')
    return decimal


def guess_decimal(frame: pl.DataFrame, separator: str, text: Collection[str] = ()) -> str | None:
    """Find out how a file of text writes decimals; None where nothing has to be done, or nothing can be told.

    A comma counts only where it does not separate fields: in quotes it may as well stand between two codes.

    Examples
    --------
    >>> guess_decimal(pl.DataFrame({"bmi": ["23,4", "1.022,7"]}), ";")
    ','
    >>> guess_decimal(pl.DataFrame({"pay": ["1,234.50", "99.00"]}), ",")
    '.'
    >>> guess_decimal(pl.DataFrame({"pay": ["1,234", "2,500"]}), ";"), guess_decimal(pl.DataFrame({"n": ["1.5"]}), ",")
    (None, None)
    """
    commas = points = grouped = False
    for column in _with_signs(frame).iter_columns():
        if column.name in text:
            continue
        values = column.drop_nulls().str.strip_chars()
        values = values.filter(values != "")
        if values.is_empty():
            continue
        if values.str.contains(_COMMA).all():
            commas |= separator != "," and bool(values.str.contains(_SURELY_COMMA).any())
        if values.str.contains(_POINT).all():
            points |= bool(values.str.contains(_SURELY_POINT).any())
            grouped |= bool(values.str.contains(r"[0-9][,'\u2019\u00a0\u2009\u202f ][0-9]").any()) and bool(
                values.str.contains(_SURELY_POINT).any()
            )
    if commas and not points:
        return ","
    return "." if grouped and not commas else None


def _with_signs(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of text with a comma or point beside a digit, found in one pass over all columns."""
    texts = frame.select(selectors.string())
    signs = texts.select(pl.all().str.contains(r"[0-9][,.]|[,.][0-9]").any())
    return texts.select([name for name, there in signs.row(0, named=True).items() if there] if signs.height else [])


def canonical(frame: pl.DataFrame, decimal: str, text: Collection[str] = ()) -> pl.DataFrame:
    """Write the numbers of columns of text in the one way that is read as numbers: 1234.5.

    A column with a value that is no number stays as it is.

    Examples
    --------
    >>> canonical(pl.DataFrame({"bmi": ["23,4", "1.022,7", None], "note": ["a,b", "1", "2"]}), ",").to_dicts()[1]
    {'bmi': '1022.7', 'note': '1'}
    """
    pattern, thousands = (_COMMA, r"[.]") if decimal == "," else (_POINT, r"[,]")
    changed = []
    for column in frame.iter_columns():
        if column.dtype != pl.String or column.name in text:
            continue
        bare = column.str.strip_chars()
        given = bare.drop_nulls()
        given = given.filter(given != "")
        if given.is_empty() or not given.str.contains(pattern).all() or given.str.contains(r"^[-+]?0[0-9]").any():
            continue  # no number, or a code with a leading zero
        plain = bare.str.replace_all(thousands, "").str.replace_all(_SPACES, "").str.replace(",", ".", literal=True)
        changed.append(plain.str.strip_prefix("+").alias(column.name))
    return frame.with_columns(changed) if changed else frame
