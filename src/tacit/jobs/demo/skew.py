"""The value that is too frequent: withholding as few rows as possible tells which value it was."""

from __future__ import annotations

from tacit.adversaries import EligibilityAdversary, Suspicion
from tacit.jobs.demo.act import Act, Played, Stage
from tacit.measures import utility
from tacit.methods import Anatomy, Pipeline, ShiftSuppression, UnsafeDSuppression


def skew(stage: Stage) -> Played:
    """Ask which diagnosis was too frequent."""
    table = stage.table
    naive = UnsafeDSuppression(l=3).protect(table)
    release = Pipeline([ShiftSuppression(l=3), Anatomy(l=3)]).protect(table)
    shares = table.counts("diagnosis")
    act = Act(
        "Skew",
        f"influenza is in {shares.max() / len(table):.0%} of the rows, too many for 3-diverse groups; the attacker "
        "knows the algorithm and asks which diagnosis was too frequent.",
        _named(EligibilityAdversary().attack(naive)["diagnosis"]),
        _named(EligibilityAdversary().attack(release)["diagnosis"]),
        f"{utility(release, table).suppression_rate:.1%} of the rows withheld, against "
        f"{utility(naive, table).suppression_rate:.1%} of the naive way",
    )
    return Played(act, release, table)


def _named(suspicion: Suspicion) -> str:
    """Say which value she names, and how sure she is."""
    belief = suspicion.posterior
    if belief is None or belief.most_frequent is None:
        return "there are too many tables to add up; what is proved holds"
    largest = max(belief.most_frequent)
    value = suspicion.dictionary[belief.most_frequent.index(largest)]
    return f"she says {value!r} with posterior {float(largest):.2f}"
