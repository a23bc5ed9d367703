"""The only maker of random generators.

Unseeded, every stream is drawn from the operating system by itself, so that nothing seen of one (a public shuffle)
says anything about another (a secret draw). A seed is for tests: the same seed gives the same bytes.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64DXSM, Generator, SeedSequence

from tacit.arrays import Ints
from tacit.errors import ParameterError


@dataclass(frozen=True)
class Randomness:
    """A source of independent streams.

    Examples
    --------
    >>> a, b = Randomness.make(seed=1), Randomness.make(seed=1)
    >>> bool((a.secret().integers(9, size=5) == b.secret().integers(9, size=5)).all())
    True
    >>> Randomness.make().reproducible
    False
    """

    sequence: SeedSequence | None

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
        """Return the stream for draws that an adversary must not know."""
        return self._stream(0)

    def shuffle(self) -> Generator:
        """Return the stream for the order of published rows and the numbers of published groups."""
        return self._stream(1)

    def spawn(self, n: int) -> list[Randomness]:
        """Return `n` independent sources, one per step of a pipeline."""
        if self.sequence is None:
            return [Randomness(None) for _ in range(n)]
        return [Randomness(self._child(2 + i)) for i in range(n)]

    def _child(self, key: int) -> SeedSequence:
        assert self.sequence is not None  # noqa: S101 - narrows the type; both callers have checked
        return SeedSequence(self.sequence.entropy, spawn_key=(*self.sequence.spawn_key, key))

    def _stream(self, key: int) -> Generator:
        sequence = SeedSequence(secrets.randbits(256)) if self.sequence is None else self._child(key)
        return Generator(PCG64DXSM(sequence))


def permutation(generator: Generator, n: int) -> Ints:
    """Return a uniform permutation of 0..n-1."""
    order = np.arange(n, dtype=np.int64)
    generator.shuffle(order)
    return order
