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

# The public names and the room each lives in. They are imported when first used: the command line's help must not wait
# for a data frame library or a compiler.
_ROOMS = {
    "tacit.errors": (
        "AuditFailed", "HierarchyError", "Infeasible", "LedgerConflict", "ParameterError", "RoleError", "SourceError",
        "TacitError",
    ),
    "tacit.hierarchies": ("Calendar", "Flat", "Hierarchy", "Intervals", "Prefix", "TreeHierarchy"),
    "tacit.table": ("Kind", "Role", "Table"),
    "tacit.guarantees": ("Eligibility", "Guarantee", "KAnonymity"),
    "tacit.engines": ("LocalEngine",),
    "tacit.adversaries": ("Adversary", "LinkageAdversary"),
    "tacit.measures": ("Utility", "utility"),
    "tacit.audits": ("Audit", "audit"),
    "tacit.releases": ("Release",),
    "tacit.methods": ("Method", "Pipeline", "SmallGroups"),
}  # fmt: skip
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

if TYPE_CHECKING:
    from tacit.adversaries import Adversary, LinkageAdversary
    from tacit.audits import Audit, audit
    from tacit.engines import LocalEngine
    from tacit.errors import (
        AuditFailed,
        HierarchyError,
        Infeasible,
        LedgerConflict,
        ParameterError,
        RoleError,
        SourceError,
        TacitError,
    )
    from tacit.guarantees import Eligibility, Guarantee, KAnonymity
    from tacit.hierarchies import Calendar, Flat, Hierarchy, Intervals, Prefix, TreeHierarchy
    from tacit.measures import Utility, utility
    from tacit.methods import Method, Pipeline, SmallGroups
    from tacit.releases import Release
    from tacit.table import Kind, Role, Table

__all__ = [
    "Adversary", "Audit", "AuditFailed", "Calendar", "Eligibility", "Flat", "Guarantee", "Hierarchy", "HierarchyError",
    "Infeasible", "Intervals", "KAnonymity", "Kind", "LedgerConflict", "LinkageAdversary", "LocalEngine", "Method",
    "ParameterError", "Pipeline", "Prefix", "Release", "Role", "RoleError", "SmallGroups", "SourceError", "Table",
    "TacitError", "TreeHierarchy", "Utility", "audit", "utility",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
