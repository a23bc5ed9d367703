"""Distribution: whoever knows how common a disease is among whom can tell the members of a group apart."""

from __future__ import annotations

from tacit.adversaries import DistributionAdversary, Inference
from tacit.datasets import planted
from tacit.jobs.demo.act import Act, Played, Stage, people, row_of
from tacit.measures import utility
from tacit.methods import ART, Anatomy
from tacit.releases import Release
from tacit.table import Table

_R = 2
_PROTECTED = ("heart disease",)
_ROUNDING = 1e-9  # how far a posterior may exceed 1/r by rounding alone


def distribution(stage: Stage) -> Played:
    """Weigh the possible worlds of every group by the true distribution of diagnoses."""
    table = stage.table
    naive = Anatomy(l=2).protect(table)
    release = ART(r=_R, protected=_PROTECTED).protect(table)
    adversary = DistributionAdversary(distribution=table, protected=_PROTECTED)
    cost = utility(release, table)
    act = Act(
        "Distribution",
        "groups of two with two diagnoses were published; the attacker has statistics that say how common heart "
        "disease is by age, place, sex, nationality and day, alone and together.",
        _sentence(adversary.attack(naive)["diagnosis"], naive, table),
        _sentence(adversary.attack(release)["diagnosis"], release, table),
        f"groups of {cost.average_group_size:.1f} on average, {cost.suppression_rate:.1%} of the rows withheld; other "
        "diagnoses are not protected",
    )
    return Played(act, release, table)


def _sentence(belief: Inference, release: Release, table: Table) -> str:
    """Say how many people she links to the disease, and how sure she is of the one who was planted."""
    sure = int((belief.posterior > 1 / _R + _ROUNDING).sum())
    overall = f"{people(sure)} linked to it with more than one half; largest posterior {belief.max_posterior:.2f}"
    case = planted(table).get("distribution")
    if case is None:
        return overall
    ill = next(int(row) for row in case.rows if table.frame["diagnosis"][int(row)] in _PROTECTED)
    cells = table.frame.select(table.quasi_identifiers).row(ill, named=True)
    at = row_of(release.frames()["quasi_identifiers"], cells)
    if at is None:
        return overall
    return f"{overall}; of {table.frame['name'][ill]} she believes it with {belief.frame()['posterior'][at]:.2f}"
