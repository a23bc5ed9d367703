"""Measures: what it cost, and how large the risks of a table are.

Each measure of cost compares a release with the table it was made from; `utility` gathers them in one value.
"""

from tacit.measures.costs import Utility, utility
from tacit.measures.distributions import Distance, DistributionDistances, distribution_distances, reconstructed
from tacit.measures.ncp import cell_losses, column_losses, ncp
from tacit.measures.query_error import QueryError, query_error
from tacit.measures.risk import PopulationRisk, SpecialUniques, population_risk, special_uniques
from tacit.measures.workload import Workload

__all__ = [
    "Distance",
    "DistributionDistances",
    "PopulationRisk",
    "QueryError",
    "SpecialUniques",
    "Utility",
    "Workload",
    "cell_losses",
    "column_losses",
    "distribution_distances",
    "ncp",
    "population_risk",
    "query_error",
    "reconstructed",
    "special_uniques",
    "utility",
]
