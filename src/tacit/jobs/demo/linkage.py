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
        f"{_how_many(before)}; {_victim(before, stage)}",
        _how_many(adversary.attack(release)),
        f"values blur: NCP {utility(release, table).ncp:.3f}, no row withheld",
    )
    return Played(act, release, table)


def _how_many(attack: Linkage) -> str:
    """Say how many people have exactly one row that fits, and of how many the diagnosis is certain."""
    people = len(attack.candidates)
    alone = int((attack.candidates == 1).sum())
    sure = sum(int((belief.posterior >= 1.0).sum()) for belief in attack.beliefs.values())
    return (
        f"exactly one row fits {alone:,} of {people:,} people, the diagnosis of {sure:,} is certain; "
        f"largest posterior {attack.max_posterior:.2f}"
    )


def _victim(attack: Linkage, stage: Stage) -> str:
    """Name the person whose diagnosis is surest, and the diagnosis."""
    belief = attack.beliefs["diagnosis"]
    at = int(belief.posterior.argmax())
    return f"{stage.known['name'][at]} has {belief.values()[at]!r} ({belief.posterior[at]:.2f})"
