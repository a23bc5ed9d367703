"""The hidden label: diagnoses are left out, symptoms are published, and books say what goes with what."""

from __future__ import annotations

from tacit.adversaries import LabelAdversary, LabelBeliefs
from tacit.datasets import knowledge, planted
from tacit.guarantees import QSDiversity
from tacit.jobs.demo.act import Act, Played, Stage, people
from tacit.measures import utility
from tacit.methods import QuasiSensitive
from tacit.releases import Release
from tacit.table import Table

_SEARCH = 1.0
"""Seconds for the search: enough for a demonstration, and nobody has to wait."""


def quasi_sensitive(stage: Stage) -> Played:
    """Read the diagnosis off the symptoms."""
    table = stage.table
    names = [*table.quasi_identifiers, *table.items]
    harmless = Table(table.frame.select(names), quasi_identifiers=table.quasi_identifiers, items=table.items)
    naive = Release.foreign(harmless.frame, quasi_identifiers=table.quasi_identifiers, sensitive=(), items=table.items)
    promise = QSDiversity(c=1, l=3, knowledge=knowledge())
    release = QuasiSensitive(guarantee=promise, k=5, time_bound=_SEARCH).protect(harmless)
    adversary = LabelAdversary(knowledge=knowledge())
    cost = utility(release, harmless)
    act = Act(
        "Hidden labels",
        "diagnoses were left out and only symptoms are published; the attacker has a book that says which symptoms go "
        "with which disease.",
        _what_she_learns(adversary, naive, table),
        _what_she_learns(adversary, release, table),
        f"values blur into groups of 5 (NCP {cost.ncp:.3f}), symptoms are removed at a cost of {cost.item_cost:.3f}",
    )
    return Played(act, release, harmless)


def _what_she_learns(adversary: LabelAdversary, release: Release, table: Table) -> str:
    """Say how many labels are certain, and what is believed of one person who was made up for this."""
    beliefs: LabelBeliefs = adversary.attack(release)
    certain = int(beliefs.sizes[beliefs.posterior >= 1.0].sum())
    sentence = f"the disease of {people(certain)} is known for sure; largest posterior {beliefs.max_posterior:.2f}"
    case = planted(table).get("quasi_sensitive")
    if case is None or not len(case.rows):
        return sentence
    row = int(case.rows[0])
    victim = table.frame.select(table.quasi_identifiers).row(row, named=True)
    label, belief = next(iter(adversary.posterior(release, victim).items()))
    return f"{sentence}; of {table.frame['name'][row]} she says {label!r} with {belief:.2f}"
