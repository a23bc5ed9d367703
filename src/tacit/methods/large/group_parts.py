"""Parts of whole groups: in which of the written files a group is, by a keyed hash of what everybody reads of it.

Rows of a group are in one part, so that a part can be judged by itself. Which part that is follows from the cells or
the number of the group and a secret key: it tells nothing that the group does not show. Whoever judges computes it
again from what was written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.engines.keyed import Numbers, hashed_texts, keyed_hash
from tacit.shapes import quote
from tacit.shapes.cells import printed
from tacit.table import Layout, encode


@dataclass(frozen=True, eq=False)
class GroupParts:
    """Says in which part a group is.

    Attributes
    ----------
    layout
        What the codes mean.
    key
        The secret key of the step.
    parts
        How many parts there are.
    """

    layout: Layout
    key: bytes
    parts: int

    def of_numbers(self, fragment: int, numbers: Ints) -> Numbers:
        """Hash groups that have a number in their fragment."""
        return keyed_hash(self._own("number"), numbers | (np.int64(fragment) << 40))

    def of_coded_rows(self, frame: pl.DataFrame, names: tuple[str, ...]) -> Numbers:
        """Hash the rows of a fragment by their cells: blurred ones as texts, others as codes of the layout."""
        hashes = np.zeros(frame.height, dtype=np.uint64)
        for name in names:
            column = frame[name]
            if isinstance(column.dtype, pl.Enum):
                mine, codes = self._hashed(name, column.dtype.categories), column.to_physical()
            elif column.dtype == pl.String:
                encoded = encode(column)
                mine, codes = self._hashed(name, encoded.values), pl.Series(encoded.codes)
            else:
                mine, codes = self._hashed(name, self._texts(name)), column
            last = len(mine) - 1  # of a missing cell
            places = codes.fill_null(last) if codes.null_count() else codes
            hashes += mine[places.to_numpy()]
        return hashes

    def of_cells(
        self, labels: Mapping[str, pl.Series], codes: np.ndarray[Any, Any], blurred: Mapping[str, bool]
    ) -> Numbers:
        """Hash groups by the cells that were written: the distinct cells of each column, and those of each group."""
        hashes = np.zeros(len(codes), dtype=np.uint64)
        for j, (name, values) in enumerate(labels.items()):
            texts = values if blurred[name] else self._texts(name).gather(self.layout.coded_values(name, values))
            mine = self._hashed(name, texts)
            hashes += mine[codes[:, j]]
        return hashes

    def part(self, hashes: Numbers) -> Ints:
        """Return the part of each group or row that was hashed."""
        return (hashes % np.uint64(self.parts)).astype(np.int64)

    def _texts(self, name: str) -> pl.Series:
        return quote(printed(self.layout.codes[name].values))

    def _hashed(self, name: str, texts: pl.Series) -> Numbers:
        """Hash texts, and last a missing one; a missing one among them has no hash of its own."""
        mine = hashed_texts(self._own(f"cell {name}"), texts.fill_null(""))
        hashes = np.append(mine, keyed_hash(self._own(f"missing {name}"), np.zeros(1, dtype=np.int64)))
        missing = np.flatnonzero(texts.is_null().to_numpy())
        hashes[missing] = hashes[-1]
        return hashes

    def _own(self, purpose: str) -> bytes:
        return hashlib.blake2b(purpose.encode(), key=self.key, digest_size=16).digest()
