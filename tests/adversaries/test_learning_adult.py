"""The reader who learns, on UCI Adult: the figures that are quoted, and the same attack by a script of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.oracles import learning_attack

import tacit as tc
from tacit.adversaries.learning import compared_with_truth

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult.csv.gz"
COLUMNS = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]

pytestmark = pytest.mark.skipif(not ADULT.exists(), reason="the shared benchmark data is not here")


@cache
def adult() -> tc.Table:
    """The 30,162 complete rows of the training part."""
    frame = pl.read_csv(ADULT, infer_schema_length=None).head(32_561)
    frame = frame.filter(~pl.any_horizontal(pl.col(pl.String).str.strip_chars() == "?"))
    return tc.Table(frame.select(*COLUMNS, "occupation"), quasi_identifiers=COLUMNS, sensitive="occupation")


@cache
def anatomy(l: int) -> tc.Release:
    known = {"buckets": "random"} if "buckets" in tc.Anatomy.model_fields else {}
    return tc.Anatomy(l=l, **known).protect(adult(), seed=1)


@pytest.mark.parametrize(("l", "right"), [(2, 0.823), (3, 0.685), (4, 0.560)])
def test_random_buckets_are_read_as_often_as_measured(l: int, right: float) -> None:
    table, release = adult(), anatomy(l)
    adversary = tc.LearningAdversary()
    belief, judged = compared_with_truth(release, table, adversary, dict(adversary.attack(release).items()))[
        "occupation"
    ]
    assert judged.share == pytest.approx(right, abs=0.015)
    assert judged.last_share == pytest.approx(right, abs=0.015)
    assert judged.prior_share == pytest.approx(0.32, abs=0.02)
    assert belief.reading.chosen in {3, 4}
    assert belief.expected == pytest.approx(judged.share, abs=0.03)
    assert belief.exactness == "exact"


def test_a_script_that_shares_no_code_with_the_package_is_right_as_often(tmp_path: Path) -> None:
    table, release = adult(), anatomy(3)
    frames = release.frames()
    for name, frame in frames.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    people, values = (learning_attack.read(tmp_path / f"{n}.csv") for n in ("quasi_identifiers", "sensitive"))
    guessed = learning_attack.attack(people, values, "occupation", rounds=2)
    adversary = tc.LearningAdversary(calibrate=False)
    belief = adversary.attack(release)["occupation"]
    assert belief.reading.chosen == 2
    mine = np.empty(len(guessed), dtype=object)
    mine[belief.row] = belief.values.to_numpy()
    assert np.mean(mine == np.array(guessed, dtype=object)) > 0.999
    _, judged = compared_with_truth(release, table, adversary, {"occupation": belief})["occupation"]
    assert judged.share > 0.67


def test_groups_of_similar_people_give_her_much_less() -> None:
    table = adult()
    release = tc.Mondrian([tc.LDiversity(l=2, kind="frequency")]).protect(table, seed=1)
    belief, judged = compared_with_truth(release, table, tc.LearningAdversary(), {})["occupation"]
    assert belief.told
    assert judged.share == pytest.approx(0.449, abs=0.015)


@pytest.mark.parametrize("l", [2, 3, 4])
def test_what_she_expects_of_similar_buckets_is_near_the_truth(l: int) -> None:
    table, adversary = adult(), tc.LearningAdversary()
    release = tc.Anatomy(l=l).protect(table, seed=1)
    belief, judged = compared_with_truth(release, table, adversary, dict(adversary.attack(release).items()))[
        "occupation"
    ]
    assert judged.share <= {2: 0.56, 3: 0.47, 4: 0.45}[l]
    assert belief.expected == pytest.approx(judged.share, abs=0.05)
