"""From a description to a guarantee: the one reader for recipes, command line and `release.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tacit.errors import ParameterError, nearest
from tacit.guarantees.base import Guarantee


def classes() -> dict[str, type[Guarantee]]:
    """Return every guarantee by its name; `__all__` of the family is the registry."""
    from tacit import guarantees

    found = [getattr(guarantees, name) for name in guarantees.__all__]
    return {c.name: c for c in found if isinstance(c, type) and issubclass(c, Guarantee) and c.examples()}


def make(description: Mapping[str, Any]) -> Guarantee:
    """Make a guarantee from its name and parameters.

    Examples
    --------
    >>> make({"name": "k-anonymity", "k": 5})
    KAnonymity(k=5)
    """
    given = dict(description)
    name = given.pop("name", None)
    known = classes()
    if name not in known:
        raise ParameterError(f"There is no guarantee {name!r}.", hint=nearest(str(name), known, what="Guarantees"))
    return known[name](**given)
