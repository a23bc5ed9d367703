"""l-dichotomy is about the first table: what is judged with which evidence, and what is never called true."""

from dataclasses import replace

import numpy as np
import pytest

import tacit as tc
from tacit.engines import LocalEngine
from tacit.methods.base import Job, assemble
from tacit.progress import silent
from tacit.randomness import Randomness
from tacit.shapes import Microdata


def table_of(*counts, **columns):
    ill = np.repeat([f"v{i}" for i in range(len(counts))], counts)
    return tc.Table({"age": np.arange(len(ill)), "ill": ill, **columns}, quasi_identifiers="age", sensitive="ill")


def in_a_row(table, *methods, seed=0):
    """Run steps one after the other as a pipeline does, without what a pipeline refuses."""
    pipeline = tc.Pipeline.model_construct(methods=methods)
    outcomes, rest, sources = [], table, Randomness.make(seed).spawn(len(methods))
    for method, source in zip(methods, sources, strict=True):
        outcomes.append(method.run(rest, Job(LocalEngine(), source, silent)))
        rest = rest.filter(outcomes[-1].kept)
    return assemble(pipeline, table, outcomes, Job(LocalEngine(), Randomness.make(seed), silent))


def dichotomy(release, table=None, l=None):
    claims = [] if l is None else [tc.LDichotomy(l=l)]
    findings = tc.audit(release, table, claims=claims, adversaries=[]).findings
    return [finding for finding in findings if finding.guarantee == "l-dichotomy"]


def without_private_part(release):
    return replace(release, inside=None)


def without_table(release):
    return replace(release, inside=replace(release.inside, table=None))


# What is refused, and what an audit says of it if it was published all the same


@pytest.mark.parametrize("first", [tc.UnsafeDSuppression(l=2), tc.SafeDSuppression(l=3)], ids=str)
def test_a_claim_after_another_suppression_is_void(first):
    table = table_of(14, 9, 1, 1)
    second = tc.ShiftSuppression(l=2)
    with pytest.raises(tc.ParameterError, match="does not see the rows"):
        tc.Pipeline([first, second])
    release = in_a_row(table, first, second)
    for given in (release, without_private_part(release), without_table(release)):
        finding = next(f for f in dichotomy(given, table) if f.parameters == {"l": 2})
        assert finding.holds is False
        assert finding.parts.replayed == "fails"
    assert tc.audit(release).holds is False
    with pytest.raises(tc.AuditFailed):
        release.write("never")


def test_a_claim_before_a_step_that_withheld_rows_is_void():
    table = table_of(*[40 * c for c in (10, 4, 2, 1, 1)])
    release = in_a_row(table, tc.ShiftSuppression(l=3), tc.UnsafeDSuppression(l=4))
    assert release.inside.withheld[1].rows.any()
    assert dichotomy(release, table)[0].holds is False
    assert dichotomy(without_private_part(release), table)[0].holds is False


def test_a_step_that_withheld_nothing_does_no_harm():
    table = table_of(14, 9, 4, 3, 2, 1)
    release = tc.Pipeline([tc.ShiftSuppression(l=3), tc.UnsafeDSuppression(l=2), tc.Anatomy(l=3)]).protect(table)
    assert dichotomy(release)[0].holds is True


# What each situation allows


@pytest.mark.parametrize("method", [tc.ShiftSuppression(l=3), tc.SafeDSuppression(l=3)], ids=str)
@pytest.mark.parametrize("last", [None, tc.Anatomy(l=3), tc.InvariantMarginals(m=3, marginals=[["age"]])], ids=str)
def test_which_evidence_leads_to_which_verdict(method, last, tmp_path):
    table = table_of(40, 16, 8, 5, 4)
    release = (method if last is None else tc.Pipeline([method, last])).protect(table)
    fresh = dichotomy(release)[0]
    assert (fresh.holds, fresh.parts.replayed, fresh.parts.withheld, fresh.needed) == (True, "holds", "apart", None)
    assert fresh.posterior == fresh.bound == 1 / 3
    assert "whoever suspected no value more than another beforehand" in fresh.sentence
    release.write(tmp_path / "out")
    owner, outsider = tc.Release.read(tmp_path / "out"), without_private_part(tc.Release.read(tmp_path / "out"))
    for given in (owner, outsider):
        assert dichotomy(given, table)[0].holds is True
        blind = dichotomy(given)[0]
        assert (blind.holds, blind.parts.replayed, blind.posterior) == (None, "not checked", None)
        assert "give the table" in blind.needed


def test_an_eligible_table_hides_nothing_and_needs_no_table():
    release = tc.ShiftSuppression(l=2).protect(table_of(3, 3, 2))
    for given in (release, without_private_part(release)):
        finding = dichotomy(given)[0]
        assert (finding.holds, finding.parts.replayed, finding.parts.withheld) == (True, "none", "none")


def test_another_table_is_said_to_be_another():
    release = tc.ShiftSuppression(l=3).protect(table_of(40, 16, 8, 5, 4))
    others = [table_of(39, 16, 8, 5, 4), table_of(40, 16, 8, 4, 5), table_of(1, 40, 20, 6, 6)]
    for other in (others[0], others[2]):
        finding = dichotomy(without_private_part(release), other)[0]
        assert finding.holds is False
        assert "not a part of the table" in finding.sentence
    foreign = tc.Release.foreign(
        {"age": [1, 2, 3], "ill": ["v0", "v1", "v9"]}, quasi_identifiers="age", sensitive="ill"
    )
    assert dichotomy(foreign, others[0], l=2)[0].holds is False
    unknown = tc.Release.foreign({"age": [1, 39], "ill": ["v0", "v1"]}, quasi_identifiers="age", sensitive="ill")
    assert dichotomy(unknown, others[0], l=2)[0].holds is None
    assert dichotomy(unknown, l=2)[0].holds is None


