"""What a ledger noted of people, in the order in which it was noted: hashes, and the signature of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from tacit.arrays import Ints, WordGrid
from tacit.releases.hashes import hash_frame


@dataclass(frozen=True, eq=False)
class NotedPeople:
    """Hashes of people and a number for each; somebody may be noted several times, and the last one counts.

    Examples
    --------
    >>> noted = NotedPeople.of(np.array([[1, 1], [2, 2], [1, 1]], np.uint64), np.array([5, 6, 7]))
    >>> noted.recall(np.array([[1, 1], [3, 3]], np.uint64), unknown=-1).tolist(), noted.last.signature.tolist()
    ([7, -1], [6, 7])
    """

    hashes: WordGrid
    signature: np.ndarray[tuple[int], np.dtype[np.int32]]

    @classmethod
    def of(cls, hashes: WordGrid, signature: Ints) -> NotedPeople:
        """Note the signature of everybody whose hash is given."""
        return cls(hashes, signature.astype(np.int32))

    @classmethod
    def stacked(cls, parts: Sequence[NotedPeople]) -> NotedPeople:
        """Put what was noted later after what was noted before."""
        return cls(
            np.concatenate([np.zeros((0, 2), np.uint64), *(part.hashes for part in parts)]),
            np.concatenate([np.zeros(0, np.int32), *(part.signature for part in parts)]),
        )

    def __len__(self) -> int:
        return len(self.signature)

    @cached_property
    def last(self) -> NotedPeople:
        """Everybody once, with the last that was noted of her."""
        everybody = hash_frame(self.hashes).with_columns(signature=pl.Series(self.signature, dtype=pl.Int32))
        everybody = everybody.unique(["low", "high"], keep="last", maintain_order=True)
        return NotedPeople(everybody.select("low", "high").to_numpy(), everybody["signature"].to_numpy())

    def recall(self, asked: WordGrid, *, unknown: int) -> Ints:
        """Return what was noted last of each person, `unknown` of whom nothing was.

        The time grows by little with the people who are noted and not asked about.
        """
        from tacit.kernels.recognition import noted_last

        hashes = np.ascontiguousarray(self.hashes, dtype=np.uint64)
        mine = np.ascontiguousarray(asked, dtype=np.uint64)
        return np.asarray(noted_last(mine, hashes, self.signature.astype(np.int32, copy=False), unknown))
