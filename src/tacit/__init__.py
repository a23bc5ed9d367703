"""Publish tables about people so that nobody in them can be linked to what they would not tell.

>>> import tacit as tc
>>> table = tc.Table({"age": [30, 30, 41], "ill": ["flu", "cold", "flu"]}, quasi_identifiers="age", sensitive="ill")
>>> tc.audit(tc.Release.foreign(table.frame, quasi_identifiers="age", sensitive="ill")).warnings[0].people
1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# The rooms whose nouns are public: what a room exports under a capital letter is a name of the package, and so are the
# two verbs. They are imported when first used: the command line's help must not wait for a compiler.
_ROOMS = (
    "errors",
    "hierarchies",
    "table",
    "guarantees",
    "engines",
    "adversaries",
    "measures",
    "audits",
    "releases",
    "methods",
)
_VERBS = ("audit", "query_error", "utility")

if TYPE_CHECKING:
    from tacit.adversaries import *  # noqa: F403
    from tacit.audits import *  # noqa: F403
    from tacit.engines import *  # noqa: F403
    from tacit.errors import *  # noqa: F403
    from tacit.guarantees import *  # noqa: F403
    from tacit.hierarchies import *  # type: ignore[assignment]  # noqa: F403
    from tacit.measures import *  # noqa: F403
    from tacit.methods import *  # type: ignore[assignment]  # noqa: F403
    from tacit.releases import *  # noqa: F403
    from tacit.table import *  # noqa: F403


def _public(room: str) -> list[str]:
    exported: list[str] = import_module(f"tacit.{room}").__all__
    return [name for name in exported if name[0].isupper() or name in _VERBS]


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted({name for room in _ROOMS for name in _public(room)})
    if name[0].isupper() or name in _VERBS:
        for room in _ROOMS:
            if name in _public(room):
                value = getattr(import_module(f"tacit.{room}"), name)
                globals()[name] = value
                return value
    raise AttributeError(f"module 'tacit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), "__version__"]
