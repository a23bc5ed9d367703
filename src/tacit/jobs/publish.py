"""publish: a recipe becomes protected files, under audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from tacit.adversaries import Notice
from tacit.audits import Audit
from tacit.errors import AuditFailed, Infeasible, SourceError, shown
from tacit.guarantees import Guarantee
from tacit.guarantees.people import counted
from tacit.jobs.also_found import also_found
from tacit.jobs.analysts import Analysts, asking
from tacit.jobs.batches import is_batched, tables
from tacit.jobs.board import BoardQuestions, answers, hiding, sampled
from tacit.jobs.certify import Certified, certify
from tacit.jobs.engine_choice import choose
from tacit.measures import Utility, utility
from tacit.measures.analysts import Usefulness
from tacit.progress import Progress, part, silent
from tacit.recipes import Recipe, RecipeError
from tacit.releases import Destination, Release, Written, require_free
from tacit.releases.places import check_apart, is_within, new_places, resolved
from tacit.report.costly import costly
from tacit.report.documents import private_documents, public_documents
from tacit.report.evidence import BoardEvidence
from tacit.report.evidence.gather import BoardOptions
from tacit.report.figures import ReleaseFigures
from tacit.report.view import ReportView
from tacit.table import Table

if TYPE_CHECKING:
    from tacit.jobs.large import LargePublication


@dataclass(frozen=True, eq=False)
class Publication:
    """One table, protected and written; or the reason why not.

    Attributes
    ----------
    also_found
        Warnings for the data owner only: what adversaries learn from whom no claim protects (`tacit.jobs.also_found`).
    certified
        The certificates that were made of it, or why not; None where nobody wanted any.
    useful
        What analysts can still use it for; None where nobody asked.
    evidence
        What a board asks, as the data owner knows it; None where the report could not be made.
    """

    place: str
    release: Release | None = None
    utility: Utility | None = None
    written: Written | None = None
    refused: Infeasible | AuditFailed | None = None
    also_found: tuple[Notice, ...] = ()
    certified: Certified | None = None
    useful: Usefulness | None = None
    evidence: BoardEvidence | None = None

    @property
    def costly(self) -> tuple[str, ...]:
        """What makes the release of little use, and the parameter to change; for the data owner only."""
        if self.release is None or self.utility is None:
            return ()
        return tuple(costly(self.release, self.utility))

    @property
    def audit(self) -> Audit | None:
        """The verdict it was written under."""
        return None if self.written is None else self.written.audit

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        if self.release is None or self.written is None or self.utility is None:
            return {"source": self.place, "refused": str(self.refused)}
        size, rows = self.release.size, self.release.shape.rows
        return {
            "source": self.place,
            "rows": size,
            "published": rows,
            "withheld": None if size is None else size - rows,
            "method": self.release.method,
            "audit": self.written.audit.as_dict(),
            "others": [asdict(notice) for notice in self.also_found],
            "utility": self.utility.as_dict(),
            "costly": list(self.costly),
            "folder": str(self.written.folder),
            "private": None if self.written.private is None else str(self.written.private),
            "files": list(self.written.files),
            "certificate": None if self.certified is None else self.certified.as_dict(),
            "usefulness": None if self.useful is None else self.useful.as_dict(),
            "evidence": None if self.evidence is None else self.evidence.to_json(),
        }


@dataclass(frozen=True, eq=False)
class Publications:
    """All tables or batches of one recipe."""

    parts: tuple[Publication, ...]
    batched: bool

    @property
    def complete(self) -> bool:
        """Whether everything was written."""
        return all(part.written is not None for part in self.parts)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader could learn from all batches together, though each is safe by itself."""
        again = _in_several([part.release for part in self.parts if part.release is not None]) if self.batched else 0
        have = "has" if again == 1 else "have"
        sentence = (
            f"{counted(again, 'people')} {have} rows in several batches: each batch is safe by itself, and somebody "
            "who finds a person in several of them may learn more"
        )
        several = (sentence,) if again else ()
        hidden = [part for part in self.parts if part.release is not None and _hides_a_value(part.release)]
        if len(hidden) < 2:
            return several
        return (
            *several,
            f"l-dichotomy holds for each batch by itself: if the same value was the most frequent one in several of "
            f"the {len(hidden)} batches that were suppressed, the series exposes it",
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON; a table that is not batched is shown flat."""
        if not self.batched:
            return self.parts[0].as_dict()
        written = [part.as_dict() for part in self.parts]
        return {
            "batches": written,
            "summary": {
                "batches": len(written),
                "refused": sum("refused" in part for part in written),
                "treated": sum(bool(part.get("withheld")) for part in written),
                "rows": sum(part.get("rows") or 0 for part in written),
                "withheld": sum(part.get("withheld") or 0 for part in written),
            },
            "warnings": list(self.warnings),
        }


def publish(
    recipe: Recipe,
    *,
    folder: Path | None = None,
    overwrite: bool = False,
    seed: int | None = None,
    questions: BoardQuestions | None = None,
    models: Sequence[str] | None = None,
    progress: Progress | None = None,
    accept_composition: bool = False,
    engine: str | None = None,
) -> Publications | LargePublication:
    """Follow a recipe.

    Parameters
    ----------
    recipe
        The job.
    folder
        Where to publish instead of the recipe's folder.
    overwrite
        Replace an earlier release.
    seed
        For tests.
    questions
        What a board asks; by default what the recipe says under [report].
    models
        Columns that models are to predict, to say what the release is still good for; by default what the recipe says.
    progress
        Told the stage and the share done.
    accept_composition
        Publish also what tells more beside earlier releases of the ledger than one of them promises, without the claims
        that fail.
    engine
        Where to run instead of where the recipe says: "auto", "local", "streaming" or "spark".

    Raises
    ------
    Infeasible, AuditFailed
        For a single table. Of several batches, those that cannot be published are named in the result.
    """
    tell = progress or silent
    target = folder or recipe.folder
    private = recipe.private if folder is None else None
    beside = _check_places(recipe, target, private)
    choice = choose(recipe, engine)
    asked = questions or BoardQuestions.of(recipe)
    if choice.name != "local":
        from tacit.jobs.large import publish_large

        asked.refuse_engine(recipe.path.name, choice.name)
        return publish_large(
            recipe,
            choice,
            folder=target,
            private=private,
            overwrite=overwrite,
            seed=seed,
            progress=tell,
            models=models,
        )
    files = asked.read()
    batched = is_batched(recipe)
    parts = []
    tell("reading", 0.0)
    batches = [
        # The private part of a batch is never inside the public folder.
        (name, target if own is None else target / own, private if own is None else beside / own, read)
        for name, own, read in tables(recipe)
    ]
    for _, to, hidden, _ in batches:
        require_free(to, hidden, overwrite=overwrite)
    database = recipe.destination
    if database is not None:
        if batched:
            raise RecipeError(
                f"{recipe.path.name}, [output] url_env: batches are not written to a database.",
                hint="Publish them as files, or one recipe per batch.",
            )
        database.check(overwrite=overwrite)
    for name, to, hidden, read in batches:
        place = recipe.place if name is None else name
        table = read()
        try:
            targets = recipe.sections.report.models if models is None else models
            analysts = asking(table, recipe.method, targets, f"{recipe.path.name} (models)")
            if asked.weights is not None or files[1] is not None:
                sampled(table, asked, files[1])  # what cannot be read is said before the work
            release = recipe.method.protect(table, ledger=recipe.ledger(name), seed=seed, progress=part(tell, 0.0, 0.7))
            parts.append(
                publish_release(
                    release,
                    to,
                    table=table,
                    place=place,
                    format=recipe.sections.output.format,
                    private=hidden,
                    overwrite=overwrite,
                    database=database,
                    recipe=recipe.text,
                    certificate=recipe.sections.report.certificate,
                    analysts=analysts,
                    options=answers(asked, table, recipe.method, files, seed=seed, progress=part(tell, 0.7, 0.75)),
                    progress=tell,
                    accept_composition=accept_composition,
                )
            )
        except (Infeasible, AuditFailed) as error:
            if not batched:
                raise
            parts.append(Publication(place, refused=error))
    tell("done", 1.0)
    return Publications(tuple(parts), batched)


def publish_release(
    release: Release,
    folder: Path,
    *,
    table: Table,
    place: str,
    format: str,  # noqa: A002  (the contract's word)
    private: Path | None = None,
    overwrite: bool = False,
    database: Destination | None = None,
    recipe: str | None = None,
    certificate: bool = True,
    analysts: Analysts | None = None,
    options: BoardOptions | None = None,
    progress: Progress = silent,
    accept_composition: bool = False,
) -> Publication:
    """Measure a release, audit it, and write it with its reports; `place` is what the reports call the table.

    Certificates are made when the release is safe on disk; nothing depends on them.
    """
    if accept_composition:
        release = release.settled()
    else:
        release.together.require()
    progress("measuring what it cost", 0.75)
    cost, notices = utility(release, table), (*together_notices(release), *also_found(release, table))
    useful = None
    if analysts is not None:
        progress("training models", 0.77)
        useful = analysts(release)
    progress("auditing and writing", 0.8)
    figures = ReleaseFigures(release.shape, release.unit)
    hide = hiding(None if options is None else options.profile, release)
    public: list[ReportView] = []
    internal: list[ReportView] = []
    written = release.write(
        folder,
        format=format,
        private=private,
        overwrite=overwrite,
        database=database,
        accept_composition=accept_composition,
        hide=hide,
        documents=partial(public_documents, release, figures=figures, options=options, hide=hide, keep=public.append),
        private_documents=partial(
            private_documents,
            release,
            place=place,
            table=table,
            cost=cost,
            also_found=notices,
            recipe=recipe,
            figures=figures,
            options=options,
            useful=useful,
            keep=internal.append,
        ),
    )
    certified = None
    if certificate:
        progress("writing the certificate", 0.97)
        certified = certify(written, public, internal)
    heard = (*notices, *figures.notices(release, written.audit, table))
    evidence = internal[0].evidence if internal else None
    return Publication(
        place, release, cost, written, also_found=heard, certified=certified, evidence=evidence, useful=useful
    )


def together_notices(release: Release) -> tuple[Notice, ...]:
    """Say what somebody learns who has the earlier releases of the ledger too; it is for the data owner only."""
    together = release.together
    return tuple(
        Notice("together", sentence, together.posterior, together.pinned, prominent=True, secret=True)
        for sentence in together.sentences()
    )


def _in_several(releases: Sequence[Release]) -> int:
    """Count the people who are in several releases of different batches, where a column says who they are."""
    tables = [release.inside.table for release in releases if release.inside is not None]
    whose = [t.frame[t.person].unique().cast(pl.String) for t in tables if t is not None and t.person is not None]
    if len(whose) < 2:
        return 0
    everybody = pl.concat([persons.alias("person") for persons in whose])
    return int(everybody.filter(everybody.is_duplicated()).n_unique())


def _hides_a_value(release: Release) -> bool:
    """Tell whether rows were withheld to hide which value was too frequent."""
    promised = any(isinstance(claim, Guarantee) and claim.hides_a_value for claim in release.guarantees)
    return promised and release.size != release.shape.rows


def _check_places(recipe: Recipe, target: Path, private: Path | None) -> Path:
    """Refuse places that are inside one another, before any work; return the private folder."""
    public, hidden = new_places(target, private)
    ledger = recipe.ledger()
    folders = {"the public folder": public, "the private folder": hidden}
    kept = {} if ledger is None else {"the ledger": ledger.path}
    read = {} if recipe.source is None else {"the source": recipe.source}
    check_apart(folders | kept | read)
    check_apart(folders | {"the recipe": recipe.path})
    check_apart(kept | {"the recipe": recipe.path})
    for what, folder in folders.items():
        if (scratch := recipe.scratch) is not None and is_within(resolved(scratch), folder):
            raise SourceError(
                f"The folder for temporary files {shown(scratch)} must not be {what}, nor inside it ({shown(folder)}).",
                hint="Rows of the table lie there while the job runs: name another place in [engine] scratch.",
            )
    return hidden
