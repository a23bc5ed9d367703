"""The attack of a reader who learns, as a script: naive Bayes over all groups, then all ways to match inside each.

It shares no code with the package. Groups of at most five people with values that differ are matched exactly, by all
permutations; larger ones by scaling to the group's counts.
"""

import itertools

import numpy as np
import polars as pl

BINS, SMOOTHING, EXACT = 10, 0.5, 5


def coded(frame: pl.DataFrame) -> np.ndarray:
    """Return the columns as codes, numbers in ten bins of equally many people."""
    columns = []
    for column in frame.get_columns():
        if column.dtype.is_numeric():
            values = column.to_numpy()
            edges = np.unique(np.quantile(values, np.linspace(0, 1, BINS + 1)[1:-1]))
            columns.append(np.searchsorted(edges, values, side="right"))
        else:
            columns.append(column.rank("dense").to_numpy().astype(int) - 1)
    return np.stack(columns, axis=1)


def learned(codes: np.ndarray, beliefs: np.ndarray) -> np.ndarray:
    """Return p(value | codes) of everybody, from weighted counts."""
    logs = np.log(beliefs.sum(axis=0) + SMOOTHING) * np.ones((len(codes), 1))
    for column in codes.T:
        counts = np.full((column.max() + 1, beliefs.shape[1]), SMOOTHING)
        np.add.at(counts, column, beliefs)
        logs += np.log(counts / counts.sum(axis=0))[column]
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    return chances / chances.sum(axis=1, keepdims=True)


def scaled(chances: np.ndarray, group: np.ndarray, counts: np.ndarray, rounds: int = 60) -> np.ndarray:
    """Scale beliefs until those of a group add up to its counts and those of a person to one."""
    beliefs = chances * (counts[group] > 0)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(counts)))
    for _ in range(rounds):
        sums = np.add.reduceat(beliefs[order], starts, axis=0)
        beliefs *= np.where(sums > 0, counts / np.maximum(sums, 1e-300), 0)[group]
        beliefs /= np.maximum(beliefs.sum(axis=1, keepdims=True), 1e-300)
    return beliefs


def matched(chances: np.ndarray, group: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return what is believed of everybody after matching inside each group."""
    beliefs = scaled(chances, group, counts)
    sizes = counts.sum(axis=1).astype(int)
    order = np.argsort(group, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for size in range(1, EXACT + 1):
        chosen = np.flatnonzero((sizes == size) & (counts.max(axis=1) == 1))
        if not len(chosen):
            continue
        people = order[starts[chosen][:, None] + np.arange(size)]
        values = np.nonzero(counts[chosen])[1].reshape(-1, size)
        weights = chances[people[:, :, None], values[:, None, :]]
        shares = np.zeros_like(weights)
        for world in itertools.permutations(range(size)):
            weight = np.prod([weights[:, i, world[i]] for i in range(size)], axis=0)
            for i in range(size):
                shares[:, i, world[i]] += weight
        shares /= shares.sum(axis=2, keepdims=True)
        beliefs[people] = 0
        for i in range(size):
            np.put_along_axis(block := beliefs[people[:, i]], values, shares[:, i], axis=1)
            beliefs[people[:, i]] = block
    return beliefs


def attack(people: pl.DataFrame, group: np.ndarray, truth: np.ndarray, rounds: int) -> list[float]:
    """Return the share of people whose value she guesses right, round by round."""
    codes = coded(people)
    counts = np.zeros((group.max() + 1, truth.max() + 1))
    np.add.at(counts, (group, truth), 1)
    beliefs = counts[group] / counts.sum(axis=1)[group][:, None]
    right = []
    for _ in range(rounds):
        beliefs = matched(learned(codes, beliefs), group, counts)
        right.append(float((beliefs.argmax(axis=1) == truth).mean()))
    return right
