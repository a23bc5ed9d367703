"""Finding: the verdict on one claim, and which parts of the promise it rests on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

PartVerdict = Literal["holds", "fails", "apart", "not checked", "none"]
Exactness = Literal["exact", "certified", "not guaranteed"]
_SCALAR = int | float | str


def several(count: int, what: str) -> str:
    """Count things in words, one thing in the singular.

    Examples
    --------
    >>> several(1, "group"), several(1254, "row")
    ('1 group', '1,254 rows')
    """
    return f"1 {what}" if count == 1 else f"{count:,} {what}s"


@dataclass(frozen=True)
class Parts:
    """What was checked of a promise, part by part.

    Each part is one of five words: it "holds", it "fails", it was "not checked", there is "none" of it (no row was
    withheld, no cell is blank, the promise is not about it), or it is judged "apart", by an adversary of its own, and
    is no part of this promise.

    Attributes
    ----------
    published
        What everybody can read: the groups or records of the public frames.
    withheld
        The rows that were not published, read as one more group by somebody who knows who is in the table.
    blanks
        What a suppressed cell may hide.
    replayed
        Whether the frames are what the method makes of the table: its arithmetic run again, its private part compared.

    Examples
    --------
    >>> Parts(published="holds").holds, Parts(published="holds", withheld="not checked").holds
    (True, None)
    >>> Parts(published="fails", withheld="not checked").holds
    False
    """

    published: PartVerdict = "not checked"
    withheld: PartVerdict = "none"
    blanks: PartVerdict = "none"
    replayed: PartVerdict = "none"

    @property
    def holds(self) -> bool | None:
        """True if every part was checked and holds, False if one fails, None if one was not checked."""
        verdicts = (self.published, self.withheld, self.blanks, self.replayed)
        if "fails" in verdicts:
            return False
        return None if "not checked" in verdicts else True


@dataclass(frozen=True)
class Finding:
    """The verdict on one claim.

    Attributes
    ----------
    guarantee
        What was claimed, as text.
    parts
        What was checked, part by part; the verdict follows from them.
    exactness
        Whether the figures are exact, bounds, or neither.
    sentence
        What a data owner should read.
    posterior
        The largest posterior that the claim is about, if it is about one.
    bound
        What the posterior must not exceed.
    where
        The group or record where it is largest, in words of the public frames.
    parameters
        The public parameters of the guarantee.
    secret
        Whether sentence, posterior and place rest on what is not published: then only the verdict is public.
    needed
        What was not checked, and what would be needed to check it; None if every part was.
    """

    guarantee: str
    parts: Parts
    exactness: Exactness
    sentence: str
    posterior: float | None = None
    bound: float | None = None
    where: str | None = None
    parameters: dict[str, Any] | None = field(default=None)
    secret: bool = False
    needed: str | None = None

    @property
    def holds(self) -> bool | None:
        """True if every part of the promise was checked and holds, False if one fails, None if one was not checked."""
        return self.parts.holds

    @property
    def withheld(self) -> PartVerdict:
        """What the claim says of the rows that were not published."""
        return self.parts.withheld

    @property
    def title(self) -> str:
        """The guarantee with its parameters, as far as they are single numbers or words.

        Examples
        --------
        >>> Finding("k-anonymity", Parts("fails"), "exact", "1 row", parameters={"k": 5, "of": "published"}).title
        'k-anonymity (k=5, of=published)'
        """
        given = [f"{key}={value}" for key, value in (self.parameters or {}).items() if isinstance(value, _SCALAR)]
        return f"{self.guarantee} ({', '.join(given)})" if given else self.guarantee

    @property
    def reason(self) -> str:
        """Why it does not hold or cannot be checked: the sentence, and what would be needed to check it."""
        return self.sentence if self.needed is None else f"{self.sentence}; not checked: {self.needed}"

    def but(self, **parts: PartVerdict) -> Finding:
        """Return the same finding with some parts judged otherwise."""
        return replace(self, parts=replace(self.parts, **parts))

    def public(self) -> Finding:
        """Return what everybody may read of it."""
        if not self.secret:
            return self
        verdict_only = "judged with what is not published; the figures are for the data owner"
        return replace(self, posterior=None, bound=None, where=None, needed=None, sentence=verdict_only)

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict for JSON."""
        return {"guarantee": self.guarantee, "holds": self.holds, "withheld": self.withheld, **asdict(self)}


def worst(findings: list[Finding]) -> Finding:
    """Return the finding that decides: one that fails before one that was not checked, then the largest posterior."""
    order = (True, None, False)
    return max(findings, key=lambda finding: (order.index(finding.holds), finding.posterior or 0.0))
