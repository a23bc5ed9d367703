"""SmallGroups: what it claims holds, by counting the frames and who is missing from them."""

from itertools import chain, combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles.grouping import eligible, groups_of, histogram, k_anonymous

import tacit as tc
from tacit.errors import Infeasible, ParameterError, RoleError
from tacit.guarantees import BetaLikeness, DeltaDisclosure, TCloseness

CELLS = st.sampled_from(["x", "y", None, "*"])


@st.composite
def frames(draw, *, sensitive=("one", "two"), quasi=("age", "town")):
    rows = draw(st.integers(1, 14))
    strategies = {
        "age": st.sampled_from([1.0, 2.0, float("nan"), None]),
        "town": CELLS,
        "one": st.sampled_from("abc"),
        "two": st.sampled_from([1, 2, 3, 4]),
    }
    columns = {name: draw(st.lists(strategies[name], min_size=rows, max_size=rows)) for name in (*quasi, *sensitive)}
    types = {"age": pl.Float64, "town": pl.String, "one": pl.String, "two": pl.Int64}
    return (
        pl.DataFrame(columns, schema={name: types[name] for name in columns})
        if columns
        else pl.DataFrame({"n": range(rows)})
    )


def table_of(frame):
    quasi = [name for name in ("age", "town") if name in frame.columns]
    sensitive = [name for name in ("one", "two") if name in frame.columns]
    return tc.Table(frame, quasi_identifiers=quasi, sensitive=sensitive)


def missing(frame, published, sensitive):
    """What was not published, as multisets of values: the table less the release."""
    return {
        name: list((histogram(frame[name]) - histogram(published[name])).elements()) for name in sensitive
    }, frame.height - published.height


def covered(frame, chosen, satisfied):
    rows = sorted(chain.from_iterable(chosen))
    return not rows or satisfied(frame[rows])


def some_set_can_be_published(frame, quasi, satisfied):
    """Try every set of groups."""
    groups = groups_of(frame, quasi)
    good = [rows for rows in groups if satisfied(frame[rows])]
    for count in range(1, len(good) + 1):
        for chosen in combinations(good, count):
            if covered(frame, [rows for rows in groups if rows not in chosen], satisfied):
                return True
    return False


@settings(max_examples=70, deadline=None)
@given(frames(), st.integers(1, 4))
def test_k_anonymity(frame, k):
    quasi = ["age", "town"]
    try:
        release = tc.SmallGroups(guarantee=tc.KAnonymity(k=k)).protect(table_of(frame))
    except Infeasible:
        assert not some_set_can_be_published(frame, quasi, lambda part: part.height >= k)
        return
    (published,) = release.frames().values()
    assert published.height > 0
    assert k_anonymous(map(len, groups_of(published, quasi)), k)
    _, gone = missing(frame, published, ["one", "two"])
    assert gone == 0 or gone >= k


@settings(max_examples=70, deadline=None)
@given(frames(), st.integers(1, 3))
@example(pl.DataFrame({"age": [1.0, 2, 2, 3, 3], "town": ["x"] * 5, "one": list("aabbc"), "two": [1, 2, 3, 4, 2]}), 2)
def test_eligibility_of_several_columns(frame, l):
    quasi, sensitive = ["age", "town"], ["one", "two"]

    def satisfied(part):
        return all(eligible(part[name].to_list(), l) for name in sensitive)

    try:
        release = tc.SmallGroups(guarantee=tc.Eligibility(l=l)).protect(table_of(frame))
    except Infeasible:
        assert not some_set_can_be_published(frame, quasi, satisfied)
        return
    (published,) = release.frames().values()
    assert published.height > 0
    for rows in groups_of(published, quasi):
        assert satisfied(published[rows])
    values, _ = missing(frame, published, sensitive)
    for name in sensitive:
        assert eligible(values[name], l)


@settings(max_examples=40, deadline=None)
@given(frames(), st.sampled_from([TCloseness(t=0.4), BetaLikeness(beta=1), DeltaDisclosure(delta=1)]))
def test_guarantees_that_compare_with_the_published_rows(frame, guarantee):
    try:
        release = tc.SmallGroups(guarantee=guarantee).protect(table_of(frame))
    except Infeasible:
        return
    assert release.shape.rows > 0
    assert tc.audit(release, adversaries=[]).holds is True


def test_withholding_changes_what_a_group_is_compared_with():
    """Against the whole table more groups pass than against those that are published in the end."""
    table = tc.Table(
        {"q": [2, 2, 1, 1, 0, 0, 0, 0, 3, 2], "s": list("bbbccacaba")}, quasi_identifiers="q", sensitive="s"
    )
    try:
        release = tc.SmallGroups(guarantee=BetaLikeness(beta=1)).protect(table)
    except Infeasible:
        return
    assert tc.audit(release, adversaries=[]).holds is True


@settings(max_examples=40, deadline=None)
@given(frames())
def test_inside_says_what_happened_to_every_row(frame):
    try:
        release = tc.SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table_of(frame))
    except Infeasible:
        return
    inside = release.inside
    assert ((inside.group < 0) == ~inside.kept).all()
    for rows in groups_of(frame, ["age", "town"]):
        assert len({int(inside.group[row]) for row in rows}) == 1
    assert len(set(inside.group[inside.kept])) == len(groups_of(release.frames()["table"], ["age", "town"]))
    assert release.frames()["table"].sort(pl.all()).equals(frame.filter(inside.kept).sort(pl.all()))
    assert not inside.cells.any()
    (hidden,) = inside.withheld
    assert (hidden.rows == ~inside.kept).all()


