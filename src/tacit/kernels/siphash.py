"""SipHash-2-4 with 128 bits: a keyed hash of texts. Whoever lacks the key can neither compute it nor try texts out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiling import compiled

__all__ = ["siphash"]

Words = NDArray[np.uint64]

# "somepseudorandomlygeneratedbytes" in ASCII: the initial state of the published algorithm.
_START = np.array([0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573], dtype=np.uint64)
_WIDE = np.uint64(0xEE)  # marks the variant of 128 bits, in the state and in the first finalization
_SECOND = np.uint64(0xDD)  # the second half has a finalization of its own


@compiled
def _rotated(word: np.uint64, bits: int) -> np.uint64:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@compiled
def _mix(state: Words, rounds: int) -> None:
    """Apply the SipRound so many times."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    for _ in range(rounds):
        a, c = a + b, c + d
        b, d = _rotated(b, 13) ^ a, _rotated(d, 16) ^ c
        a = _rotated(a, 32)
        c, a = c + b, a + d
        b, d = _rotated(b, 17) ^ c, _rotated(d, 21) ^ a
        c = _rotated(c, 32)
    state[0], state[1], state[2], state[3] = a, b, c, d


@compiled
def _word(data: NDArray[np.uint8], begin: int, end: int) -> np.uint64:
    """Read up to eight bytes, the first one lowest."""
    word = np.uint64(0)
    for i in range(begin, end):
        word |= np.uint64(data[i]) << np.uint64(8 * (i - begin))
    return word


@compiled
def siphash(data: NDArray[np.uint8], offsets: NDArray[np.int64], key: Words) -> NDArray[np.uint64]:
    """Hash the texts `data[offsets[i]:offsets[i + 1]]` with a key of two words; return two words a text.

    Examples
    --------
    >>> key = np.frombuffer(bytes(range(16)), dtype="<u8")
    >>> siphash(np.zeros(0, np.uint8), np.array([0, 0]), key).tobytes().hex()  # the first of the published vectors
    'a3817f04ba25a8e66df67214c7550293'
    """
    n = len(offsets) - 1
    digests = np.empty((n, 2), np.uint64)
    state = np.empty(4, np.uint64)
    for i in range(n):
        for j in range(4):
            state[j] = _START[j] ^ key[j % 2]
        state[1] ^= _WIDE
        at, end = offsets[i], offsets[i + 1]
        length = end - at
        while end - at >= 8:
            word = _word(data, at, at + 8)
            state[3] ^= word
            _mix(state, 2)
            state[0] ^= word
            at += 8
        word = _word(data, at, end) | (np.uint64(length & 255) << np.uint64(56))
        state[3] ^= word
        _mix(state, 2)
        state[0] ^= word
        state[2] ^= _WIDE
        _mix(state, 4)
        digests[i, 0] = state[0] ^ state[1] ^ state[2] ^ state[3]
        state[1] ^= _SECOND
        _mix(state, 4)
        digests[i, 1] = state[0] ^ state[1] ^ state[2] ^ state[3]
    return digests
