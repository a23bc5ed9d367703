"""Mondrian: groups of similar people under any guarantee about groups."""

from tacit.methods.linkage.mondrian.attributes import RECODES, Attribute, Recode
from tacit.methods.linkage.mondrian.mondrian import Mondrian
from tacit.methods.linkage.mondrian.statistics import MondrianStatistics

__all__ = ["RECODES", "Attribute", "Mondrian", "MondrianStatistics", "Recode"]
