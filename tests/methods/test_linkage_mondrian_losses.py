"""What groups would lose, from codes alone, is what the written cells lose, to the bit."""

import datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit as tc
from tacit.measures import cell_losses
from tacit.methods.linkage.mondrian.attributes import Attribute, Recode
from tacit.methods.linkage.mondrian.losses import group_losses
from tacit.shapes import PublishedColumn
from tacit.table import Groups

DAY = datetime.date(2024, 1, 1)
COLUMNS = {
    "whole": st.integers(-5, 40),
    "part": st.sampled_from([0.1, 0.25, 3.5, 1e9, float("nan"), None]),
    "day": st.integers(0, 500).map(lambda d: DAY + datetime.timedelta(days=d)),
    "word": st.sampled_from(["a", "b", "c, d", "*", None]),
    "grade": st.sampled_from(["low", "middle", "high"]),
    "zip": st.sampled_from(["11111", "11112", "11211", "22222", None]),
    "age": st.integers(0, 90),
    "one": st.just("same"),
}


def written(attribute: Attribute, groups: Groups) -> np.ndarray:
    """Write the cells and read them again."""
    blur = attribute.blur(groups)
    if blur is None:
        return np.zeros(groups.count)
    column = PublishedColumn.of(attribute.column, blurred=True)
    return cell_losses(blur.labels, column, attribute.codes)[blur.codes]


@pytest.mark.parametrize("recode", ["sets", "auto"])
@settings(max_examples=40)
@given(data=st.data())
def test_losses_are_those_of_the_cells(recode: Recode, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.fixed_dictionaries(COLUMNS), min_size=2, max_size=12))
    table = tc.Table(
        {name: [row[name] for row in rows] for name in COLUMNS},
        quasi_identifiers=list(COLUMNS),
        kinds={"grade": ["low", "middle", "high"], "part": "numeric"},
        hierarchies={"zip": {"prefix": 5}, "age": {"interval": 5}},
    )
    ids = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=len(rows), max_size=len(rows))), dtype=np.int64)
    present = np.unique(ids[ids >= 0])
    if not len(present):
        return
    groups = Groups(np.where(ids >= 0, np.searchsorted(present, ids), -1), len(present))
    for name in COLUMNS:
        attribute = Attribute.of(table.column(name), table.codes(name), recode)
        assert group_losses([attribute], groups).tolist() == written(attribute, groups).tolist(), name
