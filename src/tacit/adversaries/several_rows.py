"""Several rows: somebody knows how many rows of a group are a person's, and asks whether one of them has a value."""

from __future__ import annotations

import numpy as np

from tacit.adversaries.base import Notice
from tacit.guarantees import Evidence
from tacit.guarantees.people import beliefs_in_some_row
from tacit.table import GroupStats

NAME = "several-rows"
_NEARLY = 0.99  # a belief from here on is not written in two digits: it would look like certainty


def in_some_row(evidence: Evidence) -> list[Notice]:
    """Say how sure somebody is of a value in some row of a person, of whom it is known how many rows she has.

    No guarantee bounds it: they are about any one row. With N rows in the group, n of them with the value and r hers,
    it is 1 - C(N - n, r) / C(N, r): docs/threats/linkage.md#people-and-rows. Nothing is said where a row is a person,
    or nothing tells whose the rows are.
    """
    shape = evidence.published.shape
    if not evidence.several_rows or evidence.people_unknown(values=True) or shape.several:
        return []
    notices = []
    for name in shape.sensitive:
        if shape.column(name).suppressed:
            continue
        beliefs = beliefs_in_some_row(evidence.groups, name)
        if not len(beliefs):
            continue
        known = _certain_people(evidence.groups, name)
        largest = float(beliefs.max())
        sure = f"{largest:.2f}" if largest < _NEARLY else "1" if known else f"more than {_NEARLY}"
        text = (
            f"somebody who knows how many rows a person has believes with up to {sure} that one of them has the value "
            f"of {name!r} that is most frequent in her group"
        )
        if known:
            text += f"; of {known:,} {'person' if known == 1 else 'people'} it is certain"
        notices.append(Notice(NAME, text, largest, known or None, secret=not shape.shows_people))
    return notices


def _certain_people(stats: GroupStats, name: str) -> int:
    """Count the people who have more rows than their group has without its most frequent value."""
    assert stats.people is not None  # noqa: S101 - it is asked only where people are known
    histogram, visits = stats.histograms[name], stats.people.visits
    without = histogram.sizes() - histogram.largest()
    more = stats.people.lengths[visits.values] > np.repeat(without, visits.distinct())
    return int(visits.counts[more].sum())
