"""The reader who learns from a release: against a slow twin, on planted tables, and on Adult."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import learning as slow

import tacit as tc
from tacit.adversaries.learning import compared_with_truth
from tacit.adversaries.learning.sentences import expected_sentence
from tacit.datasets import clinic, hospital
from tacit.kernels.learning.arguments import Effort
from tacit.knowledge.learning import calibrated, observed, some_groups, tempered
from tacit.knowledge.learning import read as learned
from tacit.knowledge.learning.trust import HeldOut


def bucketized(groups: list[slow.Group]) -> tc.Release:
    """Publish groups as a foreign bucketized release."""
    people = [{"group": g, **person} for g, (members, _) in enumerate(groups) for person in members]
    values = [{"group": g, "ill": v, "count": 1} for g, (_, held) in enumerate(groups) for v in held]
    frames = {"quasi_identifiers": pl.DataFrame(people), "sensitive": pl.DataFrame(values)}
    return tc.Release.foreign(frames, quasi_identifiers=["a", "b"], sensitive="ill")


def entries(belief: object, groups: list[slow.Group]) -> list[list[dict[str, float]]]:
    """Lay what the package believes out like the twin's beliefs."""
    laid, found = belief.laid, []
    for g in range(len(groups)):
        names = belief.dictionary.gather(laid.values[laid.value_offsets[g] : laid.value_offsets[g + 1]]).to_list()
        block = belief.reading.beliefs[laid.starts[g] : laid.starts[g + 1]].reshape(-1, len(names))
        found.append([dict(zip(names, map(float, each), strict=True)) for each in block])
    return found


