"""What reports say of a reader who learns: everybody's figures in the public one, the truth only in the owner's."""

from __future__ import annotations

import numpy as np
import pytest

import tacit as tc
from tacit.report.figures import ReleaseFigures, size_promised
from tacit.report.internal import internal_view
from tacit.report.public import public_view
from tacit.report.sentences import headline
from tacit.report.view import ReportSection, ReportView


@pytest.fixture(scope="module")
def table() -> tc.Table:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 4, 1200)
    frame = {"a": [f"a{x}" for x in a], "b": rng.integers(20, 60, 1200), "ill": [f"v{x}" for x in a]}
    return tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="ill")


def section(view: ReportView, title: str) -> ReportSection | None:
    return next((each for each in view.sections if each.title == title), None)


def test_the_owner_reads_how_often_she_is_right_and_nobody_else(table: tc.Table) -> None:
    release = tc.Anatomy(l=2, buckets="random").protect(table, seed=1)
    audit = tc.audit(release)
    public = public_view(release, audit.public())
    assert section(public, "How often a reader who learns is right") is None
    believed = section(public, "What learning from the files tells")
    assert believed is not None
    assert believed.pictures
    assert "expects to guess 'ill' right for" in public.verdict
    assert "where 50% is promised to one who does not learn" in public.verdict
    internal = internal_view(release, audit, place="clinic", table=table, cost=tc.utility(release, table))
    truth = section(internal, "How often a reader who learns is right")
    assert truth is not None
    shown = dict(truth.grid.rows)
    assert float(shown["ill: right, knowing only the population"].rstrip("%")) > 95
    assert "would guess 'ill' right for 100% of the rows" in internal.verdict
    assert "expects to guess" not in internal.verdict  # the truth stands for what everybody can compute


def test_the_owner_reads_that_a_figure_is_approximate_only_where_it_is(table: tc.Table) -> None:
    def told(release: tc.Release) -> bool:
        view = internal_view(release, tc.audit(release), place="x", table=table, cost=tc.utility(release, table))
        truth = section(view, "How often a reader who learns is right")
        assert truth is not None
        assert any("if she knew the population and the groups" in row[0] for row in truth.grid.rows)
        return any("who knew the population and the groups is approximate" in each for each in truth.paragraphs)

    assert not told(tc.Anatomy(l=2).protect(table, seed=1))
    assert told(tc.Mondrian(guarantees=[tc.KAnonymity(k=300)]).protect(table, seed=1))


@pytest.mark.parametrize("method", [tc.Mondrian([tc.LDiversity(2, kind="frequency")]), tc.Anatomy(l=2)])
def test_it_is_said_where_people_have_several_rows_and_each_was_read_by_itself(method: tc.Method) -> None:
    """Before, the owner's sentence left it out where the reader was given everybody's quasi-identifiers."""
    a, b = np.random.default_rng(2).integers((0, 20), (4, 60), (400, 2)).repeat(2, axis=0).T
    frame = {"pid": np.arange(800) // 2, "a": [f"a{x}" for x in a], "b": b, "ill": [f"v{x}" for x in a]}
    table = tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="ill", person="pid")
    release = method.protect(table, seed=1)
    view = internal_view(release, tc.audit(release), place="x", table=table, cost=tc.utility(release, table))
    assert "one row at a time although people have several" in view.verdict
    truth = section(view, "How often a reader who learns is right")
    assert truth is not None
    assert any("each row was read by itself" in each for each in truth.paragraphs)


@pytest.mark.parametrize("seed", range(6))
def test_a_reader_who_learns_nothing_right_is_said_to_be_mistaken_where_she_is_named(seed: int) -> None:
    """Before, a headline could say that she guesses 48% right where 50% is promised, and not why it says that."""
    rng = np.random.default_rng(seed)
    frame = {"a": [f"a{x}" for x in rng.integers(0, 4, 400)], "b": rng.integers(20, 60, 400)}
    frame["ill"] = rng.permutation([f"v{x % 4}" for x in range(400)])
    table = tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="ill")
    release = tc.Anatomy(l=2, buckets="random").protect(table, seed=seed)
    figures = ReleaseFigures(release.shape, release.unit)
    audit = tc.audit(release)
    success = figures.learning(release, audit, table)["ill"][1]
    said = [each.sentence for each in figures.notices(release, audit, table)]
    for sentence in said:
        assert ("and is mistaken" in sentence) == (success.share <= 0.51)


def test_it_is_said_where_she_reads_several_tables_only_once(table: tc.Table) -> None:
    marginals = {"one": ["a"], "two": ["b"]}
    release = tc.InvariantMarginals(m=2, marginals=marginals).protect(table, seed=1)
    view = internal_view(release, tc.audit(release), place="x", table=table, cost=tc.utility(release, table))
    truth = section(view, "How often a reader who learns is right")
    assert truth is not None
    assert any("goes through the tables again and again" in each for each in truth.paragraphs)
    assert "from the files themselves, one table after another, and knows" in view.verdict
    bucketized = tc.Anatomy(l=2).protect(table, seed=1)
    cost = tc.utility(bucketized, table)
    alone = internal_view(bucketized, tc.audit(bucketized), place="x", table=table, cost=cost)
    told = section(alone, "How often a reader who learns is right")
    assert told is not None
    assert not any("again and again" in each for each in told.paragraphs)


def test_the_public_report_is_computed_from_the_files_alone(table: tc.Table, tmp_path: object) -> None:
    release = tc.Mondrian([tc.KAnonymity(k=5)]).protect(table, seed=1)
    alone = tc.Release(shape=release.shape, claims=release.claims, method=release.method, size=release.size)
    titles = [each.title for each in public_view(release, tc.audit(release).public()).sections]
    assert titles == [each.title for each in public_view(alone, tc.audit(alone).public()).sections]
    assert "How few further facts would tell more" in titles
    mine, theirs = tc.audit(release).learned, tc.audit(alone).learned
    assert mine["ill"].expected == theirs["ill"].expected
    assert not mine["ill"].told


def test_facts_and_uncut_groups_are_counted(table: tc.Table) -> None:
    release = tc.Anatomy(l=2, buckets="random").protect(table, seed=1)
    found = section(public_view(release, tc.audit(release)), "How few further facts would tell more")
    assert found is not None
    people = [sum(int(cell.replace(",", "")) for cell in row[1:]) for row in found.grid.rows]
    assert people == [len(table)] * 4
    assert size_promised(release) == 0  # more than sizes may have stopped a cut
    assert size_promised(tc.Mondrian([tc.KAnonymity(k=7)]).protect(table, seed=1)) == 7
    decided = ReleaseFigures(release.shape).equivalence(release, table)["ill"]
    assert decided.followed == len(table)


def test_a_headline_says_prominent_warnings_once() -> None:
    public = tc.Notice("reader", "everybody can compute this", prominent=True)
    own = tc.Notice("reader", "only the owner knows this", prominent=True)
    audit = tc.Audit((), (public,))
    assert headline(audit) == "Nothing is claimed. Yet everybody can compute this."
    assert headline(audit, (own,)) == "Nothing is claimed. Yet only the owner knows this."
