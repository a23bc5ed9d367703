"""Quasi-sensitive: somebody holds a table that links harmless items to a hidden label."""

from tacit.guarantees.quasi_sensitive.base import QSGuarantee
from tacit.guarantees.quasi_sensitive.closeness import QSCloseness
from tacit.guarantees.quasi_sensitive.diversity import QSDiversity

__all__ = ["QSCloseness", "QSDiversity", "QSGuarantee"]
