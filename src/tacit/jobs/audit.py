"""audit: judge what was published, here or elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit import sources
from tacit.adversaries import Linkage, LinkageAdversary, Notice
from tacit.audits import Audit, audit
from tacit.errors import ParameterError, RoleError, SourceError
from tacit.guarantees import Guarantee, make
from tacit.guarantees.registry import classes
from tacit.jobs.board import BoardQuestions, answers, hiding
from tacit.recipes import Recipe
from tacit.regular_files import is_folder, is_there
from tacit.releases import Release
from tacit.releases.manifest import FILE
from tacit.report.evidence import BoardEvidence
from tacit.report.evidence.gather import BoardOptions, internal_evidence, public_evidence
from tacit.report.figures import ReleaseFigures
from tacit.report.public import public_view
from tacit.report.readings import Reading, readings
from tacit.report.view import ReportView
from tacit.table import Table
from tacit.table.items import split


@dataclass(frozen=True, eq=False)
class Audited:
    """A release, the verdict on it, and what a list of victims gives away.

    `also_found` are warnings that rest on the table behind the release: they are not for everybody. `readings` are what
    a table that somebody else published is, by the usual measures. `evidence` is what a board asks, where
    somebody asked for it; `options` are what was asked.
    """

    place: str
    release: Release
    audit: Audit
    linkage: Linkage | None = None
    also_found: tuple[Notice, ...] = ()
    readings: tuple[Reading, ...] = ()
    evidence: BoardEvidence | None = None
    options: BoardOptions | None = None

    def view(self, name: str) -> ReportView:
        """Return the report that everybody may read; `name` is what it calls the release."""
        hide = hiding(None if self.options is None else self.options.profile, self.release)
        audit = self.audit if hide is None else self.audit.public(hide)
        return public_view(self.release, audit, name, self.linkage, options=self.options, hide=hide)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        figures: dict[str, Any] = {
            "source": self.place,
            "shape": self.release.shape.name,
            "rows": self.release.shape.rows,
            "groups": self.release.shape.statistics.count,
            "audit": self.audit.as_dict(),
            "others": [asdict(notice) for notice in self.also_found],
            "readings": [asdict(reading) for reading in self.readings],
            "evidence": None if self.evidence is None else self.evidence.to_json(),
        }
        if self.linkage is not None:
            figures["victims"] = {
                "asked": len(self.linkage.candidates),
                "found": int((self.linkage.candidates > 0).sum()),
                "singled_out": int((self.linkage.candidates == 1).sum()),
                "max_posterior": self.linkage.max_posterior,
                "certain": {n: int((b.posterior >= 1.0).sum()) for n, b in self.linkage.beliefs.items()},
                "doubts": [doubt.sentence for doubt in self.linkage.doubts],
            }
        return figures


def run_audit(
    place: Path,
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    items: Sequence[str] = (),
    person: str | None = None,
    claims: Sequence[str] = (),
    victims: Path | None = None,
    knowledge: Path | None = None,
    reading: Mapping[str, Any] | None = None,
    hierarchies: Path | None = None,
    recipe: Recipe | None = None,
    table: Path | None = None,
    questions: BoardQuestions | None = None,
) -> Audited:
    """Audit a folder that this tool wrote, or a file that anyone published.

    Parameters
    ----------
    place
        The folder or the file.
    quasi_identifiers, sensitive, items
        The roles of the columns, for a file; by default the recipe's. A cell of a column of `items` holds a set, in
        text separated by semicolons or by the recipe's `items_separator`.
    person
        The column of a file that says whose row a row is, where a person may have several; by default the recipe's.
    claims
        Guarantees to judge besides those claimed, as `k-anonymity:k=5`.
    victims
        A list of people with some of the quasi-identifiers.
    knowledge
        The label table that claims about quasi-sensitive items are about; it is never published. It is supplied to the
        claims of the release, where it must be the one that was used, and to those of `claims` that name none.
    reading
        How files are read, as `Table.read` takes it: `nulls`, `separator`, `encoding`, `decimal`, `sheet`. It holds for
        the file that was published and for the one it was made from; in a list of victims only `nulls` does.
    hierarchies
        A folder of hierarchies, which say what names of nodes stand for; see `hierarchy_files`.
    recipe
        A recipe whose roles and hierarchies are used where no others are given.
    table
        The file that the release was made from, to judge the rows that were withheld.
    questions
        What a board asks. What needs the table behind the release (an outside table, a population, weights) needs
        `table`.
    """
    how = reading or {}
    asked = questions or BoardQuestions()
    files = asked.read()
    if table is None and (asked.weights is not None or any(each is not None for each in files)):
        raise ParameterError(
            "An outside table, a population or weights are compared with the table behind the release.",
            hint="Name that with --table.",
        )
    requested = [claim(text, knowledge) for text in claims]
    release, nodes = read_published(
        place,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        items=items,
        person=person,
        knowledge=knowledge,
        reading=how,
        hierarchies=hierarchies,
        recipe=recipe,
    )
    linkage = None
    if victims is not None:
        linkage = LinkageAdversary(victims=sources.read(victims, nulls=how.get("nulls", ("",)))).attack(release)
    original = None if table is None else _original(table, release, how, nodes, recipe, person)
    verdict = audit(release, original, claims=requested)
    heard: tuple[Notice, ...] = ()
    if original is not None:
        heard = ReleaseFigures(release.shape, release.unit).notices(release, verdict, original)
    # Of a release of this tool the verdicts say what it is; of any other table, the usual measures do.
    measured = tuple(readings(release)) if release.method is None else ()
    evidence, options = _evidence(asked, release, verdict, original, files)
    return Audited(str(place), release, verdict, linkage, heard, measured, evidence, options)


def read_published(
    place: Path,
    *,
    quasi_identifiers: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    items: Sequence[str] = (),
    person: str | None = None,
    knowledge: Path | None = None,
    reading: Mapping[str, Any] | None = None,
    hierarchies: Path | None = None,
    recipe: Recipe | None = None,
) -> tuple[Release, dict[str, Any]]:
    """Read a folder that this tool wrote, or a file that anyone published, and the hierarchies that were found for it.

    The parameters are those of `run_audit`.
    """
    how = reading or {}
    if is_folder(place) and is_there(place / FILE):
        release = Release.read(place, knowledge=knowledge)
        nodes = _hierarchies([column.name for column in release.shape.columns], hierarchies, recipe)
        release = Release.read(place, hierarchies=nodes, knowledge=knowledge) if nodes else release
    else:
        frame = sources.read(place, **how)
        known = [] if recipe is None else [name for name in recipe.sections.roles.quasi_identifiers if name in frame]
        secret = [] if recipe is None else [name for name in recipe.sections.roles.sensitive if name in frame]
        named = list(quasi_identifiers) or known
        if not named:
            raise RoleError(
                f"{place} was not written by tacit, so its quasi-identifiers are not known.",
                hint="Name them: --qi age,zip --sensitive disease.",
            )
        nodes = _hierarchies(frame.columns, hierarchies, recipe)
        sets = list(items) or _items_in_recipe(frame, recipe)
        separator = ";" if recipe is None else recipe.sections.read.items_separator
        frame = frame.with_columns([split(frame[name], separator) for name in sets if name in frame])
        whose = person or (None if recipe is None else recipe.sections.roles.person)
        release = Release.foreign(
            frame,
            quasi_identifiers=named,
            sensitive=list(sensitive) or secret,
            items=sets,
            hierarchies=nodes,
            person=whose if person is not None or whose in frame.columns else None,
        )
    return release, nodes


def _evidence(
    asked: BoardQuestions, release: Release, verdict: Audit, original: Table | None, files: tuple[Any, Any]
) -> tuple[BoardEvidence | None, BoardOptions | None]:
    """Gather what a board asks, as far as the table behind the release is at hand; nothing where nobody asks."""
    if not asked.anything:
        return None, None
    figures = ReleaseFigures(release.shape, release.unit)
    if original is None:
        options = BoardOptions(asked.profile)
        return public_evidence(release, verdict, figures, options), options
    options = answers(asked, original, None, files)
    return internal_evidence(release, verdict, figures, original, options), options


def _items_in_recipe(frame: pl.DataFrame, recipe: Recipe | None) -> list[str] | dict[str, list[str]]:
    """Return the items columns that a recipe names and a published file has, or their binary columns by name."""
    named = [] if recipe is None else recipe.sections.roles.items
    if isinstance(named, dict):
        return {name: parts for name, parts in named.items() if all(part in frame for part in parts)}
    return [name for name in named if name in frame]


def _hierarchies(columns: Sequence[str], folder: Path | None, recipe: Recipe | None) -> dict[str, Any]:
    """Return the hierarchies of published columns; for a column that has both, the folder's file, not the recipe's."""
    in_recipe = {} if recipe is None else {n: spec for n, spec in recipe.roles()["hierarchies"].items() if n in columns}
    return in_recipe if folder is None else {**in_recipe, **hierarchy_files(folder, columns)}


def hierarchy_files(folder: Path, columns: Sequence[str]) -> dict[str, Path]:
    """Find the hierarchies of columns in a folder, each in ARX's format.

    A file belongs to the column whose name it bears: `education.csv`, or with ARX's own way of naming
    `adult_hierarchy_education.csv`.

    Parameters
    ----------
    folder
        Where to look.
    columns
        The published columns. Files for other columns are not used.

    Raises
    ------
    SourceError
        If the folder is not there, holds nothing for any column, or holds two files for one.
    """
    if not is_folder(folder):
        raise SourceError(f"There is no folder {folder}.", hint="Name the folder that holds the hierarchies.")
    files: dict[str, Path] = {}
    for path in sorted(folder.glob("*.csv")):
        stem = path.stem
        column = stem if stem in columns else stem.rpartition("hierarchy_")[2]
        if column not in columns:
            continue
        if column in files:
            raise SourceError(
                f"{folder} holds two hierarchies of {column!r}: {files[column].name} and {path.name}.",
                hint="Keep one of them there.",
            )
        files[column] = path
    if not files:
        raise SourceError(
            f"{folder} holds no hierarchy of a published column.",
            hint=f"Name the files like the columns, {columns[0]}.csv or adult_hierarchy_{columns[0]}.csv.",
        )
    return files


def _original(
    source: Path,
    release: Release,
    reading: Mapping[str, Any],
    hierarchies: Mapping[str, Any],
    recipe: Recipe | None,
    person: str | None,
) -> Table:
    """Read what a release was made from, with the roles that the release, or the recipe, gives its columns."""
    if recipe is not None:
        return recipe.table(source, reading)
    shape = release.shape
    return Table.read(
        source,
        **reading,
        person=person,
        quasi_identifiers=shape.quasi_identifiers,
        sensitive=shape.sensitive,
        items=shape.items,
        hierarchies=hierarchies,
        missing="value",
        allow=shape.quasi_identifiers,  # they are published already
    )


def claim(text: str, knowledge: Path | None = None) -> Guarantee:
    """Read a guarantee from the command line; one that is about a label table takes it from `knowledge`.

    Examples
    --------
    >>> claim("k-anonymity:k=5"), claim("k-anonymity:k=5,of=published")
    (KAnonymity(k=5), KAnonymity(of='published', k=5))
    """
    name, _, rest = text.partition(":")
    parameters: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise ParameterError(f"The claim {text!r} is not understood.", hint="Write it like k-anonymity:k=5.")
        parameters[key.strip()] = number(value.strip())
    kind = classes().get(name.strip())
    if knowledge is not None and kind is not None and "knowledge" not in parameters:
        parameters |= kind.known_again({}, knowledge)
    return make({"name": name.strip(), **parameters})


def number(text: str) -> int | float | str:
    """Read a parameter: a whole number, a number, or text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
