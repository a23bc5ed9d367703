"""What every bound tree satisfies, checked one node and one value at a time."""

from __future__ import annotations

import numpy as np

from tacit.hierarchies import Tree


def chain(tree: Tree, node: int) -> list[int]:
    """The node and everything above it, by parents alone."""
    found = [node]
    while tree.parent[found[-1]] >= 0:
        found.append(int(tree.parent[found[-1]]))
    return found


def slow_lca(tree: Tree, codes: list[int]) -> int:
    """The first node on the way up from one value that is on the way up from all others."""
    ways = [chain(tree, int(tree.levels[0, code])) for code in codes]
    return next(node for node in ways[0] if all(node in way for way in ways))


def check_laws(tree: Tree, *, whole_domain: bool) -> None:
    values = tree.levels.shape[1]
    assert tree.names[0] == "*"
    assert len(set(tree.names)) == tree.nodes == len(tree.parent) == len(tree.leaves)
    assert tree.parent[0] == -1
    assert (tree.parent[1:] < np.arange(1, tree.nodes)).all()
    assert (tree.parent[1:] >= 0).all()
    assert tree.levels.dtype == tree.parent.dtype == np.int32
    assert tree.leaves.dtype == np.int64
    assert (tree.levels[-1] == 0).all()
    assert len(set(tree.levels[0].tolist())) == values, "a leaf belongs to one value"
    for lower, upper in zip(tree.levels, tree.levels[1:], strict=False):
        above: dict[int, int] = {}
        for low, up in zip(lower.tolist(), upper.tolist(), strict=True):
            assert above.setdefault(low, up) == up, "each level is a coarsening of the one below"
            assert up in chain(tree, low)
    for value in range(values):
        way = chain(tree, int(tree.levels[0, value]))
        assert set(way) == set(tree.levels[:, value].tolist())
        assert tree.depth[way[0]] == len(way) - 1
    for node in range(tree.nodes):
        assert tree.node(tree.names[node]) == node
        under = [node in chain(tree, leaf) for leaf in tree.levels[0].tolist()]
        assert tree.contains(node).tolist() == under
        assert tree.leaves[node] == sum(under) if whole_domain else tree.leaves[node] >= sum(under)
        assert (tree.low is None) == (tree.high is None)
        if tree.low is not None and tree.high is not None and node:
            up = tree.parent[node]
            assert not tree.low[node] > tree.high[node]
            assert not tree.low[node] < tree.low[up]
            assert not tree.high[node] > tree.high[up]
    loss = tree.loss()
    assert ((loss >= 0) & (loss <= 1)).all()
    if tree.domain_size > 1:
        assert loss[0] == 1
    assert tree.domain_size == tree.leaves[0]
    assert tree.height == len(tree.levels) - 1
