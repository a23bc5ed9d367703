"""(k,e)-anonymity by the book: groups one at a time in fractions, and the best of all groupings of a few numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction


def holds(group: Sequence[float], k: int, e: float) -> bool:
    """Judge one group; a float is taken for the fraction that it is."""
    return len(set(group)) >= k and Fraction(max(group)) - Fraction(min(group)) >= Fraction(e)


def groupings(values: Sequence[float]) -> Iterator[list[list[float]]]:
    """Return every way to put different values into groups."""
    if not values:
        yield []
        return
    first, rest = values[0], values[1:]
    for others in groupings(rest):
        yield [[first], *others]
        for i, group in enumerate(others):
            yield [*others[:i], [first, *group], *others[i + 1 :]]


def smallest_sum_of_ranges(values: Sequence[float], k: int, e: float) -> Fraction | None:
    """Try every grouping; None where none is (k,e)-anonymous."""
    sums = [
        sum((Fraction(max(group)) - Fraction(min(group)) for group in grouping), Fraction(0))
        for grouping in groupings(sorted(set(values)))
        if all(holds(group, k, e) for group in grouping)
    ]
    return min(sums, default=None)
