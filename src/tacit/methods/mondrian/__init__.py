"""Mondrian: groups of similar people under any guarantee about groups."""

from tacit.methods.mondrian.attributes import Attribute, Recode
from tacit.methods.mondrian.mondrian import Mondrian

__all__ = ["Attribute", "Mondrian", "Recode"]
