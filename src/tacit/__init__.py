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

# The public names, by the room that defines them: a new method, guarantee or adversary is one line here. Names that a
# room exports for other rooms only (`Codes`, `Job` ...) are not listed. They are imported when first used: the command
# line's help must not wait for a compiler. `docs/reference.md` lists them too, and a test compares.
_PUBLIC: dict[str, tuple[str, ...]] = {
    "table": ("Table", "Column", "Kind", "Role"),
    "hierarchies": ("Hierarchy", "Calendar", "Flat", "Intervals", "Prefix", "TreeHierarchy"),
    "methods": (
        "Method",
        "ART",
        "Anatomy",
        "Angel",
        "Injector",
        "InvariantMarginals",
        "KEPermutation",
        "Mask",
        "Mondrian",
        "Pipeline",
        "QuasiSensitive",
        "RSuppression",
        "SafeDSuppression",
        "ShiftSuppression",
        "SmallGroups",
        "SuppressAll",
        "UnsafeDSuppression",
        "ValueSuppression",
    ),
    "guarantees": (
        "Guarantee",
        "GroupGuarantee",
        "QSGuarantee",
        "DisclosureRisk",
        "Finding",
        "Parts",
        "AlphaK",
        "BetaLikeness",
        "DeltaDisclosure",
        "Eligibility",
        "KAnonymity",
        "KEAnonymity",
        "LDichotomy",
        "LDiversity",
        "MInvariance",
        "QSCloseness",
        "QSDiversity",
        "RRobustness",
        "RiskBelow",
        "TCloseness",
    ),
    "releases": ("Release", "Written", "Destination", "Ledger", "LedgerEntry"),
    "adversaries": (
        "Adversary",
        "Belief",
        "Notice",
        "BlankAdversary",
        "DistributionAdversary",
        "EligibilityAdversary",
        "IntersectionAdversary",
        "KnownSetAdversary",
        "LabelAdversary",
        "LearningAdversary",
        "LinkageAdversary",
        "WorldAdversary",
    ),
    "audits": ("Audit", "audit"),
    "measures": (
        "Utility",
        "utility",
        "Workload",
        "QueryError",
        "query_error",
        "special_uniques",
        "SpecialUniques",
        "population_risk",
        "PopulationRisk",
    ),
    "jobs.in_python": ("inspect", "Inspection", "compare", "Choice", "publish", "Publication"),
    "estimators": ("Protector",),
    "engines": ("Engine", "LocalEngine", "SparkEngine", "StreamingEngine"),
    "errors": (
        "TacitError",
        "AuditFailed",
        "HierarchyError",
        "Infeasible",
        "LedgerConflict",
        "ParameterError",
        "RoleError",
        "SourceError",
    ),
}
_ROOMS = {name: room for room, names in _PUBLIC.items() for name in names}

if TYPE_CHECKING:
    from tacit.adversaries import *  # noqa: F403
    from tacit.audits import *  # noqa: F403
    from tacit.engines import *  # noqa: F403
    from tacit.errors import *  # noqa: F403
    from tacit.estimators import *  # noqa: F403
    from tacit.guarantees import *  # noqa: F403
    from tacit.hierarchies import *  # type: ignore[assignment]  # noqa: F403
    from tacit.jobs.in_python import *  # noqa: F403
    from tacit.measures import *  # noqa: F403
    from tacit.methods import *  # type: ignore[assignment]  # noqa: F403
    from tacit.releases import *  # noqa: F403
    from tacit.table import *  # noqa: F403

__all__ = sorted(_ROOMS)  # noqa: PLE0605  (a list, made of the names above)


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    value = getattr(import_module(f"tacit.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
