"""Pipeline: one step after another, everything aligned with the first input."""

from typing import ClassVar

import numpy as np
import polars as pl
import pytest

import tacit as tc
from tacit.errors import Infeasible, ParameterError
from tacit.guarantees import Finding, Guarantee
from tacit.methods import Method, Outcome
from tacit.shapes import Generalized, Microdata
from tacit.table import Table


class Promise(Guarantee):
    """A promise about the whole table: void if another step withholds a row."""

    needs_all_rows: ClassVar[bool] = True

    def check(self, evidence, claim):
        return Finding("promise", True, "exact", "kept")


class Drop(Method):
    """Withhold the rows whose number is in `ages`; claim, group, blank or draw as its parameters say."""

    ages: tuple[int, ...] = ()
    claims: tuple[Guarantee, ...] = ()
    judged: str = "group"
    blank: str | None = None
    grouped: bool = False
    onward: bool = False
    drawn: list = []  # noqa: RUF012 - pydantic copies it
    says: tuple[str, ...] = ()

    def run(self, table, job):
        kept = ~np.isin(table.frame["age"].to_numpy(), self.ages)
        names = [column.name for column in table.columns]
        cells = np.zeros((len(table), len(names)), dtype=bool)
        if self.blank is not None:
            cells[:, names.index(self.blank)] = table.frame["age"].to_numpy() % 2 == 0
        LOG.append((len(table), tuple(job.randomness.secret().integers(2**60, size=2).tolist())))
        job.progress(self.name, 1.0)
        order = job.randomness.shuffle().permutation(int(kept.sum()))
        return Outcome(
            publish=lambda: Microdata.publish(table, kept, order, cells),
            kept=kept,
            group=np.where(kept, 100 + table.frame["age"].to_numpy(), -1) if self.grouped else None,
            guarantees=self.claims,
            judged=self.judged,
            cells=None if self.blank is None else cells,
            onward=(lambda: coarser(table.filter(kept))) if self.onward else None,
            warnings=self.says,
        )


LOG: list = []
ONWARD: list = []


def coarser(table):
    ONWARD.append(len(table))
    return Table(
        table.frame.with_columns(pl.lit("?").alias("town")), quasi_identifiers=["age", "town"], sensitive="ill"
    )


@pytest.fixture(autouse=True)
def _fresh():
    LOG.clear()
    ONWARD.clear()


def people():
    return Table(
        {"age": [1, 2, 3, 4, 5, 6], "town": list("xxyyzz"), "ill": list("abcabc")},
        quasi_identifiers=["age", "town"],
        sensitive="ill",
    )


def test_a_step_gets_what_the_one_before_kept_and_kept_is_joined():
    release = tc.Pipeline([Drop(ages=(2,)), Drop(ages=(5, 2)), Drop()]).protect(people())
    assert [rows for rows, _ in LOG] == [6, 5, 4]
    assert release.inside.kept.tolist() == [True, False, True, True, False, True]
    assert [h.rows.nonzero()[0].tolist() for h in release.inside.withheld] == [[1], [4], []]
    assert [h.step for h in release.inside.withheld] == [0, 1, 2]
    assert sorted(release.frames()["table"]["age"].to_list()) == [1, 3, 4, 6]
    assert (release.size, release.shape.rows) == (6, 4)
    assert release.inside.table is not None


def test_suppressed_cells_are_joined():
    release = tc.Pipeline([Drop(ages=(2,), blank="town", onward=True), Drop(ages=(3,), blank="ill")]).protect(people())
    cells = release.inside.cells
    assert release.inside.columns == ("age", "town", "ill")
    assert cells[:, 1].tolist() == [False, True, False, True, False, True]
    assert cells[:, 2].tolist() == [False, False, False, True, False, True]
    assert not cells[:, 0].any()


def test_suppressed_cells_do_not_come_back():
    with pytest.raises(
        ParameterError, match=r"drop suppresses cells, which the next step would publish\. Make it the last"
    ):
        tc.Pipeline([Drop(blank="town"), Drop()]).protect(people())