@st.composite
def small_groups(draw: st.DrawFn) -> list[slow.Group]:
    """Draw a few groups of at most six people, words as quasi-identifiers."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=14))
    person = st.fixed_dictionaries({"a": st.sampled_from("xyz"), "b": st.sampled_from("pq")})
    return [
        (
            draw(st.lists(person, min_size=size, max_size=size)),
            draw(st.lists(st.sampled_from(["cold", "flu", "gout", "rash"]), min_size=size, max_size=size)),
        )
        for size in sizes
    ]


def domain_of(groups: list[slow.Group]) -> tuple[dict[str, list[str]], list[str]]:
    everybody = [person for members, _ in groups for person in members]
    domain = {a: sorted({person[a] for person in everybody}) for a in "ab"}
    return domain, sorted({v for _, held in groups for v in held})


@settings(max_examples=25)
@given(small_groups(), st.integers(1, 3), st.sampled_from([0.5, 2.0]), st.booleans())
def test_agrees_with_a_slow_twin(groups: list[slow.Group], rounds: int, smoothing: float, calibrate: bool) -> None:
    domain, values = domain_of(groups)
    adversary = tc.LearningAdversary(rounds=rounds, smoothing=smoothing, calibrate=calibrate)
    belief = adversary.attack(bucketized(groups))["ill"]
    assert belief.exactness == "exact"
    chosen = belief.reading.chosen
    if belief.reading.likelihoods and calibrate:
        matched = belief.reading.likelihoods[1:]
        believed = belief.reading.trust.inside and bool(matched)
        assert chosen == (int(np.argmax(matched)) + 2 if believed else int(np.argmax(belief.reading.likelihoods)) + 1)
        assert believed or chosen == 1
    elif belief.reading.likelihoods:
        expected = slow.likelihoods(groups, domain, values, belief.reading.rounds, smoothing)
        assert belief.reading.likelihoods == pytest.approx(expected, abs=1e-9)
        assert chosen == int(np.argmax(belief.reading.likelihoods)) + 1
    else:
        assert chosen == 1
    _, model = slow.read(groups, domain, values, chosen, smoothing, belief.reading.temperatures)
    trust = belief.reading.trust
    twin = [slow.matched(people, held, model, trust.within_groups)[0] for people, held in groups]
    for mine, theirs in zip(entries(belief, groups), twin, strict=True):
        for one, other in zip(mine, theirs, strict=True):
            assert one == pytest.approx(other, abs=1e-9)
    priors = slow.calibrated(model, groups, trust.temperature)
    assert belief.before.chance == pytest.approx([max(each.values()) for each in priors], abs=1e-6)


@settings(max_examples=25)
@given(small_groups(), st.integers(1, 6), st.booleans())
def test_the_last_round_is_that_of_a_slow_twin_whenever_it_is_asked_for(
    groups: list[slow.Group], rounds: int, calibrate: bool
) -> None:
    domain, values = domain_of(groups)
    reading = tc.LearningAdversary(rounds=rounds, calibrate=calibrate).attack(bucketized(groups))["ill"].reading
    before = reading.beliefs.copy()
    last = reading.last
    _, model = slow.read(groups, domain, values, reading.rounds, 0.5, reading.temperatures)
    at = reading.temperatures[reading.rounds - 1] if reading.temperatures else 1.0
    twin = [each for people, held in groups for each in slow.matched(people, held, model, at)[0]]
    assert last.posterior == pytest.approx([max(each.values()) for each in twin], abs=1e-9)
    assert reading.last is last
    assert np.array_equal(reading.beliefs, before)  # asking changes nothing


@settings(max_examples=15)
@given(small_groups(), st.sampled_from([0.2, 0.7, 1.0, 1.5]))
def test_tempered_likelihoods_agree_with_a_slow_twin(groups: list[slow.Group], temperature: float) -> None:
    domain, values = domain_of(groups)
    seen = observed(bucketized(groups).shape, "ill")
    laid = seen.tables[0]
    number = np.arange(len(groups))
    held, others = some_groups(laid, number[::2]), some_groups(laid, number)
    learner = learned(seen.features, [laid], len(values), rounds=1, calibrate=False)
    judge = HeldOut(seen.features, held, others, Effort(4096, 2000, 1e-10))
    _, twin = slow.read(groups, domain, values, 1, 0.5)
    mine = judge.likelihood(calibrated(tempered(learner.model, temperature), seen.features, others))
    assert mine == pytest.approx(slow.tempered_likelihood(groups[::2], twin, groups, temperature), abs=1e-6)
    best, of_groups = judge.at_best(learner.model)
    assert judge.mean(of_groups) >= judge.likelihood(calibrated(learner.model, seen.features, others)) - 1e-12
    assert 0.2 <= best <= 2.0


@settings(max_examples=25)
@given(small_groups())
def test_beliefs_of_a_group_add_up_to_its_counts(groups: list[slow.Group]) -> None:
    belief = tc.LearningAdversary().attack(bucketized(groups))["ill"]
    assert_sums(belief)


def assert_sums(belief: object) -> None:
    """Beliefs of a person add up to one, and those of a value in a group to its count."""
    laid = belief.laid
    for g, (begin, end) in enumerate(pairwise(laid.starts)):
        counts = laid.counts[laid.value_offsets[g] : laid.value_offsets[g + 1]]
        block = belief.reading.beliefs[begin:end].reshape(-1, len(counts))
        assert block.sum(axis=0) == pytest.approx(counts, abs=1e-8)
        assert block.sum(axis=1) == pytest.approx(1.0, abs=1e-8)


def planted(rows: int, seed: int, told: float) -> tc.Table:
    """Make a table where the value follows from two columns for a share `told` of people, and else from nothing."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 6, rows), rng.integers(0, 5, rows)
    function = (a + 2 * b) % 6
    value = np.where(rng.random(rows) < told, function, rng.integers(0, 6, rows))
    frame = {"a": [f"a{x}" for x in a], "b": [f"b{x}" for x in b], "ill": [f"v{x}" for x in value]}
    return tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="ill")


def anatomy(l: int) -> tc.Anatomy:
    """Return Anatomy with random buckets, whatever its default is."""
    known = tc.Anatomy.model_fields
    return tc.Anatomy(l=l, **({"buckets": "random"} if "buckets" in known else {}))


def success(release: tc.Release, table: tc.Table, column: str = "ill", **how: object) -> tuple[object, object]:
    adversary = tc.LearningAdversary(**how)
    known = dict(adversary.attack(release).items())
    return compared_with_truth(release, table, adversary, known)[column]


