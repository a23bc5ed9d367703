"""The nine people of the slides (paper 002): the attack, the buckets, the groups and their cost."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.adversaries import IntersectionAdversary, WorldAdversary
from tacit.kernels.marginals.cost import MarginalRows
from tacit.kernels.marginals.decompose import BucketRows, decompose
from tacit.kernels.mondrian.space import Nominal, Numeric, space_of
from tacit.methods.marginals.buckets import Buckets

NAMES = ["Bob", "Alex", "Jane", "Lily", "Jame", "Linda", "Sarah", "Mary", "Andy"]
B, F, P, G = "bronchitis", "flu", "pneumonia", "gastritis"
PEOPLE = pl.DataFrame(
    {
        "name": NAMES,
        "age": [20, 19, 20, 24, 29, 34, 39, 45, 34],
        "zip": [12, 20, 13, 16, 21, 24, 19, 14, 21],
        "sex": list("MMFFFFMMF"),
        "disease": [B, F, P, G, F, G, B, F, P],
    }
)
BUCKET = np.array([0, 0, 2, 2, 2, 1, 0, 0, 1])  # {Bob, Sarah | Alex, Mary}, {Linda | Andy}, {Jame | Jane | Lily}


def table() -> tc.Table:
    return tc.Table(PEOPLE, identifiers="name", quasi_identifiers=["age", "zip", "sex"], sensitive="disease")


def improper() -> tc.Release:
    """The two marginals of the motivating example: each is safe alone."""
    first = pl.DataFrame(
        {
            "age": ["[19, 20]"] * 2 + ["[20, 24]"] * 2 + ["[29, 34]"] * 2 + ["[34, 45]"] * 3,
            "zip": ["[12, 20]"] * 2 + ["[13, 16]"] * 2 + ["[21, 24]"] * 2 + ["[14, 21]"] * 3,
            "sex": ["M"] * 2 + ["F"] * 4 + ["*"] * 3,
            "disease": [B, F, P, G, F, G, B, F, P],
            "group": [1, 1, 2, 2, 3, 3, 4, 4, 4],
        }
    )
    second = pl.DataFrame(
        {
            "zip": ["[12, 13]"] * 2 + ["[14, 16]"] * 2 + ["[19, 20]"] * 2 + ["[21, 24]"] * 3,
            "disease": [B, P, G, F, F, B, G, F, P],
        }
    )
    return tc.Release.foreign(
        {"first": first, "second": second}, quasi_identifiers=["age", "zip", "sex"], sensitive="disease"
    )


def by_intersection(release: tc.Release) -> set[str]:
    members = {"first": np.array([1, 1, 2, 2, 3, 3, 4, 4, 4])}
    found = IntersectionAdversary(victims=PEOPLE, members=members).attack(release)
    return {name for name, many in zip(NAMES, found.candidates, strict=True) if many == 1}


def test_the_plain_intersection_pins_four_people() -> None:
    assert by_intersection(improper()) == {"Bob", "Jane", "Lily", "Mary"}


def test_the_intersection_needs_no_group_numbers_here() -> None:
    found = IntersectionAdversary(victims=PEOPLE).attack(improper())
    assert found.pinned == 4
    assert found.possible(0) == ["bronchitis"]


def test_counting_worlds_pins_seven_people() -> None:
    members = {"first": np.array([1, 1, 2, 2, 3, 3, 4, 4, 4])}
    found = WorldAdversary(victims=PEOPLE, members=members).attack(improper())
    pinned = {name for name, p in zip(NAMES, found.shares, strict=True) if p is not None and len(p) == 1}
    assert pinned == set(NAMES) - {"Jame", "Linda"}
    assert found.pinned == 7
    assert found.worlds == 2


def test_the_improper_pair_is_not_m_invariant() -> None:
    assert tc.audit(improper(), claims=[tc.MInvariance(m=2)]).holds is False


def groups_of(names: list[str]) -> tuple[np.ndarray, float]:
    """Decompose the slides' buckets for some attributes; return the groups and their total NCP."""
    people = table()
    space = space_of(
        [
            Nominal(2, 2) if name == "sex" else Numeric(people.codes(name).values.to_numpy().astype(float), float(span))
            for name, span in ((n, {"age": 26, "zip": 12, "sex": 0}[n]) for n in names)
        ]
    )
    points = np.stack(
        [space.position[space.start[a] : space.start[a + 1]][people.codes(name).codes] for a, name in enumerate(names)],
        axis=1,
    )
    sensitive = people.codes("disease")
    laid = Buckets.of(BUCKET, sensitive.codes.astype(np.int64), sensitive.cardinality)
    marginal = MarginalRows(space, points, people.groups(names).ids)
    found = decompose(marginal, BucketRows(laid.rows, laid.start, laid.width))
    total = 0.0
    for group in np.unique(found):
        mine = np.flatnonzero(found == group)
        for name in names:
            values = PEOPLE[name].to_numpy()[mine]
            span = {"age": 26, "zip": 12}.get(name)
            total += len(mine) * ((values.max() - values.min()) / span if span else len(set(values.tolist())) - 1)
    return found, total


