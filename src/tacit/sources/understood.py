"""What was understood of a source: its values, and what had to be guessed or is said besides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl


@dataclass(frozen=True, eq=False)
class Reading:
    """A source that was read.

    Attributes
    ----------
    frame
        The values, of plain types.
    remarks
        What had to be guessed and may be guessed wrong, as sentences for the data owner.
    labels
        What a column is called in full, where the source says so.
    orders
        The values of a column in order, where the source says that they have one.
    """

    frame: pl.DataFrame
    remarks: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
