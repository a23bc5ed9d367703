"""What is missing: a value of its own, or a reason to withhold a row and enough others to cover it."""

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.errors import Infeasible, RoleError


def frame(rows: int = 240, missing: int = 9, seed: int = 3) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    ill = draw.choice(["flu", "cold", "gout", "asthma"], rows).astype(object)
    ill[draw.choice(rows, missing, replace=False)] = None
    return pl.DataFrame({"age": draw.integers(20, 60, rows), "sex": draw.choice(["F", "M"], rows), "ill": ill.tolist()})


def table(data: pl.DataFrame, word: str, **more: object) -> tc.Table:
    return tc.Table(data, quasi_identifiers=["age", "sex"], sensitive="ill", missing={"ill": word}, **more)


@pytest.mark.parametrize("guarantee", [tc.KAnonymity(k=4), tc.LDiversity(l=2, kind="frequency"), tc.TCloseness(t=0.4)])
def test_a_missing_value_is_counted_like_any_other(guarantee):
    data = frame(missing=60)
    named = data.with_columns(pl.col("ill").fill_null("zz"))  # null is ranked after all values
    method = tc.Mondrian(guarantees=[guarantee])
    own = method.protect(table(data, "value"), seed=1)
    other = method.protect(table(named, "refuse"), seed=1)
    assert tc.audit(own).holds is True
    assert own.frames()["table"].with_columns(pl.col("ill").fill_null("zz")).equals(other.frames()["table"])


@pytest.mark.parametrize("method", [tc.Mondrian, tc.SmallGroups])
@pytest.mark.parametrize("guarantee", [tc.KAnonymity(k=4), tc.LDiversity(l=2, kind="frequency")])
def test_rows_with_a_missing_value_are_withheld_with_cover(method, guarantee):
    data = frame().with_columns(pl.col("age") // 10)
    made = method(guarantees=[guarantee]) if method is tc.Mondrian else method(guarantee=guarantee)
    release = made.protect(table(data, "withhold"), seed=1)
    withheld = data.filter(~pl.Series(release.inside.kept))
    assert release.frames()["table"]["ill"].null_count() == 0
    assert withheld["ill"].null_count() == 9
    assert tc.audit(release).holds is True
    if isinstance(guarantee, tc.LDiversity):  # the missing are a value too, and others hide them
        assert withheld.height >= 18
    else:
        assert withheld.height == 9


def test_a_person_is_withheld_with_all_her_rows():
    data = frame().with_columns(pl.Series("pid", np.arange(240) // 3), pl.lit(1).alias("age"), pl.lit("F").alias("sex"))
    visits = tc.Table(data, person="pid", quasi_identifiers=["age", "sex"], sensitive="ill", missing="withhold")
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=3)]).protect(visits, seed=1)
    incomplete = set(data.filter(pl.col("ill").is_null())["pid"])
    assert set(data.filter(~pl.Series(release.inside.kept))["pid"]) == incomplete
    assert tc.audit(release).holds is True


def test_what_cannot_be_covered_is_infeasible():
    few = pl.DataFrame({"age": [1] * 8, "sex": ["F"] * 8, "ill": ["flu", "cold", "gout", "a", "b", "c", None, "flu"]})
    with pytest.raises(Infeasible):
        tc.Mondrian(guarantees=[tc.KAnonymity(k=4)]).protect(table(few, "withhold"))


def test_methods_that_cannot_cover_name_the_way_out():
    with pytest.raises(RoleError, match="Let small-groups be the first step"):
        tc.Anatomy(l=2).protect(table(frame(), "withhold"))
    data = frame().with_columns(pl.col("age") // 10)
    steps = [tc.SmallGroups(guarantee=tc.LDiversity(l=2, kind="frequency")), tc.Anatomy(l=2)]
    release = tc.Pipeline(steps).protect(table(data, "withhold"), seed=1)
    assert tc.audit(release).holds is True
    assert release.frames()["sensitive"]["ill"].null_count() == 0


@pytest.mark.parametrize("distance", ["ordered", "hierarchical"])
def test_a_distance_that_has_no_place_for_the_missing_refuses_them(distance):
    tree = {"tree": {"flu": "lung", "asthma": "lung", "cold": "lung", "gout": "other"}}
    with pytest.raises(RoleError, match="no place for the missing values of 'ill'"):
        tc.Mondrian(guarantees=[tc.TCloseness(t=0.3, distance=distance)]).protect(
            table(frame(), "value", hierarchies={"ill": tree})
        )


def test_the_missing_answers_about_items_are_published_as_missing():
    data = pl.DataFrame({"age": [1] * 6, "ascites": [1, None, 0, 1, None, 0], "fever": [0, 1, 1, 0, 1, 1]})
    sets = {"findings": ["ascites", "fever"]}
    made = tc.Table(data, quasi_identifiers="age", items=sets, missing="value")
    assert [column.to_list() for column in made.item_sets("findings").written()] == [
        data["ascites"].to_list(),
        data["fever"].to_list(),
    ]
    assert tc.Table(data, quasi_identifiers="age", items=sets, missing="withhold").to_withhold.tolist() == [
        False, True, False, False, True, False,
    ]  # fmt: skip
