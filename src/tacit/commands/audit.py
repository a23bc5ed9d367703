"""The command that judges what was published, one release or several together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.commands.board import Outside, Population, Profile, Weights
from tacit.commands.output import Json, Quiet, names, show, show_json
from tacit.commands.reading import Decimal, Encoding, Nulls, Separator, Sheet, reading

if TYPE_CHECKING:
    from tacit.jobs.audit_together import AuditedTogether


def audit(
    places: Annotated[
        list[Path] | None,
        typer.Argument(help="A folder written by tacit, or a file that anyone published; several are read together."),
    ] = None,
    ledger: Annotated[Path | None, typer.Option(help="Read all releases of this ledger together.")] = None,
    qi: Annotated[str, typer.Option("--qi", help="Quasi-identifiers of a file, separated by commas.")] = "",
    sensitive: Annotated[str, typer.Option("--sensitive", help="Sensitive columns of a file.")] = "",
    items: Annotated[
        str, typer.Option("--items", help="Columns of a file that hold sets, such as cough;fever, separated by commas.")
    ] = "",
    person: Annotated[
        str | None, typer.Option("--person", help="The column that says whose row a row is, of a file or of --table.")
    ] = None,
    victims: Annotated[Path | None, typer.Option(help="A list of people with some of the quasi-identifiers.")] = None,
    knowledge: Annotated[
        Path | None, typer.Option(help="The label table that a claim is about; it is never published.")
    ] = None,
    claim: Annotated[
        list[str] | None,
        typer.Option(help="A guarantee to judge, such as k-anonymity:k=5 or k-anonymity:k=5,of=published."),
    ] = None,
    hierarchies: Annotated[
        Path | None, typer.Option(help="A folder of hierarchies in ARX's format, files named like the columns.")
    ] = None,
    recipe: Annotated[Path | None, typer.Option(help="A recipe whose roles and hierarchies are used.")] = None,
    table: Annotated[
        Path | None, typer.Option(help="The file it was made from, to judge the rows that were withheld.")
    ] = None,
    allow_unchecked: Annotated[
        bool, typer.Option("--allow-unchecked", help="Exit with 0 also if a claim cannot be checked.")
    ] = False,
    profile: Profile = None,
    outside: Outside = None,
    population: Population = None,
    weights: Weights = None,
    report: Annotated[Path | None, typer.Option(help="Write a report here (.html, .md or .json).")] = None,
    nulls: Nulls = "",
    separator: Separator = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    sheet: Sheet = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Judge what was published, by this tool or another; of several releases, what all of them tell together."""
    from tacit.jobs.audit import run_audit
    from tacit.jobs.board import BoardQuestions
    from tacit.jobs.terminal.audit import audit_lines
    from tacit.jobs.terminal.together import together_lines
    from tacit.recipes import Recipe
    from tacit.report.terminal import saved_line

    if ledger is None and not places:
        raise typer.BadParameter("name a folder or a file, or a ledger with --ledger")
    how: dict[str, Any] = {
        "quasi_identifiers": names(qi),
        "sensitive": names(sensitive),
        "items": names(items),
        "person": person,
        "knowledge": knowledge,
        "reading": reading(nulls, separator, encoding, decimal, sheet),
        "hierarchies": hierarchies,
        "recipe": None if recipe is None else Recipe.read(recipe),
    }
    if ledger is not None or len(places or ()) > 1:
        if ledger is not None and places:
            raise typer.BadParameter("name folders and files, or a ledger with --ledger, not both")
        if table is not None or report is not None:
            raise typer.BadParameter("--table and --report are about one release, and several are read together")
        together = _together(places or [], ledger, how, victims, claim or [])
        if as_json:
            show_json(together.as_dict())
        elif not quiet:
            show(together_lines(together))
        together.require(allow_unchecked=allow_unchecked)
        return
    place = (places or [])[0]
    questions = BoardQuestions(
        profile, outside=outside, population=population, weights=weights, nulls=("", *names(nulls))
    )
    result = run_audit(place, claims=claim or (), victims=victims, table=table, questions=questions, **how)
    if report is not None:
        from tacit.report.documents import save_view

        save_view(result.view(place.name), report)
    if as_json:
        show_json(result.as_dict())
    elif not quiet:
        show([*audit_lines(result), *([] if report is None else [saved_line(report)])])
    result.audit.require(str(place), allow_unchecked=allow_unchecked)


def _together(
    places: Sequence[Path], ledger: Path | None, how: Mapping[str, Any], victims: Path | None, claims: Sequence[str]
) -> AuditedTogether:
    from tacit.jobs.audit import claim as make_claim
    from tacit.jobs.audit import read_published
    from tacit.jobs.audit_together import audit_ledger, audit_together

    if ledger is not None:
        return audit_ledger(ledger, victims=victims)
    asked = [make_claim(text, how["knowledge"]) for text in claims]
    return audit_together(places, lambda place: read_published(place, **how)[0], victims=victims, claims=asked)
