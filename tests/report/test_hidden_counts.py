"""Under a profile that allows no small counts, nobody has one back from anything public, whoever subtracts what."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.oracles.small_counts import bounds

import tacit as tc
from tacit.audits import audit
from tacit.jobs.board import hiding
from tacit.report.evidence.gather import BoardOptions
from tacit.report.figures import ReleaseFigures
from tacit.report.public import public_view

SMALLEST = 11
FOUND = "Who can be found, and what that tells"


def people(seed, rows=400):
    """Make people of whom a few are alone or in small groups, in different ways."""
    draw = np.random.default_rng(seed)
    age = np.where(draw.random(rows) < 0.9, draw.integers(0, 4, rows), draw.integers(0, 60, rows))
    return tc.Table(
        {"age": age, "sex": draw.choice(["f", "m"], rows), "ill": draw.choice(list("aaaabc"), rows)},
        quasi_identifiers=["age", "sex"],
        sensitive="ill",
    )


def released(table):
    """Publish rows as they are: every small count is there to be found."""
    return tc.Release.foreign(table.frame, quasi_identifiers=["age", "sex"], sensitive="ill")


def views(release):
    options, hide = BoardOptions("cms"), hiding("cms", release)
    open_view = public_view(release, audit(release), options=BoardOptions("cms"))
    return open_view, public_view(release, audit(release).public(hide), options=options, hide=hide)


def counts_of(view, title):
    [section] = [section for section in view.sections if section.title == title]
    found = {}
    for label, cell, *_ in section.grid.rows:
        number = re.match(r"^([\d,]+)(?: \(|$)", cell)
        if number:
            found[label] = int(number[1].replace(",", ""))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_solver_finds_no_hidden_count(seed):
    table = people(seed)
    release = released(table)
    open_view, closed = views(release)
    truth, shown = counts_of(open_view, FOUND), counts_of(closed, FOUND)
    assert set(shown.items()) <= set(truth.items())
    [exposure] = ReleaseFigures(release.shape, release.unit).exposure.values()
    size, sure = exposure.candidates, exposure.posterior["ill"]
    predicates = {
        "rows": np.ones(len(size), bool),
        "exactly one row fits them": size == 1,
        **{f"risk of being found above {t:g}": 1 / size > t + 1e-12 for t in (0.05, 0.09, 0.2, 0.33)},
        "ill is certain": sure >= 1 - 1e-12,
    }
    # What a reader can tell apart: rows that meet the same predicates.
    kinds = np.unique(np.stack(list(predicates.values())), axis=1)
    atoms = {name: np.flatnonzero(kinds[i]).tolist() for i, name in enumerate(predicates)}
    assert {name: int(size[flags].sum()) for name, flags in predicates.items()} == {
        name: truth[name] for name in predicates
    }
    known = [(atoms[name], truth[name]) for name in predicates if name in shown]
    hidden = {name: atoms[name] for name in predicates if name not in shown}
    assert any(0 < truth[name] < SMALLEST for name in predicates) <= bool(hidden)
    for name, (low, high) in bounds(kinds.shape[1], known, hidden).items():
        assert high - low >= SMALLEST - 1, (name, low, high, truth[name])
    for a in shown.values():
        for b in (0, *shown.values()):
            assert a == b or abs(a - b) >= SMALLEST


@pytest.mark.parametrize("seed", range(6))
def test_headings_and_findings_show_no_small_count(seed):
    release = released(people(seed))
    _, closed = views(release)
    for heading in closed.evidence.headings:
        for figure in heading.figures:
            if figure.rate is not None and float(figure.rate.right).is_integer():
                right, rest = figure.rate.right, figure.rate.people - figure.rate.right
                assert right == 0 or right >= SMALLEST
                assert rest == 0 or rest >= SMALLEST
    assert closed.evidence.special_uniques is None
    assert not any(section.pictures for section in closed.sections)