def test_the_group_is_that_of_the_last_step_that_forms_groups():
    steps = [Drop(grouped=True), tc.SmallGroups(guarantee=tc.KAnonymity(k=1)), Drop(ages=(4,))]
    release = tc.Pipeline(steps).protect(people())
    group = release.inside.group
    assert group.dtype == np.int64
    assert (group[3], (group >= 0).sum()) == (-1, 5)
    assert len(set(group[release.inside.kept].tolist())) == 5
    assert set(group.tolist()) < {-1, *range(6)}
    own = tc.Pipeline([Drop(ages=(2,), grouped=True), Drop(ages=(5,))]).protect(people()).inside.group
    assert own.tolist() == [101, -1, 103, 104, -1, 106]
    assert tc.Pipeline([Drop(), Drop()]).protect(people()).inside.group is None


def test_what_is_inside_cannot_be_changed():
    inside = tc.Pipeline([Drop(ages=(2,), grouped=True), Drop(ages=(5,))]).protect(people()).inside
    for array in (inside.kept, inside.cells, inside.group, inside.withheld[0].rows):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]


def test_the_last_step_publishes_and_a_step_may_hand_on_another_table():
    release = tc.Pipeline([Drop(ages=(1,), onward=True), tc.SmallGroups(guarantee=tc.KAnonymity(k=1))]).protect(
        people()
    )
    assert isinstance(release.shape, Generalized)
    assert release.frames()["table"]["town"].unique().to_list() == ["?"]
    assert release.inside.kept.tolist() == [False] + [True] * 5
    assert release.inside.table.frame["town"].to_list() == list("xxyyzz")


def test_every_step_draws_from_a_generator_of_its_own():
    same = [Drop(), Drop()]
    tc.Pipeline(same).protect(people(), seed=5)
    tc.Pipeline(same).protect(people(), seed=5)
    first, second, again, _ = (draws for _, draws in LOG)
    assert first == again
    assert first != second
    Drop().protect(people(), seed=5)
    assert LOG[-1][1] not in {first, second}


def test_a_step_draws_the_same_whatever_the_steps_before_draw():
    tc.Pipeline([Drop(), Drop()]).protect(people(), seed=5)
    tc.Pipeline([tc.SmallGroups(guarantee=tc.KAnonymity(k=1)), Drop()]).protect(people(), seed=5)
    assert LOG[1][1] == LOG[2][1]


def test_unseeded_is_never_reproducible():
    release = tc.Pipeline([Drop(), Drop()]).protect(people())
    assert not release.reproducible
    assert tc.Pipeline([Drop()]).protect(people(), seed=0).reproducible
    tc.Pipeline([Drop(), Drop()]).protect(people())
    assert len({draws for _, draws in LOG}) == len(LOG)


def test_a_promise_about_the_whole_table_allows_no_other_step_to_withhold():
    promising = Drop(ages=(1,), claims=(Promise(),))
    with pytest.raises(Infeasible) as error:
        tc.Pipeline([promising, Drop(), Drop(ages=(3, 4))]).protect(people())
    assert str(error.value) == (
        "drop would withhold 2 rows after drop, which claims promise(): that is about the whole table, and holds only "
        "if no other step withholds rows. Let the suppression be the first step, and the others withhold nothing."
    )
    with pytest.raises(Infeasible, match="drop would withhold 1 rows before drop, which claims promise"):
        tc.Pipeline([Drop(ages=(3,)), promising, Drop()]).protect(people())
    release = tc.Pipeline([Drop(), promising, Drop()]).protect(people())
    assert [claim.step for claim in release.claims] == [1]
    assert release.inside.kept.sum() == 5


@pytest.mark.parametrize(
    "earlier", [tc.UnsafeDSuppression(l=2), tc.ShiftSuppression(l=3), tc.SuppressAll(l=2)], ids=str
)
@pytest.mark.parametrize("later", [tc.ShiftSuppression(l=2), tc.SafeDSuppression(l=2)], ids=str)
def test_a_promise_about_the_whole_table_after_a_suppression_is_refused_when_the_pipeline_is_made(earlier, later):
    for steps in ([earlier, later], [earlier, tc.Anatomy(l=2), later], [tc.Anatomy(l=2), earlier, later]):
        with pytest.raises(ParameterError, match="does not see the rows that") as error:
            tc.Pipeline(steps)
        assert str(later) in str(error.value)
    assert tc.Pipeline([earlier, tc.RSuppression(l=2)]).methods


