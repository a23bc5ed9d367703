"""Clinical trials: the European Medicines Agency's policy 0070 and Health Canada's public release."""

from __future__ import annotations

from fractions import Fraction

from tacit.report.evidence.requirement import Requirement
from tacit.report.profiles.base import Measured, Profile

_MOST = Fraction(9, 100)
_EMA = (
    "European Medicines Agency, External guidance on the implementation of policy 0070 (EMA/90915/2016), 2017 "
    "(version 1.3), chapter 3, on the threshold of a public release"
)
_CANADA = (
    "Health Canada, Public release of clinical information: guidance document, 2019, on the threshold of anonymization"
)
_IS_NOT = (
    "The number is a threshold that the guidance proposes for a risk analysis. Another one may be justified, and being "
    "below it does not replace the analysis of who might attack and what she knows."
)


def _below(measured: Measured, source: str) -> tuple[Requirement, ...]:
    smallest, mean = measured.smallest_group, measured.mean_risk
    largest = Requirement(
        "largest risk of being found",
        "at most 0.09",
        "not assessed: nothing is published" if smallest is None else f"{1 / smallest:.4f}",
        None if smallest is None else Fraction(1, smallest) <= _MOST,
        source,
    )
    average = Requirement(
        "mean risk of being found",
        "",
        "not assessed" if mean is None else f"{mean:.4f}",
        None,
        f"{source}; shown beside it, because the guidance leaves the choice of the measure to be justified",
    )
    return (largest, average)


EMA = Profile(
    "ema-0070",
    "EMA policy 0070: largest risk of being found at most 0.09",
    _IS_NOT,
    lambda measured: _below(measured, _EMA),
)

HEALTH_CANADA = Profile(
    "health-canada",
    "Health Canada, public release of clinical information: risk at most 0.09",
    _IS_NOT,
    lambda measured: _below(measured, _CANADA),
)
