"""Keyed hashes: random choices that come out the same whenever and wherever they are computed.

A worker may do its work twice, because another one died or was slow. So nothing is drawn there: a secret key is drawn
once, and what looks random is a keyed hash (SipHash) of a row's number, which is written down. Whoever lacks the key
can neither compute it nor guess from one value at another.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import numpy as np
import polars as pl
import pyarrow as pa

from tacit.arrays import Ints
from tacit.engines.base import Places

Numbers = np.ndarray[tuple[int], np.dtype[np.uint64]]
_ROUNDS = 6
"""Rounds of the Feistel network. Four make a permutation that looks random if the hash does; two more cost little."""


def secret_key(seed: int | None = None, purpose: str = "") -> bytes:
    """Draw a key of 16 bytes from the operating system; from a seed, for tests, the same one for the same purpose.

    Examples
    --------
    >>> len(secret_key()), secret_key(1, "rows") == secret_key(1, "rows"), secret_key(1, "a") == secret_key(1, "b")
    (16, True, False)
    """
    if seed is None:
        return secrets.token_bytes(16)
    import hashlib

    return hashlib.blake2b(f"{seed} {purpose}".encode(), digest_size=16).digest()


def keyed_hash(key: bytes, numbers: Ints) -> Numbers:
    """Return 64 bits for each number.

    Examples
    --------
    >>> hashes = keyed_hash(bytes(16), np.arange(3))
    >>> hashes.dtype.name, len(set(hashes.tolist()))
    ('uint64', 3)
    """
    from tacit.kernels.siphash import siphash

    words = np.ascontiguousarray(numbers, dtype="<i8")
    offsets = np.arange(len(words) + 1, dtype=np.int64) * 8
    data = words.view(np.uint8)
    data.flags.writeable = offsets.flags.writeable = False  # as a ledger calls it: one machine code does for both
    digests = siphash(data, offsets, np.frombuffer(key, dtype="<u8"))
    return np.ascontiguousarray(digests[:, 0])


def hashed_texts(key: bytes, texts: pl.Series) -> Numbers:
    """Return 64 bits for each text; none may be missing.

    Examples
    --------
    >>> hashes = hashed_texts(bytes(16), pl.Series(["a", "b", "a"]))
    >>> bool(hashes[0] == hashes[2]), bool(hashes[0] == hashes[1])
    (True, False)
    """
    return hashed_widely(key, texts)[0]


def hashed_widely(key: bytes, texts: pl.Series) -> tuple[Numbers, Numbers]:
    """Return 128 bits for each text, in two halves; that two texts share them is too unlikely to plan for.

    Examples
    --------
    >>> one, two = hashed_widely(bytes(16), pl.Series(["a", "b", "a"]))
    >>> one[0] == one[2], two[0] == two[2], one[0] == two[0]
    (np.True_, np.True_, np.False_)
    """
    from tacit.kernels.siphash import siphash

    written = texts.cast(pl.String).to_arrow(compat_level=pl.CompatLevel.oldest())
    _, ends, content = written.buffers()
    offsets = np.frombuffer(ends, dtype=np.int64)[written.offset : written.offset + len(written) + 1].copy()
    data = np.frombuffer(content or b"", dtype=np.uint8)
    offsets.flags.writeable = False
    digests = siphash(data, offsets, np.frombuffer(key, dtype="<u8"))
    return np.ascontiguousarray(digests[:, 0]), np.ascontiguousarray(digests[:, 1])


@dataclass(frozen=True)
class HashRoute:
    """Routes rows by a keyed hash of a column of whole numbers: each fragment gets about as many, chosen at random."""

    key: bytes
    count: int
    column: str = "row"

    def __call__(self, batch: pa.Table, /) -> Places:
        """Return the fragment of each row."""
        numbers = batch.column(self.column).to_numpy(zero_copy_only=False)
        return (keyed_hash(self.key, numbers) % np.uint64(self.count)).astype(np.int32)


@dataclass(frozen=True)
class Renumbering:
    """A secret permutation of 0 to count - 1 that every worker can compute by itself (a Feistel network).

    Groups of different fragments get numbers that tell neither their fragment nor their order.

    Examples
    --------
    >>> numbers = Renumbering(bytes(16), 10)(np.arange(10))
    >>> sorted(numbers.tolist()) == list(range(10)), Renumbering(bytes(16), 10).undone(numbers).tolist()
    (True, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """

    key: bytes
    count: int

    def __call__(self, numbers: Ints) -> Ints:
        """Return the new number of each."""
        return self._walk(numbers, range(_ROUNDS))

    def undone(self, numbers: Ints) -> Ints:
        """Return the number that each was before."""
        return self._walk(numbers, range(_ROUNDS - 1, -1, -1))

    def _walk(self, numbers: Ints, rounds: range) -> Ints:
        """Permute a square that is a little larger, again and again until every number is inside."""
        out = self._permute(np.asarray(numbers, dtype=np.int64), rounds)
        while (outside := np.flatnonzero(out >= self.count)).size:
            out[outside] = self._permute(out[outside], rounds)
        return out

    def _permute(self, numbers: Ints, rounds: range) -> Ints:
        half = max(1, (max(1, self.count - 1).bit_length() + 1) // 2)
        mask = np.int64((1 << half) - 1)
        left, right = numbers >> half, numbers & mask
        forward = rounds.step == 1
        for turn in rounds:
            known = right if forward else left
            mixed = (keyed_hash(self.key, known | np.int64(turn) << 40) & np.uint64(mask)).astype(np.int64)
            left, right = (right, left ^ mixed) if forward else (right ^ mixed, left)
        return (left << half) | right
