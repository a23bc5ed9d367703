"""Which values are protected: each by itself, or several as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import polars as pl
from pydantic import BeforeValidator

from tacit.arrays import Ints
from tacit.errors import ParameterError, nearest
from tacit.table import as_text


def as_protected(given: Any) -> Any:
    """Take None (every value), or a list of values and of lists of values that count as one."""
    if given is None:
        return None
    if isinstance(given, str | bytes) or not isinstance(given, Sequence | set | frozenset):
        given = [given]
    return tuple(_entry(part) for part in given)


def _entry(part: Any) -> Any:
    if isinstance(part, str | bytes) or not isinstance(part, Sequence | set | frozenset):
        return part
    members = tuple(part) if isinstance(part, Sequence) else tuple(sorted(part, key=str))
    return members[0] if len(members) == 1 else members


ProtectedValues = Annotated[tuple[Any, ...] | None, BeforeValidator(as_protected)]
"""The type of a `protected` parameter."""


@dataclass(frozen=True, eq=False)
class Protected:
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
    def of(cls, given: tuple[Any, ...] | None, values: pl.Series, *, strict: bool = True) -> Protected:
        """Find the entries among the values of a column; with `strict` a value that is not there is an error.

        Examples
        --------
        >>> found = Protected.of((("HIV", "gout"), "flu"), pl.Series("ill", ["HIV", "cold", "flu", "gout"]))
        >>> found.entry_of.tolist(), found.names
        ([0, -1, 1, 0], ('HIV, gout', 'flu'))
        """
        texts = as_text(values).to_list()
        if given is None:
            return cls(np.arange(len(texts), dtype=np.int64), tuple(str(text) for text in texts))
        codes = {text: code for code, text in enumerate(texts)}
        entry_of = np.full(len(texts), -1, dtype=np.int64)
        names = []
        for number, part in enumerate(given):
            members = part if isinstance(part, tuple) else (part,)
            words = as_text(pl.Series(list(members))).to_list() if members else []
            if not words:
                raise ParameterError("protected holds an empty list.", hint="Name at least one value.")
            for word in words:
                if word not in codes:
                    if strict:
                        known = [str(text) for text in texts]
                        raise ParameterError(
                            f"protected names {word!r}, which is not a value of column {values.name!r}.",
                            hint=nearest(str(word), known, what="Values"),
                        )
                    continue
                if entry_of[codes[word]] >= 0:
                    raise ParameterError(f"protected names {word!r} twice.", hint="A value belongs to one entry.")
                entry_of[codes[word]] = number
            names.append(", ".join(map(str, words)))
        return cls(entry_of, tuple(names))

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self.names)

    def sums(self, chances: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Add the columns of each entry's values."""
        out = np.zeros((len(chances), self.count))
        for value in np.flatnonzero(self.entry_of >= 0):
            out[:, self.entry_of[value]] += chances[:, value]
        return np.minimum(out, 1.0)
