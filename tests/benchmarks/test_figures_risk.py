"""The figures of the value suppression paper, on few students: what is drawn is what was counted."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.figures.charts import svg
from benchmarks.figures.figure import Figure, points
from benchmarks.figures.risk import OnePass, others_figure, paper_pass, price_figure, spread_figure


@pytest.fixture(scope="module")
def found() -> OnePass:
    return paper_pass(3_000)


def test_spread(found: OnePass) -> None:
    figure = spread_figure(found)
    drawn = {(row["x"], row["of"]): row["y"] for row in points(figure.chart)}
    assert sum(n for (_, when), n in drawn.items() if when == "before") == int((found.before.middle > 0).sum())
    assert sum(n for (_, when), n in drawn.items() if when == "after one pass") == int((found.after.middle > 0).sum())
    assert f"{found.above[0]:,} of 3,000" in figure.claims[0].ours
    assert figure.claims[2].holds is None
    assert svg(figure.chart).startswith("<svg")


def test_others(found: OnePass) -> None:
    figure = others_figure(found)
    lost = {row["x"]: row["y"] for row in points(figure.chart)}
    assert lost["one pass"] == found.blank.sum() / (3_000 * 10)
    assert figure.claims[1].holds == (min(lost, key=lambda name: lost[name]) == "one pass")
    assert all(0 <= value <= 1 for value in lost.values())


def test_cost() -> None:
    figure: Figure = price_figure(2_000)
    drawn = {(row["x"], row["of"]): row["y"] for row in points(figure.chart)}
    assert all(np.isclose(share, 1) for (_, way), share in drawn.items() if way == "risky rows withheld")
    for claim in figure.claims:
        case = claim.said.rsplit(": ", 1)[1].removesuffix(".")
        assert claim.holds == (drawn[case, "to the threshold"] <= 0.5)
