"""What an audit says of quasi-sensitive items, against beliefs in fractions and every way to read a foreign table."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from tests.oracles import quasi_sensitive as oracle

import tacit as tc

ITEMS = ["a", "b", "c", "d"]
KNOWN = {"A": ["a", "b"], "B": ["b", "c"], "C": ["c", "d", "a"]}
Promise = tc.QSDiversity | tc.QSCloseness
Holds = Callable[[Sequence[Iterable[str]]], bool]


def table(people: Sequence[oracle.Person]) -> tc.Table:
    return tc.Table(frame(people), quasi_identifiers="who", items="items")


def frame(people: Sequence[oracle.Person]) -> pl.DataFrame:
    items = pl.Series("items", [sorted(items) for _, items in people], dtype=pl.List(pl.String))
    return pl.DataFrame({"who": [who for who, _ in people], "items": items})


def foreign(people: Sequence[oracle.Person]) -> tc.Release:
    return tc.Release.foreign(frame(people), quasi_identifiers="who", sensitive=(), items="items")


def judge(release: tc.Release, promise: Promise, original: tc.Table | None = None) -> tc.Finding:
    return tc.audit(release, original, claims=[promise], adversaries=()).findings[0]


def random_people(rng: np.random.Generator, most: int, unknown: float = 0.1) -> list[oracle.Person]:
    def items() -> frozenset[str]:
        chosen = {item for item in ITEMS if rng.random() < 0.4}
        return frozenset(chosen | ({"unknown"} if rng.random() < unknown else set()))

    return [(int(rng.integers(0, 3)), items()) for _ in range(rng.integers(1, most + 1))]


def random_knowledge(rng: np.random.Generator) -> dict[str, list[str]]:
    return {f"L{i}": [item for item in ITEMS if rng.random() < 0.6] for i in range(rng.integers(1, 6))}


def random_promise(
    rng: np.random.Generator, knowledge: dict[str, list[str]], people: Sequence[oracle.Person]
) -> tuple[Promise, Holds]:
    """Choose a promise, and the same as a predicate over the items of a group, in fractions."""
    if rng.random() < 0.5:
        c, l = Fraction(int(rng.integers(1, 5)), int(rng.integers(1, 4))), int(rng.integers(1, 4))
        promise: Promise = tc.QSDiversity(c=float(c), l=l, knowledge=knowledge)
        return promise, lambda rows: oracle.diverse(rows, knowledge, c, l)
    t = Fraction(int(rng.integers(0, 12)), 10)
    names = ["data", "uniform", "size"] if any(knowledge.values()) else ["data", "uniform"]
    name = names[rng.integers(len(names))]
    prior = oracle.prior(name, knowledge, [items for _, items in people])
    promise = tc.QSCloseness(t=float(t), knowledge=knowledge, prior=name)
    return promise, lambda rows: oracle.close(rows, knowledge, t, prior)


def matches_nothing(knowledge: dict[str, list[str]], *several: Sequence[oracle.Person]) -> bool:
    items = {item for people in several for _, some in people for item in some}
    return bool(items) and not items & {item for some in knowledge.values() for item in some}


def changed(rng: np.random.Generator, people: list[oracle.Person]) -> list[oracle.Person]:
    """Leave people out, remove items, and sometimes publish what is not in the table."""
    kept = [people[i] for i in rng.permutation(len(people))[: rng.integers(1, len(people) + 1)]]
    if rng.random() < 0.5:
        kept = [(who, frozenset(item for item in items if rng.random() < 0.8)) for who, items in kept]
    if rng.random() < 0.15:
        who, items = kept[0]
        kept[0] = (who, items | {ITEMS[rng.integers(4)]}) if rng.random() < 0.5 else (who + 1, items)
    return kept


def test_releases_of_others_with_the_table_against_every_way_to_read_them() -> None:
    rng = np.random.default_rng(20)
    verdicts: dict[bool | None, int] = {True: 0, False: 0, None: 0}
    for _ in range(700):
        people, knowledge = random_people(rng, 5), random_knowledge(rng)
        published = changed(rng, people)
        promise, holds = random_promise(rng, knowledge, people)
        if matches_nothing(knowledge, people, published):
            with pytest.raises(tc.ParameterError, match="knows none of the"):
                tc.audit(foreign(published), table(people), claims=[promise])
            continue
        finding = judge(foreign(published), promise, table(people))
        shown = all(holds(rows) for rows in oracle.groups(published))
        worlds = oracle.left_out(published, people)
        rest = {not world or holds(world) for world in worlds}
        assert (finding.parts.published == "holds") == shown
        assert (finding.parts.replayed == "fails") == (not worlds)
        if not worlds or not shown:
            assert finding.holds is False
        elif len(worlds) > 1:
            assert finding.parts.withheld == "not checked"
            assert finding.holds is None
            assert finding.needed
        else:
            assert finding.holds is rest.pop(), (people, published)
            assert (finding.parts.withheld == "none") == (len(people) == len(published))
        verdicts[finding.holds] += 1
    assert min(verdicts.values()) > 20


def test_releases_of_others_without_the_table_are_judged_of_what_is_published() -> None:
    rng = np.random.default_rng(21)
    for _ in range(300):
        people, knowledge = random_people(rng, 6), random_knowledge(rng)
        promise, holds = random_promise(rng, knowledge, people)
        release = foreign(people)
        if matches_nothing(knowledge, people):
            if all(items for _, items in people):
                with pytest.raises(tc.ParameterError, match="knows none of the"):
                    tc.audit(release, claims=[promise])
            else:  # everything that it knows may have been removed
                assert tc.audit(release, claims=[promise]).holds is None
            continue
        finding = judge(release, promise)
        if getattr(promise, "prior", None) == "data":
            assert finding.holds is None
            assert "table" in finding.needed
            continue
        assert finding.holds is all(holds(rows) for rows in oracle.groups(people))
        assert "about the published rows alone" in finding.sentence
        everybody = type(promise)(**{**dict(promise), "of": "everybody"})
        judged = judge(release, everybody)
        assert judged.holds is (None if finding.holds else False)


def test_the_method_keeps_its_promise_to_the_published_and_to_the_withheld() -> None:
    rng = np.random.default_rng(22)
    withheld = 0
    for _ in range(400):
        people, knowledge = random_people(rng, 9), random_knowledge(rng)
        promise, holds = random_promise(rng, knowledge, people)
        method = tc.QuasiSensitive(guarantee=promise, k=int(rng.integers(1, 3)), time_bound=0.01)
        if matches_nothing(knowledge, people):
            with pytest.raises(tc.ParameterError, match="knows none of the"):
                method.protect(table(people), seed=0)
            continue
        try:
            release = method.protect(table(people), seed=0)
        except tc.Infeasible:
            continue
        published = release.frames()["table"]
        assert all(holds(rows["items"].to_list()) for _, rows in published.group_by("who"))
        hidden = [people[i][1] for i in np.flatnonzero(~release.inside.kept)]
        assert not hidden or holds(hidden)
        finding = tc.audit(release, adversaries=()).findings[0]
        assert finding.holds is True
        assert finding.parts.withheld == ("holds" if hidden else "none")
        withheld += bool(hidden)
    assert withheld > 5


@pytest.mark.parametrize("promise", [tc.QSDiversity(c=1, l=2, knowledge=KNOWN), tc.QSCloseness(t=0.3, knowledge=KNOWN)])
def test_people_left_out_of_a_table_that_somebody_else_published_are_judged(promise: Promise) -> None:
    people = [(1, frozenset("b")), (1, frozenset("c")), (1, frozenset("ac")), (2, frozenset("ab"))]
    everybody = table(people)
    finding = tc.audit(foreign(people[:3]), everybody, claims=[promise]).findings[0]
    assert finding.parts.published == "holds"
    assert finding.parts.withheld == "fails", "the only one who is left out has label A for certain"
    assert finding.holds is False


def test_who_was_left_out_is_not_guessed() -> None:
    people = [(1, frozenset("b")), (1, frozenset("bc"))]
    promise = tc.QSDiversity(c=1, l=1, knowledge=KNOWN)
    finding = tc.audit(foreign([(1, frozenset("b"))]), table(people), claims=[promise]).findings[0]
    assert finding.holds is None, "{b} may be what is left of {b, c}"
    assert finding.parts.withheld == "not checked"
    assert "private part" in finding.needed


def test_a_release_that_is_no_part_of_the_table_is_named() -> None:
    people = [(1, frozenset("ab")), (2, frozenset())]
    promise = tc.QSDiversity(c=2, l=1, knowledge=KNOWN)
    assert tc.audit(foreign(people), table(people), claims=[promise]).holds is True
    for others in ([(1, frozenset("a")), (2, frozenset("b"))], [*people, (3, frozenset())], [(1, frozenset("d"))]):
        finding = tc.audit(foreign(others), table(people), claims=[promise]).findings[0]
        assert finding.holds is False
        assert finding.parts.replayed == "fails"
        assert "no part of the table" in finding.sentence


def test_blurred_cells_are_read_and_unreadable_ones_may_be_anything() -> None:
    people = [(31, frozenset("b")), (38, frozenset("c")), (52, frozenset("ab"))]
    promise = tc.QSDiversity(c=1, l=2, knowledge=KNOWN)

    def judged(cells: list[str]) -> tuple[str, str]:
        published = frame(people[: len(cells)]).with_columns(pl.Series("who", cells))
        release = tc.Release.foreign(published, quasi_identifiers="who", sensitive=(), items="items")
        parts = tc.audit(release, table(people), claims=[promise]).findings[0].parts
        return parts.withheld, parts.replayed

    assert judged(["[30, 39]", "[30, 39]"]) == ("fails", "none")
    assert judged(["[40, 49]", "[30, 39]"])[1] == "fails"
    assert judged(["thirties", "thirties"])[1] == "none"


def test_a_label_table_that_matches_nothing_is_an_error_with_the_nearest_item() -> None:
    people = table([(1, frozenset({"cough"})), (2, frozenset({"fever", "headache"}))])
    promise = tc.QSDiversity(c=1, l=2, knowledge={"flu": ["Coughing", "Fever"], "cold": ["Sneezing"]})
    with pytest.raises(tc.ParameterError, match=r"knows none of the 3 items of 'items' .*'Coughing'"):
        tc.QuasiSensitive(guarantee=promise).protect(people)
    for release, given in (
        (foreign([(1, frozenset({"cough"}))]), None),
        (foreign([(1, frozenset({"cough"}))]), people),
    ):
        with pytest.raises(tc.ParameterError, match="knows none of the"):
            tc.audit(release, given, claims=[promise])


def test_a_claim_without_an_items_column_is_an_error() -> None:
    bare = tc.Release.foreign({"who": [1, 2]}, quasi_identifiers="who", sensitive=())
    promise = tc.QSDiversity(c=1, l=2, knowledge=KNOWN)
    with pytest.raises(tc.RoleError, match="the release has none"):
        tc.audit(bare, claims=[promise])
    with pytest.raises(tc.RoleError, match="the table has 0"):
        tc.audit(bare, tc.Table({"who": [1, 2]}, quasi_identifiers="who"), claims=[promise])
    wrong = tc.QSDiversity(c=1, l=2, knowledge=KNOWN, column="itmes")
    with pytest.raises(tc.RoleError, match="Did you mean 'items'"):
        tc.audit(foreign([(1, frozenset("a"))]), claims=[wrong])


def test_a_step_that_publishes_no_items_leaves_nothing_to_read() -> None:
    people = table([(1, frozenset("a")), (1, frozenset("b")), (2, frozenset("c")), (2, frozenset("c"))])
    promise = tc.QSDiversity(c=1, l=1, knowledge=KNOWN)
    steps = [tc.QuasiSensitive(guarantee=promise), tc.SmallGroups(guarantee=tc.KAnonymity(k=2))]
    finding = tc.audit(tc.Pipeline(steps).protect(people)).findings[0]
    assert finding.holds is True
    assert finding.sentence == "no items are published"
