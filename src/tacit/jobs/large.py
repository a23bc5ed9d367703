"""publish on another engine: a table that no memory holds, or that is on a cluster.

The same recipe, the same verdict; reports are made from counts and from a sample of whole groups, and say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from tacit.audits import Audit
from tacit.engines import Engine, StreamingEngine
from tacit.engines.parts import TEXT, Parts, files_of
from tacit.errors import TacitError
from tacit.jobs.certify import Certified, certify
from tacit.jobs.engine_choice import EngineChoice
from tacit.methods.large.protecting import protect_large
from tacit.methods.large.release import LargeRelease
from tacit.methods.large.table import HEAD, LargeTable
from tacit.methods.large.verdict import Verdict
from tacit.methods.large.writing import write_large
from tacit.progress import Progress, part
from tacit.recipes import Recipe, RecipeError
from tacit.releases import Written
from tacit.report.documents import in_every_format
from tacit.report.figures import ReleaseFigures
from tacit.report.public import public_view
from tacit.report.view import Grid, ReportSection, ReportView


@dataclass(frozen=True, eq=False)
class LargePublication:
    """One large table, protected and written.

    Attributes
    ----------
    place
        What the table is called.
    engine
        Which engine was used, and why.
    release, written, verdict
        What was made, where it is, and what was judged.
    certified
        The certificates that were made of it, or why not; None where nobody wanted any.
    """

    place: str
    engine: EngineChoice
    release: LargeRelease
    written: Written
    verdict: Verdict
    certified: Certified | None = None
    refused: None = None
    complete: bool = True

    @property
    def parts(self) -> tuple[LargePublication, ...]:
        """The one table."""
        return (self,)

    @property
    def audit(self) -> Audit:
        """The verdict it was written under."""
        return self.written.audit

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "source": self.place,
            "engine": asdict(self.engine),
            "rows": self.release.size,
            "published": self.release.rows,
            "withheld": self.release.size - self.release.rows,
            "fragments": len(self.release.about),
            "method": self.release.method,
            "audit": self.audit.as_dict(),
            "utility": None if self.verdict.cost is None else self.verdict.cost.as_dict(),
            "folder": str(self.written.folder),
            "private": None if self.written.private is None else str(self.written.private),
            "files": list(self.written.files),
            "certificate": None if self.certified is None else self.certified.as_dict(),
        }


def publish_large(
    recipe: Recipe,
    choice: EngineChoice,
    *,
    folder: Path,
    private: Path | None,
    overwrite: bool,
    seed: int | None,
    progress: Progress,
    models: Sequence[str] | None = None,
) -> LargePublication:
    """Follow a recipe on an engine that is not in memory; whatever happens, its temporary files are removed."""
    _refuse(recipe, choice.name, models)
    engine = engine_of(recipe, choice.name)
    public: list[ReportView] = []
    internal: list[ReportView] = []
    try:
        progress("reading", 0.0)
        large = large_table(recipe, engine, seed)
        release = protect_large(recipe.method, large, seed=seed, progress=part(progress, 0.2, 0.7))
        written, verdict = write_large(
            release,
            folder,
            format=recipe.sections.output.format,
            private=private,
            overwrite=overwrite,
            documents=lambda verdict: in_every_format(lambda: _public(release, verdict, choice), public.append),
            private_documents=lambda verdict: in_every_format(
                lambda: _internal(release, verdict, choice, recipe), internal.append
            ),
            progress=part(progress, 0.7, 1.0),
        )
    finally:
        engine.close()
    certified = certify(written, public, internal) if recipe.sections.report.certificate else None
    progress("done", 1.0)
    return LargePublication(recipe.place, choice, release, written, verdict, certified)


def _refuse(recipe: Recipe, name: str, models: Sequence[str] | None) -> None:
    """Refuse sections of a recipe that only the local engine follows."""
    sections = recipe.sections
    for section, given in {
        "[batches]": sections.batches is not None,
        "[ledger]": sections.ledger is not None,
        "[report] models": bool(sections.report.models if models is None else models),
        "[table] url_env": sections.table.url_env is not None and name == "spark",
        "[output] url_env": sections.output.url_env is not None,
        "[read] decimal": sections.read.decimal is not None and name == "spark",
        "[read] sheet": sections.read.sheet is not None,
    }.items():
        if given:
            raise RecipeError(
                f"{recipe.path.name}, {section}: the {name} engine does not follow it.",
                hint='Leave it out, or say [engine] name = "local".',
            )


def engine_of(recipe: Recipe, name: str) -> Engine:
    """Make the engine that a recipe asks for."""
    section = recipe.sections.engine
    scratch = recipe.scratch
    if name == "streaming":
        return StreamingEngine(scratch=scratch, fragment_rows=section.fragment_rows)
    from tacit.engines.spark import SparkEngine

    return SparkEngine(
        master=section.master,
        settings=section.settings,
        scratch=scratch,
        fragment_rows=section.fragment_rows,
        allow_plain=section.allow_plain,
    )


def large_table(recipe: Recipe, engine: Engine, seed: int | None = None) -> LargeTable:
    """Read the table of a recipe where it is."""
    sections = recipe.sections
    given: Any = sections.table.source
    try:
        if engine.name == "spark":
            given = _of_cluster(recipe)
            head = pl.from_arrow(engine.read(given).frame.limit(HEAD).toArrow())
        else:
            given = _parquet(recipe, engine)
            head = _head(given)
        assert isinstance(head, pl.DataFrame)  # noqa: S101 - a table is a frame
        roles = recipe.roles()
        read = sections.read
        return LargeTable.read(
            engine, given, head, items_separator=read.items_separator, round=read.round, seed=seed, **roles
        )
    except TacitError as error:
        raise type(error)(f"{recipe.path.name}, {recipe.place}: {error.message}", hint=error.hint) from None


def _of_cluster(recipe: Recipe) -> str:
    """Return the path of a source on a cluster, or the name of its table, such as `clinic.patients`."""
    text, place = str(recipe.sections.table.source), str(recipe.pattern)
    is_path = "/" in text or "*" in text or Path(text).suffix.lower() in {".parquet", ".csv", ".orc"}
    return place if is_path or Path(place).exists() else text


def _parquet(recipe: Recipe, engine: Engine) -> Parts:
    """Return the files of a source; text is read once, batch by batch, into files of the private folder."""
    assert isinstance(engine, StreamingEngine)  # noqa: S101 - the other one reads by itself
    if recipe.sections.table.url_env is not None:
        from tacit.engines.queried import read_query

        return read_query(recipe.url, recipe.sections.table.query, engine.scratch)
    files = files_of(recipe.pattern)
    if not any(path.suffix.lower() in TEXT for path in files):
        return Parts.of(files)
    from tacit.engines.delimited import read_text

    read = recipe.sections.read
    text = [name for name, kind in recipe.sections.kinds.items() if kind == "categorical"]
    hierarchies = recipe.sections.hierarchies.items()
    text += [name for name, spec in hierarchies if isinstance(spec, dict) and "prefix" in spec]
    return read_text(
        files,
        engine.scratch,
        nulls=read.nulls,
        separator=read.separator,
        encoding=read.encoding,
        decimal=read.decimal,
        text=text,
    )


def _head(parts: Parts) -> pl.DataFrame:
    """Read the first rows."""
    tables, rows = [], 0
    for batch in parts.batches():
        tables.append(batch)
        rows += batch.num_rows
        if rows >= HEAD:
            break
    head = pl.from_arrow(pa.concat_tables(tables)) if tables else pl.from_arrow(parts.schema.empty_table())
    assert isinstance(head, pl.DataFrame)  # noqa: S101 - a table is a frame
    return head.head(HEAD)


def _public(release: LargeRelease, verdict: Verdict, choice: EngineChoice) -> ReportView:
    """Make the report that everybody may read: of all rows the verdicts and counts, of a sample the rest."""
    rows = f"{release.rows:,} of {release.size:,} rows are published, {release.size - release.rows:,} are withheld."
    note = f"The {choice.name} engine made it, in {len(release.about):,} fragments. {rows}"
    judged = f"Verdicts are about all rows: what was written was counted again, in {verdict.pieces:,} pieces."
    if verdict.sample is None:
        sections: tuple[ReportSection, ...] = ()
        view = ReportView("Report", f"{'; '.join(f'{f.title} holds' for f in verdict.audit.findings)}.", sections)
        sampled = "Nothing else was computed for a release of this size."
    else:
        sample = verdict.sample
        view = public_view(sample, verdict.audit.public(), figures=ReleaseFigures(sample.shape, sample.unit))
        share = f"a sample of {sample.shape.rows:,} rows, whole groups of them"
        sampled = f"All other figures below are about {share}." if sample.size is None else ""
    findings = tuple((f.title, f.reason) for f in verdict.audit.public().findings)
    section = ReportSection("How it was made and judged", (note, judged, sampled), Grid(("claim", "found"), findings))
    return replace(view, sections=(section, *view.sections))


def _internal(release: LargeRelease, verdict: Verdict, choice: EngineChoice, recipe: Recipe) -> ReportView:
    """Make the report for the data owner: counts of the table beside counts of what was written, and the recipe."""
    view = _public(release, verdict, choice)
    sections = []
    for name, after in verdict.counts.items():
        before, texts = release.steps[0].before[name], release.large.layout.codes[name].texts
        order = before.argsort()[::-1][:50]
        rows = tuple((str(texts[int(i)]), f"{before[i]:,}", f"{after[i]:,}") for i in order)
        sections.append(
            ReportSection(f"Values of {name}, before and after", (), Grid(("value", "table", "release"), rows))
        )
    if verdict.cost is not None:
        exact = "These figures are exact: they were added up over all files that were written."
        items = "What removed items cost was not computed." if release.large.layout.head.items else ""
        grid = Grid(("measure", "value"), tuple(verdict.cost.rows()))
        sections.insert(0, ReportSection("What it cost", (exact, items) if items else (exact,), grid))
    remarks = ReportSection("What the steps tell you", (choice.sentence, *release.remarks))
    script = ReportSection("The recipe", code=recipe.text)
    return replace(view, sections=(remarks, *view.sections, *sections, script))
