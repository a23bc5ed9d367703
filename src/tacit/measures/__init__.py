"""Measures: what it cost.

Each measure compares a release with the table it was made from; `utility` gathers them in one value.
"""

from tacit.measures.costs import Utility, utility
from tacit.measures.distributions import Distance, DistributionDistances, distribution_distances, reconstructed
from tacit.measures.ncp import cell_losses, column_losses, ncp
from tacit.measures.query_error import QueryError, query_error
from tacit.measures.workload import Workload

__all__ = [
    "Distance",
    "DistributionDistances",
    "QueryError",
    "Utility",
    "Workload",
    "cell_losses",
    "column_losses",
    "distribution_distances",
    "ncp",
    "query_error",
    "reconstructed",
    "utility",
]
