"""SipHash against its definition in plain integers, and against published vectors."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.kernels.siphash import siphash

FULL = 2**64 - 1


def rotated(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (64 - bits))) & FULL


def slow(text: bytes, key: bytes) -> bytes:
    """SipHash-2-4-128, step by step."""
    k = [int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")]
    v = [int.from_bytes(word.encode(), "big") for word in ("somepseu", "dorandom", "lygenera", "tedbytes")]
    v = [v[i] ^ k[i % 2] for i in range(4)]
    v[1] ^= 0xEE

    def rounds(many: int) -> None:
        for _ in range(many):
            v[0] = (v[0] + v[1]) & FULL
            v[1] = rotated(v[1], 13) ^ v[0]
            v[0] = rotated(v[0], 32)
            v[2] = (v[2] + v[3]) & FULL
            v[3] = rotated(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & FULL
            v[3] = rotated(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & FULL
            v[1] = rotated(v[1], 17) ^ v[2]
            v[2] = rotated(v[2], 32)

    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xEE
    rounds(4)
    low = v[0] ^ v[1] ^ v[2] ^ v[3]
    v[1] ^= 0xDD
    rounds(4)
    return low.to_bytes(8, "little") + (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")


def fast(texts: list[bytes], key: bytes) -> list[bytes]:
    offsets = np.cumsum([0, *map(len, texts)])
    data = np.frombuffer(b"".join(texts), dtype=np.uint8)
    return [row.tobytes() for row in siphash(data, offsets, np.frombuffer(key, dtype="<u8"))]


# Aumasson and Bernstein, reference vectors of SipHash-2-4-128: key 00..0f, texts of 0 and 1 bytes.
@pytest.mark.parametrize(
    ("text", "digest"),
    [(b"", "a3817f04ba25a8e66df67214c7550293"), (b"\0", "da87c1d86b99af44347659119b22fc45")],
)
def test_published_vectors(text: bytes, digest: str) -> None:
    key = bytes(range(16))
    assert slow(text, key).hex() == digest
    assert fast([text], key)[0].hex() == digest


def test_the_kernel_is_the_definition() -> None:
    rng = np.random.default_rng(3)
    key = rng.bytes(16)
    texts = [rng.bytes(int(length)) for length in rng.integers(0, 40, 300)]
    assert fast(texts, key) == [slow(text, key) for text in texts]
