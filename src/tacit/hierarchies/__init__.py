"""How a value may blur.

A hierarchy says what a value becomes as less of it is shown: a postal code loses digits, an age becomes an interval,
a country a continent, until all that is left is ``*``. It is either a rule (``Intervals``, ``Prefix``, ``Calendar``,
``Flat``), which fits any column of its type, or a list (``TreeHierarchy``), which also declares the domain: a value
that nobody in the table has is still a value that somebody could have had.

Bound to the values of a column a hierarchy is a ``Tree``, and the rest of the package sees only that.
"""

from tacit.hierarchies.arx import TreeHierarchy
from tacit.hierarchies.base import Hierarchy
from tacit.hierarchies.calendar import Calendar
from tacit.hierarchies.flat import Flat
from tacit.hierarchies.intervals import Intervals
from tacit.hierarchies.prefix import Prefix
from tacit.hierarchies.registry import make
from tacit.hierarchies.tree import Tree

__all__ = ["Calendar", "Flat", "Hierarchy", "Intervals", "Prefix", "Tree", "TreeHierarchy", "make"]
