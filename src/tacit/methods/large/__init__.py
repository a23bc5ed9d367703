"""Large: a method on a table that no memory holds.

Count, plan, apply, count again: statistics of the whole are counted where the rows are, a plan is made of them, the
local method works inside fragments with the statistics of the whole as reference, and what was written is counted
again. There is no second copy of any method here.
"""

from tacit.methods.large.release import LargeRelease
from tacit.methods.large.table import LargeTable

__all__ = ["LargeRelease", "LargeTable"]
