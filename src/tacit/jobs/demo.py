"""demo: attack the naive release of a built-in hospital, protect it, attack again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.adversaries import Linkage, LinkageAdversary
from tacit.audits import Audit
from tacit.datasets import hospital, victims
from tacit.guarantees import Eligibility, KAnonymity
from tacit.measures import utility
from tacit.methods import Pipeline, SmallGroups
from tacit.progress import Progress, silent
from tacit.releases import Release, Written
from tacit.table import Table

_VICTIMS = 500


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
    act, release = _linkage(table, known)
    tell("attack and protect", 0.5)
    written = release.write(folder / "linkage", format="csv", overwrite=overwrite)
    tell("done", 1.0)
    return Demo(rows, known.height, (act,), (written,))


def _linkage(table: Table, known: pl.DataFrame) -> tuple[Act, Release]:
    """Play the oldest threat: names are removed, and everything else is published."""
    naive = Release.foreign(
        table.frame.select(*table.quasi_identifiers, *table.sensitive),
        quasi_identifiers=table.quasi_identifiers,
        sensitive=table.sensitive,
    )
    coarse = Table(
        table.frame.with_columns(decade=pl.col("age") // 10 * 10),
        identifiers="name",
        quasi_identifiers=["decade", "sex", "nationality"],
        sensitive="diagnosis",
    )
    method = Pipeline([SmallGroups(guarantee=KAnonymity(k=5)), SmallGroups(guarantee=Eligibility(l=2))])
    release = method.protect(coarse)
    list_ = known.with_columns(decade=pl.col("age") // 10 * 10)
    cost = utility(release, coarse)
    act = Act(
        "Linkage",
        "names were removed, everything else was published; the attacker looks people up by what she knows of them.",
        _told(LinkageAdversary(victims=known).attack(naive)),
        _told(LinkageAdversary(victims=list_).attack(release)),
        f"age in decades, no postcode and admission date, {cost.suppression_rate:.1%} of the rows withheld",
    )
    return act, release


def _told(linkage: Linkage) -> str:
    asked = len(linkage.candidates)
    alone = int((linkage.candidates == 1).sum())
    sure = sum(int((belief.posterior >= 1.0).sum()) for belief in linkage.beliefs.values())
    return (
        f"{alone:,} of {asked:,} fit one row only, the diagnosis of {sure:,} is known for sure; largest posterior "
        f"{linkage.max_posterior:.2f}"
    )


__all__ = ["Act", "Audit", "Demo", "demo"]
