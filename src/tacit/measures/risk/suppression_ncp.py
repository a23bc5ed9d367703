"""NCP of suppression: the share of the cells that are gone, over all columns that the risk is about."""

from __future__ import annotations

from collections.abc import Mapping

from tacit.errors import RoleError
from tacit.knowledge.risk.attributes import Attributes, Blank


def suppression_ncp(attributes: Attributes, blank: Blank, weights: Mapping[str, float] | None = None) -> float:
    """Return suppressed cells / (n q), or the same with columns that weigh more or less than others."""
    for name in weights or {}:
        if name not in attributes.names:
            raise RoleError.missing_column(name, attributes.names, place="the columns that the risk is about")
    shares = [1.0 if weights is None else weights.get(name, 0.0) for name in attributes.names]
    total = sum(shares) * attributes.rows
    lost = blank.sum(axis=0)
    return float(sum(share * int(count) for share, count in zip(shares, lost, strict=True)) / total) if total else 0.0
