"""The label adversary: a label table that matches nothing is an error, as it is for the guarantees."""

import pytest

from tacit.adversaries import LabelAdversary
from tacit.audits import audit
from tacit.errors import ParameterError
from tacit.guarantees import QSDiversity
from tacit.releases import Release

KNOWLEDGE = {"flu": ["Cough", "Fever"], "cold": ["Sneezing"]}


def release(symptoms: list[list[str]]) -> Release:
    frame = {"age": [30 + i for i in range(len(symptoms))], "symptoms": symptoms}
    return Release.foreign(frame, quasi_identifiers="age", sensitive=(), items="symptoms")


def test_a_label_table_that_matches_nothing_is_refused_as_the_guarantee_refuses_it() -> None:
    published = release([["cough"], ["cough", "fever"]])
    with pytest.raises(ParameterError) as of_guarantee:
        audit(published, claims=[QSDiversity(c=1, l=2, knowledge=KNOWLEDGE)])
    she = LabelAdversary(knowledge=KNOWLEDGE)
    for attack in (she.attack, she.warn, lambda shown: she.posterior(shown, {"age": 30})):
        with pytest.raises(ParameterError, match="knows none of the 2 items of 'symptoms'") as of_adversary:
            attack(published)
        assert of_adversary.value.hint == of_guarantee.value.hint


def test_known_items_may_all_have_been_removed_from_people_without_items() -> None:
    beliefs = LabelAdversary(knowledge=KNOWLEDGE).attack(release([["cough"], []]))
    assert beliefs.posterior.tolist() == [0.0, 0.5]
