"""Worked values of specs/distribution.md and of the paper (003)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.kernels.distribution_group import posteriors, swap_bounds
from tests.oracles.distribution import delta_max, expected_size

import tacit as tc


def test_the_example_of_section_3() -> None:
    found = posteriors([[0.5, 0.5], [0.5, 0.5], [0.2, 0.8], [0.2, 0.8]], [2, 2])
    assert found[0, 0] == pytest.approx(8 / 11)  # the paper rounds its parts and says .72
    assert found[2, 0] == pytest.approx(3 / 11)


def test_the_american_and_the_japanese() -> None:
    for view in ("exact", "paper"):
        assert posteriors([[0.1, 0.9], [0.003, 0.997]], [1, 1], view=view)[0, 0] == pytest.approx(0.9736, abs=5e-5)


@pytest.mark.parametrize(
    ("size", "r", "highest", "expected"),
    [(3, 2, 0.1, 0.0474), (3, 2, 0.3, 0.1235), (3, 2, 0.5, 0.1667), (6, 2, 0.3, 0.2211), (6, 3, 0.3, 0.1537)],
)
def test_table_7(size: int, r: int, highest: float, expected: float) -> None:
    assert delta_max(size, r, highest) == pytest.approx(expected, abs=5e-5)
    assert expected_size(delta_max(size, r, highest), r, highest) == size


def test_the_bound_is_tight_in_the_two_valued_view() -> None:
    high, low = 0.3, 0.3 - delta_max(6, 2, 0.3)
    rows = [[high, 1 - high]] + [[low, 1 - low]] * 5
    assert posteriors(rows, [1, 5], view="paper")[0, 0] == pytest.approx(1 / 2)
    assert posteriors([[high + 1e-4, 0.6999]] + [[low, 1 - low]] * 5, [1, 5], view="paper")[0, 0] > 1 / 2


def _constructed() -> list[list[float]]:
    high = 0.01
    low = high - delta_max(6, 2, high)
    return [[high] + [low] * 5] + [[low] + [high] * 5] * 5


def test_the_constructed_counter_example() -> None:
    rows = _constructed()
    assert posteriors(rows, [1] * 6)[0, 0] == pytest.approx(0.831, abs=5e-4)
    assert posteriors(rows, [1] * 6, view="paper").max() <= 0.5 + 1e-12


def test_the_counter_example_with_one_protected_value() -> None:
    rows = [[0.2, 0.7], [0.2, 0.01]]
    assert posteriors(rows, [1, 1])[1, 0] == pytest.approx(0.986, abs=5e-4)
    assert posteriors(rows, [1, 1], view="paper")[:, 0].tolist() == [0.5, 0.5]


def _released(rows: list[list[float]], values: str) -> tuple[tc.Release, dict[str, list[object]]]:
    people = {"group": [1] * len(rows), "who": [f"s{i}" for i in range(len(rows))]}
    table = {"group": [1] * len(values), "ill": list(values), "count": [1] * len(values)}
    release = tc.Release.foreign(
        {"quasi_identifiers": people, "sensitive": table}, quasi_identifiers="who", sensitive="ill"
    )
    known = [(f"s{i}", value, p) for i, row in enumerate(rows) for value, p in zip(values, row, strict=True)]
    return release, dict(zip(("who", "ill", "probability"), map(list, zip(*known, strict=True)), strict=True))


@pytest.mark.parametrize(
    ("rows", "values", "protected", "worst"),
    [(_constructed(), "abcdef", None, 0.831), ([[0.2, 0.7], [0.2, 0.01]], "xy", ["x"], 0.986)],
)
def test_the_audit_tells_the_views_apart(
    rows: list[list[float]], values: str, protected: list[str] | None, worst: float
) -> None:
    release, known = _released(rows, values)
    full = tc.RRobustness(r=2, protected=protected, distribution=known)
    flagged = tc.audit(release, claims=[full], adversaries=[]).findings[0]
    assert flagged.holds is False
    assert flagged.exactness == "exact"
    assert flagged.posterior == pytest.approx(worst, abs=5e-4)
    assert "view 'exact' (every value with its own probability)" in flagged.sentence
    plain = tc.RRobustness(r=2, protected=protected, distribution=known, view="paper")
    passed = tc.audit(release, claims=[plain], adversaries=[]).findings[0]
    assert passed.holds is True
    assert "view 'paper' (a value is held or not)" in passed.sentence
    assert tc.DistributionAdversary(distribution=known).attack(release)["ill"].max_posterior >= worst - 5e-4


def test_the_cross_ratio_condition_is_sufficient_and_tight() -> None:
    # Two values, one occurrence: the swap bound is the posterior itself.
    rows = np.array([[0.4, 0.6], [0.2, 0.8], [0.2, 0.8]])
    assert swap_bounds(rows, [1, 2])[0] == pytest.approx(posteriors(rows, [1, 2])[0, 0])
    # All cross ratios at most (N - 1) / (r - 1) = 2 for r = 2: everybody is within 1/2.
    assert posteriors([[0.2, 0.4, 0.4], [0.1, 0.4, 0.4], [0.1, 0.4, 0.4]], [1, 1, 1]).max() <= 0.5 + 1e-12


def test_education_of_adult_from_r_4_on_names_the_value() -> None:
    frame = {"age": [30, 40] * 50, "education": ["HS-grad"] * 34 + ["11th", "12th"] * 33}
    table = tc.Table(frame, quasi_identifiers="age", sensitive="education")
    with pytest.raises(tc.Infeasible, match=r"'HS-grad'.*34 of 100 rows.*2\.94.*shift-suppression"):
        tc.ART(r=4).protect(table)
