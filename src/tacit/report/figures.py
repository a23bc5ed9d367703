"""Figures: what both reports tell of a release, each computed once, when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from tacit.adversaries import Learned, Notice, Success
from tacit.adversaries.learning import compared_with_truth, promised, success_sentence
from tacit.adversaries.learning.sentences import EQUIVALENCE, NOTICEABLE, equivalence_sentence, placed_sentence
from tacit.audits import READER, Audit
from tacit.errors import TacitError
from tacit.guarantees import GroupGuarantee
from tacit.knowledge.learning.equivalence import Equivalence
from tacit.measures.risk import SpecialUniques, special_uniques_of_release
from tacit.report.exposure import Exposure
from tacit.shapes import Inside, Published, Shape
from tacit.table import Table
from tacit.table.groups import Unit


@dataclass(frozen=True, eq=False)
class ReleaseFigures:
    """The figures of one release, shared by its public and its internal report.

    Attributes
    ----------
    shape
        What is published.
    unit
        What its rows are known to be: people where each has one row, else rows.
    """

    shape: Shape
    unit: Unit = "rows"
    _learning: dict[str, Mapping[str, tuple[Learned, Success]]] = field(default_factory=dict, repr=False)
    _equivalence: dict[str, Mapping[str, Equivalence]] = field(default_factory=dict, repr=False)

    @cached_property
    def parts(self) -> dict[str, Shape]:
        """The tables of the release by name; the name of a single one is empty."""
        return dict(self.shape.parts)

    @cached_property
    def exposure(self) -> dict[str, Exposure]:
        """Who can be found in each published table, and what that tells; rows where some are nobody's."""
        return {name: self._named(Exposure.after(part), part) for name, part in self.parts.items()}

    @cached_property
    def special_uniques(self) -> dict[str, SpecialUniques]:
        """Who is alone by few quasi-identifiers, of each published table that has some."""
        found = {}
        for name, part in self.parts.items():
            if part.quasi_identifiers and part.rows:
                with suppress(TacitError, MemoryError):  # nobody promised it, and no figure may stop a publication
                    found[name] = special_uniques_of_release(part)
        return found

    def exposure_before(self, table: Table) -> dict[str, Exposure]:
        """Who could be found if the table itself were published, by the columns of each published table."""
        return {name: self._named(Exposure.before(table, part), part) for name, part in self.parts.items()}

    def _named(self, found: Exposure, part: Shape) -> Exposure:
        """Say that people are counted where each row is known to be one, and rows where some are nobody's."""
        return replace(found, unit="rows") if part.counterfeits else found.named(self.unit)

    def learning(self, release: Published, audit: Audit, table: Table) -> Mapping[str, tuple[Learned, Success]]:
        """How often a reader who learns is right, per sensitive column; nothing where that cannot be told."""
        if "found" not in self._learning:
            known = {} if audit.learned is None else dict(audit.learned.items())
            try:
                self._learning["found"] = compared_with_truth(release, table, READER, known)
            except (Exception, MemoryError):  # nobody asked for it, and nothing may stop a publication
                self._learning["found"] = {}
        return self._learning["found"]

    def equivalence(self, release: Published, table: Table) -> Mapping[str, Equivalence]:
        """Whose value, once known, makes others certain, per sensitive column."""
        if "found" not in self._equivalence:
            self._equivalence["found"] = {} if release.inside is None else _decided(release.inside, table)
        return self._equivalence["found"]

    def notices(self, release: Published, audit: Audit, table: Table) -> tuple[Notice, ...]:
        """Say for the data owner what a reader gets who learns, and one who knows one person's value, if it is much."""
        return (
            *self._learning_notices(release, audit, table),
            *self._placed_notices(release, audit, table),
            *self._equivalence_notices(release, table),
        )

    def _placed_notices(self, release: Published, audit: Audit, table: Table) -> list[Notice]:
        """Tell where the method itself shows, to whoever tries it out, who of a group has which value."""
        found = self.learning(release, audit, table)
        return [
            Notice("tries out", sentence, people=len(belief.row), prominent=True, secret=True)
            for name, (belief, success) in found.items()
            if (sentence := placed_sentence(name, success)) is not None
        ]

    def _equivalence_notices(self, release: Published, table: Table) -> list[Notice]:
        """Tell where one value decides more people than are in a group: table after table, it goes on."""
        if not self.shape.several:
            return []
        beside = max(int(part.statistics.sizes.max(initial=1)) for part in self.parts.values()) - 1
        found = self.equivalence(release, table)
        return [
            Notice(EQUIVALENCE, equivalence_sentence(name, each, release.unit), people=each.most, secret=True)
            for name, each in found.items()
            if each.most > beside
        ]

    def _learning_notices(self, release: Published, audit: Audit, table: Table) -> tuple[Notice, ...]:
        return tuple(
            Notice(
                READER.name,
                success_sentence(belief, success, promised(release)),
                float(belief.max_posterior),
                len(belief.row),
                prominent=True,
            )
            for belief, success in self.learning(release, audit, table).values()
            if max(success.share, belief.expected) > belief.expected_unlearned + NOTICEABLE
        )


def _decided(inside: Inside, table: Table) -> dict[str, Equivalence]:
    """Follow one known value, column by column; nothing where that would take too much memory."""
    found = {}
    for name in table.sensitive:
        with suppress(TacitError, MemoryError):  # nobody promised it, and no figure may stop a publication
            found[name] = Equivalence.inside(inside, table, name)
    return {name: each for name, each in found.items() if each is not None}


def size_promised(release: Published) -> int:
    """Return the k that groups were cut by, as far as a reader knows; 0 where something else may have stopped a cut.

    Of a release that promises nothing it is the smallest group.
    """
    claims = [claim.guarantee for claim in release.claims]
    if not claims:
        sizes = release.shape.statistics.sizes
        return int(sizes.min()) if len(sizes) else 0
    if any(not isinstance(each, GroupGuarantee) or each.needs_values for each in claims):
        return 0
    return max((int(getattr(each, "k", 0)) for each in claims), default=0)


def tight_ends(release: Published) -> bool:
    """Tell whether intervals may end at people's values: not where the method says that it snaps them to cut points."""
    method = release.method or {}
    return all(step.get("bounds") != "snapped" for step in method.get("steps", [method]))
