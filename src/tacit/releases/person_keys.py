"""Keys of people as they are compared: one person must not become two because her key was written in another way.

A ledger knows people by hashes, so it cannot see that two keys are nearly alike. A key that was read as a number in one
month and as text in the next, or that got a space at its end, would make a stranger of somebody who was published
before, and she would be given a second signature.
"""

from __future__ import annotations

import polars as pl

from tacit.errors import RoleError

_WHOLE = r"^([+-]?[0-9]+)\.0+$"
"""A whole number written with a decimal point, as columns of floats write it."""


def compared(keys: pl.Series) -> pl.Series:
    """Return keys without spaces around them, composed letters as one character, whole numbers without a point.

    Capital letters and leading zeros are kept: they tell people apart in many registers.

    Examples
    --------
    >>> compared(pl.Series(["7", " 7", "7.0", "e\u0301", "007", "P"])).to_list()
    ['7', '7', '7', 'é', '007', 'P']
    """
    texts = keys.cast(pl.String)
    if keys.dtype.is_integer():
        return texts
    if (texts.str.len_bytes() != texts.str.len_chars()).any():
        texts = texts.str.normalize("NFC")
    return texts.str.strip_chars().str.replace(_WHOLE, "${1}")


def refuse_alike(keys: pl.Series, asked: pl.Series) -> None:
    """Refuse keys that are empty but for spaces, and different keys that are compared as equal ones.

    Raises
    ------
    RoleError
        Naming the column, and two such keys.
    """
    name = keys.name
    if (asked == "").any():
        raise RoleError(
            f"The person column {name!r} holds nothing but spaces in {int((asked == '').sum()):,} rows.",
            hint="Say of every row whose it is, or leave these rows out.",
        )
    twice = asked.is_duplicated()
    if twice.any():
        one = asked.filter(twice)[0]
        first, second = keys.cast(pl.String).filter(asked == one).to_list()[:2]
        raise RoleError(
            f"The person column {name!r} has keys that differ only in how they are written: {first!r} and {second!r}.",
            hint="Write the key of a person in one way, and give different people keys that differ in more than "
            "spaces, a decimal point or the form of an accent.",
        )
