"""Choice: one way to protect a table, with the figures that a decision needs.

A figure of an attack says how much a reader learns; `ATTACKS` names those that a comparison can go by. A cost says what
an analyst loses; `parse_cost` reads which one counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tacit.errors import ParameterError

By = Literal["linkage", "learning", "distribution"]
ATTACKS: dict[By, tuple[str, str]] = {
    "linkage": ("link_posterior", "largest linkage posterior"),
    "learning": ("learned_share", "share guessed right by learning"),
    "distribution": ("distribution_share", "share of people learnt about, distribution known"),
}
"""Of each attack, the figure of a choice and what stands at its axis."""

COSTS: dict[str, str] = {"ncp": "information lost (NCP)", "query_error": "median relative error of COUNT queries"}
"""What stands at the axis of each cost."""

_MODEL = "model:"
_PUBLISHED = " of the published"
"""What is added to the name of a guarantee that is about the published rows alone."""


@dataclass(frozen=True)
class CostOfChoice:
    """The cost that a comparison goes by.

    Attributes
    ----------
    name
        How it is asked for.
    figure
        The figure of a choice.
    label
        What stands at its axis.
    target
        The column that models predict, where their errors are the cost.
    """

    name: str
    figure: str
    label: str
    target: str | None = None


def parse_cost(text: str) -> CostOfChoice:
    """Read which cost counts.

    Examples
    --------
    >>> parse_cost("query-error").figure, parse_cost("model:income").target
    ('query_error', 'income')
    """
    name = text.replace("-", "_")
    if name in COSTS:
        return CostOfChoice(name, name, COSTS[name])
    target = text.removeprefix(_MODEL)
    if text.startswith(_MODEL) and target.strip():
        return CostOfChoice(text, "model_error", f"share of wrong predictions of {target}", target)
    raise ParameterError(
        f"There is no cost {text!r}.", hint=f"Say one of: {', '.join(COSTS)}, or model: with a column to predict."
    )


def parse_by(text: str) -> By:
    """Read by which attack choices are compared."""
    if text not in ATTACKS:
        raise ParameterError(f"There is no attack {text!r} to go by.", hint=f"Say one of: {', '.join(get_args(By))}.")
    return text


@dataclass(frozen=True)
class Choice:
    """One way to protect a table, what it promises and what it costs; or the reason why it is not possible.

    Attributes
    ----------
    query_error
        The median relative error of COUNT queries; None without a sensitive column.
    learned_share
        The share of people whose sensitive value a reader guesses right who learns from the files; None where there
        are no groups to learn from.
    distribution_share
        The share of people about whom a reader learns who knows how the sensitive value is distributed: she guesses it
        right more often than not, and her odds at least doubled. None where that was not computed.
    model_error
        The share of people whom the best model that learns from such a release predicts wrongly, of those it has not
        seen; None where nobody asked for it.
    model_error_before
        The same of a model that learns from the table.
    promises
        What is claimed and holds: by name of the guarantee, what the posterior may not exceed, or the parameters of a
        guarantee that bounds something else.
    dominated
        Another choice promises at least as much, lets a reader learn no more and costs no more, and is better in one of
        these.
    verdict
        What to make of it, in one sentence.
    """

    label: str
    holds: bool | None = None
    max_posterior: float | None = None
    link_posterior: float | None = None
    ncp: float | None = None
    query_error: float | None = None
    learned_share: float | None = None
    distribution_share: float | None = None
    model_error: float | None = None
    model_error_before: float | None = None
    suppression_rate: float | None = None
    seconds: float | None = None
    refused: str | None = None
    promises: tuple[tuple[str, float | str], ...] = ()
    dominated: bool = False
    verdict: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {**vars(self), "promises": dict(self.promises)}

    def learnt(self, by: By) -> float | None:
        """Return the figure of an attack."""
        figure: float | None = getattr(self, ATTACKS[by][0])
        return figure

    def cost(self, against: CostOfChoice) -> float | None:
        """Return the figure of a cost."""
        figure: float | None = getattr(self, against.figure)
        return figure

    def promises_as_much_as(self, other: Choice) -> bool:
        """Tell whether every promise of the other choice is kept by this one; what cannot be compared is not."""
        mine = dict(self.promises)
        for name, promised in other.promises:
            kept = mine.get(name, mine.get(name.removesuffix(_PUBLISHED)))
            both_bounds = isinstance(kept, float) and isinstance(promised, float)
            if kept is None or not (kept <= promised if both_bounds else kept == promised):  # type: ignore[operator]
                return False
        return True

    def beaten_by(self, choices: Sequence[Choice], by: By, against: CostOfChoice) -> Choice | None:
        """Return a choice that is as good in everything and better in something; None where there is none."""
        mine = (self.learnt(by), self.cost(against))
        if mine[0] is None or mine[1] is None:
            return None
        for other in choices:
            theirs = (other.learnt(by), other.cost(against))
            if theirs[0] is None or theirs[1] is None or other is self or other.holds is not True:
                continue
            if not other.promises_as_much_as(self):
                continue
            more = not self.promises_as_much_as(other)
            if theirs[0] <= mine[0] and theirs[1] <= mine[1] and (theirs != mine or more):
                return other
        return None


def promise_name(guarantee: str, *, published: bool) -> str:
    """Name a promise; one about the published rows alone has a name of its own."""
    return guarantee + (_PUBLISHED if published else "")
