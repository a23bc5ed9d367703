"""Streams of releases of a table that changes: nobody is ever known with more than 1/m, by counting all worlds."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.oracles import changing

import tacit as tc
from tacit.errors import Infeasible

STREAMS = int(os.environ.get("TACIT_STREAMS", "60"))
VALUES = np.array(["a", "b", "c", "d", "e"])


def seen(release: tc.Release, people: list[int]) -> list[changing.Marginal]:
    """Return what a reader sees who knows in which group everybody is."""
    assert release.inside is not None
    assert isinstance(release.inside.group, dict)
    marginals = []
    for name, frame in release.frames().items():
        numbers = release.inside.group[name]
        groups = []
        for number, rows in frame.group_by("group"):
            inside = [person for person, mine in zip(people, numbers.tolist(), strict=True) if mine == number[0]]
            groups.append((inside, rows["ill"].to_list()))
        marginals.append(groups)
    return marginals


class Clinic:
    """People who come, leave, return and move."""

    def __init__(self, rng: np.random.Generator, many: int, m: int) -> None:
        self.rng = rng
        self.people = pl.DataFrame(
            {
                "pid": np.arange(many),
                "age": rng.integers(20, 60, many),
                "zip": rng.integers(0, 4, many),
                "ill": VALUES[rng.integers(0, m + int(rng.integers(1, 3)), many)],
            }
        )
        self.present = rng.random(many) < 0.7

    def month(self) -> tc.Table:
        """Return the table of this month, and let the next one come; a month without anybody is passed over."""
        if not self.present.any():
            self.present[int(self.rng.integers(len(self.present)))] = True
        rows = self.people.filter(pl.Series(self.present))
        self.present ^= self.rng.random(len(self.present)) < 0.25
        moved = self.rng.random(self.people.height) < 0.2
        age = pl.Series("age", self.rng.integers(20, 60, self.people.height))
        self.people = self.people.with_columns(
            pl.when(pl.Series(moved)).then(age).otherwise(pl.col("age")).alias("age")
        )
        order = self.rng.permutation(rows.height)
        return tc.Table(rows[order], person="pid", quasi_identifiers=["age", "zip"], sensitive="ill")


def stream(
    seed: int, folder: Path, counterfeits: str, signatures: str = "near"
) -> tuple[int, list[list[changing.Marginal]]]:
    """Publish up to five months of up to eight people; stop where the newcomers cannot be given a signature."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 4))
    clinic = Clinic(rng, int(rng.integers(4, 9)), m)
    ledger = tc.Ledger(folder / f"{seed}.ledger")
    method = tc.InvariantMarginals(m=m, marginals=[["age"], ["zip"]], counterfeits=counterfeits, signatures=signatures)
    releases = []
    for month in range(int(rng.integers(2, 6))):
        table = clinic.month()
        try:
            release = method.protect(table, ledger=ledger)
        except Infeasible:
            break
        assert tc.audit(release).holds
        release.write(folder / f"{seed}-{month}")
        back = tc.Release.read(folder / f"{seed}-{month}")
        assert tc.audit(back, table).holds
        assert release.shape.rows == len(table)
        releases.append(seen(release, table.frame["pid"].to_list()))
    return m, releases


@pytest.mark.parametrize("signatures", ["near", "shared"])
@pytest.mark.parametrize("counterfeits", ["publish", "newcomers"])
def test_nobody_is_known_with_more_than_one_over_m(tmp_path: Path, counterfeits: str, signatures: str) -> None:
    longest = 0
    for seed in range(STREAMS // 4):
        m, releases = stream(seed, tmp_path, counterfeits, signatures)
        longest = max(longest, len(releases))
        if not releases:
            continue
        beliefs = changing.posteriors(releases)
        assert beliefs is not None
        assert max(max(mine.values()) for mine in beliefs.values()) <= Fraction(1, m), seed
        assert all(len(set(mine.values())) == 1 for mine in beliefs.values()), "every value of a signature alike"
    assert longest >= 3


def test_a_reader_of_releases_made_afresh_pins_people(tmp_path: Path) -> None:
    """The same months without a ledger: the oracle finds people who are known with more than 1/m."""
    pinned = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        clinic = Clinic(rng, 8, 2)
        releases = []
        for _ in range(3):
            table = clinic.month()
            try:
                release = tc.InvariantMarginals(m=2, marginals=[["age"], ["zip"]]).protect(table)
            except Infeasible:
                continue
            releases.append(seen(release, table.frame["pid"].to_list()))
        beliefs = changing.posteriors(releases) if releases else None
        pinned += beliefs is not None and max(max(mine.values()) for mine in beliefs.values()) > Fraction(1, 2)
    assert pinned >= 5