def test_forged_counts_with_honest_words():
    """86 tables with fewer rows than the algorithm leaves, and the description of an honest release: none is true."""
    rng = np.random.default_rng(3)
    table = table_of(20, 9, 6, 4, 3)
    honest = tc.ShiftSuppression(l=3).protect(table, seed=1)
    forged = 0
    while forged < 86:
        kept = rng.random(len(table)) < rng.uniform(0.2, 0.9)
        counts = table.counts("ill", kept)
        if sorted(counts) == sorted(table.counts("ill", honest.inside.kept)):
            continue
        shape = Microdata.publish(table, kept, np.arange(int(kept.sum())))
        finding = dichotomy(replace(honest, shape=shape, inside=None), table)[0]
        assert finding.holds is False
        forged += 1


def test_a_weaker_claim_follows_from_a_stronger_suppression():
    table = table_of(40, 16, 8, 5, 4)
    release = tc.ShiftSuppression(l=3).protect(table)
    assert [f.holds for f in dichotomy(release, table, l=2)] == [True, True]
    assert dichotomy(release, table, l=4)[-1].holds is False


def test_algorithms_without_a_proof_are_never_true():
    table = table_of(10, 4, 2, 1, 1)
    unsafe = dichotomy(tc.UnsafeDSuppression(l=3).protect(table), table, l=3)[0]
    assert (unsafe.holds, unsafe.posterior) == (False, 0.5)
    for seed in range(10):
        assert dichotomy(tc.RSuppression(l=3).protect(table, seed=seed), table, l=3)[0].holds is not True


# Blank cells


def test_a_blank_cell_may_hide_the_top_value():
    """Four of the published rows are blanked: who does not see the table takes them for the most frequent value."""
    table = table_of(20, 9, 6, 4, 3)
    cells = np.zeros((len(table), 2), dtype=bool)
    honest = tc.ShiftSuppression(l=3).protect(table, seed=1)
    cells[np.flatnonzero(honest.inside.kept)[-4:], 1] = True
    shape = Microdata.publish(table, honest.inside.kept, np.arange(honest.shape.rows), cells)
    blanked = replace(honest, shape=shape, inside=replace(honest.inside, cells=cells))
    assert dichotomy(blanked)[0].holds is True
    for given in (without_private_part(blanked), without_table(blanked)):
        for claim in (tc.LDichotomy(l=3), tc.Eligibility(l=3)):
            finding = tc.audit(given, claims=[claim], adversaries=[]).findings[-1]
            assert (finding.holds, finding.parts.blanks, finding.parts.published) == (None, *["not checked"] * 2)
        assert tc.audit(given, claims=[tc.Eligibility(l=1, of="published")], adversaries=[]).findings[-1].holds is True
        assert tc.audit(given, claims=[tc.Eligibility(l=9)], adversaries=[]).findings[-1].holds is False


# Several sensitive columns


def test_treating_one_column_may_repair_another():
    """A value is too frequent in both columns; withholding rows for the first mends the second as well."""
    ill = ["a"] * 12 + ["b"] * 4 + ["c"] * 4
    job = ["x"] * 11 + ["y", "x", "y", "z", "y", "z", "y", "z", "z"]
    table = tc.Table({"age": range(20), "ill": ill, "job": job}, quasi_identifiers="age", sensitive=["ill", "job"])
    repaired = 0
    for seed in range(40):
        release = tc.ShiftSuppression(l=2).protect(table, seed=seed)
        remarks = release.inside.remarks
        repaired += len(remarks) == 1
        assert release.guarantees == (tc.Eligibility(l=2),)
        assert any("l-dichotomy is not claimed" in text for text in release.warnings)
        assert tc.audit(release, adversaries=[]).holds is True
    assert repaired


# What a method declares


def test_a_new_suppression_needs_no_other_room_to_know_it():
    class Thinning(tc.SafeDSuppression):
        """Safe-D by another name."""

    table = table_of(10, 4, 2, 1, 1)
    release = Thinning(l=3).protect(table)
    assert release.method == {"name": "thinning", "l": 3, "skew_algorithm": "safe-d"}
    assert dichotomy(release)[0].holds is True

    class Secretive(tc.SafeDSuppression):
        """An algorithm that no other room has heard of."""

        @property
        def algorithm(self):
            return "secretive"

        def plan(self, frequencies, rng):
            return tc.SafeDSuppression(l=self.l).plan(frequencies, rng)

    quiet = Secretive(l=3).protect(table)
    assert quiet.guarantees == (tc.Eligibility(l=3),)
    assert dichotomy(quiet, l=3)[0].holds is None
    assert any("not computed" in notice.sentence for notice in tc.EligibilityAdversary().warn(quiet))


def test_releases_written_before_algorithms_were_declared_are_read():
    from tacit.knowledge.skew.declared import known_suppression

    table = table_of(10, 4, 2, 1, 1)
    for method, word in [
        (tc.ShiftSuppression(l=3), "v-shift"),
        (tc.ShiftSuppression(l=3, hide="top"), "shift"),
        (tc.SafeDSuppression(l=3), "safe-d"),
        (tc.RSuppression(l=3), "r-suppression"),
        (tc.UnsafeDSuppression(l=3), "unsafe-d"),
        (tc.SuppressAll(l=3), "suppress-all"),
    ]:
        release = method.protect(table)
        old = {key: value for key, value in release.method.items() if key != "skew_algorithm"}
        for described in (old, {"name": "pipeline", "steps": [old, {"name": "anatomy", "l": 3}]}):
            known = known_suppression(replace(release, method=described))
            assert (known.algorithm, known.l, known.step) == (word, 3, 0)
