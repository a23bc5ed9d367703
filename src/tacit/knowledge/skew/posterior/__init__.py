"""What an adversary infers from the published part of a table in which a value was too frequent.

The adversary sees the published count of each value, knows how many records the table had, the algorithm and its
parameter, and has a prior that treats the values alike: all vectors of frequencies equally likely, or all assignments
of values to records. For each value she asks for the exact probabilities that it was the most frequent one (S1), that
it was in more than n/l records, and that a withheld person has it.

``posterior`` answers for one published table, by inversion: it adds up the base tables that could have led to it. Where
adding up would take too long the answer is None, which means "not computed", never "safe". What is proved for every
prior that treats the values alike, whatever the size, is in ``tacit.knowledge.skew.algorithms``.
"""

from __future__ import annotations

from tacit.knowledge.skew.posterior.beliefs import Posterior, Prior
from tacit.knowledge.skew.posterior.inversion import posterior

__all__ = ["Posterior", "Prior", "posterior"]