def test_a_value_that_follows_from_the_quasi_identifiers_is_read_off() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 6, 6000), rng.integers(0, 5, 6000)
    frame = {"a": [f"a{x}" for x in a], "b": [f"b{x}" for x in b], "ill": [f"v{x}" for x in a]}
    table = tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="ill")
    release = anatomy(3).protect(table, seed=1)
    belief, judged = success(release, table)
    assert judged.share > 0.95
    assert not belief.told
    told = [notice for notice in tc.audit(release).warnings if notice.adversary == "learning-adversary"]
    assert len(told) == 1
    assert told[0].prominent
    assert "where 33% is promised to one who does not learn" in told[0].sentence


@pytest.mark.parametrize("l", [2, 3])
def test_nothing_is_learned_where_there_is_nothing(l: int) -> None:
    table = planted(9000, seed=5, told=0.0)
    release = anatomy(l).protect(table, seed=1)
    belief, judged = success(release, table)
    share = 1 / l
    assert judged.share <= share + 3 * np.sqrt(share * (1 - share) / len(table))
    prior = np.full(len(table), 1 / 6)  # nothing is known beforehand, and nothing but the group adds to it
    gain = belief.posteriors / (1 - belief.posteriors) / (prior / (1 - prior))
    alone = share / (1 - share) / ((1 / 6) / (5 / 6))
    assert np.median(gain) == pytest.approx(alone, rel=0.15)
    assert not [notice for notice in tc.audit(release).warnings if "learn" in notice.adversary] or (
        belief.expected < share + 0.05
    )


def repeated_columns(rows: int, seed: int, told: float, copies: int) -> tc.Table:
    """Make a table that says the same several times: naive Bayes takes every copy for one more witness."""
    table = planted(rows, seed, told)
    a = table.frame["a"]
    frame = pl.DataFrame({"ill": table.frame["ill"], "b": table.frame["b"], **{f"a{k}": a for k in range(copies)}})
    frame = frame.with_columns(ill=pl.when(pl.lit(told) > 0).then(_follows(a, told, seed)).otherwise("ill"))
    return tc.Table(frame, quasi_identifiers=[c for c in frame.columns if c != "ill"], sensitive="ill")


def _follows(a: pl.Series, told: float, seed: int) -> pl.Series:
    rng = np.random.default_rng(seed + 1)
    code = a.str.tail(1).cast(pl.Int64).to_numpy()
    value = np.where(rng.random(len(a)) < told, code, rng.integers(0, 6, len(a)))
    return pl.Series("ill", [f"v{x}" for x in value])


@settings(max_examples=12)
@given(
    st.integers(0, 1000), st.sampled_from([0.0, 0.3, 0.6]), st.integers(1, 4), st.sampled_from(["random", "similar"])
)
def test_what_she_expects_is_near_the_truth(seed: int, told: float, copies: int, buckets: str) -> None:
    table = repeated_columns(4000, seed, told, copies)
    release = tc.Anatomy(l=2, buckets=buckets).protect(table, seed=1)
    belief, judged = success(release, table)
    # 400 groups are held out: where there is nothing to learn, chance may make a later round look a little better. With
    # 12,000 rows the same tables differ by at most .03.
    assert belief.expected == pytest.approx(judged.share, abs=0.12)
    assert belief.expected_before == pytest.approx(judged.prior_share, abs=0.15)


def test_too_few_groups_to_tell_are_no_reason_to_expect_nothing() -> None:
    """By chance the held-out groups of this table are a little likelier before anything is matched inside groups."""
    table = repeated_columns(4000, 429, 0.3, 1)
    belief, judged = success(tc.Anatomy(l=2, buckets="random").protect(table, seed=1), table)
    assert belief.reading.likelihoods[0] == max(belief.reading.likelihoods)
    assert judged.share > 0.65
    assert belief.expected == pytest.approx(judged.share, abs=0.05)
    assert not belief.reading.trust.settled
    assert "too few groups could be held out" in expected_sentence(belief, 0.5)


