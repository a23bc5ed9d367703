"""Formulas: cells of a csv that a spreadsheet would run, made harmless with an apostrophe, and read back.

A spreadsheet looks behind blanks, control characters and quotes, and takes full-width signs for plain ones. Where its
separator is not the comma but the semicolon (much of Europe), the bar or the tab, it also starts a new cell inside what
a csv means as one, and a new row at every line end, quoted or not; there the apostrophe comes behind the separator.
"""

from __future__ import annotations

import polars as pl

_SIGN = r"[=+\-@＝＋－＠]"
_FIRST = rf"^['\"]*(?:[\t\r\n]|[\s\p{{Cc}}\p{{Cf}}]*{_SIGN})"
_INNER = rf"(['\"]*[\s\p{{Cc}}\p{{Cf}}--[\t\r\n]]*{_SIGN})"
_NUMBER = r"^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$"


def harmless(texts: pl.Series) -> pl.Series:
    """Put an apostrophe before what a spreadsheet would run as a formula; plain numbers stay.

    Examples
    --------
    >>> harmless(pl.Series(["=1+1", "-5", "@x", "flu", "'=1", "flu;=1+1"])).to_list()
    ["'=1+1", '-5', "'@x", 'flu', "''=1", "flu;'=1+1"]
    """
    texts = texts.alias("text")  # Polars would read the name of a column as a pattern
    distinct = texts.unique()  # published cells repeat, and most columns hold nothing to guard
    guarded = _guarded(distinct)
    risky = (guarded != distinct).fill_null(False)
    return texts.replace(distinct.filter(risky), guarded.filter(risky)) if risky.any() else texts


def _guarded(texts: pl.Series) -> pl.Series:
    inner = texts.str.replace_all(rf"([;|\t\r\n]){_INNER}", "${1}'${2}")
    first = inner.str.contains(_FIRST) & ~inner.str.contains(_NUMBER)
    return pl.select(pl.when(first).then("'" + inner).otherwise(inner)).to_series()


def original(texts: pl.Series) -> pl.Series:
    """Take the apostrophes away again.

    Examples
    --------
    >>> original(harmless(pl.Series(["=1+1", "'=1", "flu;=1+1"]))).to_list()
    ['=1+1', "'=1", 'flu;=1+1']
    """
    texts = texts.alias("text")
    guarded = texts.str.starts_with("'") & texts.str.contains(_FIRST)
    inner = pl.select(pl.when(guarded).then(texts.str.slice(1)).otherwise(texts)).to_series()
    return inner.str.replace_all(rf"([;|\t\r\n])'{_INNER}", "${1}${2}")
