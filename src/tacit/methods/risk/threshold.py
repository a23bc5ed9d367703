"""The threshold mode: cells are blanked until no record is above delta, then further cells as cover."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from tacit.arrays import Flags, Ints
from tacit.guarantees import RiskBelow
from tacit.knowledge.risk import Records
from tacit.knowledge.risk.attributes import Attributes, Blank
from tacit.knowledge.risk.peers import Peers
from tacit.knowledge.risk.search import bound
from tacit.knowledge.risk.stopping_rule import StoppingRule
from tacit.methods.risk.cover import draw_cover
from tacit.methods.risk.quasi import neighbours_blanks, own_blanks
from tacit.methods.risk.sensitive import sensitive_moves, weighted_cells
from tacit.progress import Progress, part

_COARSE, _ROUNDS = 0.1, 3
"""For choosing moves: the width of an interval, as a share of its upper end, that is narrow enough, and rounds of the
search at most. Wider intervals are found sooner and choose worse moves; whether a move does is asked of the guarantee
afterwards. How the value was chosen was not written down."""
_PATIENCE = 3
"""Rounds in which, under "own", only as many cells are blanked as seem needed; after them, whoever is still above delta
loses every cell that weighs something. More rounds suppress less and take longer. How the value was chosen was not
written down."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Which cells to blank, in how many rounds, how many of them are cover, and how many were given back on the way."""

    blank: Blank
    rounds: int
    cover: int
    returned: int


def plan_cells(
    guarantee: RiskBelow, attributes: Attributes, risky: Ints, peers: Peers, draws: Generator, progress: Progress
) -> Plan:
    """Bring every record to at most delta.

    Under "adversary" and "wildcard" a blank never raises anybody's risk, so only the rows that were risky at first are
    watched, and cover is drawn last. Under "own" it may, so everybody is watched and cover is drawn in every round.
    """
    planning = _Planning(guarantee, attributes, peers, draws, progress)
    return planning.growing(risky) if attributes.missing == "own" else planning.falling(risky)


