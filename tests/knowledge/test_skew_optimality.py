"""Shift publishes the most, rank by rank, of all algorithms that are safe for every exchangeable prior."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

from tests.oracles import skew as oracle

from tacit.knowledge.skew import shift_ranked


def possible_names(table: tuple[int, ...], counts: tuple[int, ...]) -> set[int]:
    """Which labels could be S1: some relabelling of the table has at least the published counts everywhere."""
    return {
        ranks.index(0)
        for ranks in permutations(range(len(table)))
        if all(table[rank] >= count for rank, count in zip(ranks, counts, strict=True))
    }


def test_no_outcome_with_l_candidates_exceeds_shift_in_any_rank() -> None:
    """Under 'all relabellings of this table' fewer than l candidates mean more than 1/l for one of them."""
    checked = 0
    for n, values in ((12, 2), (13, 3), (13, 4), (12, 5)):
        for table in oracle.partitions(n, values):
            for l in range(2, sum(f > 0 for f in table) + 1):
                if oracle.eligible(table, l):
                    continue
                best = sorted(shift_ranked(table, l, [1]), reverse=True)
                reached = False
                for counts in product(*(range(f + 1) for f in table)):
                    descending = sorted(counts, reverse=True)
                    if list(counts) != descending or not oracle.eligible(counts, l):
                        continue  # labels are interchangeable: one order of each multiset is enough
                    if len(possible_names(table, counts)) >= l:
                        checked += 1
                        assert all(c <= b for c, b in zip(descending, best, strict=True))
                        reached |= descending == best
                assert reached
    assert checked > 500


def test_for_one_fixed_prior_something_else_can_publish_more() -> None:
    """Seven records, three present values, all vectors of frequencies equally likely, l = 2.

    Send (5, 1, 1) to (2, 1, 1), one more than Shift's (1, 1, 1), and (4, 2, 1) half of the time to the same counts with
    S1 at a 1. Both posteriors stay at 1/2, because this adversary cannot tell the two tables apart.
    """
    half = Fraction(1, 2)
    laws = {
        (5, 1, 1): [(Fraction(1), (2, 1, 1))],
        (4, 2, 1): [(half, (1, 2, 1)), *((p / 2, counts) for p, counts in oracle.law("shift", (4, 2, 1), 2) or [])],
    }
    assert [t for t in oracle.partitions(7, 3) if t[-1] and not oracle.eligible(t, 2)] == [(5, 1, 1), (4, 2, 1)]
    mass: dict[tuple[int, ...], Fraction] = {}
    first: dict[tuple[tuple[int, ...], int], Fraction] = {}
    for table, law in laws.items():
        assert sum(p for p, _ in law) == 1
        for p, counts in law:
            assert oracle.eligible(counts, 2)
            seen, weight = tuple(sorted(counts, reverse=True)), p * oracle.labellings(table)
            mass[seen] = mass.get(seen, Fraction(0)) + weight
            first[seen, counts[0]] = first.get((seen, counts[0]), Fraction(0)) + weight / seen.count(counts[0])
    assert all(value / mass[seen] <= half for (seen, _), value in first.items())
    assert sorted(shift_ranked((5, 1, 1), 2, [1])) == [1, 1, 1]
