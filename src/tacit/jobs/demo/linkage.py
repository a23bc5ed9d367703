"""The oldest threat: names are removed, and everything else is published."""

from __future__ import annotations

from tacit.adversaries import Linkage, LinkageAdversary
from tacit.guarantees import KAnonymity, LDiversity
from tacit.jobs.demo.act import Act, Played, Stage
from tacit.measures import utility
from tacit.methods import Mondrian
from tacit.releases import Release


def linkage(stage: Stage) -> Played:
    """Look people up by what is known of them."""
    table = stage.table
    naive = Release.foreign(
        table.frame.select(*table.quasi_identifiers, *table.sensitive),
        quasi_identifiers=table.quasi_identifiers,
        sensitive=table.sensitive,
    )
    release = Mondrian(guarantees=[KAnonymity(k=5), LDiversity(l=2, kind="frequency")]).protect(table)
    adversary = LinkageAdversary(victims=stage.known)
    before = adversary.attack(naive)
    act = Act(
        "Linkage",
        "names were removed and everything else was published; the attacker looks people up by what she knows of them.",
        f"{_told(before)}; {_victim(before, stage)}",
        _told(adversary.attack(release)),
        f"values blur: NCP {utility(release, table).ncp:.3f}, no row withheld",
    )
    return Played(act, release, table)


def _told(found: Linkage) -> str:
    asked = len(found.candidates)
    alone = int((found.candidates == 1).sum())
    sure = sum(int((belief.posterior >= 1.0).sum()) for belief in found.beliefs.values())
    return (
        f"exactly one row fits {alone:,} of {asked:,} people, the diagnosis of {sure:,} is certain; "
        f"largest posterior {found.max_posterior:.2f}"
    )


def _victim(found: Linkage, stage: Stage) -> str:
    belief = found.beliefs["diagnosis"]
    at = int(belief.posterior.argmax())
    return f"{stage.known['name'][at]} has {belief.values()[at]!r} ({belief.posterior[at]:.2f})"
