"""From a description to a guarantee: the one reader for recipes, command line and `release.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BeforeValidator

from tacit.errors import ParameterError
from tacit.guarantees.base import Guarantee
from tacit.guarantees.knowledge_missing import Absent
from tacit.parameters import exported, from_description


def classes() -> dict[str, type[Guarantee]]:
    """Return every guarantee by its name."""
    from tacit import guarantees

    return exported(guarantees, Guarantee)  # type: ignore[type-abstract]


def make(description: Mapping[str, Any]) -> Guarantee:
    """Make a guarantee from its name and parameters.

    Examples
    --------
    >>> make({"name": "k-anonymity", "k": 5})
    KAnonymity(k=5)
    """
    return from_description(description, classes(), key="name", what="guarantee")


def recall(description: Mapping[str, Any]) -> Guarantee:
    """Make a guarantee from what was published of it; without its private knowledge it is `Absent`."""
    try:
        return make(description)
    except ParameterError:
        given = dict(description)
        return Absent(claimed=str(given.pop("name", "unknown")), parameters=given)


DESCRIBED = BeforeValidator(lambda given: make(given) if isinstance(given, Mapping) else given)
"""Annotates a parameter that takes a guarantee or, in a recipe, its description."""
