"""Measures: what it cost.

Each measure compares a release with the table it was made from; `utility` gathers them in one value.
"""

from tacit.measures.ncp import cell_losses, column_losses, ncp
from tacit.measures.costs import Utility, utility

__all__ = ["Utility", "cell_losses", "column_losses", "ncp", "utility"]