def test_a_model_that_is_taken_for_true_expects_too_much_where_columns_repeat_each_other() -> None:
    table = repeated_columns(6000, seed=1, told=0.4, copies=4)
    release = anatomy(2).protect(table, seed=1)
    sure, judged = success(release, table, calibrate=False)
    honest, _ = success(release, table)
    assert sure.expected > judged.share + 0.05
    assert honest.expected == pytest.approx(judged.share, abs=0.04)
    assert honest.reading.trust.temperature < 0.8


def test_somebody_who_is_misled_inside_groups_sees_it_herself() -> None:
    table = hospital(6000)
    release = tc.Anatomy(l=2).protect(table, seed=1)
    sure, judged = success(release, table, "diagnosis", calibrate=False)
    honest, _ = success(release, table, "diagnosis")
    assert sure.expected > judged.share + 0.1  # a model that is true between groups misleads inside these
    assert not honest.reading.trust.inside
    assert honest.expected == pytest.approx(honest.expected_unlearned, abs=1e-3)
    assert honest.expected == pytest.approx(judged.share, abs=0.05)


def test_somebody_who_knows_the_population_may_read_what_a_reader_of_the_release_cannot() -> None:
    table = hospital(6000)
    release = tc.Anatomy(l=2).protect(table, seed=1)
    _, judged = success(release, table, "diagnosis")
    assert judged.share < 0.55
    assert judged.informed_share > 0.75


def test_the_last_round_is_the_same_whether_the_chosen_one_was_kept_or_is_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = tc.Anatomy(l=3, buckets="random").protect(planted(3000, 1, 0.6), seed=1)
    monkeypatch.setattr("tacit.knowledge.learning.reading.ROUGH", Effort(1, 50, 1e-3))  # no group is counted

    def last() -> tuple[bool, object]:
        reading = next(iter(tc.LearningAdversary().attack(release).columns.values())).reading
        return len(reading.afterwards.chosen.beliefs) > 0, reading.last

    kept, known = last()
    monkeypatch.setattr("tacit.knowledge.learning.reading._KEPT", 0)
    kept_now, repeated = last()
    assert kept
    assert not kept_now
    assert np.array_equal(known.value, repeated.value)
    assert np.array_equal(known.posterior, repeated.posterior)


@settings(max_examples=15)
@given(small_groups(), st.randoms(use_true_random=False))
def test_who_knows_the_population_believes_what_a_slow_twin_does(groups: list[slow.Group], rng: object) -> None:
    domain, values = domain_of(groups)
    dealt = [(people, rng.sample(held, len(held))) for people, held in groups]
    reading = tc.LearningAdversary(rounds=1).attack(bucketized(groups))["ill"].reading
    truth = np.array([values.index(v) for _, held in dealt for v in held])
    certain = [[{v: 1.0} for v in held] for _, held in dealt]
    model = slow.NaiveBayes(groups, certain, domain, values, 0.5)
    twin = [each for people, held in groups for each in slow.matched(people, held, model)[0]]
    assert reading.informed(truth).posterior == pytest.approx([max(each.values()) for each in twin], abs=1e-9)