@dataclass(frozen=True, eq=False)
class _Planning:
    """What every step of a plan needs."""

    guarantee: RiskBelow
    attributes: Attributes
    peers: Peers
    draws: Generator
    progress: Progress

    def _within(self, start: float, stop: float) -> _Planning:
        return replace(self, progress=part(self.progress, start, stop))

    def falling(self, risky: Ints) -> Plan:
        """Plan where a blank never raises anybody's risk."""
        blank = np.zeros((self.attributes.rows, len(self.attributes.names)), dtype=bool)
        returned = self._within(0.0, 0.15)._quasi_moves(blank, risky)
        # While nothing is blank, all of them are above delta: that is how they were found.
        left = risky[self._within(0.15, 0.3)._above(blank, risky)] if blank.any() else risky
        self._within(0.3, 0.5)._sensitive_moves(blank, left)
        returned += self._within(0.5, 0.65)._give_back(blank, left)
        last = self._within(0.65, 1.0).progress
        more = draw_cover(self.guarantee, self.peers, blank, self.draws, last)
        return Plan(blank | more, 2, int(more.sum()), returned)

    def growing(self, risky: Ints) -> Plan:
        """Plan where a blank may make other rows rarer: go on until nobody is above delta."""
        blank = np.zeros((self.attributes.rows, len(self.attributes.names)), dtype=bool)
        rounds, cover, done = 0, 0, 0.0
        while True:
            # Nobody knows how many rounds there will be: each takes half of what is left of the bar.
            here, done = part(self.progress, done, (1.0 + done) / 2), (1.0 + done) / 2
            if rounds < _PATIENCE:
                replace(self, progress=part(here, 0.0, 0.3))._sensitive_moves(blank, risky)
            else:
                blank[risky] |= self.attributes.gains(risky) > 0
            more = draw_cover(self.guarantee, self.peers, blank, self.draws, part(here, 0.3, 0.6))
            if not len(risky) and not more.any():  # also nobody became a peer by the last cover
                return Plan(blank, rounds, cover, 0)
            cover += int(more.sum())
            blank |= more
            rounds += 1
            score = self.guarantee.score(Records.of(self.attributes, blank), part(here, 0.6, 1.0))
            risky = np.flatnonzero(score.above)

    def _price(self, records: Records, chosen: Ints) -> Ints:
        """Return how many cells a sensitive move costs at most, cover included where there is something to draw."""
        a = self.attributes
        several = any((worth == 0).any() for worth, largest in zip(a.worth, a.largest, strict=True) if largest > 0)
        return weighted_cells(records, chosen) * (self.guarantee.cover if several else 1)

    def _quasi_moves(self, blank: Blank, risky: Ints) -> int:
        """Try the cheaper moves, and undo those that bring nobody to delta. Returns how many cells were given back."""
        records = self.peers.records
        chosen, at = np.unique(records.ids[risky], return_inverse=True)
        price = self._price(records, chosen)
        delta = self.guarantee.delta
        if self.attributes.missing == "wildcard":
            blank[risky] |= own_blanks(records, chosen, delta, price, self.progress)[at]
            return 0
        if not len(chosen) or not (self.attributes.largest == 0).any():
            return 0
        goal = StoppingRule(relative=_COARSE)
        bounds = bound(
            records.population,
            records.victims[chosen],
            records.gains[chosen],
            goal,
            rounds=_ROUNDS,
            progress=part(self.progress, 0.0, 0.6),
            stage="what to suppress",
        )
        moves = neighbours_blanks(records, chosen, bounds.high, delta, price)
        rows_of = np.argsort(records.ids, kind="stable")
        offsets = np.searchsorted(records.ids[rows_of], np.arange(len(records) + 1))
        made = []
        for near, column, helped in moves:
            rows = np.concatenate([rows_of[offsets[r] : offsets[r + 1]] for r in near])
            rows = rows[~blank[rows, column]]
            blank[rows, column] = True
            made.append((rows, column, helped))
        if not made:
            return 0
        above = np.zeros(len(records), dtype=bool)
        above[records.ids[risky[self._within(0.7, 1.0)._above(blank, risky)]]] = True
        returned = 0
        for rows, column, helped in made:
            if above[chosen[helped]].all():
                blank[rows, column] = False
                returned += len(rows)
        return returned

    def _above(self, blank: Blank, rows: Ints) -> Flags:
        """Say which of some rows are above delta, as the guarantee does."""
        if not len(rows):
            return np.zeros(0, dtype=bool)
        records = Records.of(self.attributes, blank)
        chosen, at = np.unique(records.ids[rows], return_inverse=True)
        victims, gains = records.victims[chosen], records.gains[chosen]
        return self.guarantee.above(records.population, victims, gains, progress=self.progress)[at]

    def _sensitive_moves(self, blank: Blank, rows: Ints) -> None:
        records = Records.of(self.attributes, blank)
        chosen, at = np.unique(records.ids[rows], return_inverse=True)
        blank[rows] |= sensitive_moves(records, chosen, self.guarantee.delta, self.progress)[at]

    def _give_back(self, blank: Blank, left: Ints) -> int:
        """Give back the weighted cells of rows that no longer need it, as long as nobody is above delta for it.

        Only the rows that get cells back are asked about again: a trial blanks everything that the quasi moves
        blanked, so nobody matches fewer rows than after these. Those who were not above delta then have not become
        riskier, and those who keep only what `sensitive_moves` left them were found to be below delta with these rows.
        """
        if not len(left):
            return 0
        weighs = self.attributes.gains(left) > 0
        lost = blank[left] & weighs
        # Whoever is above delta if only her own cells are given back needs them blank in any case.
        hopeful = ~self._within(0.0, 0.4)._above_with(blank, left)
        while hopeful.any():
            trial = blank.copy()
            trial[left[hopeful]] &= ~weighs[hopeful]
            above = self._within(0.4, 1.0)._above(trial, left[hopeful])
            if not above.any():
                blank[:] = trial
                return int(lost[hopeful].sum())
            hopeful[np.flatnonzero(hopeful)[above]] = False
        return 0

    def _above_with(self, blank: Blank, rows: Ints) -> Flags:
        """Say which rows would be above delta if their own blanks were given back and nobody else's."""
        records = Records.of(self.attributes, blank)
        chosen, first, at = np.unique(records.ids[rows], return_index=True, return_inverse=True)
        gains = self.attributes.gains(rows[first])
        victims = records.victims[chosen]
        true = np.stack([codes[rows[first]] for codes in self.attributes.codes], axis=1)
        shown = np.where(gains > 0, true, victims).astype(np.int32)
        return self.guarantee.above(records.population, shown, gains, rounds=_ROUNDS + 1, progress=self.progress)[at]