def test_claims_after_a_step_judged_apart_are_about_the_published_rows():
    k = tc.KAnonymity(k=1)
    steps = [Drop(claims=(k,)), Drop(ages=(1,), judged="apart", claims=(k,)), Drop(claims=(k,)), Drop(judged="apart")]
    release = tc.Pipeline(steps).protect(people())
    assert [(claim.step, claim.of) for claim in release.claims] == [(0, "table"), (1, "table"), (2, "published rows")]
    quiet = tc.Pipeline([Drop(judged="apart", claims=(k,)), Drop(claims=(k,))]).protect(people())
    assert [claim.of for claim in quiet.claims] == ["table", "table"]


def test_warnings_of_all_steps_are_kept():
    assert tc.Pipeline([Drop(says=("one",)), Drop(says=("two", "three"))]).protect(people()).warnings == (
        "one",
        "two",
        "three",
    )


def test_nothing_left_for_a_step():
    with pytest.raises(
        Infeasible, match=r"drop has no rows to work on: the steps before it withheld all of them\. Ask less"
    ):
        tc.Pipeline([Drop(ages=(1, 2, 3, 4, 5, 6)), Drop()]).protect(people())


def test_mistakes_in_the_steps():
    step = tc.SmallGroups(guarantee=tc.KAnonymity(k=1))
    for empty in ([], ()):
        with pytest.raises(ParameterError, match=r"pipeline: steps = .* is not allowed: .* at least 1 item"):
            tc.Pipeline(empty)
    with pytest.raises(ParameterError, match="at least 1 item"):
        tc.Pipeline()
    with pytest.raises(ParameterError, match="steps are given twice"):
        tc.Pipeline([step], steps=[step])
    with pytest.raises(ParameterError, match="pipeline has no parameter 'stops'"):
        tc.Pipeline([step], stops=3)
    with pytest.raises(ParameterError, match=r"pipeline: steps\.1 = 3 is not allowed"):
        tc.Pipeline([step, 3])
    with pytest.raises(ParameterError, match=r"pipeline: steps\.0 = .* is not allowed"):
        tc.Pipeline([{"name": "small-groups"}])
    with pytest.raises(
        ParameterError, match=r"A pipeline is not a step of another pipeline\. Put its steps in the outer one"
    ):
        tc.Pipeline([step, tc.Pipeline([step])]).protect(people())
    assert tc.Pipeline(steps=[step]) == tc.Pipeline([step])


def test_what_is_published_of_it():
    step = tc.SmallGroups(guarantee=tc.KAnonymity(k=2))
    assert tc.Pipeline([step, step]).describe() == {"name": "pipeline", "steps": [step.describe(), step.describe()]}


def test_progress_goes_from_step_to_step():
    reported = []
    tc.Pipeline([Drop(), Drop()]).protect(people(), progress=lambda stage, share: reported.append((stage, share)))
    assert reported == [("drop", 0.5), ("drop", 1.0), ("pipeline", 1.0)]


def test_two_guarantees_by_two_steps():
    rng = np.random.default_rng(0)
    table = Table(
        {"age": rng.integers(0, 8, 80), "ill": rng.choice(list("aabcd"), 80)}, quasi_identifiers="age", sensitive="ill"
    )
    steps = [tc.SmallGroups(guarantee=tc.KAnonymity(k=9)), tc.SmallGroups(guarantee=tc.Eligibility(l=2))]
    release = tc.Pipeline(steps).protect(table)
    assert tc.audit(release).holds is True
    assert release.guarantees == (tc.KAnonymity(k=9), tc.Eligibility(l=2))


def test_nothing_is_made_for_a_step_after_the_last(monkeypatch):
    """The last step's rows are published from the table it was given; they are not copied into another one."""
    copies = []
    copy = Table.filter
    monkeypatch.setattr(Table, "filter", lambda table, kept: copies.append(len(table)) or copy(table, kept))
    Drop(ages=(1,), onward=True).protect(people())
    tc.Pipeline([Drop(ages=(1,)), Drop(ages=(2,), onward=True)]).protect(people())
    assert ONWARD == []
    assert copies == [6]  # between the two steps of the pipeline
    tc.Pipeline([Drop(ages=(1,), onward=True), Drop(ages=(2,))]).protect(people())
    assert ONWARD == [5]
