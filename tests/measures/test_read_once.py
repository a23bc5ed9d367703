"""What several measures of one release ask of its cells is read once."""

import sys
from collections import Counter

import numpy as np

import tacit as tc
from tacit.adversaries import LearningAdversary
from tacit.measures import distribution_distances, query_error
from tacit.report.queries import asked
from tacit.shapes import base


def people(rows=400):
    rng = np.random.default_rng(5)
    frame = {name: rng.choice([*"abcdefgh"], rows) for name in ("town", "trade", "ill", "vote")}
    table = tc.Table(frame, quasi_identifiers=["town", "trade"], sensitive=["ill", "vote"])
    return table, tc.Mondrian([tc.KAnonymity(5)]).protect(table, seed=1)


def test_the_cells_of_a_column_are_read_once_for_all_measures(monkeypatch):
    table, release = people()
    read = Counter()
    known = base.cover
    monkeypatch.setattr(
        base, "cover", lambda cells, column, values: read.update([column.name]) or known(cells, column, values)
    )
    first = tc.utility(release, table), distribution_distances(release, table)
    answers = [asked(release.shape, table, name).median for name in table.sensitive]
    assert read == {"town": 1, "trade": 1}
    release.shape.classes._covers.clear()
    assert distribution_distances(release, table) == first[1]
    assert [asked(release.shape, table, name).median for name in table.sensitive] == answers
    other = tc.Table(table.frame.head(300), quasi_identifiers=["town", "trade"], sensitive=["ill", "vote"])
    query_error(release, other, queries=20, seed=1)
    assert read == {"town": 3, "trade": 3}, "another table has values of its own"


def test_what_is_published_of_people_is_coded_once_for_all_sensitive_columns(monkeypatch):
    _, release = people()
    coded = []
    seeing = sys.modules["tacit.knowledge.learning.observed"]
    known = seeing.published_features
    monkeypatch.setattr(seeing, "published_features", lambda shape: coded.append(1) or known(shape))
    assert set(LearningAdversary().attack(release).columns) == {"ill", "vote"}
    assert len(coded) == 1
