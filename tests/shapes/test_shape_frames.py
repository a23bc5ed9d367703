"""The four shapes: what their frames hold, and what is counted from them."""

import numpy as np
import polars as pl
import pytest
from tests.oracles.grouping import groups_of, histogram

from tacit.errors import RoleError
from tacit.shapes import Blur, Bucketized, Generalized, Marginals, Microdata
from tacit.table import Table


def people(**changes):
    frame = {
        "name": ["Ada", "Ben", "Cai", "Dov", "Eve", "Fay"],
        "age": [30, 30, 41, 41, 41, None],
        "town": ["Bath", "Bath", "Cork", "Cork", None, "*"],
        "ill": ["flu", "cold", "flu", "flu", "gout", "cold"],
        "pay": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        "fav": [["tea"], [], ["tea", "rye"], [], [], []],
        **changes,
    }
    return Table(
        frame,
        identifiers="name",
        quasi_identifiers=["age", "town"],
        sensitive=["ill", "pay"],
        items="fav" if "fav" in frame else (),
    )


EVERY = np.ones(6, dtype=bool)
ORDER = np.array([5, 3, 1, 0, 2, 4])


def counted(stats, shape, name):
    h = stats.histograms[name]
    words = shape.dictionary(name).to_list()
    found = {}
    for group, value, count in zip(h.entry_groups(), h.values, h.counts, strict=True):
        found.setdefault(int(group), {})[words[value]] = int(count)
    return found


def test_generalized_publishes_neither_names_nor_items():
    shape = Generalized.publish(people(), EVERY, ORDER)
    (frame,) = shape.frames().values()
    assert frame.columns == ["age", "town", "ill", "pay"]
    assert frame["pay"].to_list() == [6.0, 4.0, 2.0, 1.0, 3.0, 5.0]
    assert frame["age"].to_list() == [None, 41, 30, 30, 41, 41]
    assert (shape.quasi_identifiers, shape.sensitive) == (("age", "town"), ("ill", "pay"))


def test_frames_cannot_be_changed_from_outside():
    shape = Generalized.publish(people(), EVERY, ORDER)
    frame = shape.frames()["table"]
    frame[0, "ill"] = "plague"
    frame.drop_in_place("age")
    assert shape.frames()["table"].columns == ["age", "town", "ill", "pay"]
    assert "plague" not in shape.frames()["table"]["ill"]


def test_statistics_are_counted_from_equal_cells():
    shape = Generalized.publish(people(), EVERY, ORDER)
    frame = shape.frames()["table"]
    expected = groups_of(frame, ["age", "town"])
    assert sorted(shape.statistics.sizes.tolist()) == sorted(map(len, expected))
    found = counted(shape.statistics, shape, "ill")
    assert sorted(map(str, (sorted(each.items()) for each in found.values()))) == sorted(
        str(sorted((k[1], n) for k, n in histogram(frame["ill"][rows]).items())) for rows in expected
    )
    assert counted(shape.totals, shape, "ill") == {0: {"flu": 3, "cold": 2, "gout": 1}}
    assert shape.totals.sizes.tolist() == [6]


def test_blurred_cells_make_the_groups():
    codes = np.array([0, 0, 1, 1, 1, 1])
    blur = {"age": Blur(pl.Series(["30", "*"]), codes), "town": Blur(pl.Series(["*"]), np.zeros(6, int))}
    shape = Generalized.publish(people(), EVERY, ORDER, blur)
    assert sorted(shape.statistics.sizes.tolist()) == [2, 4]
    assert shape.column("age").blurred
    assert not shape.column("ill").blurred
    assert shape.whereabouts(int(np.argmin(shape.statistics.sizes))) == "age '30', town '*'"


def test_only_kept_rows_are_published():
    kept = np.array([True, False, True, True, False, False])
    shape = Generalized.publish(people(), kept, np.array([2, 0, 1]))
    assert shape.frames()["table"]["pay"].to_list() == [4.0, 1.0, 3.0]
    assert shape.rows == 3


def test_nothing_but_identifiers():
    table = Table({"name": ["a", "b", "c"]}, identifiers="name")
    for shape in (
        Generalized.publish(table, EVERY[:3], np.arange(3)),
        Microdata.publish(table, EVERY[:3], np.arange(3)),
    ):
        assert shape.rows == 3
        assert shape.statistics.sizes.tolist() == [3]
        assert shape.whereabouts(0) == "all rows"


def test_nothing_published():
    shape = Generalized.publish(people(), ~EVERY, np.zeros(0, int))
    assert shape.rows == 0
    assert shape.statistics.count == 0
    assert shape.totals.sizes.tolist() == [0]
    assert len(shape.classes.weights) == 0


def cells_of(table, *blank):
    cells = np.zeros((len(table), len(table.columns)), dtype=bool)
    for row, name in blank:
        cells[row, [c.name for c in table.columns].index(name)] = True
    return cells


