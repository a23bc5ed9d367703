"""What analysts compute, by definition: slow, obvious, and without the package."""

from __future__ import annotations

import math
from collections.abc import Sequence


def area(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """Count the pairs in which somebody with the answer is ranked above somebody without; ties count half."""
    wins, pairs = 0.0, 0
    for one, is_one in zip(scores, positive, strict=True):
        for other, is_other in zip(scores, positive, strict=True):
            if is_one and not is_other:
                pairs += 1
                wins += 1.0 if one > other else 0.5 if one == other else 0.0
    return wins / pairs


def correlation(x: Sequence[float], y: Sequence[float], weights: Sequence[float]) -> float:
    """Pearson's correlation, as if every row were there as often as its weight says."""
    total = math.fsum(weights)
    mx = math.fsum(w * a for w, a in zip(weights, x, strict=True)) / total
    my = math.fsum(w * b for w, b in zip(weights, y, strict=True)) / total
    both = math.fsum(w * (a - mx) * (b - my) for w, a, b in zip(weights, x, y, strict=True))
    sx = math.fsum(w * (a - mx) ** 2 for w, a in zip(weights, x, strict=True))
    sy = math.fsum(w * (b - my) ** 2 for w, b in zip(weights, y, strict=True))
    return both / math.sqrt(sx * sy)


def line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """The slope of a line through points by least squares, and its standard error."""
    n = len(x)
    mx, my = math.fsum(x) / n, math.fsum(y) / n
    sxx = math.fsum((a - mx) ** 2 for a in x)
    slope = math.fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sxx
    rest = math.fsum((b - my - slope * (a - mx)) ** 2 for a, b in zip(x, y, strict=True))
    return slope, math.sqrt(rest / (n - 2) / sxx)


def mean_of_cell(cell: str, values: Sequence[float]) -> float:
    """The mean of those values that a cell `[a, b]` or a single number may stand for."""
    if cell.startswith("["):
        low, high = (float(end) for end in cell[1:-1].split(","))
    else:
        low = high = float(cell)
    inside = [value for value in values if low <= value <= high]
    return math.fsum(inside) / len(inside)
