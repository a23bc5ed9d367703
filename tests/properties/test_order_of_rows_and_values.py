"""Neither the order of rows nor that of categories changes a verdict; null and NaN are values like others."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import diversity as oracle

import tacit as tc

ILL = ["flu", "cold", "gout", "mumps"]
TREE = {"flu": ["lungs"], "cold": ["lungs"], "gout": ["joints"], "mumps": ["glands"]}
GUARANTEES = {
    "k": tc.KAnonymity(k=3),
    "distinct": tc.LDiversity(l=3),
    "entropy": tc.LDiversity(l=2, kind="entropy"),
    "recursive": tc.LDiversity(l=2, kind="recursive", c=1.5),
    "frequency": tc.LDiversity(l=2, kind="frequency"),
    "t equal": tc.TCloseness(t=0.4),
    "t ordered": tc.TCloseness(t=0.25, distance="ordered"),
    "t hierarchical": tc.TCloseness(t=0.3, distance="hierarchical"),
    "beta basic": tc.BetaLikeness(beta=1.0),
    "beta enhanced": tc.BetaLikeness(beta=3.0, kind="enhanced"),
    "delta": tc.DeltaDisclosure(delta=1.2),
    "alpha k": tc.AlphaK(alpha=0.6, k=2),
    "eligibility": tc.Eligibility(l=2),
}
guarantees = pytest.mark.parametrize("name", GUARANTEES)
people = st.lists(
    st.tuples(
        st.sampled_from([None, "A", "B", "C"]),
        st.sampled_from([None, math.nan, 20.0, 30.0]),
        st.sampled_from(ILL),
    ),
    min_size=1,
    max_size=40,
)


def table(rows, names=None, *, kinds=False):
    """Make a table; `names` renames towns and illnesses, and turns the alphabet around with them.

    The order of illnesses is declared where an ordered distance asks for it, and is renamed with them.
    """
    names = names or {}
    frame = pl.DataFrame(
        {
            "town": pl.Series([names.get(town, town) for town, _, _ in rows], dtype=pl.String),
            "age": pl.Series([age for _, age, _ in rows], dtype=pl.Float64, strict=False),
            "ill": pl.Series([names.get(ill, ill) for _, _, ill in rows], dtype=pl.String),
        }
    )
    return tc.Table(
        frame,
        quasi_identifiers=["town", "age"],
        sensitive="ill",
        kinds={"ill": [names.get(ill, ill) for ill in ILL]} if kinds else None,
        hierarchies={"town": "flat", "ill": {"tree": {names.get(ill, ill): above for ill, above in TREE.items()}}},
    )


def renaming(rng):
    old = ["A", "B", "C", *ILL]
    return dict(zip(old, (f"v{number}" for number in rng.permutation(len(old))), strict=True))


def verdicts(guarantee, one, names=None):
    """Say of every class, by what its rows have in common, whether the guarantee holds."""
    back = {new: old for old, new in (names or {}).items()}
    groups = one.groups()
    held = guarantee.satisfied(one.statistics(groups)).tolist()
    found = {}
    for (town, age, _), group in zip(one.frame.iter_rows(), groups.ids.tolist(), strict=True):
        assert found.setdefault((back.get(town, town), str(age)), held[group]) == held[group]
    assert len(found) == groups.count  # one class per pair of values, null and NaN apart
    return found


@guarantees
@given(people, st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_verdicts_and_measures_do_not_depend_on_order(name, rows, seed):
    guarantee, rng = GUARANTEES[name], np.random.default_rng(seed)
    names, ordered = renaming(rng), name == "t ordered"
    plain = table(rows, kinds=ordered)
    shuffled = table([rows[i] for i in rng.permutation(len(rows))], kinds=ordered)
    renamed = table(rows, names, kinds=ordered)
    expected = verdicts(guarantee, plain)
    assert verdicts(guarantee, shuffled) == expected
    assert verdicts(guarantee, renamed, names) == expected
    if hasattr(guarantee, "measure"):
        measured = [guarantee.measure(one.statistics(one.groups())) for one in (plain, shuffled, renamed)]
        assert measured[0] == pytest.approx(measured[1], rel=1e-12, abs=1e-12)
        assert measured[0] == pytest.approx(measured[2], rel=1e-12, abs=1e-12)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=5).filter(any), st.sampled_from([0.5, 1.0, 1.1, 1e-13]))
@settings(max_examples=60, deadline=None)
def test_the_largest_recursive_l_is_counted_in_whole_numbers(counts, c):
    """Three of ten are not less than one and two of ten, though 0.3 < 0.1 + 0.2 in floating point."""
    one = tc.Table({"ill": np.repeat(np.arange(len(counts)), counts)}, sensitive="ill", kinds={"ill": "categorical"})
    stats = one.statistics(one.groups())
    works = [l for l in range(1, 7) if tc.LDiversity(l=l, kind="recursive", c=c).satisfied(stats).all()]
    assert tc.LDiversity(l=1, kind="recursive", c=c).measure(stats) == max(works, default=0)


def test_an_ordered_distance_is_judged_in_the_declared_order(tmp_path):
    """Not in that of the alphabet, and the value that nobody has still is a step."""
    rows = [("A", 20.0, "flu"), ("A", 20.0, "cold"), ("B", 30.0, "gout"), ("B", 30.0, "cold")]
    one = table(rows, kinds=True)
    groups = [["flu", "cold"], ["gout", "cold"]]
    expected = max(oracle.ordered_distance(group, [ill for _, _, ill in rows], ILL) for group in groups)
    guarantee = tc.TCloseness(t=0.25, distance="ordered")
    release = tc.Mondrian(guarantees=[guarantee]).protect(one)
    assert release.shape.statistics.count == 2
    assert tc.audit(release).holds
    assert f"distance {float(expected):.4f}" in tc.audit(release).findings[0].sentence
    release.write(tmp_path / "out", private=tmp_path / "private")
    read = tc.Release.read(tmp_path / "out")
    assert tc.audit(read).holds is None
    assert "give the table" in tc.audit(read).findings[0].needed
    assert tc.audit(read, one).holds
    other = tc.audit(read, one, claims=[tc.TCloseness(t=0.16, distance="ordered")])
    assert other.holds is False


def outcome(guarantee, one, recode, withheld=0.0):
    """Protect and read what is public again, in another order; None where it cannot be done."""
    try:
        release = tc.Mondrian(guarantees=[guarantee], recode=recode, allow_withheld=withheld).protect(one)
    except tc.Infeasible:
        return None
    frame = release.frames()["table"].sample(fraction=1, shuffle=True, seed=1)
    again = tc.Release.foreign(frame, quasi_identifiers=["town", "age"], sensitive="ill")
    assert again.shape.statistics.sizes.sum() == release.inside.kept.sum()
    return tc.audit(release).holds and tc.audit(release, one).holds


@guarantees
@pytest.mark.parametrize("recode", ["sets", "hierarchy"])
@given(people, st.integers(0, 10**6), st.sampled_from([0.0, 0.3]))
@settings(max_examples=6, deadline=None)
def test_what_mondrian_can_do_does_not_depend_on_order(name, recode, rows, seed, withheld):
    guarantee, rng = GUARANTEES[name], np.random.default_rng(seed)
    names, ordered = renaming(rng), name == "t ordered"
    plain = outcome(guarantee, table(rows, kinds=ordered), recode, withheld)
    assert plain in {None, True}
    shuffled = table([rows[i] for i in rng.permutation(len(rows))], kinds=ordered)
    assert outcome(guarantee, shuffled, recode, withheld) == plain
    assert outcome(guarantee, table(rows, names, kinds=ordered), recode, withheld) == plain


@given(people)
@settings(max_examples=40, deadline=None)
def test_null_and_nan_are_values(rows):
    """A class is told by its values, missing or not; what is missing in one is not what is missing in another."""
    one = table(rows)
    sizes = {}
    for town, age, _ in rows:
        sizes[town, str(age)] = sizes.get((town, str(age)), 0) + 1
    assert sorted(one.groups().sizes().tolist()) == sorted(sizes.values())
    assert tc.KAnonymity(k=2).satisfied(one.statistics(one.groups())).all() == (min(sizes.values()) >= 2)
    classes = {}
    for town, age, ill in rows:
        classes.setdefault((town, str(age)), []).append(ill)
    held = tc.LDiversity(l=2).satisfied(one.statistics(one.groups()))
    assert sorted(held.tolist()) == sorted(oracle.distinct(group, 2) for group in classes.values())


def test_null_and_nan_are_published_as_themselves():
    """Where everybody who is missing a value stands together, it is told, not blurred."""
    rows = [(None, math.nan, "flu"), (None, math.nan, "cold"), ("A", None, "flu"), ("A", None, "gout")]
    rows += [("B", 20.0, "flu"), ("B", 30.0, "cold")]
    release = tc.Mondrian(guarantees=[tc.KAnonymity(k=2)]).protect(table(rows))
    frame = release.frames()["table"]
    found = frame.group_by("town", "age").len().sort("town", nulls_last=True).rows()
    assert found == [("A", None, 2), ("B", "[20, 30]", 2), (None, "NaN", 2)]
    assert tc.audit(release).holds
    assert tc.utility(release, table(rows)).ncp == pytest.approx(2 * 1.0 / 12)
