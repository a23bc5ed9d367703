"""Decision: what to make of a comparison, in one sentence for each choice and one for all of them.

Nothing here weighs privacy against cost for anybody: a choice is advised against only if another one is as good in
everything, and where several remain, the sentence says what one pays for what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tacit.jobs.choice import ATTACKS, By, Choice, CostOfChoice


@dataclass(frozen=True)
class Decision:
    """A comparison with its verdicts.

    Attributes
    ----------
    choices
        Every choice, with its verdict.
    by, against
        The attack and the cost that counted.
    sentence
        What to make of all of them.
    """

    choices: tuple[Choice, ...]
    by: By
    against: CostOfChoice
    sentence: str

    @property
    def open(self) -> list[Choice]:
        """The choices that nothing speaks against, from the cheapest."""
        return _open(self.choices, self.by, self.against)


def decide(choices: Sequence[Choice], by: By, against: CostOfChoice) -> Decision:
    """Judge every choice beside the others."""
    beaten = [choice.beaten_by(choices, by, against) for choice in choices]
    marked = [replace(choice, dominated=better is not None) for choice, better in zip(choices, beaten, strict=True)]
    remaining = _open(marked, by, against)
    judged = [
        replace(choice, verdict=_verdict(choice, better, remaining, by, against))
        for choice, better in zip(marked, beaten, strict=True)
    ]
    return Decision(tuple(judged), by, against, _together(judged, remaining, by, against))


def _open(choices: Sequence[Choice], by: By, against: CostOfChoice) -> list[Choice]:
    left = [c for c in choices if c.refused is None and c.holds is True and not c.dominated]
    left = [c for c in left if c.learnt(by) is not None and c.cost(against) is not None]
    return sorted(left, key=lambda choice: (choice.cost(against) or 0.0, choice.learnt(by) or 0.0))


def _verdict(choice: Choice, better: Choice | None, remaining: Sequence[Choice], by: By, against: CostOfChoice) -> str:
    if choice.refused is not None:
        return f"Not possible: {choice.refused}"
    if choice.holds is not True:
        return "Not to be published: a claim " + (
            "does not hold." if choice.holds is False else "could not be checked."
        )
    learnt, cost = choice.learnt(by), choice.cost(against)
    if learnt is None or cost is None:
        missing = ATTACKS[by][1] if learnt is None else against.label
        return f"Cannot be compared: there is no figure for {missing}."
    if better is not None:
        return f"No: {better.label} promises as much, and {_difference(better, choice, by, against)}."
    same = [c for c in remaining if c is not choice and _same_promises(c, choice)]
    if len(remaining) == 1:
        return "This one: nothing else that is possible is as good in promise, attack and cost."
    if same and all((c.cost(against) or 0.0) >= cost for c in same):
        return (
            f"This one if cost counts: the same promise as {_named(same)}, {_share(cost, same, against)} of the loss."
        )
    if choice is remaining[0]:
        return f"This one if cost counts: the smallest loss ({_number(cost)}); a reader gets {_number(learnt)}."
    if learnt <= min(c.learnt(by) or 0.0 for c in remaining):
        cheapest = remaining[0]
        return (
            f"This one if privacy counts: a reader gets {_number(learnt)} instead of {_number(cheapest.learnt(by))}, "
            f"for {_times(cost, cheapest.cost(against))} the loss of {cheapest.label}."
        )
    return f"Between: a reader gets {_number(learnt)}, at a loss of {_number(cost)}."


def _together(choices: Sequence[Choice], remaining: Sequence[Choice], by: By, against: CostOfChoice) -> str:
    reader, cost = ATTACKS[by][1], against.label
    if not remaining:
        possible = sum(choice.refused is None for choice in choices)
        return (
            f"Nothing to decide: {possible} of {len(choices)} ways are possible, and none can be compared by {reader}."
        )
    if len(remaining) == 1:
        only = remaining[0]
        others = len(choices) - 1
        beside = f"; the other {others} are worse or not possible" if others > 1 else ""
        return f"Take {only.label}: {reader} {_number(only.learnt(by))}, {cost} {_number(only.cost(against))}{beside}."
    first, last = remaining[0], remaining[-1]
    return (
        f"{len(remaining)} of {len(choices)} ways are worth a thought: from {first.label} to {last.label} the {cost} "
        f"goes from {_number(first.cost(against))} to {_number(last.cost(against))}, the {reader} from "
        f"{_number(first.learnt(by))} to {_number(last.learnt(by))}."
    )


def _difference(better: Choice, worse: Choice, by: By, against: CostOfChoice) -> str:
    """Say in what a choice is better."""
    parts = []
    learnt, cost = (better.learnt(by), worse.learnt(by)), (better.cost(against), worse.cost(against))
    if learnt[0] != learnt[1]:
        parts.append(f"a reader gets {_number(learnt[0])} instead of {_number(learnt[1])}")
    if cost[0] != cost[1]:
        parts.append(f"the loss is {_number(cost[0])} instead of {_number(cost[1])}")
    return " and ".join(parts) or "it promises more at the same cost"


def _same_promises(one: Choice, other: Choice) -> bool:
    return one.promises_as_much_as(other) and other.promises_as_much_as(one)


def _named(choices: Sequence[Choice]) -> str:
    names = [choice.label for choice in choices]
    return names[0] if len(names) == 1 else f"{len(names)} others"


def _share(cost: float, others: Sequence[Choice], against: CostOfChoice) -> str:
    next_best = min(c.cost(against) or 0.0 for c in others)
    return f"{cost / next_best:.0%}" if next_best > 0 else "none"


def _times(cost: float, least: float | None) -> str:
    return f"{cost / least:,.1f} times" if least else "more than"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
