"""Mondrian: groups of similar people under any guarantee about groups."""

from tacit.methods.linkage.mondrian.attributes import RECODES, Attribute, Recode
from tacit.methods.linkage.mondrian.mondrian import Mondrian

__all__ = ["RECODES", "Attribute", "Mondrian", "Recode"]
