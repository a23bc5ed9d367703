"""Exact sums of very many fractions, where only ratios of the sums matter."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import gcd
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Key = TypeVar("Key", bound=Hashable)


class KeyedFractions(Generic[Key]):
    """Numerators by key over one common denominator."""

    __slots__ = ("denominator", "numerators")

    def __init__(self, denominator: int, numerators: Mapping[Key, int]) -> None:
        self.denominator = denominator
        self.numerators = numerators

    def __add__(self, other: KeyedFractions[Key]) -> KeyedFractions[Key]:
        shared = gcd(self.denominator, other.denominator)
        mine, theirs = other.denominator // shared, self.denominator // shared
        merged = {key: value * mine for key, value in self.numerators.items()}
        for key, value in other.numerators.items():
            merged[key] = merged.get(key, 0) + value * theirs
        return KeyedFractions(self.denominator * mine, merged)

    def scaled(self, factor: int) -> KeyedFractions[Key]:
        """Multiply all numerators."""
        return KeyedFractions(self.denominator, {key: value * factor for key, value in self.numerators.items()})


class KeyedSums(Generic[Key]):
    """Add up fractions by key; all totals come over one common denominator.

    Fractions with equal denominators are added as integers first. The rest is added pairwise in the shape of a tree, so
    that most additions are of small numbers.

    Parameters
    ----------
    pending
        How many different denominators are collected before they are added: it bounds memory and changes no result.
        The default was chosen by trial.

    Examples
    --------
    >>> sums = KeyedSums[str]()
    >>> sums.add(np.array([2, 3]), {"a": np.array([1, 1]), "b": np.array([0, 2])})
    >>> total = sums.total()
    >>> total.numerators, total.denominator
    ({'a': 5, 'b': 4}, 6)
    """

    def __init__(self, pending: int = 1024) -> None:
        self._pending = pending
        self._leaves: dict[int, dict[Key, int]] = {}
        self._nodes: list[tuple[int, KeyedFractions[Key]]] = []

    def add(self, denominators: npt.NDArray[np.int64] | int, numerators: Mapping[Key, npt.NDArray[Any]]) -> None:
        """Add numerators[key][i] / denominators[i] to each key; a scalar denominator stands for all."""
        for key, values in numerators.items():
            if not len(values):
                continue
            if not isinstance(denominators, np.ndarray):
                self._leaf(int(denominators), key, _total(values))
                continue
            different, where = np.unique(denominators, return_inverse=True)
            sums = np.zeros(len(different), dtype=_roomy(values))
            np.add.at(sums, where, values)
            for denominator, value in zip(different.tolist(), sums.tolist(), strict=True):
                self._leaf(denominator, key, value)
        if len(self._leaves) > self._pending:
            self._flush()

    def total(self) -> KeyedFractions[Key]:
        """Give all sums over one denominator."""
        self._flush()
        result: KeyedFractions[Key] = KeyedFractions(1, {})
        for _, node in reversed(self._nodes):
            result = node + result
        return result

    def _leaf(self, denominator: int, key: Key, value: int) -> None:
        if value:
            leaf = self._leaves.setdefault(denominator, {})
            leaf[key] = leaf.get(key, 0) + value

    def _flush(self) -> None:
        nodes = [KeyedFractions(denominator, leaf) for denominator, leaf in sorted(self._leaves.items())]
        self._leaves = {}
        while len(nodes) > 1:
            nodes = [nodes[i] + nodes[i + 1] if i + 1 < len(nodes) else nodes[i] for i in range(0, len(nodes), 2)]
        for node in nodes:
            rank = 0
            grown = node
            while self._nodes and self._nodes[-1][0] == rank:
                grown = self._nodes.pop()[1] + grown
                rank += 1
            self._nodes.append((rank, grown))


def _roomy(values: npt.NDArray[Any]) -> type[object] | type[np.int64]:
    """Choose 64-bit integers where no sum of these values can overflow, else Python's integers."""
    if values.dtype == object:
        return object
    return np.int64 if int(np.abs(values).max()) * len(values) < 2**62 else object


def _total(values: npt.NDArray[Any]) -> int:
    return int(values.sum(dtype=_roomy(values))) if values.dtype != object else sum(values.tolist())
