"""Figures: what both reports tell of a release, each computed once, when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tacit.adversaries import Learned, Notice, Success
from tacit.adversaries.learning import compared_with_truth, promised, success_sentence
from tacit.adversaries.learning.sentences import NOTICEABLE
from tacit.audits import READER, Audit
from tacit.report.exposure import Exposure
from tacit.shapes import Published, Shape
from tacit.table import Table


@dataclass(frozen=True, eq=False)
class ReleaseFigures:
    """The figures of one release, shared by its public and its internal report.

    Attributes
    ----------
    shape
        What is published.
    """

    shape: Shape
    _learning: dict[str, Mapping[str, tuple[Learned, Success]]] = field(default_factory=dict, repr=False)

    @cached_property
    def parts(self) -> dict[str, Shape]:
        """The tables of the release by name; the name of a single one is empty."""
        return dict(self.shape.parts)

    @cached_property
    def exposure(self) -> dict[str, Exposure]:
        """Who can be found in each published table, and what that tells."""
        return {name: Exposure.after(part) for name, part in self.parts.items()}

    def exposure_before(self, table: Table) -> dict[str, Exposure]:
        """Who could be found if the table itself were published, by the columns of each published table."""
        return {name: Exposure.before(table, part) for name, part in self.parts.items()}

    def learning(self, release: Published, audit: Audit, table: Table) -> Mapping[str, tuple[Learned, Success]]:
        """How often a reader who learns is right, per sensitive column; nothing where that cannot be told."""
        if "found" not in self._learning:
            known = {} if audit.learned is None else dict(audit.learned.items())
            try:
                self._learning["found"] = compared_with_truth(release, table, READER, known)
            except (Exception, MemoryError):  # nobody asked for it, and nothing may stop a publication
                self._learning["found"] = {}
        return self._learning["found"]

    def learning_notices(self, release: Published, audit: Audit, table: Table) -> tuple[Notice, ...]:
        """Say the same in a sentence for the data owner, where learning helps the reader."""
        return tuple(
            Notice(
                READER.name,
                success_sentence(belief, success, promised(release)),
                float(belief.max_posterior),
                len(belief.row),
                prominent=True,
            )
            for belief, success in self.learning(release, audit, table).values()
            if success.share > belief.expected_unlearned + NOTICEABLE
        )
