"""What a reader of several tables believes, against all worlds: what is called exact is, and nothing is ruled out."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.linked_people import posteriors

from tacit.adversaries.together import Sighting, read_together, with_small_worlds
from tacit.adversaries.together.frontier import LinkedValues, count_along
from tacit.table import Histogram

VALUES = ["a", "b", "c", "d"]


def drawn(seed: int) -> tuple[list[list[int | None]], list[dict[int, list[str]]]]:
    """Draw a true world of up to six people and strangers, and up to three tables that group them."""
    rng = np.random.default_rng(seed)
    count, many = int(rng.integers(1, 7)), int(rng.integers(1, 4))
    truth = rng.choice(VALUES[: int(rng.integers(2, 5))], count).tolist()
    groups: list[list[int | None]] = []
    shown: list[dict[int, list[str]]] = []
    for _ in range(many):
        mine = [int(g) if rng.random() < 0.8 else None for g in rng.integers(0, int(rng.integers(1, 4)), count)]
        held: dict[int, list[str]] = {}
        for person, group in enumerate(mine):
            if group is not None:
                held.setdefault(group, []).append(truth[person])
        for group in held:
            held[group] += rng.choice(VALUES, int(rng.integers(0, 3))).tolist()
        groups.append(mine)
        shown.append(held)
    return groups, shown


def sightings(groups: list[list[int | None]], shown: list[dict[int, list[str]]]) -> list[Sighting]:
    found = []
    for number, (mine, held) in enumerate(zip(groups, shown, strict=True)):
        names = sorted(held)
        entries = [
            (place, VALUES.index(v), held[g].count(v))
            for (place, g), v in product(enumerate(names), VALUES)
            if v in held[g]
        ]
        group, value, count = (np.array(column, dtype=np.int64) for column in (zip(*entries, strict=True)))
        histogram = Histogram.from_entries(group, value, count, len(names), len(VALUES))
        found.append(Sighting(number, np.array([-1 if g is None else names.index(g) for g in mine]), histogram))
    return found


@pytest.mark.parametrize("begin", range(0, 400, 100))
def test_exact_beliefs_are_those_of_all_worlds(begin: int) -> None:
    exact = 0
    for seed in range(begin, begin + 100):
        groups, shown = drawn(seed)
        if not all(shown):
            continue
        truth = posteriors(groups, shown)
        assert truth is not None
        seen = sightings(groups, shown)
        belief = with_small_worlds(seen, read_together(seen, "ill", pl.Series(VALUES)))
        for person, mine in enumerate(truth):
            if all(table[person] is None for table in groups):
                continue
            at = slice(belief.offsets[person], belief.offsets[person + 1])
            found = dict(zip([VALUES[c] for c in belief.codes[at]], belief.weights[at].tolist(), strict=True))
            assert set(mine) <= set(found), (seed, "what is possible stays so")
            if belief.counted[person]:
                exact += 1
                assert found == pytest.approx({v: float(p) for v, p in mine.items()}), seed
    assert exact > 100


@pytest.mark.parametrize("begin", range(0, 200, 100))
def test_counting_all_states_at_a_time_gives_the_same(begin: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small sets of tables, counted as those of many people are."""
    monkeypatch.setattr("tacit.adversaries.together.small_worlds._SMALL", 0)
    test_exact_beliefs_are_those_of_all_worlds(begin)


def test_a_long_chain_of_groups_is_counted() -> None:
    """Two hundred people: pairs with {a, b}, linked by groups of the neighbours of two pairs; all or none change."""
    pairs = 100
    first: list[int | None] = [i // 2 for i in range(2 * pairs)]
    second: list[int | None] = [(i + 1) // 2 for i in range(2 * pairs)]
    second[0], second[-1] = None, None
    shown = [{g: ["a", "b"] for g in range(pairs)}, {g: ["a", "b"] for g in range(1, pairs)}]
    shown[1][1] = ["a", "b", "b"]  # a stranger beside the first: b, b is left for the two known or a, b
    seen = sightings([first, second], shown)
    belief = with_small_worlds(seen, read_together(seen, "ill", pl.Series(VALUES)))
    assert belief.counted.all()
    # Person 1 and 2 have a, b or b, a, each with one world of the stranger (b), or b, b with the stranger a. Then 3 has
    # what 2 does not have, and so on. Three worlds: (a, b), (b, a), (b, b) for 1 and 2.
    likely = [belief.weights[belief.offsets[p]] for p in range(4)]
    assert likely == pytest.approx([2 / 3, 1 / 3, 1 / 3, 2 / 3])


def test_strangers_leave_a_known_person_the_shares_of_her_group() -> None:
    """One person and three strangers with a, a, a, b: she has a with 3/4."""
    seen = sightings([[0]], [{0: ["a", "a", "a", "b"]}])
    belief = read_together(seen, "ill", pl.Series(VALUES))
    assert belief.weights.tolist() == pytest.approx([0.75, 0.25])


def test_people_who_are_certain_link_nobody() -> None:
    """A hundred people in one group, all but two of whom another table pins: the two are counted."""
    count = 100
    pinned = [["a", "b", "c"][i % 3] for i in range(count - 2)]
    one = {0: [*pinned, "a", "d"]}
    other = {i: [value] for i, value in enumerate(pinned)} | {count: ["a", "d", "d"]}
    groups: list[list[int | None]] = [[0] * count, [*range(count - 2), count, count]]
    seen = sightings(groups, [one, other])
    belief = with_small_worlds(seen, read_together(seen, "ill", pl.Series(VALUES)))
    assert belief.counted.all()
    assert belief.weights[belief.offsets[count - 1] :].tolist() == pytest.approx([0.5, 0.5])


def share_of_x(people: int, first: tuple[int, int], second: tuple[int, int]) -> Fraction:
    """How likely x is for people who are all in one large group of either table, each of x and y: in whole numbers.

    If j of them have x, strangers have the rest, in as many orders as there are.
    """
    total, with_x = Fraction(0), Fraction(0)
    for j in range(people + 1):
        left = (first[0] - j, first[1] - people + j, second[0] - j, second[1] - people + j)
        if min(left) >= 0:
            ways = Fraction(comb(people, j), prod(map(factorial, left)))
            total += ways
            with_x += ways * Fraction(j, people)
    return with_x / total


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 12),
    st.lists(st.one_of(st.integers(12, 400), st.integers(160, 180)), min_size=4, max_size=4),
)
def test_strangers_of_large_groups_have_what_is_left_over(people: int, counts: list[int]) -> None:
    """Before, beliefs called exact left out worlds in which more than 170 strangers have one value."""
    ax, ay, bx, by = counts
    linked = LinkedValues([[(0, (0, 2)), (1, (1, 3))]] * people, np.array(counts), np.zeros(4, dtype=bool))
    shares, _ = count_along(linked, 1_000_000)
    assert shares is not None
    expected = float(share_of_x(people, (ax, ay), (bx, by)))
    assert [share[0] for share in shares] == pytest.approx([expected] * people, rel=1e-9)


def test_a_value_may_be_in_more_rows_than_a_short_number_holds() -> None:
    linked = LinkedValues(
        [[(0, (0, 2)), (1, (1, 3))]] * 3, np.array([40_000, 700, 500, 33_000]), np.zeros(4, dtype=bool)
    )
    shares, _ = count_along(linked, 1_000)
    assert shares is not None
    assert shares[1][0] == pytest.approx(40_000 * 500 / (40_000 * 500 + 700 * 33_000), rel=0.01)
