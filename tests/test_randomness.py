"""Randomness: unseeded from the system, seeded the same again, streams apart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.errors import ParameterError
from tacit.randomness import Randomness, permutation


def draws(generator):
    return tuple(generator.integers(2**62, size=4).tolist())


def test_a_seed_gives_the_same_streams():
    one, other = Randomness.make(7), Randomness.make(np.int64(7))
    assert draws(one.secret()) == draws(other.secret())
    assert draws(one.shuffle()) == draws(other.shuffle())
    assert [draws(a.secret()) for a in one.spawn(3)] == [draws(b.secret()) for b in other.spawn(3)]
    assert one.reproducible


def test_streams_are_all_different():
    for source in (Randomness.make(), Randomness.make(0)):
        children = source.spawn(3)
        grand = [grandchild for child in children for grandchild in child.spawn(2)]
        every = [
            stream for each in (source, *children, *grand) for stream in (draws(each.secret()), draws(each.shuffle()))
        ]
        assert len(set(every)) == len(every)
    assert draws(Randomness.make(1).secret()) != draws(Randomness.make(2).secret())


def test_no_call_repeats_the_stream_of_an_earlier_call():
    """Row order and group numbers of one step are two draws: one stream for both would tell one from the other."""
    one, other = Randomness.make(7), Randomness.make(7)
    streams = [draws(stream) for _ in range(3) for stream in (one.shuffle(), one.secret())]
    assert len(set(streams)) == len(streams)
    assert streams == [draws(stream) for _ in range(3) for stream in (other.shuffle(), other.secret())]


def test_without_a_seed_nothing_is_repeated():
    source = Randomness.make()
    assert not source.reproducible
    assert not any(child.reproducible for child in source.spawn(2))
    assert all(child.reproducible for child in Randomness.make(1).spawn(2))
    assert draws(source.secret()) != draws(source.secret())


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, np.float64(1)])
def test_seeds_that_are_none(seed):
    with pytest.raises(ParameterError, match=r"is not allowed. Give an integer from 0 up"):
        Randomness.make(seed)


@settings(deadline=None)
@given(st.integers(0, 50), st.integers(0, 5))
def test_a_permutation_has_every_number_once(n, seed):
    assert sorted(permutation(np.random.default_rng(seed), n).tolist()) == list(range(n))


def test_permutations_are_uniform():
    generator = Randomness.make(3).shuffle()
    counts = np.zeros((4, 4))
    for _ in range(4_000):
        counts[np.arange(4), permutation(generator, 4)] += 1
    assert np.abs(counts / 4_000 - 0.25).max() < 0.03
