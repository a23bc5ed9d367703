"""Population: the released rows that a victim is looked for in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tacit.arrays import FloatGrid, Floats, Ints, offsets_of
from tacit.kernels.risk.arguments import ReleasedRows, Victims
from tacit.kernels.threads import in_parallel, stretches
from tacit.table import Groups

Codes = npt.NDArray[np.int32]
_SHARED = 0.95
"""A share of people. An attribute in which more than that agree with a victim comes last when she is searched alone:
knowing it hardly changes how many match. A lower share moves better known attributes back too. How the value was chosen
was not written down."""

# Every task counts the rows again for its own victims, so more tasks cost more. Two suit two cores.
_TASKS = 2
# Victims of a task: it holds a few numbers for each of them and each attribute, so this bounds the memory of a task.
_VICTIMS_AT_MOST = 50_000
# Fewer victims than this are not worth a thread of their own.
_VICTIMS_AT_LEAST = 64


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
        Alpha, which every term of a risk is multiplied with.
    """

    rows: Codes
    weight: Ints
    known: Floats
    sizes: Ints
    order: Ints
    columns: int
    scale: float

    @classmethod
    def of(cls, seen: Codes, times: Ints, known: Floats, sizes: Sequence[int], scale: float) -> Population:
        """Group the rows of a release (`seen`, codes in all columns) by the columns that may be known."""
        active = np.flatnonzero(known > 0)
        alike = np.array([_concentration(seen[:, j], times, sizes[j]) for j in active.tolist()])
        order = active[np.lexsort((alike, -known[active]))]
        rows = np.ascontiguousarray(seen[:, order])
        spans = np.array([sizes[j] for j in order.tolist()], dtype=np.int64)
        groups = Groups.of([rows[:, j] + 1 for j in range(len(order))], (spans + 1).tolist(), rows=len(rows))
        weight = np.bincount(groups.ids, weights=times, minlength=groups.count).astype(np.int64)
        rows = rows[groups.first()]
        sorted_ = np.lexsort(rows.T) if len(order) else np.arange(len(rows))
        return cls(np.ascontiguousarray(rows[sorted_]), weight[sorted_], known[order], spans, order, len(known), scale)

    @cached_property
    def offsets(self) -> Ints:
        """Where the codes of each attribute begin among the codes of all."""
        return offsets_of(self.sizes)

    @cached_property
    def rest(self) -> npt.NDArray[np.int32]:
        """Per attribute l and row, a number that rows share only if they agree in every attribute from l on.

        Neighbours get the same number; rows are sorted by their last attributes first, so that most that agree are.
        """
        n, a = self.rows.shape
        numbers = np.zeros((a + 1, n), dtype=np.int32)
        differs = np.zeros(max(0, n - 1), dtype=bool)
        for l in range(a - 1, -1, -1):
            differs |= self.rows[1:, l] != self.rows[:-1, l]
            np.cumsum(differs, out=numbers[l, 1:])
        return numbers

    @property
    def released(self) -> ReleasedRows:
        """The rows as the searches take them."""
        return ReleasedRows(self.rows, self.rest, self.weight, self.known, self.offsets, float(self.scale))

    def split(self, gains: FloatGrid) -> tuple[FloatGrid, Floats]:
        """Cut the weights of the columns into those of what may be known, in order, and the sum of the others."""
        never = np.ones(self.columns, dtype=bool)
        never[self.order] = False
        return np.ascontiguousarray(gains[:, self.order]), gains[:, never].sum(axis=1)

    def heaviest(self, victims: Codes, gains: FloatGrid) -> npt.NDArray[np.bool_]:
        """Return, per victim and column, whether the column is in the known set that adds most to her risk."""
        from tacit.kernels.risk.heaviest import heaviest_sets

        asked, (gain, base) = np.ascontiguousarray(victims[:, self.order]), self.split(gains)
        chosen = np.zeros(victims.shape, dtype=bool)
        if not len(self.order) or not len(victims):
            return chosen
        place = np.argsort(np.argsort(self.order)).astype(np.int64)

        def one(part: slice) -> Ints:
            known_sets, _ = heaviest_sets(self.released, Victims(asked[part], gain[part], base[part]), place)
            return np.asarray(known_sets)

        keys = np.concatenate(in_parallel(one, [(part,) for part in victim_tasks(len(asked))]))
        for l, column in enumerate(self.order):
            chosen[:, column] = (keys >> l) & 1
        return chosen

    def without(self, attribute: int) -> Population:
        """Return the same rows, searched by everything but one attribute."""
        left = np.arange(len(self.order)) != attribute
        return replace(
            self,
            rows=np.ascontiguousarray(self.rows[:, left]),
            known=self.known[left],
            sizes=self.sizes[left],
            order=self.order[left],
        )

    def agreeing(self, victim: Codes) -> tuple[Population, Ints]:
        """Return the rows reduced to where they agree (0) with one victim, and the order of the attributes for her.

        There are far fewer patterns of agreement than rows. An attribute that nearly everybody shares with her comes
        last, however well it is known, because knowing it hardly changes how many match.
        """
        from tacit.kernels.risk.agreement import agreement

        masks, agree = agreement(self.rows, self.weight, victim)
        share = agree / self.weight.sum()
        order = np.lexsort((share, -self.known, share > _SHARED)).astype(np.int64)
        patterns, at = np.unique(masks, return_inverse=True)
        agrees = (patterns[:, None] >> order) & 1
        sorted_ = np.argsort(agrees @ (np.int64(1) << np.arange(len(order))))
        reduced = replace(
            self,
            rows=np.ascontiguousarray(1 - agrees[sorted_], dtype=np.int32),
            weight=np.bincount(at, weights=self.weight).astype(np.int64)[sorted_],
            known=self.known[order],
            sizes=np.full(len(order), 2, dtype=np.int64),
        )
        return reduced, order


def _concentration(codes: Codes, times: Ints, size: int) -> float:
    """Return how probably two people, drawn at random, share a value: small where the attribute tells people apart."""
    shares = np.bincount(codes + 1, weights=times, minlength=size + 1) / times.sum()
    return float(shares @ shares)


def victim_tasks(victims: int) -> list[slice]:
    """Cut sorted victims into tasks; neighbours stay together, because they share the nodes of a search.

    Examples
    --------
    >>> victim_tasks(200)
    [slice(0, 100, None), slice(100, 200, None)]
    """
    pieces = max(min(_TASKS, -(-victims // _VICTIMS_AT_LEAST)), -(-victims // _VICTIMS_AT_MOST))
    return [slice(begin, end) for begin, end in stretches(victims, pieces)]
