"""Risk: somebody knows a few attributes of a person, or reads what a blank cell may hide."""

from tacit.adversaries.risk.blanks import BlankAdversary, Reading
from tacit.adversaries.risk.known_set import KnownSetAdversary, Matches

__all__ = ["BlankAdversary", "KnownSetAdversary", "Matches", "Reading"]
