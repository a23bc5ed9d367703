"""Naming: whether the cells of a column name people, reach them, or tell of them in free words.

It is a guess from the name of the column and from some of its cells. It decides nothing about a promise: it stops such
a column from leaving before somebody has said that it may.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import polars as pl

from tacit.errors import RoleError

NAMES = r"name$|^surname|address|street"
"""Words in the name of a column that holds names of people or of where they live."""
KEYS = r"^(id|uid|uuid|guid|pid|ssn|nhs|mrn)$|_id$|^id_|e-?mail|phone|mobile|passport|licen[cs]e|iban|account"
"""Words in the name of a column that holds keys of people."""
_MAIL = r"^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$"
_TELEPHONE = r"^(?:\+|0|\()[0-9 ()/.-]{6,}[0-9]$"
_FULL_NAME = r"^\p{Lu}[\p{L}'-]+(?: \p{Lu}\.?| \p{Lu}[\p{L}'-]+)* \p{Lu}[\p{L}'-]+$"
_SAMPLE = 1_000
"""Cells that are looked at first, spread over the column. More find rarer patterns and take longer. Chosen by hand."""
_WORDS = 5
"""Words of a cell, on average, from which cells are free text. Fewer take long labels for it. Chosen by hand."""
_LONG = 7
"""Letters of a cell, on average, from which texts that never repeat are keys. Shorter ones are postcodes and the like.
Chosen by hand."""
_FEW = 3  # rows below which nothing is guessed
_MANY = 20  # rows below which it says nothing that every row has a value of its own


def naming(column: pl.Series) -> str | None:
    """Say what the cells look like: names, keys, mail addresses, telephone numbers or free text; None for neither.

    Examples
    --------
    >>> naming(pl.Series("contact", ["ann@example.org", "bea@example.org", "cid@example.org"]))
    'mail addresses'
    >>> naming(pl.Series("sex", ["F", "M", "F"])) is None
    True
    """
    if not (column.dtype == pl.String or column.dtype.is_integer()) or len(column) < _FEW:
        return None
    known = column.gather_every(max(1, len(column) // _SAMPLE)).drop_nulls()
    if not len(known) or 2 * known.n_unique() <= len(known):
        return None  # what stands in several rows of a sample names nobody in particular
    name = column.name.lower()
    if re.search(NAMES, name) or re.search(KEYS, name):
        return ("names" if re.search(NAMES, name) else "keys") if _mostly_distinct(column) else None
    if column.dtype != pl.String:
        return None
    for pattern, what in ((_MAIL, "mail addresses"), (_TELEPHONE, "telephone numbers"), (_FULL_NAME, "names")):
        if 5 * int(known.str.strip_chars().str.contains(pattern).sum()) > 4 * len(known):
            return what
    if int(known.str.count_matches(r"\S+").sum()) >= _WORDS * len(known) and _mostly_distinct(column):
        return "free text"
    long = int(known.str.len_chars().sum()) >= _LONG * len(known)
    if long and len(column) >= _MANY and known.n_unique() == len(known) and column.n_unique() == len(column):
        return "keys"
    return None


def _mostly_distinct(column: pl.Series) -> bool:
    known = column.drop_nulls()
    return 2 * known.n_unique() > len(known)


def allowed(columns: Iterable[tuple[pl.Series, str]], allow: Iterable[str]) -> dict[str, str]:
    """Return what those columns look like that look like names and may leave; refuse the others.

    `columns` are those that would be published, each with why.
    """
    named: dict[str, str] = {}
    for column, why in columns:
        what = naming(column)
        if what is None:
            continue
        if column.name not in allow:
            raise RoleError(
                f"Column {column.name!r} looks like {what}, and would be published {why}.",
                hint=f"Leave it out, or say that it may leave: allow = [{column.name!r}], in a recipe under [roles].",
            )
        named[column.name] = what
    return named
