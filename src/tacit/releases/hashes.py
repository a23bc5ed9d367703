"""Hashes of people as a frame, so that people can be joined by them."""

from __future__ import annotations

import polars as pl

from tacit.arrays import WordGrid


def hash_frame(hashes: WordGrid) -> pl.DataFrame:
    """Return the two words of every hash as columns."""
    return pl.DataFrame({"low": hashes[:, 0], "high": hashes[:, 1]}, schema={"low": pl.UInt64, "high": pl.UInt64})
