"""Query error against counting by hand, for every shape."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.measures.query_error import estimates
from tacit.shapes import members


def table(n: int = 300, seed: int = 0) -> tc.Table:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "pay": rng.random(n).round(2),
            "town": rng.choice(["a", "b", "c", "d", "e"], n),
            "ill": rng.choice(list("uvwxyz"), n),
        }
    )
    return tc.Table(frame, quasi_identifiers=["age", "pay", "town"], sensitive="ill")


def share(cell: object, name: str, work: tc.Workload, q: int) -> float:
    """How much of one published cell is in a query, the slow way."""
    if not work.asked[name][q]:
        return 1.0
    low, high = work.bounds[name][q]
    first, end = work.places[name][q]
    if name == "town":
        inside = work.axes[name].values.to_list()[first:end]
        values = members(cell) if isinstance(cell, str) and cell.startswith("{") else [cell]
        return sum(v in inside for v in values) / len(values)
    text = str(cell).strip("[]").split(", ")
    a, b = float(text[0]), float(text[-1])
    if name == "age":
        return sum(low <= x <= high for x in range(int(a), int(b) + 1)) / (b - a + 1)
    if a == b:
        return float(low <= a <= high)
    return max(0.0, min(b, high) - max(a, low)) / (b - a)


def slow(frame: pl.DataFrame, work: tc.Workload, q: int, names: list[str]) -> float:
    first, end = work.places["ill"][q]
    wanted = work.axes["ill"].values.to_list()[first:end]
    return sum(
        float(np.prod([share(row[n], n, work, q) for n in names]))
        for row in frame.iter_rows(named=True)
        if row["ill"] in wanted
    )


def test_the_table_itself_has_no_error() -> None:
    t = table()
    work = tc.Workload.draw(t, queries=50, dimensions=2, seed=1)
    plain = tc.Release.foreign(t.frame, quasi_identifiers=["age", "pay", "town"], sensitive="ill")
    assert tc.query_error(plain, t, workload=work).errors.max() == 0.0
    for q in range(5):
        assert slow(t.frame, work, q, ["age", "pay", "town"]) == work.answers[q]


@pytest.mark.parametrize("dimensions", [0, 1, 3])
def test_generalized(dimensions: int) -> None:
    t = table()
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=5)]).protect(t, seed=1)
    work = tc.Workload.draw(t, queries=20, dimensions=dimensions, seed=2)
    found = estimates(release.shape, work)
    frame = release.frames()["table"]
    for q in range(20):
        assert found[q] == pytest.approx(slow(frame, work, q, ["age", "pay", "town"]))


def test_bucketized_and_angel_count_shares() -> None:
    t = table()
    for release in (
        tc.Anatomy(l=2).protect(t, seed=1),
        tc.Angel(l=2, marginals={"m": ["age", "town"]}).protect(t, seed=1),
    ):
        people = next(iter(release.frames().values()))
        values = release.frames()["sensitive"]
        sizes = dict(people.group_by("group").len().iter_rows())
        work = tc.Workload.draw(t, columns=["age", "town"], queries=20, seed=3)
        found = estimates(release.shape, work)
        for q in range(20):
            first, end = work.places["ill"][q]
            wanted = work.axes["ill"].values.to_list()[first:end]
            chosen = values.filter(pl.col("ill").is_in(wanted)).group_by("group").agg(pl.col("count").sum())
            part = {g: c / sizes[g] for g, c in chosen.iter_rows()}
            total = sum(
                share(row["age"], "age", work, q) * share(row["town"], "town", work, q) * part.get(row["group"], 0.0)
                for row in people.iter_rows(named=True)
            )
            assert found[q] == pytest.approx(total)


def test_the_smallest_marginal_that_can_answers() -> None:
    t = table()
    release = tc.InvariantMarginals(m=2, marginals={"a": ["age"], "b": ["age", "town"]}).protect(t, seed=1)
    work = tc.Workload.draw(t, columns=["age"], queries=20, seed=1)
    one = estimates(release.shape.parts["a"], work)
    assert (estimates(release.shape, work) == one).all()
    with pytest.raises(tc.RoleError, match="pay"):
        tc.query_error(release, t, workload=tc.Workload.draw(t, queries=5, seed=1))


def test_selectivity_and_seed() -> None:
    t = table(3_000)
    work = tc.Workload.draw(t, columns=["age", "town"], queries=200, selectivity=0.1, seed=1)
    assert 0.05 < np.median(work.answers) / 3_000 < 0.2
    assert (work.answers > 0).all()
    again = tc.Workload.draw(t, columns=["age", "town"], queries=200, selectivity=0.1, seed=1)
    assert (again.answers == work.answers).all()
    with pytest.raises(tc.ParameterError, match="selectivity"):
        tc.Workload.draw(t, selectivity=0)
    with pytest.raises(tc.ParameterError, match="dimensions"):
        tc.Workload.draw(t, dimensions=9)
