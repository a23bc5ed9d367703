"""Thresholds: choosing exactly so many rows of a class at random, without sorting the table.

Rows are ranked by a keyed hash of their numbers. How many hashes lie in each of some intervals is counted; then the
rows of the intervals in which a quota is reached are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tacit.engines.base import COUNT, ROW, Engine, Rows
from tacit.engines.keyed import keyed_hash

_MANY = 1_000
"""Classes from which on fewer intervals are counted, so that the counters stay small. Chosen by hand."""


@dataclass(frozen=True)
class Below:
    """Keeps the rows whose keyed hash is at most the limit of their code; codes without a limit are all kept."""

    column: str
    limits: Mapping[int, int]
    key: bytes

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return the rows that are kept."""
        codes = batch.column(self.column).to_numpy()
        hashes = keyed_hash(self.key, batch.column(ROW).to_numpy())
        kept = np.ones(len(codes), dtype=bool)
        for code, limit in self.limits.items():
            kept &= (codes != code) | (hashes <= np.uint64(limit) if limit >= 0 else False)
        return batch.filter(pa.array(kept))


@dataclass(frozen=True, eq=False)
class Hashed:
    """Returns of each row with a quota the place of its class and the interval of its hash."""

    column: str
    at: Mapping[int, int]
    key: bytes
    bits: int

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return places and intervals."""
        place, hashes = self.hashed(batch)
        interval = (hashes >> np.uint64(64 - self.bits)).astype(np.int32)
        return pa.Table.from_arrays([pa.array(place.astype(np.int32)), pa.array(interval)], schema=_INTERVALS)

    def hashed(self, batch: pa.Table) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return the places of classes with a quota, and the hashes of their rows."""
        codes = batch.column(self.column).to_numpy()
        place = np.full(max([*self.at, int(codes.max(initial=0))]) + 1, -1, dtype=np.int64)
        place[list(self.at)] = list(self.at.values())
        mine = place[codes] >= 0
        return place[codes[mine]], keyed_hash(self.key, batch.column(ROW).to_numpy()[mine])


@dataclass(frozen=True, eq=False)
class Near(Hashed):
    """Returns the hashes of the rows in the intervals that decide: `wanted[place, interval]`."""

    wanted: np.ndarray[Any, Any]

    def __call__(self, batch: pa.Table) -> pa.Table:
        """Return places and hashes."""
        place, hashes = self.hashed(batch)
        inside = self.wanted[place, (hashes >> np.uint64(64 - self.bits)).astype(np.int64)]
        codes, bits = pa.array(place[inside].astype(np.int32)), pa.array(hashes[inside].view(np.int64))
        return pa.Table.from_arrays([codes, bits], schema=_NEAR)


_INTERVALS = pa.schema([pa.field("code", pa.int32()), pa.field("interval", pa.int32())])
_NEAR = pa.schema([pa.field("code", pa.int32()), pa.field("hash", pa.int64())])


def limits_of(
    engine: Engine, rows: Rows, column: str, quotas: Mapping[int, Sequence[int]], key: bytes
) -> dict[int, list[int]]:
    """Return, per class, the largest hash of its first so many rows, for each of some numbers; -1 for none.

    Parameters
    ----------
    engine, rows
        Where the rows are; they have a number each.
    column
        The class of each row.
    quotas
        Per class, how many rows are asked for, in ascending order.
    key
        The secret key of the ranking.
    """
    at = {code: i for i, code in enumerate(quotas)}
    if not at:
        return {}
    bits = 12 if len(at) <= _MANY else 8
    counted = engine.count(engine.map(rows, Hashed(column, at, key, bits), _INTERVALS), _INTERVALS.names)
    table = np.zeros((len(at), 1 << bits), dtype=np.int64)
    table[counted["code"].to_numpy(), counted["interval"].to_numpy()] = counted[COUNT].to_numpy()
    reached = np.cumsum(table, axis=1)
    wanted = np.zeros(table.shape, dtype=bool)
    found: dict[int, list[int]] = {}
    for code, i in at.items():
        found[code] = [int(np.searchsorted(reached[i], many, side="left")) for many in quotas[code]]
        for interval, many in zip(found[code], quotas[code], strict=True):
            if many and interval < 1 << bits:
                wanted[i, interval] = True
    near = engine.collect(engine.map(rows, Near(column, at, key, bits, wanted), _NEAR))
    codes, hashes = near["code"].to_numpy(), near["hash"].to_numpy().view(np.uint64)
    order = np.lexsort((hashes, codes))
    codes, hashes = codes[order], hashes[order]
    intervals = (hashes >> np.uint64(64 - bits)).astype(np.int64)
    limits: dict[int, list[int]] = {}
    for code, i in at.items():
        mine = slice(*np.searchsorted(codes, [i, i + 1]).tolist())
        limits[code] = []
        for interval, many in zip(found[code], quotas[code], strict=True):
            if not many:
                limits[code].append(-1)
            elif interval == 1 << bits:  # there are fewer rows than asked for: all of them
                limits[code].append(2**64 - 1)
            else:
                inside = hashes[mine][intervals[mine] == interval]
                limits[code].append(int(inside[many - int(reached[i, interval] - table[i, interval]) - 1]))
    return limits
