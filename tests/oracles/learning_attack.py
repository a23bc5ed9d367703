"""An attack on a bucketized release that needs two csv files and NumPy, and shares no code with the package.

    python learning_attack.py quasi_identifiers.csv sensitive.csv

It learns by naive Bayes which values go with which quasi-identifiers, deals the values of every bucket out by the
products of its beliefs, and repeats. Buckets have few people, so that all ways to deal can be listed.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from itertools import permutations
from pathlib import Path

import numpy as np


def attack(people: list[dict[str, str]], values: list[dict[str, str]], sensitive: str, rounds: int = 3) -> list[str]:
    """Return, for every person in the order given, the value that is believed most."""
    columns = [name for name in people[0] if name != "group"]
    codes = np.stack([_codes([row[name] for row in people]) for name in columns], axis=1)
    names = sorted({row[sensitive] for row in values})
    place = {name: at for at, name in enumerate(names)}
    members, held = defaultdict(list), defaultdict(list)
    for at, row in enumerate(people):
        members[row["group"]].append(at)
    for row in values:
        held[row["group"]] += [place[row[sensitive]]] * int(row["count"])
    belief = np.zeros((len(people), len(names)))
    for group, who in members.items():
        for value in held[group]:
            belief[who, value] += 1 / len(who)
    for _ in range(rounds):
        logs = np.log(belief.sum(axis=0) + 0.5)[None, :].repeat(len(people), axis=0)
        for column in codes.T:
            table = np.full((column.max() + 1, len(names)), 0.5)
            np.add.at(table, column, belief)
            logs += np.log(table / table.sum(axis=0))[column]
        belief[:] = 0.0
        for group, who in members.items():
            belief[who] = _dealt(logs[who], held[group])
    return [names[at] for at in belief.argmax(axis=1)]


def _dealt(logs: np.ndarray, values: list[int]) -> np.ndarray:
    worlds = np.array(sorted(set(permutations(values))))
    score = logs[np.arange(len(values))[None, :], worlds].sum(axis=1)
    weight = np.exp(score - score.max())
    out = np.zeros_like(logs)
    for person in range(len(values)):
        np.add.at(out[person], worlds[:, person], weight)
    return out / weight.sum()


def _codes(texts: list[str]) -> np.ndarray:
    """Words as they are; more than ten numbers in ten bins of equally many people."""
    try:
        numbers = np.array([float(text) for text in texts])
    except ValueError:
        return np.unique(texts, return_inverse=True)[1]
    distinct, at = np.unique(numbers, return_inverse=True)
    if len(distinct) <= 10:
        return at
    below = np.concatenate([[0], np.cumsum(np.bincount(at))[:-1]])
    return np.unique(below * 10 // len(numbers), return_inverse=True)[1][at]


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    first, second = (read(Path(each)) for each in sys.argv[1:3])
    column = next(name for name in second[0] if name not in {"group", "count"})
    for row, guess in zip(first, attack(first, second, column), strict=True):
        sys.stdout.write(f"{row} {guess}\n")