@settings(max_examples=20, deadline=None)
@given(frames(sensitive=()))
def test_no_sensitive_column(frame):
    try:
        release = tc.SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table_of(frame))
    except Infeasible:
        return
    assert k_anonymous(map(len, groups_of(release.frames()["table"], ["age", "town"])), 2)
    assert tc.audit(release).holds is True


def test_no_quasi_identifier_at_all():
    table = tc.Table({"ill": list("aabbc")}, sensitive="ill")
    release = tc.SmallGroups(guarantee=tc.Eligibility(l=2)).protect(table)
    assert release.inside.kept.all()
    assert tc.audit(release).holds is True
    with pytest.raises(Infeasible, match=r"'a' of column 'ill' is in 2 of 5 rows\. The largest l that works is 2"):
        tc.SmallGroups(guarantee=tc.Eligibility(l=3)).protect(table)


def test_no_column_with_a_role():
    release = tc.SmallGroups(guarantee=tc.KAnonymity(k=3)).protect(tc.Table({"name": list("abc")}, identifiers="name"))
    assert release.shape.rows == 3
    assert tc.audit(release).holds is True


def test_infeasible_tells_why_and_what_works():
    table = tc.Table({"age": [1, 2, 3], "ill": ["a", "a", "b"]}, quasi_identifiers="age", sensitive="ill")
    with pytest.raises(Infeasible) as error:
        tc.SmallGroups(guarantee=tc.KAnonymity(k=4)).protect(table)
    assert str(error.value) == "k-anonymity(k=4) cannot be met: the table has 3 rows. The largest k that works is 3."
    with pytest.raises(Infeasible) as error:
        tc.SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table)
    assert str(error.value).startswith("small-groups(guarantee=k-anonymity(k=2)) would withhold every row")
    assert error.value.hint.startswith("Generalize first")
    with pytest.raises(Infeasible, match="'a' of column 'ill' is in 2 of 3 rows"):
        tc.SmallGroups(guarantee=tc.Eligibility(l=2)).protect(table)


def test_the_smallest_cover_is_taken_for_k_anonymity():
    """One lonely row; the smallest other group goes with her."""
    table = tc.Table({"age": [1] + [2] * 5 + [3] * 2 + [4] * 3}, quasi_identifiers="age")
    release = tc.SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table)
    assert sorted(release.frames()["table"]["age"].to_list()) == [2] * 5 + [4] * 3


def test_a_seed_repeats_and_no_seed_does_not():
    table = tc.Table({"age": [1, 2, 3] * 20, "ill": list("abcd") * 15}, quasi_identifiers="age", sensitive="ill")
    method = tc.SmallGroups(guarantee=tc.KAnonymity(k=2))
    one, other = method.protect(table, seed=3), method.protect(table, seed=3)
    assert one.frames()["table"].equals(other.frames()["table"])
    assert (one.inside.group == other.inside.group).all()
    assert one.reproducible
    assert not method.protect(table).frames()["table"].equals(method.protect(table).frames()["table"])


def test_numbers_of_groups_do_not_follow_the_order_of_rows():
    """With a seed as without: the numbers of groups and the order of rows are drawn apart."""
    table = tc.Table({"age": list(range(40))}, quasi_identifiers="age")
    release = tc.SmallGroups(guarantee=tc.KAnonymity(k=1)).protect(table, seed=1)
    numbers, order = release.inside.group.tolist(), release.frames()["table"]["age"].to_list()
    assert numbers != list(range(40))
    assert order != list(range(40))
    assert numbers != order
    assert np.argsort(numbers).tolist() != order


def test_a_table_is_needed():
    method = tc.SmallGroups(guarantee=tc.KAnonymity(k=1))
    with pytest.raises(RoleError, match=r"small-groups protects a Table, not a DataFrame\. Say tacit\.Table"):
        method.protect(pl.DataFrame({"a": [1]}))
    table = tc.Table({"a": [1]}, quasi_identifiers="a")
    with pytest.raises(ParameterError, match="`ledger` is a object, not a Ledger"):
        method.protect(table, ledger=object())
    with pytest.raises(ParameterError, match="seed = -1 is not allowed"):
        method.protect(table, seed=-1)


def test_progress_is_told():
    told = []
    table = tc.Table({"a": [1]}, quasi_identifiers="a")
    tc.SmallGroups(guarantee=tc.KAnonymity(k=1)).protect(
        table, progress=lambda stage, share: told.append((stage, share))
    )
    assert told[-1] == ("small-groups", 1.0)
    assert [share for _, share in told] == sorted(share for _, share in told)


def test_others_are_published_on_demand_and_identifiers_never():
    frame = {"name": ["a", "b"], "age": [1, 1], "note": ["p", "q"]}
    for others, columns in {"withhold": ["age"], "publish": ["age", "note"]}.items():
        table = tc.Table(frame, identifiers="name", quasi_identifiers="age", others=others)
        release = tc.SmallGroups(guarantee=tc.KAnonymity(k=2)).protect(table)
        assert release.frames()["table"].columns == columns
