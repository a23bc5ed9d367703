"""What an adversary infers from an eligible part of a table that was not eligible.

The adversary sees the published count of each value, knows how many records the table had, the algorithm and its
parameter, and has a prior that treats the values alike: all vectors of frequencies equally likely, or all assignments
of values to records. Asked are, for each value, the exact probabilities that it was the most frequent one (S1), that
it was in more than n/l records, and that a withheld person has it.

- ``posterior`` answers for one published table, by inversion: it adds up the base tables that could have led to it,
- ``worst`` answers for all tables of one size: the published counts for which somebody is surest of S1,
- ``withheld_by_count`` is the closed form for Shift and an adversary who knows the frequencies, but not which value has
  which,
- ``proved_bound`` says what holds for every prior that treats the values alike, whatever the size.

Where adding up would take too long the answer is None, which means "not computed", never "safe".
"""

from __future__ import annotations

from tacit.knowledge.skew.posterior.beliefs import Algorithm, Posterior, Prior, proved_bound
from tacit.knowledge.skew.posterior.inversion import posterior
from tacit.knowledge.skew.posterior.withheld import withheld_by_count
from tacit.knowledge.skew.posterior.worst import Worst, outputs, worst

__all__ = [
    "Algorithm",
    "Posterior",
    "Prior",
    "Worst",
    "outputs",
    "posterior",
    "proved_bound",
    "withheld_by_count",
    "worst",
]
