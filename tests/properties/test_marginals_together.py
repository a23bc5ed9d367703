"""Two or three releases of few people: what is accepted is kept, by counting all worlds without the package's code."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
from tests.oracles import changing

import tacit as tc
from tacit.errors import Infeasible, LedgerConflict

PAIRS = int(os.environ.get("TACIT_PAIRS", "60"))
METHODS = (
    tc.Mondrian(guarantees=[tc.LDiversity(l=2, kind="frequency")]),
    tc.Mondrian(guarantees=[tc.LDiversity(l=2)]),
    tc.Mondrian(guarantees=[tc.LDiversity(l=3, kind="frequency")]),
    tc.Anatomy(l=2),
    tc.Anatomy(l=3),
    tc.InvariantMarginals(m=2),
)


def promised(guarantee: object) -> tuple[Fraction, int]:
    """Return the largest posterior and the fewest values that a claim allows."""
    if isinstance(guarantee, tc.MInvariance):
        return Fraction(1, guarantee.m), guarantee.m
    assert isinstance(guarantee, tc.LDiversity)
    least = int(guarantee.l)
    return (Fraction(1, least) if guarantee.kind == "frequency" else Fraction(1)), least if least > 1 else 1


def seen(release: tc.Release, people: list[int], values: list[str]) -> changing.Marginal:
    """Return who is with whom, and the values of the group."""
    assert release.inside is not None
    groups = release.inside.group
    numbers = next(iter(groups.values())) if isinstance(groups, dict) else groups
    assert numbers is not None
    made: dict[int, tuple[list[int], list[str]]] = {}
    for person, value, number in zip(people, values, numbers.tolist(), strict=True):
        mine = made.setdefault(number, ([], []))
        mine[0].append(person)
        mine[1].append(value)
    if release.inside.counterfeits is not None:
        mine = next(iter(release.inside.counterfeits.group.values()))
        for value, number in zip(release.inside.counterfeits.values.to_list(), mine.tolist(), strict=True):
            made[number][1].append(value)
    return list(made.values())


def test_whatever_is_accepted_is_kept(tmp_path: Path) -> None:
    accepted, refused, together = 0, 0, 0
    for seed in range(PAIRS):
        rng = np.random.default_rng(seed)
        many = int(rng.integers(4, 9))
        people = pl.DataFrame(
            {
                "pid": np.arange(many),
                "age": rng.integers(20, 30, many),
                "ill": rng.choice(list("abcd"), many),
            }
        )
        ledger = tc.Ledger(tmp_path / f"{seed}.ledger")
        releases, claims = [], []
        for number in range(int(rng.integers(2, 4))):
            rows = people.filter(pl.Series(rng.random(many) < 0.8)) if rng.random() < 0.5 else people
            if not rows.height:
                continue
            table = tc.Table(rows, person="pid", quasi_identifiers="age", sensitive="ill")
            method = METHODS[int(rng.integers(len(METHODS)))]
            try:
                release = method.protect(table, ledger=ledger)
                release.write(tmp_path / f"{seed}-{number}")
            except Infeasible:
                continue
            except LedgerConflict:
                refused += 1
                continue
            assert not ledger.entries()[-1].together["unchecked"], "few people: everything is counted"
            accepted += 1
            here = rows["pid"].to_list()
            releases.append([seen(release, here, rows["ill"].to_list())])
            claims.append((set(here), [promised(guarantee) for guarantee in release.guarantees]))
        together += len(releases) > 1
        beliefs = changing.posteriors(releases) if releases else {}
        assert beliefs is not None
        for people_there, bounds in claims:
            for person in people_there:
                mine = beliefs[person]
                for largest, fewest in bounds:
                    assert max(mine.values()) <= largest, (seed, person, mine)
                    assert len(mine) >= fewest, (seed, person, mine)
    assert refused >= PAIRS // 6
    assert together >= PAIRS // 12
