"""No news, by the definition: every way to deal a group's values out, weighed by what was believed before."""

from fractions import Fraction
from itertools import permutations


def posteriors(priors, values):
    """Return, per person of a group, the probability of each value over all worlds; None if no world is possible.

    `priors` are dictionaries from value to probability, `values` the multiset that the people share.
    """
    worlds = set(permutations(values))
    total, out = Fraction(0), [dict.fromkeys(set(values), Fraction(0)) for _ in priors]
    for world in worlds:
        weight = Fraction(1)
        for prior, value in zip(priors, world, strict=True):
            weight *= prior.get(value, Fraction(0))
        total += weight
        for i, value in enumerate(world):
            out[i][value] += weight
    return None if not total else [{value: share / total for value, share in each.items()} for each in out]


def odds(chance):
    """Return p / (1 - p)."""
    return chance / (1 - chance) if chance < 1 else float("inf")


def is_news(prior, posterior, r, gain):
    """Say whether a posterior is above 1/r and its odds above `gain` times the odds before."""
    return posterior > Fraction(1) / r and odds(posterior) > gain * odds(prior)


def holds(groups, entries, tiers, cover=None):
    """Judge groups, each a list of priors and a list of values.

    `entries` are lists of values that count as one, `tiers` pairs of r and gain.
    """
    for priors, values in groups:
        found = posteriors(priors, values)
        if found is None:
            return False
        for prior, posterior in zip(priors, found, strict=True):
            for entry in entries:
                before = sum((prior.get(value, Fraction(0)) for value in entry), Fraction(0))
                after = sum((posterior.get(value, Fraction(0)) for value in entry), Fraction(0))
                if any(is_news(before, after, r, gain) for r, gain in tiers):
                    return False
                if cover is not None and any(prior.get(v, 0) > cover and v not in values for v in entry):
                    return False
    return True
