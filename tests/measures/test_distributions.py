"""Reconstructed distributions equal a reader's pencil and paper."""

from collections import Counter, defaultdict

import numpy as np
import pytest

import tacit as tc
from tacit.measures import distribution_distances
from tacit.shapes import cover


def by_hand(release, table, columns):
    """Spread every published row over all combinations of values that it may stand for."""
    shape = release.shape
    mass = defaultdict(float)
    for row in shape.frames()["table"].iter_rows(named=True):
        choices = []
        for name in columns:
            values = table.codes(name).texts.to_list()
            if name in shape.sensitive:
                choices.append([str(row[name])])
                continue
            cells = shape.frames()["table"][name].unique(maintain_order=True)
            at = cells.to_list().index(row[name])
            match = cover(cells, shape.column(name), table.codes(name).values).matches()[at]
            choices.append([values[i] for i in np.flatnonzero(match)])
        combos = [()]
        for values in choices:
            combos = [(*c, v) for c in combos for v in values]
        for combo in combos:
            mass[combo] += 1 / len(combos) / shape.rows
    there = Counter(tuple(str(row[name]) for name in columns) for row in table.frame.iter_rows(named=True))
    keys = set(mass) | set(there)
    return sum(abs(mass.get(key, 0) - there.get(key, 0) / len(table)) for key in keys) / 2


def test_total_variation_equals_pencil_and_paper():
    rng = np.random.default_rng(1)
    table = tc.Table(
        {"age": rng.integers(20, 30, 60), "town": rng.choice(list("abcd"), 60), "ill": rng.choice(["x", "y"], 60)},
        quasi_identifiers=["age", "town"],
        sensitive="ill",
    )
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(table)
    found = distribution_distances(release, table)
    for name in ("age", "town", "ill"):
        assert found.one_way[name].total_variation == pytest.approx(by_hand(release, table, [name]))
    for pair in (("age", "town"), ("age", "ill"), ("town", "ill")):
        assert found.two_way[pair].total_variation == pytest.approx(by_hand(release, table, pair))
    assert found.one_way["ill"].kl == 0.0
    assert 0 < found.mean_one_way <= found.mean_two_way <= 1


def test_buckets_keep_columns_and_break_what_joins_them():
    table = tc.Table({"age": [1, 1, 2, 2], "ill": ["a", "a", "b", "b"]}, quasi_identifiers="age", sensitive="ill")
    found = distribution_distances(tc.Anatomy(l=2).protect(table), table)
    assert found.one_way["age"].total_variation == found.one_way["ill"].total_variation == 0.0
    assert found.two_way["age", "ill"].total_variation == pytest.approx(0.5)


def test_what_is_withheld_can_no_longer_be():
    table = tc.Table({"age": [1, 1, 1, 2, 2, 3], "ill": list("abcabc")}, quasi_identifiers="age", sensitive="ill")
    release = tc.SmallGroups(guarantee=tc.KAnonymity(k=3)).protect(table)
    assert distribution_distances(release, table).one_way["age"].kl == float("inf")
