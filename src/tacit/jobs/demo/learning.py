"""Learning: the release itself shows which diagnoses go with whom, and nothing else is needed."""

from __future__ import annotations

from tacit.adversaries import Learned, LearningAdversary, Success
from tacit.adversaries.learning import compared_with_truth
from tacit.jobs.demo.act import Act, Played, Stage, people
from tacit.methods import Anatomy
from tacit.releases import Release
from tacit.table import Table

_L = 2
"""Influenza is in two fifths of the rows, so that buckets of the demonstration promise one half and no less."""


def learning(stage: Stage) -> Played:
    """Learn from all buckets together, match inside each, and compare with the truth."""
    table = stage.table
    naive = Anatomy(l=_L, buckets="random").protect(table)
    release = Anatomy(l=_L, buckets="similar").protect(table)
    after = _guessed(release, table)
    act = Act(
        "Learning",
        "people and diagnoses were published in separate tables, in buckets where no diagnosis is in more than half of "
        "the rows; the attacker has nothing but these tables, and learns from all of them what goes with whom.",
        _sentence(*_guessed(naive, table)),
        _sentence(*after) + _better_informed(after[1]),
        "none: buckets are as small as before, and hold similar people, whom what she learned hardly tells apart",
    )
    return Played(act, release, table)


def _guessed(release: Release, table: Table) -> tuple[Learned, Success]:
    adversary = LearningAdversary()
    known = dict(adversary.attack(release).items())
    return compared_with_truth(release, table, adversary, known)["diagnosis"]


def _better_informed(success: Success) -> str:
    """Say what somebody gets who need not learn: influenza must be in most buckets, and similar ones hide it little."""
    informed = success.informed_share
    if informed is None or informed <= success.share:
        return ""
    return f"; somebody who already knew the population would guess {informed:.0%} right in the same buckets"


def _sentence(belief: Learned, success: Success) -> str:
    """Say how often she is right, and how often without the buckets."""
    sure = f"{people(success.sure)}, and right about {success.sure_share:.0%} of them" if success.sure else "nobody"
    return (
        f"she guesses the diagnosis of {success.share:.0%} right, where {1 / _L:.0%} is promised; knowing only the "
        f"population {success.prior_share:.0%}; she is more than 0.9 sure of {sure}"
    )
