"""Linkage: groups of people who cannot be told apart by their quasi-identifiers."""

from tacit.methods.linkage.anatomy import Anatomy
from tacit.methods.linkage.ke_permutation import KEPermutation
from tacit.methods.linkage.mondrian import Mondrian
from tacit.methods.linkage.small_groups import SmallGroups

__all__ = ["Anatomy", "KEPermutation", "Mondrian", "SmallGroups"]
