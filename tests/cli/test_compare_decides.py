"""`tacit compare` says which way to take, by the attack and the cost that somebody asks for."""

from dataclasses import replace

import pytest

from tacit.jobs.choice import Choice, parse_cost
from tacit.jobs.decision import decide

NCP = parse_cost("ncp")
BASE = Choice("a", holds=True, link_posterior=0.5, learned_share=0.4, distribution_share=0.3, ncp=0.2)


def test_a_choice_that_another_one_beats_is_named_with_the_difference():
    better = replace(BASE, label="b", link_posterior=0.2, ncp=0.1)
    decision = decide([BASE, better], "linkage", NCP)
    first, second = decision.choices
    assert first.dominated
    assert first.verdict == (
        "No: b promises as much, and a reader gets 0.2000 instead of 0.5000 and the loss is 0.1000 instead of 0.2000."
    )
    assert second.verdict.startswith("This one: ")
    assert decision.sentence.startswith("Take b: ")


def test_two_that_trade_one_for_the_other():
    private = replace(BASE, label="private", link_posterior=0.1, ncp=0.6, promises=(("k-anonymity", 0.1),))
    decision = decide([BASE, private], "linkage", NCP)
    assert [choice.dominated for choice in decision.choices] == [False, False]
    assert "This one if cost counts" in decision.choices[0].verdict
    assert decision.choices[1].verdict == (
        "This one if privacy counts: a reader gets 0.1000 instead of 0.5000, for 3.0 times the loss of a."
    )
    assert "2 of 2 ways are worth a thought: from a to private" in decision.sentence


def test_the_same_promise_at_half_the_loss():
    promise = (("k-anonymity", 0.2),)
    cheap = replace(BASE, label="cheap", ncp=0.1, link_posterior=0.5, promises=promise)
    dear = replace(BASE, label="dear", ncp=0.2, link_posterior=0.4, promises=promise)
    decision = decide([cheap, dear], "linkage", NCP)
    assert decision.choices[0].verdict == "This one if cost counts: the same promise as dear, 50% of the loss."


def test_the_attack_that_counts_decides():
    learner = replace(BASE, label="b", link_posterior=0.9, learned_share=0.1)
    assert decide([BASE, learner], "linkage", NCP).choices[1].dominated
    assert decide([BASE, learner], "learning", NCP).choices[0].dominated


def test_what_is_refused_fails_or_has_no_figure():
    refused = Choice("r", refused="too few rows")
    failing = replace(BASE, label="f", holds=False, link_posterior=0.0, ncp=0.0)
    unmeasured = replace(BASE, label="u", distribution_share=None)
    verdicts = {c.label: c.verdict for c in decide([refused, failing, unmeasured], "distribution", NCP).choices}
    assert verdicts["r"] == "Not possible: too few rows"
    assert verdicts["f"] == "Not to be published: a claim does not hold."
    assert verdicts["u"].startswith("Cannot be compared: there is no figure for")
    assert not decide([BASE, failing], "linkage", NCP).choices[0].dominated, "what fails beats nothing"
    assert decide([refused], "linkage", NCP).sentence.startswith("Nothing to decide: 0 of 1 ways are possible")


def test_every_choice_has_one_sentence_on_the_command_line(clinic, tacit):
    done = tacit(
        "compare", "clinic.toml", "--sweep", "k=2..4", "--by", "distribution", "--report", "page.html", "--json"
    )
    assert done.code == 0, done.err
    assert done.json["by"] == "distribution"
    assert done.json["decision"].endswith(".")
    assert all(choice["verdict"].endswith(".") for choice in done.json["choices"])
    page = (clinic / "page.html").read_text()
    assert done.json["decision"].replace("'", "&#39;") in page
    assert "<svg" in page
    assert 'aria-label="Privacy against utility' in page
    words = tacit("compare", "clinic.toml", "--sweep", "k=2..4")
    assert "ways are worth a thought" in words.out or "Take " in words.out


def test_models_are_a_cost(clinic, tacit):
    pytest.importorskip("sklearn")
    done = tacit("compare", "clinic.toml", "--against", "model:disease", "--json")
    assert done.code == 0, done.err
    (choice,) = done.json["choices"]
    assert 0 <= choice["model_error"] <= 1
    assert 0 <= choice["model_error_before"] <= 1
    unknown = tacit("compare", "clinic.toml", "--against", "model:diseas")
    assert unknown.code == 2
    assert "Did you mean 'disease'" in unknown.err


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--by", "beauty", "no attack 'beauty'"),
        ("--against", "model:", "no cost 'model:'"),
        ("--report", "x.doc", ".html"),
    ],
)
def test_bad_options(clinic, tacit, option, value, said):
    done = tacit("compare", "clinic.toml", option, value)
    assert done.code == 2
    assert said in done.err


def test_models_of_a_publication(clinic, tacit):
    pytest.importorskip("sklearn")
    done = tacit("publish", "clinic.toml", "--models", "sensitive", "--json")
    assert done.code == 0, done.err
    assert {model["target"] for model in done.json["usefulness"]["models"]} == {"disease"}
    assert "Can I still use it for ...?" in (clinic / "out.private" / "report.html").read_text()
    assert "Can I still use it for" not in (clinic / "out" / "report.html").read_text()
    unknown = tacit("publish", "clinic.toml", "--models", "diseas", "--overwrite")
    assert unknown.code == 2
    assert "Did you mean 'disease'" in unknown.err


def test_without_scikit_learn_a_release_is_published_and_a_sentence_says_so(clinic, tacit, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sklearn", None)
    done = tacit("publish", "clinic.toml", "--models", "disease")
    assert done.code == 0, done.err
    assert "Models were not trained: A model needs the package 'sklearn'. pip install 'tacit[utility]'" in done.out
