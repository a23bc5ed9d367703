"""Success: how often a reader who learns is right, and whether she knows how sure she may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacit.arrays import Flags, Floats
from tacit.knowledge.learning import Placed

_SURE = 0.9
"""The posterior from which she counts as sure; the specification's."""


@dataclass(frozen=True, eq=False)
class Success:
    """What she believed most of each person, and whether it was true.

    Attributes
    ----------
    posterior, right
        After the round that she chose.
    last_posterior, last_right
        After the last round that she tried.
    prior, prior_right
        Without the groups.
    informed_right
        Whether somebody is right who matches in the same groups by a model of the true table; None where nobody asked.
    placed
        What somebody gets who also knows how people with each value stand in their groups, as she finds out who tries
        the method out; its people may be in another order. None where nobody asked, or no column has an order.
    """

    posterior: Floats
    right: Flags
    last_posterior: Floats
    last_right: Flags
    prior: Floats
    prior_right: Flags
    informed_right: Flags | None = None
    placed: Placed | None = None

    @property
    def share(self) -> float:
        """The share of people whose value she guesses right."""
        return _share(self.right)

    @property
    def last_share(self) -> float:
        """The share after the last round."""
        return _share(self.last_right)

    @property
    def prior_share(self) -> float:
        """The share that the same model guesses right without the groups."""
        return _share(self.prior_right)

    @property
    def informed_share(self) -> float | None:
        """The share that somebody guesses right who knows the population and the groups."""
        return None if self.informed_right is None else _share(self.informed_right)

    @property
    def sure(self) -> int:
        """How many people she is more than 0.9 sure of."""
        return int((self.posterior > _SURE).sum())

    @property
    def sure_share(self) -> float:
        """The share of these of whom she is right."""
        return _share(self.right[self.posterior > _SURE])

    def calibration(self) -> list[tuple[float, int, float, float]]:
        """Return per tenth of the posterior: where it begins, people, mean posterior, and the share that is right.

        Examples
        --------
        >>> p, yes = np.array([0.55, 0.55, 1.0]), np.array([True, False, True])
        >>> Success(p, yes, p, yes, p, yes).calibration()
        [(0.5, 2, 0.55, 0.5), (0.9, 1, 1.0, 1.0)]
        """
        tenth = np.minimum(9, np.floor(self.posterior * 10).astype(np.int64))
        rows = []
        for begin in np.unique(tenth):
            inside = tenth == begin
            people = int(inside.sum())
            rows.append((int(begin) / 10, people, float(self.posterior[inside].mean()), _share(self.right[inside])))
        return rows


def _share(flags: Flags) -> float:
    return float(flags.mean()) if len(flags) else 0.0
