"""Membership: which groups of each marginal a person may be in, from her quasi-identifiers or because it is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.errors import RoleError
from tacit.shapes import Inside, Published, Shape
from tacit.shapes.base import TABLE_FRAME
from tacit.table import as_text, encode


def tables_of(shape: Shape) -> dict[str, Shape]:
    """Return the tables of a release by the name of their frame."""
    return {name or TABLE_FRAME: part for name, part in shape.parts.items()}


def common_values(parts: Mapping[str, Shape], column: str) -> tuple[pl.Series, dict[str, Ints]]:
    """Return the values of a sensitive column over all parts, and what each part's codes are among them."""
    texts = [as_text(part.dictionary(column)) for part in parts.values()]
    encoded = encode(pl.concat([text.alias(column) for text in texts]))
    ends = np.cumsum([len(text) for text in texts])
    pieces = np.split(encoded.codes.astype(np.int64), ends[:-1])
    return encoded.values, dict(zip(parts, pieces, strict=True))


def group_index(name: str, part: Shape, numbers: Any, victims: int) -> Ints:
    """Return the group of every victim in one marginal, from its public number (without numbers: its index)."""
    known = np.asarray(numbers)
    if known.shape != (victims,):
        raise RoleError(
            f"The members of marginal {name!r} are {known.shape[0] if known.ndim else 0:,}, the victims {victims:,}.",
            hint="Give one group number per victim.",
        )
    published = np.arange(part.statistics.count) if part.numbers is None else part.numbers.to_numpy()
    at = np.minimum(np.searchsorted(published, known), len(published) - 1)
    if (published[at] != known).any():
        missing = known[published[at] != known][0]
        raise RoleError(f"Marginal {name!r} has no group {missing}.", hint="Give the published numbers.")
    return np.asarray(at, dtype=np.int64)


def one_sensitive(parts: Mapping[str, Shape]) -> str:
    """Return the sensitive column that all parts publish."""
    shared = [name for name in next(iter(parts.values())).sensitive if all(name in p.sensitive for p in parts.values())]
    if not shared:
        raise RoleError("The marginals share no sensitive column.", hint="Name the sensitive columns of the release.")
    return shared[0]


def known_members(published: Published) -> tuple[pl.DataFrame, dict[str, Ints]]:
    """Return what the data owner can declare for the worst case: everybody published, and her group everywhere."""
    inside = published.inside
    if not isinstance(inside, Inside) or inside.table is None or not isinstance(inside.group, Mapping):
        raise RoleError("Only who made a release knows who is in which group.", hint="Give `victims` and `members`.")
    people = inside.table.frame.select(inside.table.quasi_identifiers).filter(pl.Series(inside.kept))
    return people, {name: numbers[inside.kept] for name, numbers in inside.group.items()}
