"""The linking kernel alone: random covers, against loops over victims and classes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.kernels.linkage import CellCovers, ClassSpread, link


def random_case(rng, *, plain):
    """Columns of labels that are ranges or rows of a matrix over the positions of the victims' values."""
    q, c, v = rng.integers(1, 4), rng.integers(1, 12), rng.integers(1, 15)
    widths = rng.integers(1, 6, q)
    starts, stops, rows, matrices, sizes = [], [], [], [], []
    for j in range(q):
        labels = int(rng.integers(1, 6))
        start = rng.integers(0, widths[j] + 1, labels)
        stop = np.minimum(start + rng.integers(0, 2 if plain and j == 0 else 4, labels), widths[j])
        listed = np.full(labels, -1) if plain and j == 0 else np.where(rng.random(labels) < 0.4, np.arange(labels), -1)
        starts.append(start)
        stops.append(np.maximum(start, stop))
        rows.append(listed)
        matrices.append(rng.random((labels, widths[j])) < 0.5)
        sizes.append(labels)
    classes = np.stack([rng.integers(0, size, c) for size in sizes], axis=1)
    if plain:
        classes = classes[np.argsort(starts[0][classes[:, 0]], kind="stable")]
    victims = np.stack([rng.integers(0, width, v) for width in widths], axis=1)
    victims = victims[np.lexsort(victims.T[::-1])]
    cardinality = int(rng.integers(1, 5))
    lengths = rng.integers(0, 4, c)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    values = rng.integers(0, cardinality, offsets[-1])
    spreads = rng.integers(0, 4, offsets[-1]).astype(float)
    return (
        classes,
        victims,
        starts,
        stops,
        rows,
        matrices,
        widths,
        rng.integers(0, 9, c),
        offsets,
        values,
        spreads,
        cardinality,
    )


def by_hand(case):
    classes, victims, starts, stops, rows, matrices, _, weights, offsets, values, spreads, cardinality = case
    answers = []
    for victim in victims:
        total, mass, touched = 0, np.zeros(cardinality), set()
        for i, labels in enumerate(classes):
            fits = all(
                matrices[j][rows[j][label], at] if rows[j][label] >= 0 else starts[j][label] <= at < stops[j][label]
                for j, (label, at) in enumerate(zip(labels, victim, strict=True))
            )
            if fits:
                total += weights[i]
                np.add.at(mass, values[offsets[i] : offsets[i + 1]], spreads[offsets[i] : offsets[i + 1]])
                touched |= set(values[offsets[i] : offsets[i + 1]].tolist())
        best = int(np.argmax(mass)) if mass.max() > 0 else -1
        answers.append((int(total), best, float(mass.max())))
    return answers


def asked(case, *, lookup, threads):
    classes, victims, starts, stops, rows, matrices, widths, weights, offsets, values, spreads, cardinality = case
    base = np.concatenate([[0], np.cumsum([len(s) for s in starts])])
    matrix_base = np.concatenate([[0], np.cumsum([m.size for m in matrices])])
    flat = [np.concatenate(each).astype(np.int64) for each in (starts, stops, rows)]
    covers = CellCovers(base, *flat, np.concatenate([m.ravel() for m in matrices]), matrix_base, widths)
    spread = ClassSpread(np.ascontiguousarray(classes), weights, offsets, values, spreads, cardinality)
    found = link(victims.astype(np.int64), covers, spread, lookup=lookup, threads=threads)
    return list(zip(*(part.tolist() for part in found), strict=True))


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([1, 2, 5, 40]))
def test_kernel_equals_loops(seed, plain, threads):
    case = random_case(np.random.default_rng(seed), plain=plain)
    expected = by_hand(case)
    assert asked(case, lookup=False, threads=threads) == expected
    if plain:
        assert asked(case, lookup=True, threads=threads) == expected


@pytest.mark.parametrize("cardinality", [1, 3])
def test_entries_that_weigh_nothing_do_not_pile_up(cardinality):
    """Many classes name a value that none of their rows has: the list of values seen must not overflow."""
    c = 5_000
    classes, victims = np.zeros((c, 1), np.int64), np.zeros((1, 1), np.int64)
    one = [np.zeros(1, np.int64)], [np.ones(1, np.int64)], [np.full(1, -1)], [np.zeros((0, 1), bool)]
    case = (
        *(classes, victims, *one, np.ones(1, np.int64), np.ones(c, np.int64), np.arange(c + 1)),
        *(np.zeros(c, np.int64), np.zeros(c), cardinality),
    )
    assert asked(case, lookup=False, threads=1) == [(c, -1, 0.0)]