def test_somebody_who_is_given_the_people_learns_from_blurred_groups() -> None:
    rng = np.random.default_rng(3)
    age = rng.integers(20, 80, 3000)
    ill = np.where(rng.random(3000) < 0.8, (age // 10) % 4, rng.integers(0, 4, 3000))
    frame = {"age": age, "ill": [f"v{x}" for x in ill]}
    table = tc.Table(frame, quasi_identifiers=["age"], sensitive="ill")
    release = tc.Mondrian([tc.KAnonymity(k=300)]).protect(table, seed=1)
    alone = tc.LearningAdversary().attack(release)["ill"]
    assert alone.exactness == "exact"
    assert alone.posteriors == pytest.approx(alone.share)  # people of a group look alike
    belief, judged = success(release, table)
    assert belief.told
    assert judged.share > alone.expected + 0.02
    assert_sums(belief)
    outside = tc.LearningAdversary(people=table.frame.select("age")).attack(release)["ill"]
    assert outside.told
    assert sorted(outside.posteriors) == pytest.approx(sorted(belief.posteriors), abs=1e-6)


def test_marginals_are_read_together_by_somebody_who_knows_the_people() -> None:
    table = planted(1500, seed=2, told=0.7)
    release = tc.InvariantMarginals(m=2, marginals={"x": ["a"], "y": ["b"]}).protect(table, seed=1)
    belief, judged = success(release, table)
    assert belief.exactness == "approximate"
    assert len(belief.row) == len(table)
    assert judged.share > belief.expected_unlearned
    groups = belief.laid
    sums = np.add.reduceat(belief.reading.beliefs, groups.starts[:-1])
    assert sums == pytest.approx(np.diff(groups.offsets), abs=1e-6)


def test_a_sample_is_said_to_be_one() -> None:
    table = planted(3000, seed=2, told=0.9)
    release = anatomy(2).protect(table, seed=1)
    adversary = tc.LearningAdversary(sample=500)
    belief = adversary.attack(release)["ill"]
    assert 300 < len(belief.row) <= 500
    assert f"(asked about {len(belief.row):,} of 3,000 rows)" in adversary.warn(release)[0].sentence
    _, judged = compared_with_truth(release, table, adversary, {"ill": belief})["ill"]
    assert len(judged.right) == len(belief.row)


def test_logistic_learns_what_columns_say_together() -> None:
    table = planted(3000, seed=4, told=0.0)
    strong = table.frame.with_columns(ill=pl.when(pl.col("a").is_in(["a0", "a1"])).then(pl.lit("v0")).otherwise("ill"))
    table = tc.Table(strong, quasi_identifiers=["a", "b"], sensitive="ill")
    release = anatomy(2).protect(table, seed=1)
    _, bayes = success(release, table)
    _, logistic = success(release, table, model="logistic", rounds=5)
    assert logistic.share > 0.6
    assert abs(logistic.share - bayes.share) < 0.1


def test_what_nobody_asked_for_does_not_stop_an_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    release = anatomy(2).protect(planted(200, seed=2, told=0.9), seed=1)

    def fail(*_: object) -> None:
        raise MemoryError("too large")

    monkeypatch.setattr(tc.LearningAdversary, "learn", fail)
    audit = tc.audit(release)
    assert audit.holds
    assert audit.learned is None
    assert "was not computed: MemoryError: too large" in audit.warnings[-1].sentence


def test_rows_of_people_who_have_several_are_read_one_by_one_and_she_says_so() -> None:
    table = clinic(1500)
    method = tc.Mondrian([tc.LDiversity(l=2, kind="frequency")])
    release = method.protect(table, seed=1)
    learned = tc.audit(release, table).learned
    assert learned is not None
    belief = learned[table.sensitive[0]]
    assert belief.each_row
    assert len(belief.row) == release.shape.rows
    assert "one row at a time although people have several" in expected_sentence(belief, 0.5)


def test_a_sample_of_people_is_read_in_all_tables() -> None:
    """Before, only the first of several tables was read where a sample was taken, and she was right less often."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 5, (2, 3000))
    value = [f"v{x}" for x in np.where(rng.random(3000) < 0.5, a, b)]
    frame = {"a": [f"a{x}" for x in a], "b": [f"b{x}" for x in b], "ill": value}
    table = tc.Table(frame, quasi_identifiers=["a", "b"], sensitive="ill")
    release = tc.InvariantMarginals(m=2, marginals={"one": ["a"], "two": ["b"]}).protect(table, seed=1)
    shares = {}
    for sample in (None, 1500):
        learned, success = compared_with_truth(release, table, tc.LearningAdversary(sample=sample), {})["ill"]
        assert learned.several_tables
        assert len(learned.row) < 1.1 * (sample or 3000)  # whole groups
        shares[sample] = success.share
        assert success.informed_share is not None
        shares["informed", sample] = success.informed_share
    assert shares[1500] == pytest.approx(shares[None], abs=0.04)
    assert shares["informed", 1500] == pytest.approx(shares["informed", None], abs=0.04)
