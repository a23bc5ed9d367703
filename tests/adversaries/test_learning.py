"""The reader who learns from a release: against a slow twin, on planted tables, and on Adult."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import learning as slow

import tacit as tc


def bucketized(groups: list[slow.Group]) -> tc.Release:
    """Publish groups as a foreign bucketized release."""
    people = [{"group": g, **person} for g, (members, _) in enumerate(groups) for person in members]
    values = [{"group": g, "ill": v, "count": 1} for g, (_, held) in enumerate(groups) for v in held]
    frames = {"quasi_identifiers": pl.DataFrame(people), "sensitive": pl.DataFrame(values)}
    return tc.Release.foreign(frames, quasi_identifiers=["a", "b"], sensitive="ill")


def entries(belief: object, groups: list[slow.Group]) -> list[list[dict[str, float]]]:
    """Lay what the package believes out like the twin's beliefs."""
    laid, found = belief.laid, []
    for g in range(len(groups)):
        names = belief.dictionary.gather(laid.values[laid.value_offsets[g] : laid.value_offsets[g + 1]]).to_list()
        block = belief.reading.beliefs[laid.starts[g] : laid.starts[g + 1]].reshape(-1, len(names))
        found.append([dict(zip(names, map(float, each), strict=True)) for each in block])
    return found


@st.composite
def small_groups(draw: st.DrawFn) -> list[slow.Group]:
    """Draw a few groups of at most six people, words as quasi-identifiers."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=14))
    person = st.fixed_dictionaries({"a": st.sampled_from("xyz"), "b": st.sampled_from("pq")})
    return [
        (
            draw(st.lists(person, min_size=size, max_size=size)),
            draw(st.lists(st.sampled_from(["cold", "flu", "gout", "rash"]), min_size=size, max_size=size)),
        )
        for size in sizes
    ]


def domain_of(groups: list[slow.Group]) -> tuple[dict[str, list[str]], list[str]]:
    everybody = [person for members, _ in groups for person in members]
    domain = {a: sorted({person[a] for person in everybody}) for a in "ab"}
    return domain, sorted({v for _, held in groups for v in held})


@settings(max_examples=25)
@given(small_groups(), st.integers(1, 3), st.sampled_from([0.5, 2.0]))
def test_agrees_with_a_slow_twin(groups: list[slow.Group], rounds: int, smoothing: float) -> None:
    domain, values = domain_of(groups)
    adversary = tc.LearningAdversary(rounds=rounds, smoothing=smoothing)
    belief = adversary.attack(bucketized(groups))["ill"]
    assert belief.exactness == "exact"
    chosen = belief.reading.chosen
    if belief.reading.likelihoods:
        expected = slow.likelihoods(groups, domain, values, belief.reading.rounds, smoothing)
        assert belief.reading.likelihoods == pytest.approx(expected, abs=1e-9)
        assert chosen == int(np.argmax(belief.reading.likelihoods)) + 1
    else:
        assert chosen == 1
    twin, model = slow.read(groups, domain, values, chosen, smoothing)
    for mine, theirs in zip(entries(belief, groups), twin, strict=True):
        for one, other in zip(mine, theirs, strict=True):
            assert one == pytest.approx(other, abs=1e-9)
    priors = slow.calibrated(model, groups)
    assert belief.before.chance == pytest.approx([max(each.values()) for each in priors], abs=1e-6)


@settings(max_examples=25)
@given(small_groups())
def test_beliefs_of_a_group_add_up_to_its_counts(groups: list[slow.Group]) -> None:
    belief = tc.LearningAdversary().attack(bucketized(groups))["ill"]
    assert_sums(belief)


def assert_sums(belief: object) -> None:
    """Beliefs of a person add up to one, and those of a value in a group to its count."""
    laid = belief.laid
    for g, (begin, end) in enumerate(pairwise(laid.starts)):
        counts = laid.counts[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        block = belief.reading.beliefs[begin:end].reshape(-1, len(counts))
        assert block.sum(axis=0) == pytest.approx(counts, abs=1e-8)
        assert block.sum(axis=1) == pytest.approx(1.0, abs=1e-8)
