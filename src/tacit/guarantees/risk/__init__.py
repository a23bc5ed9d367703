"""Risk: somebody knows any subset of the attributes of a person."""

from tacit.guarantees.risk.risk_below import RiskBelow

__all__ = ["RiskBelow"]
