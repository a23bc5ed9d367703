"""Remarks: what the steps of a method tell the data owner, and nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NOTE = "note"
"""The kind of a remark that is a sentence and nothing more."""


@dataclass(frozen=True)
class Remark:
    """One sentence for the data owner, with the figures that it tells as values.

    Attributes
    ----------
    sentence
        What the data owner reads.
    kind
        What the figures are about, for whoever looks for them; "note" where there are none.
    figures
        Numbers, texts and lists of these by name, as JSON can hold them.

    Examples
    --------
    >>> remark = Remark("4 rows are withheld", "withheld", {"rows": 4})
    >>> str(remark), Remark.read(remark.plain()) == remark
    ('4 rows are withheld', True)
    """

    sentence: str
    kind: str = NOTE
    figures: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Remark | str) -> Remark:
        """Return a remark as it is, and a sentence as a remark."""
        return given if isinstance(given, Remark) else cls(given)

    def plain(self) -> str | dict[str, object]:
        """Return it as JSON holds it: a note as its sentence."""
        if self.kind == NOTE and not self.figures:
            return self.sentence
        return {"sentence": self.sentence, "kind": self.kind, "figures": dict(self.figures)}

    @classmethod
    def read(cls, plain: Any) -> Remark:
        """Read back what `plain` gave."""
        return cls(**plain) if isinstance(plain, Mapping) else cls(str(plain))

    def __str__(self) -> str:
        return self.sentence
