"""What it tells where people stand in their groups: beside plain loops, where it is much, and where it is nothing."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.adversaries.learning import compared_with_truth
from tacit.adversaries.learning.sentences import placed_sentence
from tacit.adversaries.learning.success import Success
from tacit.knowledge.learning import Features, candidates
from tacit.knowledge.learning.placing import placed
from tacit.methods.linkage import similar_buckets
from tacit.table import Groups, Histogram


def success(table: tc.Table, method: tc.Method, seed: int = 1) -> Success:
    release = method.protect(table, seed=seed)
    return compared_with_truth(release, table, tc.LearningAdversary(), {})["ill"][1]


def clearly_right(table: tc.Table, group: np.ndarray) -> tuple[int, int]:
    """Count pairs that are read rightly, and pairs where both ways are equally likely, by plain loops."""
    buckets: dict[int, list[dict[str, object]]] = defaultdict(list)
    ranks = sorted(set(table.frame["age"]))
    for number, row in zip(group, table.frame.iter_rows(named=True), strict=True):
        buckets[int(number)].append(row | {"age": ranks.index(row["age"])})
    of_value, of_cell = Counter(), Counter()
    codes: set[object] = set()
    found = []
    for rows in buckets.values():
        mean = sum(row["age"] for row in rows) / len(rows)
        cells = [(row["age"], (row["age"] > mean) - (row["age"] < mean)) for row in rows]
        found.append((cells, [row["ill"] for row in rows]))
        for each, row in zip(cells, rows, strict=True):
            of_value[row["ill"]] += 1
            of_cell[each, row["ill"]] += 1
            codes.add(each[0])

    def weight(each: tuple[int, int], value: object) -> float:
        total = of_value[value] + 0.5 * 3 * len(codes)  # every age with three places, half a person each
        return math.log(of_value[value] + 0.5) + math.log((of_cell[each, value] + 0.5) / total)

    right = even = 0
    for cells, values in found:
        if len(cells) != 2 or values[0] == values[1]:
            continue
        straight = weight(cells[0], values[0]) + weight(cells[1], values[1])
        crossed = weight(cells[0], values[1]) + weight(cells[1], values[0])
        even += abs(straight - crossed) < 1e-9
        right += straight > crossed + 1e-9
    return right, even


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(20, 80))
def test_a_share_is_what_plain_loops_count(seed: int, pairs: int) -> None:
    rng = np.random.default_rng(seed)
    ages = rng.integers(20, 28, 2 * pairs)  # few, so that each is a code of its own
    frame = {"age": ages, "ill": rng.permutation(np.repeat(["x", "y"], pairs))}
    table = tc.Table(frame, quasi_identifiers="age", sensitive="ill")
    release = tc.Anatomy(l=2).protect(table, seed=1)
    found = success(table, tc.Anatomy(l=2)).placed
    assert found is not None
    right, even = clearly_right(table, np.asarray(release.inside.group))
    assert 2 * right <= found.right.sum() <= 2 * (right + even)


def frequent(seed: int, rows: int = 4000) -> tc.Table:
    """Make a table where a value that is in nearly half of the rows grows more frequent with age."""
    rng = np.random.default_rng(seed)
    age, height = rng.integers(18, 90, rows), rng.normal(170, 10, rows)
    order = np.argsort(-(age / 60 + rng.normal(size=rows)))
    ill = rng.choice(["gout", "flu", "cold"], rows).astype(object)
    ill[order[: int(0.48 * rows)]] = "heart"
    return tc.Table({"age": age, "height": height, "ill": ill}, quasi_identifiers=["age", "height"], sensitive="ill")


def test_it_is_told_where_a_method_moves_everybody_along(monkeypatch: pytest.MonkeyPatch) -> None:
    table = frequent(1)
    as_it_is = success(table, tc.Anatomy(l=2))
    assert placed_sentence("ill", as_it_is) is None
    monkeypatch.setattr(similar_buckets, "_TIGHT", 2.0)  # those next to a cut change sides
    moved = success(table, tc.Anatomy(l=2))
    assert moved.placed is not None
    assert moved.placed.share > 0.9 > moved.informed_share
    sentence = placed_sentence("ill", moved)
    assert sentence is not None
    assert "tries the method out" in sentence


@pytest.mark.parametrize("rows", [12, 60, 400, 3000])
@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_told_by_chance(rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = {"age": rng.integers(0, 90, rows), "pay": rng.normal(size=rows)}
    frame["ill"] = rng.permutation(np.arange(rows) % 6).astype(str)
    table = tc.Table(frame, quasi_identifiers=["age", "pay"], sensitive="ill")
    for method in (tc.Anatomy(l=2), tc.Anatomy(l=2, buckets="random"), tc.Mondrian([tc.KAnonymity(k=3)])):
        assert placed_sentence("ill", success(table, method, seed)) is None


def test_nothing_is_counted_where_nothing_has_an_order_or_several_tables_are_published() -> None:
    words = tc.Table({"a": list("pqrs") * 30, "ill": list("xyzw") * 30}, quasi_identifiers="a", sensitive="ill")
    assert success(words, tc.Anatomy(l=2)).placed is None
    table = frequent(2, 400)
    marginals = tc.InvariantMarginals(m=2, marginals={"one": ["age"], "two": ["height"]})
    assert success(table, marginals).placed is None


def test_ordered_words_have_places_and_a_null_has_none() -> None:
    pain = ["none", "mild", "severe", None] * 50
    kinds = {"pain": ["none", "mild", "severe"]}
    frame = {"pain": pain, "ill": list("xyxz") * 50}
    ordered = tc.Table(frame, quasi_identifiers="pain", sensitive="ill", kinds=kinds)
    words = tc.Table(frame, quasi_identifiers="pain", sensitive="ill")
    found = success(ordered, tc.Anatomy(l=2)).placed
    assert found is not None
    assert len(found.right) == 200
    assert success(words, tc.Anatomy(l=2)).placed is None


@given(st.lists(st.tuples(st.integers(0, 4), st.none() | st.integers(0, 9)), min_size=1, max_size=30))
def test_places_are_those_beside_the_mean_of_all_who_have_a_value(rows: list[tuple[int, int | None]]) -> None:
    _, ids = np.unique([group for group, _ in rows], return_inverse=True)
    ranks = np.array([-1 if value is None else value for _, value in rows])
    groups, nothing = Groups(ids.astype(np.int64), int(ids.max()) + 1), np.zeros(len(rows), np.int64)
    laid = candidates(groups, Histogram.of(groups.ids, groups.count, nothing, 1))
    same = Features(("x",), np.zeros((len(rows), 1), np.int32), (1,), {})
    found = placed(same, {"x": ranks}, laid).codes[:, 0].tolist()
    for number, (group, value) in enumerate(rows):
        others = [each for at, each in rows if at == group and each is not None]
        expected = 1 if value is None else 1 + (value * len(others) > sum(others)) - (value * len(others) < sum(others))
        assert found[number] == expected
