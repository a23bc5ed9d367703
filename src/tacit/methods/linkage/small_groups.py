"""SmallGroups: withhold the groups that break a guarantee, and enough others to cover them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from tacit.arrays import Flags, Ints
from tacit.errors import Infeasible
from tacit.guarantees import Eligibility, GroupGuarantee, KAnonymity
from tacit.guarantees.registry import DESCRIBED
from tacit.methods.base import Job, Method, Outcome, Scales, require_constant
from tacit.randomness import permutation
from tacit.shapes import Generalized
from tacit.table import Cells, Table, encode

_MISSING = "\0missing"  # the column that tells rows with a missing value apart; no column of a file has this name
_COUNTERS = 10_000_000
"""The most counters, of 8 bytes each, that are held at a time: about 80 MB. Fewer take more passes; chosen by trial."""


class SmallGroups(Method):
    """Publish rows as they are, but for those whose group of equal quasi-identifiers breaks the guarantee.

    Whoever knows who is in the table knows who is missing, and reads the missing as one more group. So the withheld
    rows must satisfy the guarantee too: further whole groups are withheld until they do.

    The cost is rows, not precision: on many or fine quasi-identifiers it withholds most of a table. It is the plain way
    out, and the yardstick for better ones.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, and looks her group up.

    Promise
    -------
    The guarantee that is asked for, in every published group and in the withheld rows together:
    docs/threats/linkage.md#why-it-holds.

    A person who has several rows is one person, and her rows have the same quasi-identifiers:
    docs/threats/linkage.md#people-and-rows.

    Parameters
    ----------
    guarantee
        A guarantee about groups.

    Cost
    ----
    O(n) to count the groups of n rows, then O(v log g) for g groups with v different pairs of group and value.

    Examples
    --------
    >>> import tacit as tc
    >>> table = tc.Table({"age": [30] * 5 + [41] * 2 + [50]}, quasi_identifiers="age")
    >>> release = SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table)
    >>> release.inside.kept.tolist()  # withholding only the 50-year-old would tell who she is
    [True, True, True, True, True, False, False, False]

    References
    ----------
    Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", IJUFKS 2002, withholds
    small groups too, without cover.
    """

    takes_several_rows: ClassVar[bool] = True
    withholds_missing: ClassVar[bool] = True
    scales: ClassVar[Scales | None] = "cells"

    guarantee: Annotated[GroupGuarantee, DESCRIBED, Field(description="a guarantee about groups, such as k-anonymity")]

    def run(self, table: Table, job: Job) -> Outcome:
        """Count the groups of equal quasi-identifiers, choose those that are published, and publish their rows."""
        cells = self.statistics(table)
        job.progress(self.name, 0.5)
        published = self.plan(cells) if job.planned is None else _looked_up(cells, job.planned)
        return self.apply(table, cells, published, job)

    def statistics(self, table: Table) -> Cells:
        """Count the people, rows and sensitive values of every combination of quasi-identifiers."""
        require_constant(self, table)
        missing = table.to_withhold
        if missing is None:
            return table.cells()
        columns = {name: table.codes(name) for name in table.quasi_identifiers}
        columns[_MISSING] = encode(pl.Series(_MISSING, missing))
        sensitive = {name: table.codes(name) for name in table.sensitive}
        return Cells.of(columns, sensitive, rows=len(table), people=table.people)

    def plan(self, cells: Cells) -> Flags:
        """Say which cells are published; a cell is a group of rows with equal quasi-identifiers.

        What is withheld changes the rows that a group is compared with, so groups are judged until nothing changes.
        """
        if not self.guarantee.satisfied(cells.whole).all():
            raise self.guarantee.refusal(cells.whole, cells.values)
        published, before = _free(cells), np.zeros(len(cells), dtype=bool)
        while (published != before).any():
            before = published
            sound = self.guarantee.satisfied(cells.statistics, cells.united(published))
            published = self._with_cover(cells, published & sound)
        if not published.any():
            raise Infeasible(
                f"{self} would withhold every row: no groups of equal quasi-identifiers can be published alone.",
                hint="Generalize first (fewer or coarser quasi-identifiers), or ask for less.",
            )
        return published

    def apply(self, table: Table, cells: Cells, published: Flags, job: Job) -> Outcome:
        """Publish the rows of the chosen cells in a random order, under random group numbers."""
        ids = cells.members.ids
        shuffle = job.randomness.shuffle()
        numbers = permutation(shuffle, len(cells))
        kept = published[ids]
        order = permutation(shuffle, int(kept.sum()))
        return Outcome(
            publish=lambda: Generalized.publish(table, kept, order),
            kept=kept,
            group=np.where(kept, numbers[ids], -1),
            guarantees=(self.guarantee,),
            order=order,
        )

    def _with_cover(self, cells: Cells, published: Flags) -> Flags:
        """Withhold further groups until the withheld, as one group, satisfy the guarantee; try two orders."""
        if published.all() or not published.any() or self._covered(cells, ~published):
            return published
        free = np.flatnonzero(published)
        sizes = cells.weights[free]
        orders = [
            free[np.argsort(sizes, kind="stable")],
            free[np.lexsort((sizes, self.guarantee.posterior(cells.statistics)[free]))],
        ]
        attempts = [self._shortest(cells, published, order) for order in orders]
        best = min(attempts, key=lambda chosen: int(cells.weights[~chosen].sum()))
        spare = None if best.any() else self._spare(cells, orders[0])
        return best if spare is None else self._shortest(cells, published, _last(orders[1], spare))

    def _spare(self, cells: Cells, free: Ints) -> int | None:
        """Find a group that may be published alone; if there is none, no set of groups may.

        What holds in two groups holds in both together, so withholding more of the others never hurts. (Guarantees that
        compare a group with the published rows are not that simple: for them this is a guess.)
        """
        width = max((histogram.cardinality for histogram in cells.histograms.values()), default=1)
        for part in np.array_split(free, 1 + len(free) * width // _COUNTERS):
            held = self.guarantee.satisfied(cells.whole.without(cells.statistics, part))
            if held.any():
                return int(part[np.argmax(held)])
        return None

    def _shortest(self, cells: Cells, published: Flags, order: Ints) -> Flags:
        """Withhold a prefix of the order: the length is doubled until it is enough, then halved back."""

        def cut(length: int) -> Flags:
            chosen = published.copy()
            chosen[order[:length]] = False
            return chosen

        high = 1
        while high < len(order) and not self._covered(cells, ~cut(high)):
            high *= 2
        high = min(high, len(order))
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._covered(cells, ~cut(middle)) else (middle, high)
        return cut(high)

    def _covered(self, cells: Cells, withheld: Flags) -> bool:
        """Whether the withheld rows, as one group, satisfy the guarantee beside those that are published."""
        return bool(self.guarantee.satisfied(cells.united(withheld), cells.united(~withheld))[0])

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters."""
        return [cls(guarantee=KAnonymity(k=2)), cls(guarantee=Eligibility(l=2))]


def published_cells(cells: Cells, published: Flags) -> pl.DataFrame:
    """Return a plan as a frame: the codes of every cell, and whether it is published."""
    columns = {f"q{j}": cells.codes[:, j] for j in range(cells.codes.shape[1])}
    return pl.DataFrame({**columns, "published": published})


def _looked_up(cells: Cells, planned: pl.DataFrame) -> Flags:
    """Find the cells of a fragment in what was planned for the whole table."""
    names = [name for name in planned.columns if name != "published"]
    if not names:
        return np.full(len(cells), bool(planned["published"].any()))
    mine = pl.DataFrame({name: cells.codes[:, j] for j, name in enumerate(names)})
    return mine.join(planned, on=names, how="left", maintain_order="left")["published"].to_numpy()


def _free(cells: Cells) -> Flags:
    """Say which cells may be published: not those of rows in which a value is missing."""
    if _MISSING not in cells.columns:
        return np.ones(len(cells), dtype=bool)
    return np.asarray(~cells.dictionaries[_MISSING].to_numpy()[cells.column(_MISSING)])


def _last(order: Ints, spare: int) -> Ints:
    return np.append(order[order != spare], spare)
