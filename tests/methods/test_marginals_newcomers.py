"""Which newcomers fill, against all ways to choose; and places that take the nearest row, against a plain loop."""

from __future__ import annotations

from itertools import product

import numpy as np

from tacit.kernels.marginals.filling import take_nearest
from tacit.methods.marginals.changing import NOBODY, Places, Stream, fill
from tacit.methods.marginals.newcomers import remaining


def test_as_many_fill_as_can() -> None:
    rng = np.random.default_rng(0)
    for _ in range(400):
        values, m = int(rng.integers(1, 5)), int(rng.integers(2, 4))
        new, wanted = rng.integers(0, 5, values), rng.integers(0, 5, values)
        best = None
        for stay in product(*(range(int(n - min(n, w)), int(n) + 1) for n, w in zip(new, wanted, strict=True))):
            eligible = m * max(stay) <= sum(stay)
            if eligible and (best is None or sum(stay) < best):
                best = sum(stay)
        stay = remaining(new, wanted, m)
        if best is None:
            assert stay is None
            continue
        assert stay is not None
        assert int(stay.sum()) == best
        assert m * int(stay.max()) <= int(stay.sum())
        assert (stay <= new).all()
        assert (new - stay <= wanted).all()


def test_every_place_takes_the_nearest_free_row() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        rows = np.sort(rng.integers(0, 60, int(rng.integers(1, 20))))
        places = np.sort(rng.integers(0, 60, int(rng.integers(0, len(rows) + 1))))
        taken = take_nearest(places, rows)
        free = set(range(len(rows)))
        for place, row in zip(places.tolist(), taken.tolist(), strict=True):
            assert row in free
            assert abs(rows[row] - place) == min(abs(rows[r] - place) for r in free)
            free.remove(row)


def random_stream(rng: np.random.Generator) -> tuple[Stream, int]:
    """Return people with values and some with signatures, as a ledger might know them."""
    m, width, count = int(rng.integers(2, 4)), int(rng.integers(4, 7)), int(rng.integers(1, 40))
    sets = [np.sort(rng.permutation(width)[: int(rng.integers(m, width + 1))]) for _ in range(int(rng.integers(1, 4)))]
    signature = rng.integers(-1, len(sets), count)
    value = np.array([rng.choice(sets[s]) if s >= 0 else rng.integers(0, width) for s in signature.tolist()])
    offsets = np.cumsum([0, *map(len, sets)])
    return Stream(value, signature, rng.permutation(count), offsets, np.concatenate(sets), width), m


def test_fillers_have_a_value_that_their_signature_lacked() -> None:
    rng = np.random.default_rng(2)
    filled = 0
    for _ in range(300):
        stream, m = random_stream(rng)
        before = stream.lacking()
        after = fill(stream, m)
        known = stream.signature != NOBODY
        assert (after.signature[known] == stream.signature[known]).all()
        fillers = np.flatnonzero(~known & (after.signature != NOBODY))
        filled += len(fillers)
        assert not len(after.changed())
        taken = np.bincount(after.entries(fillers), minlength=len(before))
        assert (taken <= before).all()
        assert (after.lacking() == before - taken).all()


def test_a_counterfeit_stands_beside_a_person() -> None:
    """The row that a counterfeit is put beside is of a value that its signature has enough of."""
    rng = np.random.default_rng(4)
    for _ in range(300):
        stream, _ = random_stream(rng)
        places, lacking = Places.of(stream), stream.lacking()
        assert np.array_equal(np.bincount(places.entry, minlength=len(lacking)), lacking)
        assert (stream.signature[places.like] == stream.owner[places.entry]).all()
        assert (lacking[stream.entries(places.like)] == 0).all()
