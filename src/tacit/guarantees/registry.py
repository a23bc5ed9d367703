"""From a description to a guarantee: the one reader for recipes, command line and `release.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BeforeValidator

from tacit.errors import KnowledgeMissing, ParameterError
from tacit.guarantees.base import Guarantee
from tacit.guarantees.knowledge_missing import Absent
from tacit.parameters import NOT_PUBLISHED, completed, exported, from_description


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


def recall(
    description: Mapping[str, Any], private: Mapping[str, Any] | None = None, *, knowledge: Any = None
) -> Guarantee:
    """Make a guarantee again from what was published of it; without the knowledge that it is about it is `Absent`.

    Parameters
    ----------
    description
        Its name and its public parameters.
    private
        What its owner kept: the parameters that are not published.
    knowledge
        A table that somebody supplies again, for a guarantee that is about one.
    """
    given = dict(description)
    name = str(given.pop("name", "unknown"))
    kept, reason = dict(private or {}), None
    try:
        kind = classes().get(name)
        if kind is None:
            return make(completed(description, kept))
        # A release may come from anywhere, and must not name a file for its reader to open.
        files = kind.file_parameters() & given.keys()
        public = {"name": name, **given} | dict.fromkeys(files, NOT_PUBLISHED)
        return make(completed(public, kind.known_again(kept, knowledge)))
    except KnowledgeMissing as error:
        reason = str(error)
    except ParameterError:
        pass
    return Absent(claimed=name, parameters=given, reason=reason)


DESCRIBED = BeforeValidator(lambda given: make(given) if isinstance(given, Mapping) else given)
"""Annotates a parameter that takes a guarantee or, in a recipe, its description."""
