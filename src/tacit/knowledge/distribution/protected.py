"""Which values are protected: each by itself, or several as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import polars as pl
from pydantic import BeforeValidator

from tacit.arrays import FloatGrid, Ints
from tacit.errors import ParameterError, nearest
from tacit.table import as_text


def as_protected(given: Any) -> Any:
    """Take None (every value), or a list of values and of lists of values that count as one."""
    if given is None:
        return None
    entries = tuple(_entry(part) for part in given) if _is_list(given) else (given,)
    if not entries:
        raise ValueError("protected names no value; name at least one, or leave it out to protect every value")
    return entries


def _entry(part: Any) -> Any:
    if not _is_list(part):
        return part
    members = tuple(part) if isinstance(part, Sequence) else tuple(sorted(part, key=str))
    if not members:
        raise ValueError("protected holds an empty list; name at least one value in each list")
    return members[0] if len(members) == 1 else members


def _is_list(given: Any) -> bool:
    return isinstance(given, Sequence | set | frozenset) and not isinstance(given, str | bytes)


ProtectedValues = Annotated[tuple[Any, ...] | None, BeforeValidator(as_protected)]
"""The type of a `protected` parameter."""


@dataclass(frozen=True, eq=False)
class ProtectedEntries:
    """Protected entries over the codes of a sensitive column.

    Attributes
    ----------
    entry_of
        The entry of each value, -1 for one that is not protected.
    names
        What each entry is called.
    """

    entry_of: Ints
    names: tuple[str, ...]

    @classmethod
    def of(
        cls, given: tuple[Any, ...] | None, values: pl.Series, *, elsewhere: Sequence[pl.Series] = ()
    ) -> ProtectedEntries:
        """Find the entries among the values of a column.

        A value that is neither there nor `elsewhere` is an error: a promise about a value that nobody has would hold
        whatever is published.

        Parameters
        ----------
        given
            The protected values; None for every value of the column.
        values
            The values of the column, in the order of their codes.
        elsewhere
            Further values that exist: those of the table, where only a part of it is judged.

        Examples
        --------
        >>> entries = ProtectedEntries.of((("HIV", "gout"), "flu"), pl.Series("ill", ["HIV", "cold", "flu", "gout"]))
        >>> entries.entry_of.tolist(), entries.names
        ([0, -1, 1, 0], ('HIV, gout', 'flu'))
        """
        texts = as_text(values).to_list()
        if given is None:
            return cls(np.arange(len(texts), dtype=np.int64), tuple(str(text) for text in texts))
        require_known(given, values, *elsewhere)
        codes = {text: code for code, text in enumerate(texts)}
        entry_of = np.full(len(texts), -1, dtype=np.int64)
        seen: set[str | None] = set()
        names = []
        for number, words in enumerate(_words(given)):
            for word in words:
                if word in seen:
                    raise ParameterError(f"protected names {word!r} twice.", hint="A value belongs to one entry.")
                seen.add(word)
                if word in codes:
                    entry_of[codes[word]] = number
            names.append(", ".join(map(str, words)))
        return cls(entry_of, tuple(names))

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self.names)

    def sums(self, chances: FloatGrid) -> FloatGrid:
        """Add the columns of each entry's values."""
        out = np.zeros((len(chances), self.count))
        for value in np.flatnonzero(self.entry_of >= 0):
            out[:, self.entry_of[value]] += chances[:, value]
        return np.minimum(out, 1.0)


def unknown_values(given: tuple[Any, ...] | None, *known: pl.Series) -> list[str | None]:
    """Return the protected values that are in none of some columns.

    Examples
    --------
    >>> unknown_values(("hiv", ("flu", "cold")), pl.Series(["HIV", "flu"]), pl.Series(["cold"]))
    ['hiv']
    """
    there = {text for column in known for text in as_text(column)}
    return [word for words in _words(given or ()) for word in words if word not in there]


def require_known(given: tuple[Any, ...] | None, *known: pl.Series) -> None:
    """Raise `ParameterError` for a protected value that is in none of some columns, and name the nearest that is."""
    unknown = unknown_values(given, *known)
    if unknown:
        columns = " or ".join(dict.fromkeys(repr(column.name) for column in known if column.name))
        texts = list(dict.fromkeys(str(text) for column in known for text in as_text(column)))
        raise ParameterError(
            f"protected names {unknown[0]!r}, which is not a value of column {columns}.",
            hint=nearest(str(unknown[0]), texts, what="Values"),
        )


def _words(given: tuple[Any, ...]) -> list[list[str | None]]:
    """Return the values of each entry as text."""
    return [as_text(pl.Series(list(part) if isinstance(part, tuple) else [part])).to_list() for part in given]
