"""Utility: what a release cost, in numbers."""

import json

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.errors import RoleError
from tacit.shapes import Bucketized, Generalized, Microdata, Published
from tacit.table import Table


def people(rows=6):
    return Table(
        {"age": [1, 1, 1, 2, 2, 3][:rows], "ill": list("abcabc")[:rows]}, quasi_identifiers="age", sensitive="ill"
    )


def published(kept, table=None):
    table, kept = table or people(), np.array(kept, bool)
    return Published(Generalized.publish(table, kept, np.arange(int(kept.sum()))), size=len(table))


def test_worked_example():
    found = tc.utility(published([1, 1, 1, 1, 1, 0]), people())
    assert found.suppression_rate == pytest.approx(1 / 6)
    assert found.discernibility == 3 * 3 + 2 * 2 + 1 * 6
    assert found.average_group_size == 2.5
    assert found.ncp == pytest.approx(1 / 6)
    assert found.ncp_by_column == {"age": pytest.approx(1 / 6)}
    assert found.cell_suppression_rate == 0.0
    assert repr(found) == "Utility: NCP 0.1667, 16.67% of the rows withheld, average group 2.5 rows"


def test_nothing_lost_and_nothing_published():
    found = tc.utility(published([1] * 6), people())
    assert (found.ncp, found.suppression_rate, found.discernibility, found.average_group_size) == (0.0, 0.0, 14, 2.0)
    found = tc.utility(published([0] * 6), people())
    assert (found.ncp, found.suppression_rate, found.discernibility, found.average_group_size) == (1.0, 1.0, 36, 0.0)


def test_suppressed_cells():
    cells = np.zeros((6, 2), bool)
    cells[:3, 0] = cells[0, 1] = True
    shape = Microdata.publish(people(), np.ones(6, bool), np.arange(6), cells)
    found = tc.utility(Published(shape), people())
    assert found.cell_suppression_rate == pytest.approx(4 / 12)
    assert found.ncp == pytest.approx(0.5)


def test_original_nulls_are_not_suppressed_cells():
    table = Table({"age": [1, None, 2], "ill": list("abc")}, quasi_identifiers="age", sensitive="ill")
    cells = np.zeros((3, 2), bool)
    cells[0, 0] = True
    shape = Microdata.publish(table, np.ones(3, bool), np.arange(3), cells)
    assert tc.utility(Published(shape), table).cell_suppression_rate == pytest.approx(1 / 6)
    assert tc.utility(published([1, 1, 1], table), table).cell_suppression_rate == 0.0


def test_bucketized():
    shape = Bucketized.publish(people(), np.ones(6, bool), np.arange(6), np.array([0, 0, 0, 1, 1, 1]))
    found = tc.utility(Published(shape), people())
    assert (found.ncp, found.discernibility, found.average_group_size) == (0.0, 18, 3.0)


def test_figures_are_plain_numbers():
    assert json.loads(json.dumps(tc.utility(published([1] * 6), people()).as_dict()))["discernibility"] == 14


def test_another_table():
    with pytest.raises(RoleError, match=r"The release has 6 rows, the table 3\. Give the table it was made from"):
        tc.utility(published([1] * 6), people(3))
    with pytest.raises(RoleError, match="no column 'age'"):
        tc.utility(published([1] * 6), Table(pl.DataFrame({"zip": range(6)}), quasi_identifiers="zip"))
