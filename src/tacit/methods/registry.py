"""From a step of a recipe to a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.methods.base import Method
from tacit.methods.pipeline import Pipeline
from tacit.parameters import exported, from_description


def classes() -> dict[str, type[Method]]:
    """Return every method that can be a step, by its name."""
    from tacit import methods

    known = exported(methods, Method)  # type: ignore[type-abstract]
    return {name: method for name, method in known.items() if method is not Pipeline}


def make(description: Mapping[str, Any]) -> Method:
    """Make a method from its name and parameters.

    Examples
    --------
    >>> make({"method": "small-groups", "guarantee": {"name": "k-anonymity", "k": 5}})
    SmallGroups(guarantee=KAnonymity(k=5))
    """
    return from_description(description, classes(), key="method", what="method")


def make_steps(descriptions: Sequence[Mapping[str, Any]]) -> Method:
    """Make one method, or a pipeline of several."""
    return in_order([make(description) for description in descriptions])


def in_order(steps: Sequence[Method]) -> Method:
    """Return the only step itself, or a pipeline of several."""
    return steps[0] if len(steps) == 1 else Pipeline(steps)
