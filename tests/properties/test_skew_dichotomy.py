"""Whatever is suppressed in whatever order: where an audit calls l-dichotomy true, no posterior exceeds 1/l.

The truth is computed by brute force over all relabellings of the table, and over all base tables of its size with two
priors, with the exact probabilities of all draws of all steps. TACIT_SKEW_TRIALS sets how many tables are tried.
"""

import os
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.oracles import skew_sequences as oracle

import tacit as tc
from tacit.engines import LocalEngine
from tacit.errors import Infeasible, ParameterError
from tacit.methods.base import Job, assemble
from tacit.progress import silent
from tacit.randomness import Randomness
from tacit.shapes import Microdata

TRIALS = int(os.environ.get("TACIT_SKEW_TRIALS", "1200"))
PRIORS = ("frequencies", "assignments")
ALGORITHMS = {
    "unsafe-d": tc.UnsafeDSuppression,
    "safe-d": tc.SafeDSuppression,
    "r": tc.RSuppression,
    "shift": lambda l: tc.ShiftSuppression(l=l, hide="top"),
    "v-shift": tc.ShiftSuppression,
    "suppress-all": tc.SuppressAll,
}
PROVED = ("safe-d", "shift", "v-shift")


def random_counts(rng):
    """Two to four values, up to 11 rows, mostly one of them too frequent."""
    values = int(rng.integers(2, 5))
    others = rng.integers(1, 4, values - 1)
    return tuple(rng.permutation([*others, max(1, min(int(rng.integers(1, 9)), 11 - int(others.sum())))]).tolist())


def random_steps(rng):
    length = int(rng.choice([1, 1, 2, 2, 3]))
    names = rng.choice(list(ALGORITHMS), length, p=[0.18, 0.18, 0.18, 0.2, 0.2, 0.06])
    return tuple((str(name), int(rng.integers(2, 4))) for name in names)


def table_of(counts):
    ill = np.repeat([f"v{i}" for i in range(len(counts))], counts)
    return tc.Table({"age": np.arange(len(ill)), "ill": ill}, quasi_identifiers="age", sensitive="ill")


def released(table, methods, seed):
    """Run the steps as a pipeline does, without what a pipeline refuses."""
    outcomes, rest = [], table
    for method, source in zip(methods, Randomness.make(seed).spawn(len(methods)), strict=True):
        if not len(rest):
            raise Infeasible("nothing is left")
        outcomes.append(method.run(rest, Job(LocalEngine(), source, silent)))
        rest = rest.filter(outcomes[-1].kept)
    made = methods[0] if len(methods) == 1 else tc.Pipeline.model_construct(methods=methods)
    return assemble(made, table, outcomes, Job(LocalEngine(), Randomness.make(seed), silent))


def verdicts(release, table, claims=()):
    findings = tc.audit(release, table, claims=claims, adversaries=[]).findings
    return [(finding.parameters["l"], finding.holds) for finding in findings if finding.guarantee == "l-dichotomy"]


def truth(counts, steps, published):
    """The largest posterior that a value is S1, for somebody who knows the frequencies or has one of two priors."""
    n, seen = sum(counts), tuple(sorted(published, reverse=True))
    known = oracle.posterior_knowing_frequencies(counts, steps, seen)
    return max(known, *(oracle.posteriors_knowing_size(n, len(counts), steps, prior)[seen] for prior in PRIORS))


def test_where_an_audit_says_true_nobody_is_surer_than_one_in_l():
    rng = np.random.default_rng(20)
    tally = Counter()
    for trial in range(TRIALS):
        counts, steps = random_counts(rng), random_steps(rng)
        table = table_of(counts)
        methods = tuple(ALGORITHMS[name](l=l) for name, l in steps)
        try:
            release = released(table, methods, trial)
        except Infeasible:
            tally["infeasible"] += 1
            continue
        tally["published"] += 1
        published = tuple(table.counts("ill", release.inside.kept).tolist())
        hidden = sum(published) < sum(counts)
        fresh = verdicts(release, None, claims=[tc.LDichotomy(l=2)])
        outside = verdicts(replace(release, inside=None), table, claims=[tc.LDichotomy(l=2)])
        for l, holds in (*fresh, *outside):
            tally[holds, hidden] += 1
            if holds is not True:
                continue
            if hidden:
                assert truth(counts, steps, published) <= Fraction(1, l), (counts, steps, published)
            else:
                assert max(counts) * l <= sum(counts), (counts, steps)
        if hidden:
            blind = verdicts(replace(release, inside=None), None)
            owner = verdicts(replace(release, inside=replace(release.inside, table=None)), None)
            assert all(holds is not True for _, holds in (*blind, *owner))
        if len(steps) == 1 and steps[0][0] in PROVED:
            assert all(holds for l, holds in (*fresh, *outside) if l <= steps[0][1]), (counts, steps)
        if all(holds is not False for _, holds in fresh):
            continue
        tally["laundered"] += 1
        assert not hidden or _refused(methods, table, trial) or fresh[-1] == (2, False)
    assert tally["published"] > TRIALS // 2
    assert tally[True, True] > TRIALS // 10
    assert tally["laundered"] > TRIALS // 20


def _refused(methods, table, seed):
    try:
        tc.Pipeline(methods).protect(table, seed=seed)
    except (Infeasible, ParameterError):
        return True
    return False


@pytest.mark.parametrize("name", PROVED)
def test_counts_that_are_no_outcome_of_the_algorithm_are_never_called_true(name):
    """Any rows of a table under the description of an honest release: true only for what the algorithm can leave."""
    rng = np.random.default_rng(7)
    tally = Counter()
    for _ in range(TRIALS // 4):
        counts, l = random_counts(rng), int(rng.integers(2, 4))
        table, method = table_of(counts), ALGORITHMS[name](l=l)
        # The table does not declare its domain, so an auditor must allow for values that are absent from it.
        laws = [oracle.step_law(counts, name, l, absent) or {} for absent in range(4 if name == "v-shift" else 1)]
        possible = {outcome for law in laws for outcome in law}
        wanted = tuple(int(rng.integers(0, count + 1)) for count in counts)
        if possible and rng.random() < 0.5:
            wanted = sorted(possible)[int(rng.integers(len(possible)))]
        kept = np.zeros(len(table), dtype=bool)
        codes = table.codes("ill").codes
        for value, count in enumerate(wanted):
            kept[np.flatnonzero(codes == value)[:count]] = True
        forged = tc.Release(
            shape=Microdata.publish(table, kept, np.arange(int(kept.sum()))),
            claims=(tc.shapes.Claim(tc.LDichotomy(l=l)),),
            method=method.describe(),
            size=len(table),
        )
        holds = verdicts(forged, table)[0][1]
        tally[holds] += 1
        assert holds is (wanted in possible), (counts, l, wanted)
        if kept.all():
            continue
        assert verdicts(forged, None)[0][1] is not True
    assert min(tally[True], tally[False]) > TRIALS // 40
