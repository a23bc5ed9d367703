"""Following people costs more than any multiple of publishing afresh, in a case that is small enough to try everything.

docs/threats/marginals.md has these figures.
"""

from __future__ import annotations

from tests.oracles import changing_cost as oracle

CASES = [(leaves, comes) for leaves in oracle.PEOPLE for comes in oracle.PEOPLE]


def test_afresh_blurs_nobody() -> None:
    for leaves, comes in CASES:
        assert oracle.afresh([*(person for person in oracle.PEOPLE if person != leaves), comes])


def test_whatever_the_first_month_was_following_costs_something() -> None:
    """Of 64 cases 48 need counterfeits, and 8 of the others blur somebody, for every first month without a blur."""
    first_months = {
        tuple(sorted((p, tuple(sorted(s))) for p, s in first.items())): first for first in oracle.first_months()
    }
    assert len(first_months) > 20
    free, without_blur = [], 0
    for first in first_months.values():
        without_blur += oracle.blurred(list(first.items())) == 0
        nothing = 0
        for leaves, comes in CASES:
            present = [person for person in oracle.PEOPLE if person != leaves]
            fewest, chosen = oracle.counterfeits(first, present, comes)
            assert (fewest == 0) == (leaves[1] == comes[1])
            if fewest:
                continue
            people = [(person, first[person]) for person in present]
            nothing += min(oracle.blurred([*people, (comes, hers)]) for hers in chosen) == 0
        free.append(nothing)
    assert without_blur > 0
    assert max(free) == 8
