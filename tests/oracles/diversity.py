"""The classical guarantees by the book, one group at a time, in fractions or with a margin."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import exp, log


def shares(group, domain):
    counts = Counter(group)
    return [Fraction(counts[value], len(group)) for value in domain]


def distinct(group, l):
    return len(set(group)) >= l


def frequency(group, l):
    return max(Counter(group).values()) * l <= len(group)


def entropy(group, l):
    found = -sum(float(p) * log(p) for p in shares(group, set(group)))
    return found >= log(l) - 1e-12


def recursive(group, l, c):
    ranked = sorted(Counter(group).values(), reverse=True)
    return ranked[0] < Fraction(str(c)) * sum(ranked[l - 1 :])


def equal_distance(group, everybody, domain):
    return sum(abs(p - q) for p, q in zip(shares(group, domain), shares(everybody, domain), strict=True)) / 2


def ordered_distance(group, everybody, domain):
    carried, total = Fraction(0), Fraction(0)
    for p, q in list(zip(shares(group, domain), shares(everybody, domain), strict=True))[:-1]:
        carried += p - q
        total += abs(carried)
    return total / max(1, len(domain) - 1)


def gain(group, everybody, domain):
    pairs = zip(shares(group, domain), shares(everybody, domain), strict=True)
    return max((p - q) / q for p, q in pairs if q)


def beta_likeness(group, everybody, domain, beta, enhanced):
    for p, q in zip(shares(group, domain), shares(everybody, domain), strict=True):
        if not q or p <= q:
            continue
        if (p - q) / q > Fraction(str(beta)):
            return False
        if enhanced and float((p - q) / q) > -log(q) - 1e-9:
            return False
    return True


def delta_disclosure(group, everybody, domain, delta):
    for p, q in zip(shares(group, domain), shares(everybody, domain), strict=True):
        if q and not exp(-delta) < (p / q) < exp(delta):
            return False
    return True
