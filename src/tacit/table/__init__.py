"""Tables: what the data is.

A table is immutable. Each column has one role (what it is to the people), one kind (how its values compare) and perhaps
a hierarchy (how a value may blur). Inside, columns are integer codes, made once; rows are grouped once and their counts
handed to whoever judges them.
"""

from tacit.table.cells import Cells
from tacit.table.cells_arrow import cells_from_arrow, cells_to_arrow
from tacit.table.codes import Codes, as_text, encode, positions
from tacit.table.columns import Column
from tacit.table.groups import Groups, GroupStats, Histogram
from tacit.table.items import ItemSets
from tacit.table.kinds import Kind
from tacit.table.layout import Layout
from tacit.table.people import People
from tacit.table.people_counts import PeopleCounts
from tacit.table.roles import Role
from tacit.table.table import Table

__all__ = [
    "Cells",
    "Codes",
    "Column",
    "GroupStats",
    "Groups",
    "Histogram",
    "ItemSets",
    "Kind",
    "Layout",
    "People",
    "PeopleCounts",
    "Role",
    "Table",
    "as_text",
    "cells_from_arrow",
    "cells_to_arrow",
    "encode",
    "positions",
]