@pytest.mark.parametrize(("names", "total"), [(["age", "sex"], Fraction(41, 26)), (["zip"], Fraction(3))])
def test_optimal_ncp(names: list[str], total: Fraction) -> None:
    assert groups_of(names)[1] == pytest.approx(float(total), abs=1e-12)


def test_groups_for_zip() -> None:
    found, _ = groups_of(["zip"])
    together = {frozenset(NAMES[i] for i in np.flatnonzero(found == g)) for g in np.unique(found)}
    assert together == {
        frozenset({"Bob", "Mary"}),
        frozenset({"Sarah", "Alex"}),
        frozenset({"Linda", "Andy"}),
        frozenset({"Jame", "Jane", "Lily"}),
    }


def test_24_worlds_remain() -> None:
    """Whoever knows everybody's group in both marginals is left with one half at most."""
    first, second = groups_of(["age", "sex"])[0], groups_of(["zip"])[0]
    frames = {
        "a": PEOPLE.select("disease").with_columns(pl.Series("group", first), pl.Series("age", ["*"] * 9)),
        "z": PEOPLE.select("disease").with_columns(pl.Series("group", second), pl.Series("zip", ["*"] * 9)),
    }
    release = tc.Release.foreign(frames, quasi_identifiers=["age", "zip"], sensitive="disease")
    found = WorldAdversary(victims=PEOPLE, members={"a": first, "z": second}).attack(release)
    assert found.worlds == 24
    assert found.max_posterior == Fraction(1, 2)
    plain = IntersectionAdversary(victims=PEOPLE, members={"a": first, "z": second}).attack(release)
    assert plain.posterior.max() == 0.5
    signature = {0: 2, 1: 2, 2: 3}
    assert plain.candidates.tolist() == [signature[b] for b in BUCKET.tolist()]


def test_the_method_on_the_nine_people() -> None:
    method = tc.InvariantMarginals(m=2, marginals={"a": ["age", "sex"], "z": ["zip"]})
    release = method.protect(table(), seed=1)
    verdict = tc.audit(release)
    assert verdict.holds is True
    assert verdict.max_posterior == 0.5
    found = WorldAdversary.of(release).attack(release)
    assert found.max_posterior == Fraction(1, 2)
    assert found.pinned == 0
    assert IntersectionAdversary.of(release).attack(release).pinned == 0


def test_angel_estimates_two_cases_of_pneumonia() -> None:
    """Slides: the join of both tables gives 4; the sum of shares gives 2, which is right."""
    from tacit.measures.query_error import estimates

    frames = {
        "by_zip": pl.DataFrame(
            {
                "group": [1, 2, 4, 2, 1, 4, 3, 3, 4],
                "zip": ["[12, 13]"] * 2 + ["[14, 16]"] * 2 + ["[19, 20]"] * 2 + ["[21, 24]"] * 3,
            }
        ),
        "sensitive": pl.DataFrame(
            {
                "group": [1, 1, 2, 2, 3, 3, 4, 4, 4],
                "disease": [B, F, P, G, F, G, B, F, P],
                "count": [1] * 9,
            }
        ),
    }
    release = tc.Release.foreign(frames, quasi_identifiers=["zip"], sensitive="disease")
    work = tc.Workload.draw(table(), columns=["zip"], queries=1, selectivity=1.0, seed=1)
    place = work.axes["disease"].values.to_list().index("pneumonia")
    work.places["disease"][0] = [place, place + 1]
    assert estimates(release.shape, work)[0] == pytest.approx(2.0)
