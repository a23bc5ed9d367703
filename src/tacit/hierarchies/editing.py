"""Editing a hierarchy that lists its values: an edit returns new paths, leaf first and root last, each of one length.

A node is named by its level and its label; level 0 are the values themselves, the last one is the root.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tacit.errors import HierarchyError
from tacit.hierarchies.arx import TreeHierarchy
from tacit.hierarchies.tree import ROOT

Paths = Sequence[Sequence[str]]


def rename(paths: Paths, level: int, label: str, new: str) -> list[tuple[str, ...]]:
    """Give a node another name.

    Examples
    --------
    >>> rename([("cat", "mammal", "*"), ("trout", "fish", "*")], 1, "fish", "fishes")
    [('cat', 'mammal', '*'), ('trout', 'fishes', '*')]
    """
    _check(paths, level, {label})
    _check_inner(paths, level)
    if not new.strip():
        raise HierarchyError("A node needs a name.")
    if new != label and any(path[level] == new for path in paths):
        raise HierarchyError(f"There is a node {new!r} at this level already.", hint="Merge the two instead.")
    return _checked([_with(path, level, new) if path[level] == label else tuple(path) for path in paths])


def merge(paths: Paths, level: int, labels: Collection[str], into: str) -> list[tuple[str, ...]]:
    """Make several nodes of a level one; it stands where the first of them stood.

    Examples
    --------
    >>> merge([("cat", "mammal", "*"), ("trout", "fish", "*")], 1, {"mammal", "fish"}, "animal")
    [('cat', 'animal', '*'), ('trout', 'animal', '*')]
    """
    _check(paths, level, labels)
    _check_inner(paths, level)
    if len(labels) < 2:
        raise HierarchyError("Choose at least two nodes to merge.")
    if not into.strip():
        raise HierarchyError("A node needs a name.")
    if into not in labels and any(path[level] == into for path in paths):
        raise HierarchyError(f"There is a node {into!r} at this level already.", hint="Choose it too, or another name.")
    first = next(path for path in paths if path[level] in labels)
    above = tuple(first[level + 1 :])
    return _checked([(*path[:level], into, *above) if path[level] in labels else tuple(path) for path in paths])


def move(paths: Paths, level: int, labels: Collection[str], parent: str) -> list[tuple[str, ...]]:
    """Put nodes under another node of the next level, or under a new one.

    Examples
    --------
    >>> move([("cat", "mammal", "*"), ("trout", "fish", "*")], 0, {"trout"}, "mammal")
    [('cat', 'mammal', '*'), ('trout', 'mammal', '*')]
    """
    _check(paths, level, labels)
    if level + 1 >= len(paths[0]) - 1:
        raise HierarchyError("Above this level there is only the root.", hint="Add a level first.")
    if not parent.strip():
        raise HierarchyError("A node needs a name.")
    known = next((path for path in paths if path[level + 1] == parent), None)
    if known is None:  # a new node stands where the first of these stood
        known = next(path for path in paths if path[level] in labels)
        known = _with(known, level + 1, parent)
    above = tuple(known[level + 1 :])
    return _checked([(*path[: level + 1], *above) if path[level] in labels else tuple(path) for path in paths])


def add_level(paths: Paths, level: int) -> list[tuple[str, ...]]:
    """Add a level above another; at first every node there has its own name, and can then be merged or moved.

    Examples
    --------
    >>> add_level([("cat", "*"), ("trout", "*")], 0)
    [('cat', 'cat', '*'), ('trout', 'trout', '*')]
    """
    _check(paths, level, ())
    if level >= len(paths[0]) - 1:
        raise HierarchyError("Above the root there is nothing.")
    return _checked([(*path[: level + 1], path[level], *path[level + 1 :]) for path in paths])


def drop_level(paths: Paths, level: int) -> list[tuple[str, ...]]:
    """Take a level out; the values and the root stay.

    Examples
    --------
    >>> drop_level([("cat", "mammal", "*"), ("trout", "fish", "*")], 1)
    [('cat', '*'), ('trout', '*')]
    """
    _check(paths, level, ())
    if not 0 < level < len(paths[0]) - 1:
        raise HierarchyError("The values themselves and the root cannot be taken out.")
    return _checked([(*path[:level], *path[level + 1 :]) for path in paths])


def add_values(paths: Paths, values: Sequence[str]) -> list[tuple[str, ...]]:
    """Give values a place that have none: directly under the root, from where they can be moved.

    Examples
    --------
    >>> add_values([("cat", "mammal", "*")], ["trout"])
    [('cat', 'mammal', '*'), ('trout', 'trout', '*')]
    """
    known, between = {path[0] for path in paths}, len(paths[0]) - 2
    new = [(value, *([value] * between), ROOT) for value in values if value not in known]
    return _checked([*map(tuple, paths), *new])


def flat(values: Sequence[str]) -> list[tuple[str, ...]]:
    """Begin a hierarchy: every value, and the root.

    Examples
    --------
    >>> flat(["a", "b"])
    [('a', '*'), ('b', '*')]
    """
    return [(value, ROOT) for value in values]


def _check(paths: Paths, level: int, labels: Collection[str]) -> None:
    if not paths:
        raise HierarchyError("The hierarchy is empty.")
    if not 0 <= level < len(paths[0]):
        raise HierarchyError(f"There is no level {level}.")
    for label in labels:
        if not any(path[level] == label for path in paths):
            raise HierarchyError(f"There is no node {label!r} at level {level}.")


def _check_inner(paths: Paths, level: int) -> None:
    """Refuse to rename values, which the table would then lack, and the root."""
    if not 0 < level < len(paths[0]) - 1:
        raise HierarchyError(
            "The values themselves and the root keep their names.", hint="Choose a level between, or add one."
        )


def _checked(paths: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Refuse what is not a tree, in the words of the reader of hierarchies."""
    TreeHierarchy(paths)
    return paths


def _with(path: Sequence[str], level: int, label: str) -> tuple[str, ...]:
    return (*path[:level], label, *path[level + 1 :])
