"""Protecting a large table: step by step, nothing collected in between but counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from tacit.arrays import Ints
from tacit.engines.base import COUNT, ROW, Route, Rows
from tacit.engines.keyed import HashRoute, secret_key
from tacit.errors import Infeasible, ParameterError
from tacit.guarantees import Guarantee
from tacit.knowledge.distribution import Distribution, only_sensitive
from tacit.knowledge.quasi_sensitive import ExactBelief
from tacit.methods.base import Method
from tacit.methods.large.beliefs import believed_of_all
from tacit.methods.large.fragmenting import plan_fragments
from tacit.methods.large.release import LargeRelease, StepDone
from tacit.methods.large.table import LargeTable
from tacit.methods.large.work import ABOUT, SENT, AboutFragment, FragmentWork, Only, Onward, told
from tacit.methods.linkage.mondrian import Mondrian
from tacit.methods.linkage.small_groups import SmallGroups, published_cells
from tacit.methods.pipeline import Pipeline, refuse_withholding_around_promises
from tacit.methods.quasi_sensitive import QuasiSensitive
from tacit.methods.skew.base import SkewSuppression
from tacit.progress import Progress, silent
from tacit.randomness import Randomness
from tacit.shapes import Claim, Judged
from tacit.table import Cells, Codes, GroupStats

LARGEST = "10,000,000"
"""Rows of the largest table that was measured in memory."""
_PART_ROWS = 1_000_000
"""Rows of a part of what is written, about. Chosen by hand: some ten megabytes."""


def protect_large(
    method: Method, large: LargeTable, *, seed: int | None = None, progress: Progress | None = None
) -> LargeRelease:
    """Make a release of a large table; it is written, and judged by what was written, by `LargeRelease.write`.

    Parameters
    ----------
    method
        A method that says how it scales, or a pipeline of such.
    large
        The table.
    seed
        For tests: the same seed gives the same choices.
    progress
        Told the stage and the share done.
    """
    methods = method.methods if isinstance(method, Pipeline) else (method,)
    for step in methods:
        refuse_method(step, large)
    if large.layout.several_rows and len(methods) > 1:
        raise ParameterError(
            f"A pipeline does not run on the {large.engine.name} engine where people have several rows.",
            hint='Use mondrian alone, or the local engine: [engine] name = "local".',
        )
    return _Protecting(method, methods, large, seed, progress or silent).run()


def refuse_method(step: Method, large: LargeTable) -> None:
    """Refuse a method that works only in memory, with how large a table was measured there."""
    why = step.why_not_large(large.layout) if step.scales is not None else "it looks at all rows together"
    if why is None and large.withholds_missing:
        comparing = next((g for g in step.of_fragments if g.compares_with_published), None)
        if not isinstance(step, Mondrian):
            why = 'rows with a missing value are withheld (missing = "withhold") outside memory by mondrian alone'
        elif comparing is not None:
            why = f"rows that a fragment withholds change what {comparing} compares all others with"
    if why is None and large.layout.several_rows and not isinstance(step, Mondrian):
        why = "people have several rows, which outside memory mondrian alone keeps together"
    withholding = large.withholds_missing or (isinstance(step, Mondrian) and step.allow_withheld > 0)
    if why is None and large.layout.several_rows and withholding:
        why = "people have several rows, and who is withheld with which of them is known in memory alone"
    if why is not None:
        raise ParameterError(
            f"{step.name} does not run on the {large.engine.name} engine: {why}.",
            hint=f'Use the local engine: [engine] name = "local"; {LARGEST} rows were measured on one machine.',
        )


@dataclass
class _Protecting:
    """A job on a large table while it runs."""

    method: Method
    methods: tuple[Method, ...]
    large: LargeTable
    seed: int | None
    progress: Progress

    def run(self) -> LargeRelease:
        """Do one step after another; the last one makes the frames."""
        rows, counts, size = self.large.rows, self.large.counts(), len(self.large)
        done: list[StepDone] = []
        sources = Randomness.make(self.seed).spawn(len(self.methods))
        sent: Rows = None
        about: list[AboutFragment] = []
        key, parts, whole_groups = b"", 1, False
        for index, method in enumerate(self.methods):
            self.progress(method.name, index / len(self.methods))
            if not size:
                raise Infeasible(
                    f"{method.name} has no rows to work on: the steps before it withheld all of them.",
                    hint="Ask less of the earlier steps.",
                )
            last = index + 1 == len(self.methods)
            key = secret_key(self.seed, f"step {index}")
            before, arrived = counts, size
            planned: Any = None
            people = self.large.people(rows, key)
            reference: GroupStats | None = self.large.whole(counts, size, people)
            route: Route | None = None
            if isinstance(method, SkewSuppression):
                if not self.large.layout.sensitive:
                    raise ParameterError(f"{method.name} needs a sensitive column.", hint="Name one in `sensitive`.")
                thinning = _RowsAtEngine(self.large, rows, counts, key)
                planned = method.thinned(thinning, sources[index].secret())
                rows, counts = thinning.rows, thinning.known
                size = _total(counts, size)
                if not size:
                    raise Infeasible(
                        f"{method} would withhold every row, and a large release of no row is not written.",
                        hint="Ask for a smaller l, or use another suppression.",
                    )
                claims = method._claims(planned.several)
                if not last:
                    done.append(
                        _done(
                            method, before, counts, claims, "apart", method._warnings(planned.several), planned.remarks
                        )
                    )
                    self._refuse(done)
                    continue
                reference = None
            elif isinstance(method, SmallGroups):
                cells = self._cells(rows)
                planned = published_cells(cells, method.plan(cells))
                reference = None
            else:
                assert reference is not None  # noqa: S101 - it was counted above
                self._require(method, reference)
                route = plan_fragments(self.large, rows, size, method, reference, key)
                planned = self._known(method, rows)
            if route is None:
                route = HashRoute(key, -(-size // max(1, self.large.engine.fragment_rows)), ROW)
            parts = max(1, -(-size // _PART_ROWS))
            whole_groups = not isinstance(route, HashRoute)
            work = FragmentWork(
                _shared(method, route.count),
                self.large.layout,
                key,
                reference,
                planned,
                parts if last else None,
                whole_groups,
            )
            self.progress(f"{method.name} in {route.count:,} fragments", (index + 0.3) / len(self.methods))
            fragments = self.large.engine.fragments(rows, route)
            sent = self.large.engine.map(fragments, work, SENT, keep=True)
            about = told(self.large.engine.collect(self.large.engine.map(sent, Only(frozenset([ABOUT])), SENT)))
            if not last:
                rows = self.large.engine.map(sent, Onward(self.large.layout), self.large.layout.schema)
                counts = self.large.counts(rows)
            size = sum(each.kept for each in about)
            remarks = planned.remarks if isinstance(method, SkewSuppression) else _remarks(about)
            after = None if last else counts
            if isinstance(method, SkewSuppression):
                after = counts
            done.append(
                replace(
                    _done(method, before, after, about[0].guarantees, about[0].judged, _warnings(about), remarks, size),
                    rows_before=arrived,
                    people=people,
                    believed=planned if isinstance(planned, ExactBelief) else None,
                )
            )
            self._refuse(done)
        self.progress(self.method.name, 1.0)
        return LargeRelease(
            large=self.large,
            sent=sent,
            about=tuple(about),
            steps=tuple(done),
            method=self.method.describe(),
            key=key,
            parts=parts,
            whole_groups=whole_groups,
            claims=_claims(done),
            reproducible=self.seed is not None,
        )

    def _refuse(self, done: list[StepDone]) -> None:
        withheld = [(i, step.rows_before - step.rows_after) for i, step in enumerate(done)]
        refuse_withholding_around_promises(self.methods, [s.guarantees for s in done], [w for w in withheld if w[1]])

    def _require(self, method: Method, whole: GroupStats) -> None:
        """Refuse, with what stands in the way, where not even all rows as one group satisfy what is asked for."""
        names = {name: self.large.layout.codes[name].values for name in self.large.layout.sensitive}
        for guarantee in method.of_fragments:
            if not guarantee.satisfied(whole).all():
                raise guarantee.refusal(whole, names)

    def _cells(self, rows: Rows) -> Cells:
        """Count the cells of all quasi-identifiers, with their sensitive values."""
        layout = self.large.layout
        names = [*layout.quasi_identifiers, *layout.sensitive]
        counted = self.large.engine.count(rows, [layout.coded(name) for name in names])
        codes = {
            name: Codes(
                counted[layout.coded(name)].to_numpy().astype(np.int32),
                layout.codes[name].values,
                layout.codes[name].hierarchy,
            )
            for name in names
        }
        return Cells.of(
            {name: codes[name] for name in layout.quasi_identifiers},
            {name: codes[name] for name in layout.sensitive},
            rows=counted.height,
            weights=counted[COUNT].to_numpy(),
        )

    def _known(self, method: Method, rows: Rows) -> Distribution | ExactBelief | None:
        """Count what an adversary knows of the whole table, where the method is about that."""
        if isinstance(method, QuasiSensitive) and method.guarantee.needs_table:
            return believed_of_all(self.large, rows, method.guarantee)
        return distribution_of(method, self.large)


def distribution_of(method: Any, large: LargeTable) -> Distribution | None:
    """Count the distribution of a sensitive value by every set of quasi-identifiers, over the first table."""
    support = getattr(method, "min_support", None)
    if support is None:
        return None
    layout = large.layout
    name = only_sensitive(layout.head)
    counted = large.engine.count(large.rows, [layout.coded(n) for n in (*layout.quasi_identifiers, name)])
    columns = layout.quasi_identifiers
    cells = Cells.of(
        {n: Codes(counted[layout.coded(n)].to_numpy().astype(np.int32), layout.codes[n].values) for n in columns},
        {name: Codes(counted[layout.coded(name)].to_numpy().astype(np.int32), layout.codes[name].values)},
        rows=counted.height,
        weights=counted[COUNT].to_numpy(),
    )
    histogram = cells.histograms[name]
    return Distribution.counted(
        columns,
        {n: layout.codes[n].texts for n in columns},
        layout.codes[name].texts,
        [cells.column(n).astype(np.int64) for n in columns],
        (histogram.entry_groups(), histogram.values, histogram.counts.astype(np.float64)),
        support,
    )


class _RowsAtEngine:
    """Rows at an engine of which some are withheld by rank; the values are counted again after every draw."""

    def __init__(self, large: LargeTable, rows: Rows, counts: Mapping[str, Ints], key: bytes) -> None:
        self.large, self.rows, self.known, self.key = large, rows, dict(counts), key
        self.sensitive = large.layout.sensitive
        self._draws = 0

    def counts(self, name: str) -> Ints:
        return self.known[name]

    def domain_size(self, name: str) -> int | None:
        encoded = self.large.layout.codes[name]
        if encoded.hierarchy is not None and encoded.tree is not None and encoded.hierarchy.spec() is None:
            return encoded.tree.domain_size + (encoded.null is not None)
        return encoded.cardinality if name in self.large.layout.head._domains else None

    def texts(self, name: str) -> pl.Series:
        return self.large.layout.codes[name].texts

    def thin(self, name: str, frequencies: Ints, wanted: Ints) -> None:
        import hashlib

        self._draws += 1
        key = hashlib.blake2b(f"draw {self._draws}".encode(), key=self.key, digest_size=16).digest()
        fewer = np.flatnonzero(wanted < frequencies)
        quotas = {int(code): int(wanted[code]) for code in fewer}
        self.rows = self.large.engine.rank(self.rows, self.large.layout.coded(name), quotas, key)
        self.known = self.large.counts(self.rows)
        if (self.known[name] != wanted[: len(self.known[name])]).any():
            raise Infeasible("Two rows have the same keyed hash.", hint="Publish again: another key is drawn.")


def _done(
    method: Method,
    before: Mapping[str, Ints],
    after: Mapping[str, Ints] | None,
    guarantees: tuple[Guarantee, ...],
    judged: Judged,
    warnings: tuple[str, ...],
    remarks: Any,
    size: int | None = None,
) -> StepDone:
    rows_before = _total(before, 0)
    rows_after = _total(after, 0) if size is None else size
    return StepDone(method, before, after, rows_before, rows_after, guarantees, judged, tuple(warnings), tuple(remarks))


def _total(counts: Mapping[str, Ints] | None, otherwise: int) -> int:
    return next((int(mine.sum()) for mine in (counts or {}).values()), otherwise)


def _claims(done: list[StepDone]) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    apart = False
    for index, step in enumerate(done):
        claims += [Claim(g, index, "published rows" if apart else "table") for g in step.guarantees]
        apart |= step.judged == "apart" and step.rows_before > step.rows_after
    return tuple(claims)


def _shared(method: Method, fragments: int) -> Method:
    """Give every fragment its share of a time that is said for all of them together."""
    bound = getattr(method, "time_bound", None)
    return method if bound is None else method.model_copy(update={"time_bound": bound / fragments})


def _warnings(about: list[AboutFragment]) -> tuple[str, ...]:
    """Return what every fragment says; of what they say with different figures, the first."""
    return about[0].warnings


def _remarks(about: list[AboutFragment]) -> tuple[str, ...]:
    """Return what one fragment tells the data owner; of several, that of the first, said to be one."""
    if len(about) == 1:
        return about[0].remarks
    return tuple(f"In the first of {len(about):,} fragments: {remark}" for remark in about[0].remarks)
