"""Mondrian: groups of rows that satisfy a guarantee at a small loss of information (NCP).

Integer codes go in, a group number per row comes out. `space_of` says what blurring each quasi-identifier costs,
`rules_of` what every group must satisfy, and `partition` finds the groups.

Rows with equal quasi-identifiers are one cell (`cells`). Without hierarchies the cells are cut top-down
(`top_down`, `cuts`); with hierarchies they are pooled bottom-up (`pooling`, `leftovers`); where the guarantee is about
distributions, groups are cut further so that every side keeps the distribution (`balanced_cuts`). At last neighbouring
groups exchange members (`exchange`).
"""

from tacit.kernels.mondrian.cells import cells_of
from tacit.kernels.mondrian.partition import partition
from tacit.kernels.mondrian.rules import (
    CAPS,
    DISTINCT,
    ENTROPY,
    EQUAL,
    FLOORS,
    FREQUENCY,
    ORDERED,
    RECURSIVE,
    SIZE,
    TREE_DISTANCE,
    Rule,
    Rules,
    accepts,
    rules_of,
)
from tacit.kernels.mondrian.space import Nominal, Numeric, Space, Tree, space_of

__all__ = [
    "CAPS",
    "DISTINCT",
    "ENTROPY",
    "EQUAL",
    "FLOORS",
    "FREQUENCY",
    "ORDERED",
    "RECURSIVE",
    "SIZE",
    "TREE_DISTANCE",
    "Nominal",
    "Numeric",
    "Rule",
    "Rules",
    "Space",
    "Tree",
    "accepts",
    "cells_of",
    "partition",
    "rules_of",
    "space_of",
]
