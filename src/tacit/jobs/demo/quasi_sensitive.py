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

_SEARCH = 1.0  # seconds


def labels(stage: Stage) -> Played:
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
        _told(adversary, naive, table),
        _told(adversary, release, table),
        f"values blur into groups of 5 (NCP {cost.ncp:.3f}), symptoms are removed at a cost of {cost.item_cost:.3f}",
    )
    return Played(act, release, harmless)


def _told(adversary: LabelAdversary, release: Release, table: Table) -> str:
    found: LabelBeliefs = adversary.attack(release)
    sure = int(found.sizes[found.posterior >= 1.0].sum())
    told = f"the disease of {people(sure)} is known for sure; largest posterior {found.max_posterior:.2f}"
    case = planted(table).get("quasi_sensitive")
    if case is None or not len(case.rows):
        return told
    row = int(case.rows[0])
    victim = table.frame.select(table.quasi_identifiers).row(row, named=True)
    label, belief = next(iter(adversary.posterior(release, victim).items()))
    return f"{told}; of {table.frame['name'][row]} she says {label!r} with {belief:.2f}"
