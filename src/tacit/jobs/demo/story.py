"""The story: all acts, one after another, each with its release written beside its report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from tacit.datasets import hospital, victims
from tacit.jobs.demo.act import Act, Played, Stage
from tacit.jobs.demo.distribution import distribution
from tacit.jobs.demo.learning import learning
from tacit.jobs.demo.linkage import linkage
from tacit.jobs.demo.marginals import marginals
from tacit.jobs.demo.quasi_sensitive import quasi_sensitive
from tacit.jobs.demo.risk import risk
from tacit.jobs.demo.skew import skew
from tacit.measures import utility
from tacit.progress import Progress, silent
from tacit.releases import Written
from tacit.report.documents import private_documents, public_documents
from tacit.report.figures import ReleaseFigures

_VICTIMS = 500
"""How many patients are on the attacker's list; the docs quote figures of this many."""

ACTS: dict[str, Callable[[Stage], Played]] = {
    "linkage": linkage,
    "skew": skew,
    "risk": risk,
    "marginals": marginals,
    "distribution": distribution,
    "quasi_sensitive": quasi_sensitive,
    "learning": learning,
}


@dataclass(frozen=True, eq=False)
class Demo:
    """The whole story, where the releases are, and a few rows of the table they were made from."""

    rows: int
    victims: int
    acts: tuple[Act, ...]
    written: tuple[Written, ...]
    sample: pl.DataFrame = field(default_factory=pl.DataFrame)

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
    stage = set_stage(rows)
    acts, written = [], []
    for index, name in enumerate(ACTS):
        tell(name, (index + 0.5) / (len(ACTS) + 1))
        act, files = play(name, stage, folder, overwrite=overwrite)
        acts.append(act)
        written.append(files)
    tell("done", 1.0)
    columns = [*stage.table.quasi_identifiers, *stage.table.sensitive]
    return Demo(rows, stage.known.height, tuple(acts), tuple(written), stage.table.frame.select(columns).head(3))


def set_stage(rows: int) -> Stage:
    """Make the hospital and the attacker's list."""
    table = hospital(rows)
    return Stage(table, victims(table, rows=_VICTIMS))


def play(name: str, stage: Stage, folder: Path, *, overwrite: bool = False) -> tuple[Act, Written]:
    """Play one act and write its release, with both reports."""
    played = ACTS[name](stage)
    release, table = played.release, played.table
    cost, figures = utility(release, table), ReleaseFigures(release.shape, release.unit)
    written = release.write(
        folder / name,
        format="csv",
        private=folder.with_name(folder.name + ".private") / name,
        overwrite=overwrite,
        documents=partial(public_documents, release, figures=figures),
        private_documents=partial(
            private_documents, release, place="hospital", table=table, cost=cost, figures=figures
        ),
    )
    return played.act, written
