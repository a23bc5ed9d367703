"""The paper's bound on the spread of probabilities in a group (inequalities 4 and 5)."""

from __future__ import annotations

import math


def delta_max(size: int, r: float, highest: float) -> float:
    """Return how far probabilities may lie apart in a group of `size` tuples whose highest is `highest`.

    Examples
    --------
    >>> [round(delta_max(n, r, f), 4) for n, r, f in [(3, 2, 0.1), (3, 2, 0.3), (3, 2, 0.5), (6, 2, 0.3), (6, 3, 0.3)]]
    [0.0474, 0.1235, 0.1667, 0.2211, 0.1537]
    """
    if highest >= 1.0:
        return 0.0
    return (size - r) * highest / (highest * (r - 1) / (1.0 - highest) + size - 1)


def expected_size(delta: float, r: float, highest: float) -> float:
    """Return the least size at which a spread of `delta` is allowed; infinite where no size allows it.

    Examples
    --------
    >>> expected_size(0.0, 2, 0.3), expected_size(0.12, 2, 0.3), expected_size(0.3, 2, 0.3)
    (2, 3, inf)
    """
    if delta <= 0.0:
        return math.ceil(r)
    if delta >= highest or highest >= 1.0:
        return math.inf
    odds_high = highest / (1.0 - highest)
    odds_low = (highest - delta) / (1.0 - highest + delta)
    # Inequality 5 in odds: max / min <= (N - 1) / (r - 1); a hair of rounding must not ask for one tuple more.
    return math.ceil(1.0 + (r - 1.0) * odds_high / odds_low - 1e-9)
