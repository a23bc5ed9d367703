"""`python -m benchmarks.round_and_round`: what a reader gets from several tables if she goes through them repeatedly.

`LearningAdversary` reads one table after another, once in each round of learning. Here a reader goes through them up to
four times (loopy belief propagation): what a table tells of a person is kept apart, and what the other tables tell of
everybody is taken into account when it is read again. Naive Bayes, three rounds of learning, taken for true. It shares
no code with the package. Releases are made with seed 1.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import permutations

import numpy as np

import tacit as tc
from benchmarks.expectation import people
from benchmarks.figures.learning import PARTS, adult, called
from benchmarks.tries_out import Reader
from tacit.arrays import Floats, Ints

RELEASES = {
    "Adult, 2-invariant marginals": (adult, tc.InvariantMarginals(m=2, marginals=PARTS)),
    "Adult, 3-invariant marginals": (adult, tc.InvariantMarginals(m=3, marginals=PARTS)),
    "census, 3-invariant marginals": (lambda: people(0), tc.InvariantMarginals(m=3, marginals=PARTS)),
}
SWEEPS = (1, 2, 4)
ROUNDS = 3
LONGEST = 6
"""People of the largest group of which all ways to deal the values out are listed; others keep to the scores."""


def dealt(scores: Floats, group: Ints, value: Ints) -> Floats:
    """Return what is believed of everybody after the values of each group are dealt out by the scores."""
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group)
    begin = np.cumsum(sizes) - sizes
    found = np.exp(scores)
    for size in range(1, LONGEST + 1):
        who = order[begin[sizes == size][:, None] + np.arange(size)]
        held = value[who]
        weigh = np.exp(scores[who[:, :, None], held[:, None, :]])
        weigh /= weigh.max(axis=(1, 2), keepdims=True, initial=1e-300)
        share, total = np.zeros_like(weigh), np.full(len(who), 1e-300)
        for world in permutations(range(size)):
            weight = np.prod([weigh[:, i, j] for i, j in enumerate(world)], axis=0)
            total += weight
            for i, j in enumerate(world):
                share[:, i, j] += weight
        found[who.ravel()] = 0.0
        for i in range(size):
            for j in range(size):
                np.add.at(found, (who[:, i], held[:, j]), share[:, i, j] / total)
    return found


def measure(table: tc.Table, method: tc.Method, sweeps: int) -> tuple[float, float]:
    """Return how often she is right, and how often she expects to be."""
    inside = method.protect(table, seed=1).inside
    assert inside is not None  # noqa: S101 - it was made here
    assert isinstance(inside.group, Mapping)  # noqa: S101 - of several tables
    assert inside.kept.all()  # noqa: S101 - nobody is withheld on these tables
    value = table.codes(table.sensitive[0]).codes.astype(np.int64)
    groups = [np.asarray(each) for each in inside.group.values()]
    readers = [Reader(table, group, value) for group in groups]
    belief = np.prod([each.start() for each in readers], axis=0)
    belief /= belief.sum(axis=1, keepdims=True)
    for _ in range(ROUNDS):
        model = readers[0].learn(belief)
        told = [np.zeros_like(model) for _ in groups]
        for _ in range(sweeps):
            for t, group in enumerate(groups):
                others = model + np.sum([told[s] for s in range(len(groups)) if s != t], axis=0)
                others = np.maximum(others - np.logaddexp.reduce(others, axis=1)[:, None], -40.0)
                belief = dealt(others, group, value)
                told[t] = np.log(belief + 1e-12) - np.log(np.exp(others) + 1e-12)
                told[t] = np.maximum(told[t] - told[t].max(axis=1, keepdims=True), -25.0)
    return float((belief.argmax(axis=1) == value).mean()), float(belief.max(axis=1).mean())


def main() -> int:
    """Measure, and print a line for each release."""
    for name, (make, method) in RELEASES.items():
        table = make()
        told = []
        for sweeps in SWEEPS:
            right, expects = measure(table, method, sweeps)
            told.append(f"{sweeps} times: right {right:.3f}, expects {expects:.3f}")
        print(f"{called(name)}: {'; '.join(told)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
