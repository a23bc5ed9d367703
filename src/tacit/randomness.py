"""The only maker of random generators.

Without a seed every stream gets its own entropy from the operating system, so that somebody who sees the effect of one
stream (a public shuffle) learns nothing about another (a secret draw). A seed is for tests: the same seed gives the
same bytes.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

import numpy as np
from numpy.random import PCG64DXSM, Generator, SeedSequence

from tacit.arrays import Ints
from tacit.errors import ParameterError

_SECRET, _SHUFFLE, _STEPS = 0, 1, 2
"""Keys under which streams are derived from a seed; step i of a pipeline has the key `_STEPS` + i."""


@dataclass(frozen=True)
class Randomness:
    """A source of independent streams; every call hands out a stream of its own, with a seed as without one.

    Examples
    --------
    >>> a, b = Randomness.make(seed=1), Randomness.make(seed=1)
    >>> bool((a.secret().integers(9, size=5) == b.secret().integers(9, size=5)).all())
    True
    >>> bool((a.shuffle().permutation(99) == a.shuffle().permutation(99)).all())
    False
    >>> Randomness.make().reproducible
    False
    """

    sequence: SeedSequence | None
    _calls: dict[int, int] = field(default_factory=dict, repr=False, compare=False)
    """How many streams of each kind were handed out."""

    @classmethod
    def make(cls, seed: int | None = None) -> Randomness:
        """Make a source from a seed (tests) or from system entropy (everything else)."""
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0):
            raise ParameterError(f"seed = {seed!r} is not allowed.", hint="Give an integer from 0 up, or none at all.")
        return cls(None if seed is None else SeedSequence(int(seed)))

    @property
    def reproducible(self) -> bool:
        """Whether a seed was given."""
        return self.sequence is not None

    def secret(self) -> Generator:
        """Return a stream for draws that an adversary must not know."""
        return self._stream(_SECRET)

    def shuffle(self) -> Generator:
        """Return a stream for the order of published rows or the numbers of published groups."""
        return self._stream(_SHUFFLE)

    def spawn(self, n: int) -> list[Randomness]:
        """Return `n` independent sources, one per step of a pipeline."""
        if self.sequence is None:
            return [Randomness(None) for _ in range(n)]
        return [Randomness(_child(self.sequence, _STEPS + i)) for i in range(n)]

    def _stream(self, kind: int) -> Generator:
        if self.sequence is None:
            return Generator(PCG64DXSM(SeedSequence(secrets.randbits(256))))
        earlier = self._calls.get(kind, 0)
        self._calls[kind] = earlier + 1
        sequence = _child(self.sequence, kind)
        return Generator(PCG64DXSM(sequence if earlier == 0 else _child(sequence, earlier)))


def _child(sequence: SeedSequence, key: int) -> SeedSequence:
    return SeedSequence(sequence.entropy, spawn_key=(*sequence.spawn_key, key))


def permutation(generator: Generator, n: int) -> Ints:
    """Return a uniform permutation of 0..n-1."""
    order = np.arange(n, dtype=np.int64)
    generator.shuffle(order)
    return order