def test_a_suppressed_cell_is_null_and_its_column_marked():
    table = people(age=[30, 30, 41, 41, 41, 50])
    shape = Microdata.publish(table, EVERY, ORDER, cells_of(table, (0, "age"), (1, "ill")))
    frame = shape.frames()["table"]
    assert frame["age"].to_list() == [50, 41, 30, None, 41, 41]
    assert frame["age"].dtype == pl.Int64
    assert [c.name for c in shape.columns if c.suppressed] == ["age", "ill"]
    assert not shape.column("age").blurred


def test_an_original_null_beside_suppressed_cells_is_an_empty_text():
    table = people()
    shape = Microdata.publish(table, EVERY, np.arange(6), cells_of(table, (0, "town"), (1, "age")))
    frame = shape.frames()["table"]
    assert frame["town"].to_list() == [None, "Bath", "Cork", "Cork", "", '"*"']
    assert frame["age"].to_list() == ["30", None, "41", "41", "41", ""]
    assert shape.column("town").blurred
    assert shape.column("town").suppressed


def test_the_type_of_a_column_does_not_tell_that_a_suppressed_cell_was_null():
    table = people()
    null, value = (
        Microdata.publish(table, EVERY, np.arange(6), cells_of(table, *at)) for at in ([(5, "age")], [(0, "town")])
    )
    assert null.frames()["table"]["age"].dtype == pl.Int64
    assert not null.column("age").blurred
    assert value.column("town").blurred


def test_cells_of_rows_that_are_not_published_do_not_matter():
    table = people()
    kept = np.array([False, True, True, True, True, True])
    shape = Microdata.publish(table, kept, np.arange(5), cells_of(table, (0, "ill")))
    assert not shape.column("ill").suppressed


GROUP = np.array([7, 7, 2, 2, 9, 9])


def test_bucketized_separates_people_from_values():
    table = people()
    shape = Bucketized.publish(table, EVERY, ORDER, GROUP)
    frames = shape.frames()
    assert list(frames) == ["quasi_identifiers", "sensitive_ill", "sensitive_pay"]
    assert frames["quasi_identifiers"].columns == ["group", "age", "town"]
    assert frames["sensitive_ill"].rows() == [
        (2, "flu", 2),
        (7, "cold", 1),
        (7, "flu", 1),
        (9, "cold", 1),
        (9, "gout", 1),
    ]
    assert shape.rows == 6
    assert sorted(shape.statistics.sizes.tolist()) == [2, 2, 2]
    assert counted(shape.statistics, shape, "ill") == {
        0: {"flu": 2},
        1: {"cold": 1, "flu": 1},
        2: {"cold": 1, "gout": 1},
    }
    assert shape.whereabouts(1) == "group 7"


def test_the_order_of_people_tells_nothing_of_the_values():
    one, other = (Bucketized.publish(people(), EVERY, order, GROUP).frames() for order in (ORDER, ORDER[::-1]))
    assert one["sensitive_ill"].equals(other["sensitive_ill"])


def test_one_sensitive_column_is_one_frame_named_sensitive():
    table = Table({"age": [1, 2], "ill": ["a", "b"]}, quasi_identifiers="age", sensitive="ill")
    shape = Bucketized.publish(table, EVERY[:2], np.arange(2), np.array([3, 3]))
    assert list(shape.frames()) == ["quasi_identifiers", "sensitive"]


def test_bucketized_without_quasi_identifiers():
    table = Table({"ill": ["a", "b", "b"]}, sensitive="ill")
    shape = Bucketized.publish(table, EVERY[:3], np.arange(3), np.array([1, 1, 0]))
    assert shape.frames()["quasi_identifiers"]["group"].to_list() == [1, 1, 0]
    assert shape.statistics.sizes.tolist() == [1, 2]
    assert shape.classes.codes.shape == (2, 0)


def test_classes_of_a_bucketized_release_hold_the_expected_rows():
    table = Table({"age": [1, 1, 2], "ill": ["a", "b", "b"]}, quasi_identifiers="age", sensitive="ill")
    shape = Bucketized.publish(table, EVERY[:3], np.arange(3), np.zeros(3, int))
    spread = shape.classes.spreads["ill"]
    assert shape.classes.weights.tolist() == [2, 1]
    assert np.allclose(spread.weights, [2 / 3, 4 / 3, 1 / 3, 2 / 3])


def test_column_names_of_its_own():
    table = Table({"group": [1], "ill": ["a"]}, quasi_identifiers="group", sensitive="ill")
    with pytest.raises(RoleError, match=r"'group' and 'count', and so has the table. Rename the column 'group'"):
        Bucketized.publish(table, EVERY[:1], np.zeros(1, int), np.zeros(1, int))


def test_marginals():
    table = people()
    parts = {name: Generalized.publish(table, EVERY, ORDER) for name in ("one", "two")}
    shape = Marginals(parts)
    assert list(shape.frames()) == ["one", "two"]
    assert shape.rows == 6
    assert [c.name for c in shape.columns] == ["age", "town", "ill", "pay"]
    with pytest.raises(RoleError, match="There is no marginal"):
        Marginals({})


def test_a_column_that_is_not_there():
    with pytest.raises(RoleError, match=r"no column 'agee' in the release. Did you mean 'age'"):
        Generalized.publish(people(), EVERY, ORDER).column("agee")
