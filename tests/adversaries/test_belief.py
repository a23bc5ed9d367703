"""A belief says the same in its common form as in what each adversary adds to it."""

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.adversaries import BeliefByColumn

PEOPLE = {"age": [30, 30, 41, 41], "zip": ["a", "b", "a", "b"]}
TABLE = tc.Table(
    {**PEOPLE, "ill": ["flu", "cold", "flu", "flu"], "pay": [1, 2, 3, 3]},
    quasi_identifiers=["age", "zip"],
    sensitive=["ill", "pay"],
)


@pytest.fixture
def marginals() -> tc.Release:
    frames = {
        "by_age": {"age": [30, 30, 41, 41], "ill": ["flu", "cold", "flu", "gout"]},
        "by_zip": {"zip": ["a", "a", "b", "b"], "ill": ["flu", "gout", "cold", "flu"]},
    }
    return tc.Release.foreign(frames, quasi_identifiers=["age", "zip"], sensitive="ill")


def test_linkage_lists_victims_column_after_column() -> None:
    release = tc.Release.foreign(TABLE.frame, quasi_identifiers=["age", "zip"], sensitive=["ill", "pay"])
    belief = tc.LinkageAdversary(victims={"age": [30, 41, 99]}).attack(release)
    assert belief.where.to_list() == ["ill"] * 3 + ["pay"] * 3
    assert belief.values.to_list() == ["cold", "flu", None, "1", "3", None], "as text: the columns differ in type"
    assert belief.posteriors.tolist() == [0.5, 1.0, 0.0, 0.5, 1.0, 0.0]
    assert belief.people.tolist() == [1] * 6
    assert belief.exactness == "exact"
    everybody = tc.LinkageAdversary().attack(tc.Release.foreign(TABLE.frame, quasi_identifiers="age", sensitive="ill"))
    assert everybody.people.tolist() == [2, 2], "who has the same cells is one entry"


def test_intersections_are_approximate_and_worlds_exact(marginals: tc.Release) -> None:
    victims = pl.DataFrame(PEOPLE)
    fast = tc.IntersectionAdversary(victims=victims).attack(marginals)
    slow = tc.WorldAdversary(victims=victims).attack(marginals)
    assert (fast.exactness, slow.exactness) == ("approximate", "exact")
    assert [len(fast.possible(v)) for v in range(4)] == fast.candidates.tolist()
    assert [value in fast.possible(v) for v, value in enumerate(fast.values.to_list())] == [True] * 4
    assert slow.posteriors.tolist() == [float(max(share.values())) for share in slow.shares if share]
    assert slow.max_posterior == max(slow.posteriors)
    assert [value in share for value, share in zip(slow.values.to_list(), slow.shares, strict=True)] == [True] * 4
    too_large = tc.WorldAdversary(victims=victims, largest=1).attack(marginals)
    assert too_large.exactness == "partial"
    assert np.isnan(too_large.posteriors).all()
    assert too_large.max_posterior == 0
    for belief in (fast, slow, too_large):
        assert belief.frame().height == 4


def test_more_values_than_bits_of_a_word() -> None:
    many = [f"v{i:03}" for i in range(200)]
    frame = {"age": list(range(200)), "ill": many}
    release = tc.Release.foreign({"table": frame}, quasi_identifiers="age", sensitive="ill")
    belief = tc.IntersectionAdversary(victims={"age": [0, 63, 64, 199, 500]}).attack(release)
    assert belief.values.to_list() == ["v000", "v063", "v064", "v199", None]


def test_columns_of_a_belief() -> None:
    release = tc.UnsafeDSuppression(l=2).protect(
        tc.Table({"age": range(9), "ill": list("aaaaaabcd")}, quasi_identifiers="age", sensitive="ill"), seed=1
    )
    belief = tc.EligibilityAdversary().attack(release)
    assert isinstance(belief, BeliefByColumn)
    assert list(belief) == ["ill"]
    assert "ill" in belief
    assert len(belief) == 1
    assert belief["ill"].people.tolist() == [9, 9 - release.shape.rows]
    assert belief.posteriors[0] == float(belief["ill"].most_frequent)
    assert belief.values[0] == "a"
    nothing = tc.EligibilityAdversary().attack(tc.Release.foreign({"x": [1]}, quasi_identifiers="x", sensitive=()))
    assert not nothing
    assert nothing.max_posterior == 0
    assert nothing.frame().height == 0
