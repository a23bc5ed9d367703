"""Costly releases: one group, a quarter of the information lost, or a tenth of the rows withheld, and what to change.

Such a release keeps its promises, and is of less use than it could be. The data owner is told, with the parameter to
change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tacit.measures import Utility
from tacit.shapes import Published

MOST_LOST = 0.25
"""NCP from which a release is announced; the bound that `inspect` holds its recipes to."""

MOST_WITHHELD = 0.10
"""Share of rows withheld from which a release is announced; the bound that `inspect` holds its recipes to."""

_LOWER = {"k": 2, "l": 2, "m": 2, "r": 2}
"""Parameters that promise more the larger they are, and the smallest value that promises anything."""

_RAISE = ("t", "beta", "delta", "alpha")
"""Parameters that promise more the smaller they are."""

_HALF = 0.5

_FEWER = "name fewer columns as quasi-identifiers"


def costly(release: Published, cost: Utility) -> list[str]:
    """Say what is costly about a release, one sentence for each thing, and what to change; nothing where all is well.

    Parameters
    ----------
    release
        What was made, with its inside.
    cost
        What it cost.
    """
    steps = _steps(release.method)
    sentences = []
    if cost.suppression_rate >= MOST_WITHHELD:
        step = steps[_withholding_step(release)] if steps else {}
        less = " or ".join([*ways(step), "leave the column out whose value is too frequent"])
        sentences.append(
            f"{cost.suppression_rate:.0%} of the rows are withheld"
            + (f" by {step['name']}" if step else "")
            + f". To publish more: {less}."
        )
    # Without quasi-identifiers everybody is alike, and one group loses nothing.
    grouped = release.shape.grouped and not release.shape.several and bool(release.shape.quasi_identifiers)
    if grouped and release.shape.statistics.count == 1 and release.shape.rows > 1:
        less = " or ".join([*ways(steps[-1] if steps else {}), _FEWER])
        sentences.append(
            f"All {release.shape.rows:,} published rows are one group, in which nobody can be told from anybody. To "
            f"publish more: {less}."
        )
    elif (lost := _published_loss(cost)) >= MOST_LOST:
        less = " or ".join([*ways(steps[-1] if steps else {}), _FEWER])
        sentences.append(
            f"{'More than half' if lost > _HALF else 'A quarter or more'} of the information is lost (NCP "
            f"{cost.ncp:.2f} of 1, withheld rows counted as lost). To lose less: {less}."
        )
    return sentences


def _published_loss(cost: Utility) -> float:
    """Return the loss over the whole table, unless rows withheld are the reason, which are announced by themselves."""
    return cost.ncp if cost.suppression_rate < MOST_WITHHELD else cost.ncp - cost.suppression_rate


def _steps(method: Mapping[str, Any] | None) -> Sequence[Mapping[str, Any]]:
    return [] if method is None else method.get("steps", [method])


def _withholding_step(release: Published) -> int:
    """Return the step that withheld most rows; the last where nothing tells."""
    if release.inside is None or not release.inside.withheld:
        return -1
    return max(release.inside.withheld, key=lambda hidden: int(hidden.rows.sum())).step


def ways(step: Mapping[str, Any]) -> Iterator[str]:
    """Name the parameters of a step of a release or recipe, or of its guarantees, that could ask for less."""
    for owner, name, value in _parameters(step):
        of = f" of {owner}" if owner != _name(step) else ""
        if name in _LOWER and value > _LOWER[name]:
            yield f"lower {name}{of} (now {value:g})"
        elif name in _LOWER:
            yield f"ask for something else than {owner} ({name} = {value:g} is the least)"
        elif name in _RAISE:
            yield f"raise {name}{of} (now {value:g})"


def _parameters(given: Mapping[str, Any]) -> Iterator[tuple[str, str, float]]:
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from _parameters(value)
        elif isinstance(value, list | tuple):
            for each in value:
                yield from _parameters(each) if isinstance(each, Mapping) else ()
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield _name(given), name, float(value)


def _name(given: Mapping[str, Any]) -> str:
    """Return what a step or guarantee is called: `name` in a release, `method` in a recipe's step."""
    return str(given.get("name", given.get("method", "")))
