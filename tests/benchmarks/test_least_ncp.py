"""The bound of NCP: no grouping of a small table goes below it, whichever is tried."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from benchmarks.least_ncp import bounds

import tacit as tc
from tacit.hierarchies import TreeHierarchy

AGES = {"1": ["young", "*"], "2": ["young", "*"], "3": ["old", "*"], "4": ["old", "*"]}
TOWNS = {"a": ["*"], "b": ["*"], "c": ["*"]}


def groupings(rows: list[int], k: int) -> Iterator[list[list[int]]]:
    """Return every way to put rows into groups of at least k."""
    if not rows:
        yield []
        return
    first, *others = rows
    for mask in range(1 << len(others)):
        group = [first, *(row for i, row in enumerate(others) if mask >> i & 1)]
        left = [row for i, row in enumerate(others) if not mask >> i & 1]
        if len(group) >= k and (not left or len(left) >= k):
            for rest in groupings(left, k):
                yield [group, *rest]


def loss(values: set[str], paths: dict[str, list[str]]) -> float:
    """Return what the lowest node above some values costs."""
    if len(values) == 1:
        return 0.0
    level = next(i for i in range(9) if len({paths[value][i] for value in values}) == 1)
    node = paths[next(iter(values))][level]
    leaves = sum(path[level] == node for path in paths.values())
    return (leaves - 1) / (len(paths) - 1)


@pytest.mark.parametrize("seed", range(12))
def test_the_best_grouping_is_not_below_the_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, rows = int(rng.integers(2, 4)), int(rng.integers(6, 10))
    age, town = rng.choice(list(AGES), rows).tolist(), rng.choice(list(TOWNS), rows).tolist()
    # Every value of a hierarchy occurs, so that a value is a leaf there and here.
    age[:4], town[:3] = list(AGES), list(TOWNS)
    ill = rng.choice(list("xyz"), rows).tolist()
    ill[:3] = "xyz"
    table = tc.Table(
        {"age": age, "town": town, "ill": ill},
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        kinds={"age": "categorical"},
        hierarchies={"age": TreeHierarchy.from_mapping(AGES), "town": TreeHierarchy.from_mapping(TOWNS)},
    )

    def least(diverse: bool) -> float:
        return min(
            sum(len(g) * (loss({age[r] for r in g}, AGES) + loss({town[r] for r in g}, TOWNS)) for g in grouping)
            for grouping in groupings(list(range(rows)), k)
            if not diverse or all(len({ill[r] for r in g}) >= k for g in grouping)
        ) / (2 * rows)

    for diverse in (False, True):
        cheapest, prices = bounds(table, k, step=0.05, values=diverse)
        assert prices <= least(diverse) + 1e-9
        assert cheapest <= least(diverse) + 1e-9
    assert bounds(table, k, step=0.05)[1] > 0 or least(False) == 0
