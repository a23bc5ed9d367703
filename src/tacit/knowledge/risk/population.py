"""Population: the released rows that a victim is looked for in, and the search that bounds a risk.

The search is repeated with finer and finer bounds, each time for the victims who are not done: those not yet decided, or
whose interval is too wide. The last few are taken one by one, with the rows reduced to where they agree with her.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.knowledge.risk.attributes import Floats, Ints
from tacit.knowledge.risk.exact import exact_above
from tacit.progress import Progress, silent
from tacit.table import Groups

RELATIVE = 0.01
_FINER = 6.0
_ALONE = 1_000  # so few victims are taken one by one
_SHARED = 0.95
_TASKS = 2  # victims are cut into as many tasks: each counts the rows for itself, so more would cost more
_VICTIMS = 50_000  # of a task, at most
_ROUND = 2.0**-52
_FEW_ROUND = 4e-12  # the alternating sums of small nodes
UNDECIDED = -1


@dataclass(frozen=True, eq=False)
class Bounds:
    """What the search found.

    Attributes
    ----------
    low, high
        Intervals that contain the risk, rounding included.
    above
        1: above the limit, 0: not above, -1: not decided.
    sets, sums
        Known sets visited, as masks over the attributes in `order`, and what each adds, over all victims.
    """

    low: Floats
    high: Floats
    above: npt.NDArray[np.int8]
    sets: Ints
    sums: Floats


@dataclass(frozen=True, eq=False)
class Population:
    """Distinct released rows, attributes best-known and most telling first.

    Attributes
    ----------
    rows, weight
        Codes (-1 matches everything) and how often each row occurs.
    known, sizes
        Of each attribute: the probability that it is known, and how many codes there are.
    order
        Which column each attribute is.
    columns
        How many columns there are, known or not.
    scale
        alpha.
    """

    rows: npt.NDArray[np.int32]
    weight: Ints
    known: Floats
    sizes: Ints
    order: Ints
    columns: int
    scale: float

    @classmethod
    def of(
        cls, seen: npt.NDArray[np.int32], times: Ints, known: Floats, sizes: Sequence[int], scale: float
    ) -> Population:
        """Take the records as they are matched, all columns; only those that may be known are searched."""
        active = np.flatnonzero(known > 0)
        alike = [_concentration(seen[:, j], times, sizes[j]) for j in active]
        order = active[np.lexsort((alike, -known[active]))]
        rows = np.ascontiguousarray(seen[:, order])
        spans = np.array([sizes[j] for j in order], dtype=np.int64)
        groups = Groups.of([rows[:, j] + 1 for j in range(len(order))], (spans + 1).tolist(), rows=len(rows))
        weight = np.bincount(groups.ids, weights=times, minlength=groups.count).astype(np.int64)
        return cls(
            np.ascontiguousarray(rows[groups.first()]), weight, known[order], spans, order, len(known), scale
        )

    @cached_property
    def _offsets(self) -> Ints:
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    def split(self, gains: Floats) -> tuple[Floats, Floats]:
        """Cut the weights of the columns into those of what may be known, in order, and the sum of the others."""
        never = np.ones(self.columns, dtype=bool)
        never[self.order] = False
        return np.ascontiguousarray(gains[:, self.order]), gains[:, never].sum(axis=1)

    def bound(
        self,
        victims: npt.NDArray[np.int32],
        gains: Floats,
        *,
        times: Ints | None = None,
        limit: float | None = None,
        tolerance: float | None = None,
        tally: bool = False,
        progress: Progress = silent,
        stage: str = "risk",
        relative: float = RELATIVE,
        rounds: int | None = None,
    ) -> Bounds:
        """Bound the risk of victims (codes and weights by column) who are in the release.

        Parameters
        ----------
        victims, gains
            As they are known, and what they have to lose, all columns.
        times
            How often each counts in the sums of the known sets.
        limit
            Decide whether each is above it.
        tolerance
            The width that will do; by default 0 with a limit, else a share of the upper end.
        tally
            Sum up the known sets, in one pass over all victims.
        progress, stage
            Whom to tell.
        relative
            That share.
        rounds
            Stop after so many, whoever is left.
        """
        v = len(victims)
        asked, (gain, base) = np.ascontiguousarray(victims[:, self.order]), self.split(gains)
        low, high = np.zeros(v), np.zeros(v)
        above = np.zeros(v, dtype=np.int8)
        counted = np.ones(v) if times is None else times.astype(np.float64)
        highest = self.scale * gains.sum(axis=1) * float(np.prod(1.0 + self.known) - 1.0)
        gap = _first_gap(highest, limit, tolerance, relative)
        sets: list[tuple[Ints, Floats]] = []
        left = np.arange(v)[np.lexsort(asked.T[::-1])] if v and len(self.order) else np.arange(0)
        turn = 0
        while len(left):
            exact = bool((gap[left] == 0.0).all())
            width = _enough(low, high, limit, tolerance, relative, left, first=turn == 0)
            alone = turn > 0 and len(left) <= _ALONE and len(self.rows) > 64
            search = self._one_by_one if alone else self._together
            last_share = 1.0 - len(left) / v
            found = search(
                asked[left], gain[left], base[left], gap[left], width, limit, counted[left], tally and not alone,
                lambda share, done=last_share: progress(stage, done + share * (1.0 - done) / 2),
            )  # fmt: skip
            slack = found.steps * _ROUND + _FEW_ROUND
            low[left], high[left] = found.low * (1.0 - slack), found.high * (1.0 + slack)
            if tally and found.keys is not None and found.sums is not None:
                sets = [(found.keys, found.sums)] if turn == 0 else sets
            turn += 1
            open_ = self._open(low[left], high[left], limit, tolerance, relative)
            progress(stage, 1.0 - int(open_.sum()) / v)
            left = left[open_]
            if exact or turn == rounds:
                break
            gap[left] = np.where(gap[left] < 1e-13 * high[left] / _FINER, 0.0, gap[left] / _FINER)
        if limit is not None:
            above = np.where(low > limit, 1, np.where(high <= limit, 0, UNDECIDED)).astype(np.int8)
            ties = np.flatnonzero((above == UNDECIDED) & (high - low <= 1e-8 * high))
            for i in ties:
                above[i] = exact_above(self, asked[i], gain[i], float(base[i]), limit)
        keys, sums = sets[0] if sets else (np.zeros(0, np.int64), np.zeros(0))
        return Bounds(low, high, above, keys, sums)

    def heaviest(self, victims: npt.NDArray[np.int32], gains: Floats) -> npt.NDArray[np.bool_]:
        """Return, per victim and column, whether the column is in the known set that adds most to her risk."""
        from tacit.kernels.risk.heaviest import heaviest_sets

        asked, (gain, base) = np.ascontiguousarray(victims[:, self.order]), self.split(gains)
        chosen = np.zeros(victims.shape, dtype=bool)
        if not len(self.order) or not len(victims):
            return chosen
        place = np.argsort(np.argsort(self.order)).astype(np.int64)
        parts = _stretches(len(asked))
        found = _at_once(
            [
                lambda part=part: heaviest_sets(
                    self.rows, self.weight, asked[part], gain[part], base[part], self.known, self._offsets, place
                )[0]
                for part in parts
            ]
        )
        keys = np.concatenate(found)
        for l, column in enumerate(self.order):
            chosen[:, column] = (keys >> l) & 1
        return chosen

    def _open(
        self, low: Floats, high: Floats, limit: float | None, tolerance: float | None, relative: float
    ) -> npt.NDArray[np.bool_]:
        wide = high - low > (
            tolerance if tolerance is not None else 0.0 if limit is not None else relative * high
        )
        wide &= high - low > 1e-9 * high  # what is left is rounding
        return wide if limit is None else wide & (low <= limit) & (high > limit)

    def _together(
        self,
        asked: npt.NDArray[np.int32],
        gain: Floats,
        base: Floats,
        gap: Floats,
        width: Floats,
        limit: float | None,
        times: Floats,
        tally: bool,
        tell: Callable[[float], None],
    ) -> _Found:
        parts = _stretches(len(asked))
        done: list[int] = []

        def one(part: slice) -> _Found:
            found = self._search(asked[part], gain[part], base[part], gap[part], width[part], limit, times[part], tally)
            done.append(1)
            tell(len(done) / len(parts))
            return found

        return _joined(_at_once([lambda part=part: one(part) for part in parts]))

    def _one_by_one(
        self,
        asked: npt.NDArray[np.int32],
        gain: Floats,
        base: Floats,
        gap: Floats,
        width: Floats,
        limit: float | None,
        times: Floats,
        tally: bool,
        tell: Callable[[float], None],
    ) -> _Found:
        """Search for each victim by herself, among rows that only say where they agree with her."""
        done: list[int] = []

        def one(i: int) -> _Found:
            here, order = self._agreeing(asked[i])
            nobody = np.zeros((1, len(order)), dtype=np.int32)
            found = here._search(
                nobody, gain[i : i + 1, order], base[i : i + 1], gap[i : i + 1], width[i : i + 1], limit,
                times[i : i + 1], tally,
            )  # fmt: skip
            done.append(1)
            tell(len(done) / len(asked))
            return found

        return _joined(_at_once([lambda i=i: one(i) for i in range(len(asked))]))

    def _agreeing(self, victim: npt.NDArray[np.int32]) -> tuple[Population, Ints]:
        from tacit.kernels.risk.agreement import agreement

        masks, agree = agreement(self.rows, self.weight, victim)
        share = agree / self.weight.sum()
        # What nearly everybody shares comes last, however well known: knowing it hardly changes anything.
        order = np.lexsort((share, -self.known, share > _SHARED)).astype(np.int64)
        patterns, at = np.unique(masks, return_inverse=True)
        weight = np.bincount(at, weights=self.weight).astype(np.int64)
        rows = 1 - ((patterns[:, None] >> order) & 1)
        return (
            replace(
                self,
                rows=np.ascontiguousarray(rows, dtype=np.int32),
                weight=weight,
                known=self.known[order],
                sizes=np.full(len(order), 2, dtype=np.int64),
            ),
            order,
        )

    def _search(
        self,
        asked: npt.NDArray[np.int32],
        gain: Floats,
        base: Floats,
        gap: Floats,
        width: Floats,
        limit: float | None,
        times: Floats,
        tally: bool,
    ) -> _Found:
        from tacit.kernels.risk.descent import bound_risk

        low, high, steps, keys, sums = bound_risk(
            self.rows,
            self.weight,
            np.ascontiguousarray(asked),
            np.ascontiguousarray(gain),
            base,
            self.known,
            self._offsets,
            self.scale,
            gap,
            width,
            0.0 if limit is None else limit,
            limit is not None,
            times,
            tally,
        )
        used = keys >= 0
        return _Found(low, high, steps, keys[used] if tally else None, sums[used] if tally else None)


@dataclass(frozen=True, eq=False)
class _Found:
    low: Floats
    high: Floats
    steps: Ints
    keys: Ints | None
    sums: Floats | None


def _joined(parts: Sequence[_Found]) -> _Found:
    keys = sums = None
    if parts[0].keys is not None:
        keys, at = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)  # type: ignore[arg-type]
        sums = np.bincount(at, weights=np.concatenate([part.sums for part in parts]), minlength=len(keys))  # type: ignore[arg-type]
    return _Found(
        np.concatenate([part.low for part in parts]),
        np.concatenate([part.high for part in parts]),
        np.concatenate([part.steps for part in parts]),
        keys,
        sums,
    )


def _stretches(size: int) -> list[slice]:
    """Cut sorted victims into tasks: neighbours share their nodes, so few tasks are better than many."""
    pieces = max(min(_TASKS, -(-size // 64)), -(-size // _VICTIMS))
    cuts = np.linspace(0, size, pieces + 1).astype(int)
    return [slice(int(a), int(b)) for a, b in zip(cuts[:-1], cuts[1:], strict=True) if b > a]


def _at_once(tasks: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run tasks on all cores: the kernels release the interpreter lock, and no idle thread spins."""
    workers = min(len(tasks), os.cpu_count() or 1)
    if workers <= 1:
        return [task() for task in tasks]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda task: task(), tasks))


def _first_gap(highest: Floats, limit: float | None, tolerance: float | None, relative: float) -> Floats:
    if limit is not None and limit > 0:
        return np.full(len(highest), 0.02 * limit)
    if tolerance is not None:
        return np.full(len(highest), tolerance / 8.0)
    return highest * relative * 1e-2


def _enough(
    low: Floats,
    high: Floats,
    limit: float | None,
    tolerance: float | None,
    relative: float,
    left: Ints,
    *,
    first: bool,
) -> Floats:
    """Return the width at which the search may stop for a victim; what it would be by itself is never needed."""
    if tolerance is not None:
        return np.full(len(left), tolerance if tolerance > 0 else -1.0)
    if limit is not None or first:
        return np.full(len(left), -1.0)
    return low[left] * relative


def _concentration(codes: npt.NDArray[np.int32], times: Ints, size: int) -> float:
    shares = np.bincount(codes + 1, weights=times, minlength=size + 1) / times.sum()
    return float(shares @ shares)
