"""`python -m benchmarks.tries_out`: what somebody gets from buckets of two who tries the method out on made-up values.

How buckets are made is public. So she draws a value for everybody from what she believes, lets the same method make
buckets of that table, and sees there which of two people has which of two values: from where they stand to each other,
and from how likely the values are. By that she reads the real buckets, learns from what she then believes, and begins
again. The first lines are somebody who has the model of the true table (naive Bayes). She needs scikit-learn, and
shares no code with the package but the method itself. Releases are made with seed 1, her own with others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
import polars as pl

import tacit as tc
from benchmarks.expectation import other, patients, people
from benchmarks.figures.learning import adult, called
from tacit.arrays import Floats, Ints

TABLES = {
    "Adult by marital status": lambda: other("marital-status"),
    "hospital": patients,
    "Adult": adult,
    "census": lambda: people(0),
}
DRAWS = 2
ROUNDS = 4
BINS = 10


class Reader:
    """The people of a release with their codes, and the pairs of people and values that share a bucket of two."""

    def __init__(self, table: tc.Table, group: Ints, value: Ints) -> None:
        self.table, self.values = table, int(value.max()) + 1
        raw = [table.frame[name] for name in table.quasi_identifiers]
        columns = [each.to_physical() if each.dtype.is_temporal() else each for each in raw]
        self.numbers = [each.cast(pl.Float64).to_numpy() for each in columns if each.dtype.is_numeric()]
        self.codes = [_codes(each) for each in columns]
        self.share = np.bincount(value) / len(value)
        self.group, self.counts = group, np.zeros((int(group.max()) + 1, self.values))
        np.add.at(self.counts, (group, value), 1.0)

    def learn(self, belief: Floats) -> Floats:
        """Return the logarithms of what naive Bayes believes of everybody."""
        found = np.log(belief.sum(axis=0) + 0.5)[None, :].repeat(len(belief), axis=0)
        for codes in self.codes:
            counts = np.full((int(codes.max()) + 1, self.values), 0.5)
            np.add.at(counts, codes, belief)
            found += np.log(counts / counts.sum(axis=0))[codes]
        return _scaled(found)

    def start(self) -> Floats:
        """Return the shares of everybody's bucket."""
        counts = self.counts[self.group]
        return counts / counts.sum(axis=1, keepdims=True)

    def by_worlds(self, model: Floats) -> Floats:
        """Weigh both ways to deal two values out by the model; larger buckets keep to their shares."""
        pairs, more, less = self._pairs(self.group, self.counts)
        told = self._evidence(model, pairs, more, less)
        return self._believed(pairs, more, less, 1 / (1 + np.exp(-told)))

    def by_trying(self, model: Floats, method: tc.Method, rng: np.random.Generator) -> Floats:
        """Weigh them by how often it is so in buckets that the method makes of values drawn from the model."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        seen, truth = [], []
        for draw in range(DRAWS):
            value = self._drawn(model, rng)
            made = tc.Table(
                self.table.frame.with_columns(pl.Series(self.table.sensitive[0], [f"v{v}" for v in value])),
                quasi_identifiers=self.table.quasi_identifiers,
                sensitive=self.table.sensitive[0],
            )
            inside = method.protect(made, seed=100 + draw).inside
            assert inside is not None  # noqa: S101 - it was made here
            group = np.asarray(inside.group)
            counts = np.zeros((int(group.max()) + 1, self.values))
            np.add.at(counts, (group, value), 1.0)
            pairs, more, less = self._pairs(group, counts)
            turned = rng.random(len(pairs)) < 0.5
            pairs[turned] = pairs[turned][:, ::-1]
            seen.append(self._features(model, pairs, more, less))
            truth.append(value[pairs[:, 0]] == more)
        judge = HistGradientBoostingClassifier(max_iter=150, max_leaf_nodes=15, min_samples_leaf=50, random_state=0)
        judge.fit(np.concatenate(seen), np.concatenate(truth))
        pairs, more, less = self._pairs(self.group, self.counts)
        chance = judge.predict_proba(self._features(model, pairs, more, less))[:, 1]
        return self._believed(pairs, more, less, chance)

    def _pairs(self, group: Ints, counts: Floats) -> tuple[Ints, Ints, Ints]:
        """Return the two people of every bucket of two, the value that is commoner of all rows, and the other."""
        order = np.argsort(group, kind="stable")
        sizes = np.bincount(group)
        begin = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        two = np.flatnonzero(sizes == 2)
        ranked = np.argsort(np.where(counts[two] > 0, -self.share, 1.0), axis=1, kind="stable")
        return order[begin[two][:, None] + np.arange(2)], ranked[:, 0], ranked[:, 1]

    def _evidence(self, model: Floats, pairs: Ints, more: Ints, less: Ints) -> Floats:
        first, second = pairs.T
        return model[first, more] - model[first, less] - model[second, more] + model[second, less]

    def _features(self, model: Floats, pairs: Ints, more: Ints, less: Ints) -> Floats:
        first, second = pairs.T
        told = [self._evidence(model, pairs, more, less), more, less]
        told += [model[who, value] for who in (first, second) for value in (more, less)]
        told += [part for each in self.numbers for part in (each[first] - each[second], each[first])]
        return np.stack(told, axis=1).astype(np.float64)

    def _believed(self, pairs: Ints, more: Ints, less: Ints, chance: Floats) -> Floats:
        belief = self.start()
        belief[pairs.ravel()] = 0.0
        belief[pairs[:, 0], more] = belief[pairs[:, 1], less] = chance
        belief[pairs[:, 1], more] = belief[pairs[:, 0], less] = 1 - chance
        return belief

    def _drawn(self, model: Floats, rng: np.random.Generator) -> Ints:
        """Draw everybody's value, with the model shifted to the published shares; no value in more than half of all."""
        for _ in range(20):
            model = _scaled(model + np.log(self.share) - np.log(np.exp(model).mean(axis=0)))
        chance = np.exp(model)
        value: Ints = np.minimum((chance.cumsum(axis=1) < rng.random((len(chance), 1))).sum(axis=1), self.values - 1)
        most = int(np.argmax(self.share))
        over = np.flatnonzero(value == most)[len(value) // 2 :]
        chance[:, most] = 0.0
        value[over] = chance[over].argmax(axis=1)
        return value


def _scaled(logarithms: Floats) -> Floats:
    found: Floats = logarithms - np.logaddexp.reduce(logarithms, axis=1)[:, None]
    return found


def _codes(column: pl.Series) -> Ints:
    """Words as they are, numbers in bins of equally many people."""
    if not column.dtype.is_numeric() or column.n_unique() <= BINS:
        return column.cast(pl.String).rank("dense").to_numpy().astype(np.int64) - 1
    return np.unique(column.rank("min").to_numpy() * BINS // (len(column) + 1), return_inverse=True)[1].astype(np.int64)


def measure(table: tc.Table, method: tc.Method) -> dict[str, float]:
    """Read a release, as somebody who knows the population and as somebody who learns; both try the method out."""
    inside = method.protect(table, seed=1).inside
    assert inside is not None  # noqa: S101 - it was made here
    truth = table.codes(table.sensitive[0]).codes.astype(np.int64)
    reader, rng = Reader(table, np.asarray(inside.group), truth), np.random.default_rng(5)

    def right(belief: Floats) -> float:
        return float((belief.argmax(axis=1) == truth).mean())

    known = reader.learn(np.eye(reader.values)[truth])
    found = {
        "knows the population": right(known),
        "and the groups": right(reader.by_worlds(known)),
        "and tries out": right(reader.by_trying(known, method, rng)),
    }
    belief = reader.start()
    for number in range(1, ROUNDS + 1):
        belief = reader.by_trying(reader.learn(belief), method, rng)
        found[f"learns and tries out, round {number}"] = right(belief)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure random and similar buckets of each table, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="tables whose name begins so")
    given = parser.parse_args(arguments)
    for name, make in TABLES.items():
        for buckets in ("random", "similar"):
            if name.startswith(given.only) and (shown := called(name)) is not None:
                found = measure(make(), tc.Anatomy(l=2, buckets=buckets))
                told = ", ".join(f"{key} {value:.3f}" for key, value in found.items())
                print(f"{shown}, {buckets} buckets: {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
