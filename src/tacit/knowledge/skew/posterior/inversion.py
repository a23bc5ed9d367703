"""From the published counts back to what the adversary believes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from typing import get_args

import numpy as np
import numpy.typing as npt

from tacit.errors import ParameterError
from tacit.knowledge.skew.algorithms import Algorithm, is_invertible
from tacit.knowledge.skew.counts import as_counts, as_l
from tacit.knowledge.skew.posterior.beliefs import Beliefs, Posterior, Prior, by_level
from tacit.knowledge.skew.posterior.consistent_tables import MASS, ConsistentTables, Key, feasible
from tacit.knowledge.skew.posterior.exact_sums import KeyedFractions
from tacit.knowledge.skew.posterior.inverse_r import stop_cases
from tacit.knowledge.skew.posterior.inverse_shift import nothing_cases, place_beliefs, safe_cases, shift_cases
from tacit.knowledge.skew.posterior.symmetric_tables import runs


def posterior(
    counts: npt.ArrayLike, n: int, l: int, *, algorithm: Algorithm, prior: Prior = "frequencies"
) -> Posterior:
    """Compute what somebody believes who sees the published counts and knows |T| = n, l and the algorithm.

    All base tables that could have led to the counts are added up exactly, each with its prior weight and the
    probability that the algorithm leads from it to the counts. Only F1 and the originals of the values at the top
    level are unknown, so few values at the top are cheap, whatever n is. Where there are too many tables, the fields
    that do not follow from symmetry alone are None.

    Parameters
    ----------
    counts
        Published counts, one per value, in any order. Zeros are values of the declared domain that were not published.
    n
        Records before suppression.
    l
        Parameter of the suppression.
    algorithm
        What was used, known to the adversary.
    prior
        ``"frequencies"``: all vectors of frequencies equally likely; ``"assignments"``: all assignments of values to
        records equally likely.

    Examples
    --------
    >>> seen = posterior([3, 3, 2, 1, 1], 18, 3, algorithm="r-suppression")
    >>> [str(p) for p in seen.most_frequent]
    ['71/212', '71/212', '35/106', '0', '0']
    """
    given, l = as_counts(counts), as_l(l)
    if not is_invertible(algorithm):
        raise ParameterError(f"algorithm is {algorithm!r}; it is one of {', '.join(get_args(Algorithm))}.")
    if prior not in get_args(Prior):
        raise ParameterError(f"prior is {prior!r}; it is one of {', '.join(get_args(Prior))}.")
    if int(given.sum()) > n:
        raise ParameterError(f"{int(given.sum())} records are published, more than the {n} of the table.")
    values: list[int] = given.tolist()
    if int(given.sum()) == n:
        return _nothing_hidden(values, n, l, algorithm, prior)
    # Only V-Shift and Suppress-All can publish nothing of a value that is there: elsewhere a zero is an absent value.
    shown: list[int] = np.sort(given if algorithm in ("v-shift", "suppress-all") else given[given > 0])[::-1].tolist()
    if not _possible(shown, l, algorithm):
        raise _impossible(values, n, l, algorithm)
    cases = list(_cases(shown, n, l, algorithm))
    first, violating, withheld = _by_symmetry(shown, l, algorithm), None, None
    records = prior == "assignments"
    if feasible(cases, records=records):
        total: KeyedFractions[Key] = reduce(add, (case.sum(records=records) for case in cases), KeyedFractions(1, {}))
        if not total.numerators.get(MASS):
            raise _impossible(values, n, l, algorithm)
        first = _beliefs(values, shown, total, "first", 1)
        violating = _beliefs(values, shown, total, "violating", 1)
        withheld = _beliefs(values, shown, total, "withheld", n - sum(shown))
    elif first is not None:
        first = by_level(values, dict(zip(shown, first, strict=True)))
        withheld = first if algorithm in ("safe-d", "suppress-all") else None
    return Posterior(
        algorithm=algorithm, prior=prior, n=n, l=l, most_frequent=first, violating=violating, withheld=withheld
    )


def _cases(shown: Sequence[int], n: int, l: int, algorithm: Algorithm) -> Iterable[ConsistentTables]:
    match algorithm:
        case "unsafe-d" | "r-suppression":
            return stop_cases(shown, n, l, randomized=algorithm == "r-suppression")
        case "shift" | "v-shift":
            return shift_cases(shown, n, l, violating=algorithm == "v-shift")
        case "safe-d":
            return safe_cases(shown, n, l)
        case "suppress-all":
            return nothing_cases(len(shown), n, l)


def _by_symmetry(shown: Sequence[int], l: int, algorithm: Algorithm) -> Beliefs:
    """Give what holds for every exchangeable prior without looking at tables, by descending count."""
    top = shown.count(shown[0])  # D-steps keep S1 at the top
    places = {"shift": l, "v-shift": l, "safe-d": top, "unsafe-d": top, "suppress-all": len(shown)}.get(algorithm)
    return None if places is None else by_level(shown, place_beliefs(shown, places))


def _beliefs(
    values: Sequence[int], shown: Sequence[int], total: KeyedFractions[Key], kind: str, people: int
) -> Beliefs:
    """Divide the sums of one question by the probability of the published counts, and spread them over the values."""
    mass = total.numerators[MASS] * people
    sums = {level: Fraction(sum(v for k, v in total.numerators.items() if k == (kind, level)), mass) for level in shown}
    return by_level(values, {level: sums[level] / size for level, size in runs(shown)})


def _nothing_hidden(values: list[int], n: int, l: int, algorithm: Algorithm, prior: Prior) -> Posterior:
    """On an eligible table everything is published, and everything is known."""
    top, nobody = max(values, default=0), tuple(Fraction(0) for _ in values)
    if l * top > n:
        raise _impossible(values, n, l, algorithm)
    first = tuple(Fraction(int(v == top), values.count(top)) for v in values)
    return Posterior(algorithm=algorithm, prior=prior, n=n, l=l, most_frequent=first, violating=nobody, withheld=nobody)


def _possible(shown: Sequence[int], l: int, algorithm: Algorithm) -> bool:
    """Tell whether descending counts are eligible and have the number of values that the algorithm leaves."""
    if algorithm == "suppress-all":
        return bool(shown) and not any(shown)
    return l > 1 and len(shown) >= l and shown[l - 1] > 0 and l * shown[0] <= sum(shown)


def _impossible(values: Sequence[int], n: int, l: int, algorithm: Algorithm) -> ParameterError:
    return ParameterError(
        f"No table of {n} records leads to the counts {tuple(values[:20])} by {algorithm} with l = {l}.",
        hint="Check n, l and the algorithm.",
    )
