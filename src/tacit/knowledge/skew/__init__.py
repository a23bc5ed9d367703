"""Suppression plans on counts: how many records of each sensitive value may be published.

A plan starts from the frequencies of a sensitive column (one non-negative integer per value code, in any order, zero
for a value of the domain that is absent from the table) and ends with published counts in the same order. It knows no
columns and no rows. The plans are knowledge because adversaries know the algorithm, and an audit replays it; only the
drawing of rows belongs to the methods.

A table is *l-eligible* when no value is in more than a fraction 1/l of its records; on an eligible table every plan
publishes everything. On an ineligible one

- **Unsafe-D** takes single records from the most frequent value until the rest is eligible and at least l values could
  have been the most frequent one; it withholds the fewest records and does not protect against somebody who knows the
  algorithm,
- **Safe-D** cuts the l most frequent values to the frequency of the l-th,
- **R-suppression** sends the most frequent value to a random level first, then goes on as Unsafe-D,
- **Shift** gives the most frequent value a random one of the l top places, and every other value the place that is
  left; **V-Shift** does so for every value that violates eligibility,
- **Suppress-All** publishes nothing.

Each plan has a function from frequencies to counts, a deterministic core for given draws (a ledger stores the draws),
and a closed form of the expected number of suppressed records, exact and without a loop over records or levels.
"""

from __future__ import annotations

from tacit.knowledge.skew.algorithms import Algorithm, Question, is_invertible, proved_bound
from tacit.knowledge.skew.counts import (
    Counts,
    candidacy,
    eligible,
    largest_eligible_l,
    rank_order,
    require_enough_values,
    violating,
)
from tacit.knowledge.skew.expected import (
    expected_r_suppression,
    expected_safe_d,
    expected_shift,
    expected_suppress_all,
    expected_unsafe_d,
)
from tacit.knowledge.skew.levels import Levels, cut_level
from tacit.knowledge.skew.plans import PLANS, SuppressionPlan
from tacit.knowledge.skew.r_suppression import (
    RDraw,
    draw_r,
    r_interval,
    r_ranked,
    r_suppression,
    r_suppression_of,
)
from tacit.knowledge.skew.safe_d import safe_d, safe_ranked
from tacit.knowledge.skew.shift import (
    Hide,
    ShiftDraw,
    draw_shift,
    largest_shift_l,
    shift,
    shift_of,
    shift_ranked,
    shift_target,
)
from tacit.knowledge.skew.suppress_all import suppress_all
from tacit.knowledge.skew.unsafe_d import unsafe_d, unsafe_ranked

__all__ = [
    "PLANS",
    "Algorithm",
    "Counts",
    "Hide",
    "Levels",
    "Question",
    "RDraw",
    "ShiftDraw",
    "SuppressionPlan",
    "candidacy",
    "cut_level",
    "draw_r",
    "draw_shift",
    "eligible",
    "expected_r_suppression",
    "expected_safe_d",
    "expected_shift",
    "expected_suppress_all",
    "expected_unsafe_d",
    "is_invertible",
    "largest_eligible_l",
    "largest_shift_l",
    "proved_bound",
    "r_interval",
    "r_ranked",
    "r_suppression",
    "r_suppression_of",
    "rank_order",
    "require_enough_values",
    "safe_d",
    "safe_ranked",
    "shift",
    "shift_of",
    "shift_ranked",
    "shift_target",
    "suppress_all",
    "unsafe_d",
    "unsafe_ranked",
    "violating",
]
