"""demo: attack the naive release of a built-in hospital, protect it, attack again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.adversaries import EligibilityAdversary, LabelAdversary, LabelBeliefs, Linkage, LinkageAdversary, Suspicion
from tacit.datasets import hospital, knowledge, planted, victims
from tacit.guarantees import KAnonymity, LDiversity, QSDiversity
from tacit.measures import utility
from tacit.methods import Anatomy, Mondrian, Pipeline, QuasiSensitive, ShiftSuppression, UnsafeDSuppression
from tacit.progress import Progress, silent
from tacit.releases import Release, Written
from tacit.table import Table

_VICTIMS = 500
_SEARCH = 1.0  # seconds


@dataclass(frozen=True)
class Act:
    """One threat: the attack before, the same attack after, and what it cost."""

    title: str
    story: str
    before: str
    after: str
    cost: str


@dataclass(frozen=True, eq=False)
class Demo:
    """The whole story, and where the releases are."""

    rows: int
    victims: int
    acts: tuple[Act, ...]
    written: tuple[Written, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the story for JSON."""
        folders = [
            {
                "folder": str(w.folder),
                "private": None if w.private is None else str(w.private),
                "files": list(w.files),
                "audit": w.audit.as_dict(),
            }
            for w in self.written
        ]
        return {
            "rows": self.rows,
            "victims": self.victims,
            "acts": [asdict(act) for act in self.acts],
            "written": folders,
        }


def demo(folder: Path, *, rows: int = 18_204, overwrite: bool = False, progress: Progress | None = None) -> Demo:
    """Play every act and publish its release under `folder`.

    Parameters
    ----------
    folder
        Where the releases go, one folder per act.
    rows
        How many patients the hospital has.
    overwrite
        Replace what an earlier demonstration wrote.
    progress
        Told the stage and the share done.
    """
    tell = progress or silent
    tell("making a hospital", 0.0)
    table = hospital(rows)
    known = victims(table, rows=_VICTIMS)
    acts, written = [], []
    for index, (name, play) in enumerate(_PLAY.items()):
        tell(name, (index + 0.5) / (len(_PLAY) + 1))
        act, release = play(table, known)
        acts.append(act)
        written.append(release.write(folder / name, format="csv", overwrite=overwrite))
    tell("done", 1.0)
    return Demo(rows, known.height, tuple(acts), tuple(written))


def _linkage(table: Table, known: pl.DataFrame) -> tuple[Act, Release]:
    """Play the oldest threat: names are removed, and everything else is published."""
    naive = Release.foreign(
        table.frame.select(*table.quasi_identifiers, *table.sensitive),
        quasi_identifiers=table.quasi_identifiers,
        sensitive=table.sensitive,
    )
    release = Mondrian(guarantees=[KAnonymity(k=5), LDiversity(l=2, kind="frequency")]).protect(table)
    adversary = LinkageAdversary(victims=known)
    act = Act(
        "Linkage",
        "names were removed and everything else was published; the attacker looks people up by what she knows of them.",
        _linked(adversary.attack(naive)),
        _linked(adversary.attack(release)),
        f"values blur: NCP {utility(release, table).ncp:.3f}, no row withheld",
    )
    return act, release


def _linked(linkage: Linkage) -> str:
    asked = len(linkage.candidates)
    alone = int((linkage.candidates == 1).sum())
    sure = sum(int((belief.posterior >= 1.0).sum()) for belief in linkage.beliefs.values())
    return (
        f"{alone:,} of {asked:,} fit one row only, the diagnosis of {sure:,} is known for sure; "
        f"largest posterior {linkage.max_posterior:.2f}"
    )


def _skew(table: Table, known: pl.DataFrame) -> tuple[Act, Release]:
    """Play the too frequent value: as few rows as possible are withheld, and that tells which value it was."""
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
    return act, release


def _named(suspicion: Suspicion) -> str:
    belief = suspicion.posterior
    if belief is None or belief.most_frequent is None:
        return "too large to enumerate; what is proved holds"
    reached = max(belief.most_frequent)
    value = suspicion.dictionary[belief.most_frequent.index(reached)]
    return f"she says {value!r} with posterior {float(reached):.2f}"


def _labels(table: Table, known: pl.DataFrame) -> tuple[Act, Release]:
    """Play the hidden label: diagnoses are left out, symptoms are published, and books say what goes with what."""
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
        _read(adversary, naive, table),
        _read(adversary, release, table),
        f"values blur into groups of 5 (NCP {cost.ncp:.3f}), symptoms are removed at a cost of {cost.item_cost:.3f}",
    )
    return act, release


def _read(adversary: LabelAdversary, release: Release, table: Table) -> str:
    found: LabelBeliefs = adversary.attack(release)
    sure = int(found.sizes[found.posterior >= 1.0].sum())
    told = f"the disease of {sure:,} people is known for sure; largest posterior {found.max_posterior:.2f}"
    case = planted(table).get("quasi_sensitive")
    if case is None or not len(case.rows):
        return told
    row = int(case.rows[0])
    victim = table.frame.select(table.quasi_identifiers).row(row, named=True)
    label, belief = next(iter(adversary.posterior(release, victim).items()))
    return f"{told}; of {table.frame['name'][row]} she says {label!r} with {belief:.2f}"


_PLAY: dict[str, Callable[[Table, pl.DataFrame], tuple[Act, Release]]] = {
    "linkage": _linkage,
    "skew": _skew,
    "labels": _labels,
}
