"""A release that is no part of the table it is judged with, or of the private part beside it, is never approved."""

from dataclasses import replace

import numpy as np
import pytest

import tacit as tc
from tacit.checks import tables
from tacit.errors import Infeasible, RoleError
from tacit.guarantees import Evidence, KAnonymity, LDiversity
from tacit.methods.registry import classes as method_classes

ROWS = {"age": [30, 30, 41, 41], "sex": list("ffmm"), "ill": ["flu", "cold", "flu", "gout"]}


def table(**changes):
    return tc.Table({**ROWS, **changes}, quasi_identifiers=["age", "sex"], sensitive="ill")


def foreign(**changes):
    return tc.Release.foreign({**ROWS, **changes}, quasi_identifiers=["age", "sex"], sensitive="ill")


def verdict(release, source):
    return tc.audit(release, source, claims=[KAnonymity(k=2), LDiversity(l=2)], adversaries=[])


def test_the_table_itself_is_a_part_of_the_table():
    assert verdict(foreign(), table()).holds is True
    assert Evidence(foreign(), table()).needed is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"ill": ["flu", "HIV", "flu", "gout"]}, "a value of 'ill' is published more often than the table has it"),
        ({"ill": ["flu", "cold", "cold", "gout"]}, "a value of 'ill' is published more often"),
        ({"age": [30, 30, 42, 42]}, "2 published rows are not in the table"),
        ({"sex": list("mmmm")}, "more rows are published in a cell of 'sex' than the table has for it"),
        ({"ill": ["flu", "gout", "flu", "cold"]}, "2 published rows are not in the table"),
        ({"age": ["[30, 31]"] * 2 + ["[50, 59]"] * 2}, "more rows are published in a cell of 'age' than the table has"),
        ({"age": ["[41, 49]"] * 4}, "more rows are published in a cell of 'age'"),
        ({name: values * 2 for name, values in ROWS.items()}, "a value of 'ill' is published more often"),
    ],
)
def test_what_is_no_part_of_the_table_fails_and_says_why(changes, why):
    found = verdict(foreign(**changes), table())
    assert found.holds is False
    for finding in found.findings:
        assert finding.parts.replayed == "fails"
        assert finding.sentence.startswith(f"the release is not a part of the table: {why}")


def test_blurred_cells_that_fit_are_a_part():
    assert verdict(foreign(age=["[30, 31]"] * 2 + ["[40, 49]"] * 2), table()).holds is True
    assert verdict(foreign(age=["*"] * 4), table()).holds is True
    assert verdict(foreign(age=[30.0, 30.0, 41.0, 41.0]), table()).holds is True


def test_a_cell_that_cannot_be_read_is_named_among_what_was_not_compared():
    release = tc.Release.foreign(
        {"town": ["North"] * 2, "ill": ["flu", "cold"]}, quasi_identifiers="town", sensitive="ill"
    )
    source = tc.Table({"town": ["Oslo", "Bodo"], "ill": ["flu", "cold"]}, quasi_identifiers="town", sensitive="ill")
    evidence = Evidence(release, source)
    assert evidence.contradiction is None
    assert evidence.needed is None or "'town'" in evidence.needed


def test_without_a_table_the_evidence_says_what_is_needed():
    evidence = Evidence(foreign())
    assert evidence.contradiction is None
    assert evidence.needed == "the table that the release was made from, or the private part of the release"


def test_suppressed_values_are_compared_by_those_that_are_shown():
    assert Evidence(foreign(ill=["flu", "*", "flu", None]), table()).contradiction is None
    why = Evidence(foreign(ill=["gout", "*", "gout", None]), table()).contradiction
    assert why is not None
    assert "a value of 'ill' is published more often" in why


@pytest.mark.parametrize("seed", range(20))
def test_a_private_part_of_other_rows_is_not_believed(seed):
    """The private part names other rows, with the same values, as published: counts alone would not tell."""
    rng = np.random.default_rng(seed)
    source = tc.Table(
        {"age": np.append(rng.integers(0, 3, 20), [50, 51]), "ill": rng.choice(list("ab"), 22).tolist()},
        quasi_identifiers="age",
        sensitive="ill",
    )
    honest = tc.SmallGroups(guarantee=KAnonymity(k=2)).protect(source, seed=seed)
    assert tc.audit(honest, source, adversaries=[]).holds is True
    codes = source.codes("ill").codes
    gone = int(np.flatnonzero(~honest.inside.kept)[0])
    ages = source.codes("age").codes
    other = np.flatnonzero(honest.inside.kept & (codes == codes[gone]) & (ages != ages[gone]))[0]
    kept = honest.inside.kept.copy()
    kept[[gone, other]] = kept[[other, gone]]
    hidden = tuple(replace(each, rows=~kept) for each in honest.inside.withheld)
    forged = replace(honest, inside=replace(honest.inside, kept=kept, withheld=hidden))
    found = tc.audit(forged, source, adversaries=[])
    assert found.holds is False


def test_a_private_part_that_says_nobody_is_missing_is_not_believed():
    source = table()
    honest = tc.SmallGroups(guarantee=KAnonymity(k=2)).protect(source, seed=1)
    forged = replace(honest, inside=replace(honest.inside, kept=np.array([1, 1, 1, 0], bool)))
    found = tc.audit(forged, adversaries=[])
    assert found.holds is False
    assert found.findings[0].sentence.startswith("the private part is not about these frames")


EXAMPLES = [example for method in method_classes().values() for example in method.examples()]


@pytest.mark.parametrize("method", EXAMPLES, ids=str)
def test_what_a_method_publishes_is_a_part_of_its_table(method):
    for source in (tables.ordinary(), tables.strange_names()):
        try:
            release = method.protect(source, seed=1)
        except (Infeasible, RoleError):
            continue
        assert Evidence(release).contradiction is None
        assert Evidence(release, source).contradiction is None
        assert Evidence(replace(release, inside=None), source).contradiction is None
