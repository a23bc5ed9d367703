"""What is said of a reader who learns, in one sentence: how often she is right, what was promised, the population."""

from __future__ import annotations

from tacit.adversaries.learning.learned import Learned
from tacit.adversaries.learning.success import Success
from tacit.guarantees import GroupGuarantee
from tacit.knowledge.learning.equivalence import Equivalence
from tacit.shapes import Published

NOTICEABLE = 0.01
"""A share of people. A reader who guesses so much more right than one who learns nothing is worth a word."""


PLACED = 0.05
"""A share of people. A method by which somebody who tries it out guesses so many more right is worth a word."""

EQUIVALENCE = "equivalence attack"
"""What it is called that one known value decides others."""


def promised(published: Published) -> float | None:
    """Return the least posterior of a sensitive value that a claim promises to a reader who does not learn."""
    bounds = []
    for claim in published.claims:
        guarantee = claim.guarantee
        if isinstance(guarantee, GroupGuarantee) and guarantee.needs_values and guarantee.bound() is not None:
            bounds.append(guarantee.bound())
    return min((float(bound) for bound in bounds if bound is not None), default=None)


def expected_sentence(belief: Learned, promise: float | None) -> str:
    """Say what she expects, from what is published alone."""
    return (
        f"{_reader(belief)} expects to guess {belief.column!r} right for {belief.expected:.0%} of the rows, "
        f"{_otherwise(belief, promise)}; knowing only the population she would expect {belief.expected_before:.0%}"
        f"{_unsettled(belief)}"
    )


def success_sentence(belief: Learned, success: Success, promise: float | None) -> str:
    """Say how often she is right, which only somebody with the table can tell."""
    return (
        f"{_reader(belief)} would guess {belief.column!r} right for {success.share:.0%} of the rows, "
        f"{_otherwise(belief, promise)}; knowing only the population she would guess {success.prior_share:.0%}"
        f"{_mistaken(belief, success)}"
    )


def placed_sentence(column: str, success: Success) -> str | None:
    """Say where it tells much how a method places people in their groups; None where it does not."""
    without, found = success.informed_share, success.placed
    if without is None or found is None or found.share <= without or found.more <= PLACED or found.by_chance:
        return None
    return (
        f"where people stand in their groups tells who has which {column!r}: somebody who knows the population and "
        f"tries the method out on made-up values would guess it right for {found.share:.0%} of the rows, and for "
        f"{without:.0%} without trying it out"
    )


def equivalence_sentence(column: str, found: Equivalence, unit: str) -> str:
    """Say how many people become certain once one person's value is known by other means."""
    one = "person" if unit == "people" else "row"
    return (
        f"whoever learns the {column!r} of one {one} by other means becomes certain of up to {found.most:,} other "
        f"{unit}, from this release alone; {found.telling:,} {unit} have a value that decides somebody else's. "
        "More different values in every group make that rare"
    )


def _reader(belief: Learned) -> str:
    knows = " and knows everybody's quasi-identifiers" if belief.told else ""
    sample = ""
    if len(belief.row) < belief.people_published:
        sample = f" (asked about {len(belief.row):,} of {belief.people_published:,} rows)"
    turns = ", one table after another" if belief.several_tables else ""
    turns += ", one row at a time although people have several" if belief.each_row else ""
    return f"a reader who learns from the files themselves{turns}{',' if turns else ''}{knows}{sample}"


def _unsettled(belief: Learned) -> str:
    """Warn where she would do better by learning if her model is right, and cannot tell whether it is."""
    if belief.reading.trust.settled or belief.expected <= belief.expected_unlearned + NOTICEABLE:
        return ""
    return "; too few groups could be held out to tell whether she would be right"


def _mistaken(belief: Learned, success: Success) -> str:
    """Say what she expects where only that makes her worth a word: learning does not help, and she thinks it does."""
    if success.share > belief.expected_unlearned + NOTICEABLE or belief.expected <= success.share + NOTICEABLE:
        return ""
    return f"; she herself expects {belief.expected:.0%}, and is mistaken"


def _otherwise(belief: Learned, promise: float | None) -> str:
    if promise is None:
        return f"where the groups alone would let her guess {belief.expected_unlearned:.0%}"
    return f"where {promise:.0%} is promised to one who does not learn"
