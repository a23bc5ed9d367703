"""Budgets: how long the search may go on.

Without a seed the clock decides. With a seed evaluations are counted instead, so that the same seed gives the same
bytes on every machine.
"""

from __future__ import annotations

import time
from typing import Protocol

from tacit.kernels.threads import worker_count

RATE = 400_000
"""Evaluations that stand for one second of the bound where a seed is given: about what one core makes in groups of some
ten rows. It decides what a seed publishes, so it does not follow the machine."""
SLICE = 20_000
"""Evaluations that one call makes at most before the budget is looked at again. Chosen by trial: fewer, and groups are
loaded more often than searched; more, and the last call goes on too long after the time is up."""
_LOOK = 0.03
"""Seconds between two looks at the clock, about: the time bound may be exceeded by this much. Less would be more exact
and interrupt the search more often. Chosen by trial."""


class Budget(Protocol):
    """How much of the search is left, and whether to stop at once."""

    def left(self) -> int:
        """How many evaluations may still be made."""

    def slice(self) -> int:
        """How many evaluations may be made before the budget is asked again."""

    def up(self) -> bool:
        """Whether the budget is used up, so that nothing more may begin."""

    def spend(self, evaluations: int) -> None:
        """Note that this many evaluations were made."""

    def share(self) -> float:
        """How much is used, 0 to 1."""


class Evaluations:
    """A fixed number of evaluations: the outcome does not depend on the machine."""

    def __init__(self, seconds: float) -> None:
        self._total = max(1, int(seconds * RATE))
        self._spent = 0

    def left(self) -> int:
        """Return how many evaluations are not spent yet."""
        return max(0, self._total - self._spent)

    def slice(self) -> int:
        """Return the same number always."""
        return SLICE

    def up(self) -> bool:
        """Never stop within a round, or the order of threads would matter."""
        return False

    def spend(self, evaluations: int) -> None:
        """Add to the evaluations that are spent."""
        self._spent += evaluations

    def share(self) -> float:
        """Return the share used."""
        return min(1.0, self._spent / self._total)


class Clock:
    """Seconds from now on; how many evaluations fit into them is estimated from those made so far."""

    def __init__(self, seconds: float) -> None:
        self._begin = time.monotonic()
        self._seconds = seconds
        self._rate = float(RATE) / 4  # evaluations per second, a low guess until some were made
        self._spent = 0

    def left(self) -> int:
        """Estimate how many evaluations fit into the time that is left."""
        return 0 if self.up() else max(1, int((self._seconds - self._elapsed()) * self._rate))

    def slice(self) -> int:
        """Return what one thread may do between two looks at the clock."""
        return max(1_000, min(SLICE, int(_LOOK * self._rate / worker_count())))

    def up(self) -> bool:
        """Whether the time is up."""
        return self._elapsed() >= self._seconds

    def spend(self, evaluations: int) -> None:
        """Count evaluations, and estimate from all of them how many are made in a second."""
        self._spent += evaluations
        if self._elapsed() > _LOOK:
            self._rate = max(1000.0, self._spent / self._elapsed())

    def share(self) -> float:
        """Return the share used."""
        return min(1.0, self._elapsed() / self._seconds)

    def _elapsed(self) -> float:
        return time.monotonic() - self._begin
