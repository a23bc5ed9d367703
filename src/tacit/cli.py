"""The command line: argv, one job, an exit code.

0: done, and every claim holds or nothing is claimed. 1: a claimed guarantee does not hold, cannot be met or cannot be
checked. 2: bad input or recipe. Everything heavy is imported by the command that needs it, so that help comes at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit import __version__, strict_json
from tacit.borders import first_line, is_panic
from tacit.errors import AuditFailed, Infeasible, TacitError
from tacit.visible import shortened, visible, visible_json

if TYPE_CHECKING:
    from tacit.progress import Progress

app = typer.Typer(
    name="tacit",
    help="Publish tables about people so that nobody in them can be linked to what they would not tell.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_INTERRUPTED = 130  # what shells expect after Ctrl-C; the parser of arguments turns it into this code

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of sentences.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier release in the same place.")]
Nulls = Annotated[str, typer.Option("--nulls", help="Texts of a csv that mean null, separated by commas.")]


def main() -> None:
    """Run the command line; the console script's entry."""
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; every failure is one or two sentences on stderr."""
    try:
        code = int(app(args=arguments, standalone_mode=False) or 0)
        return _interrupted() if code == _INTERRUPTED else code
    except (Infeasible, AuditFailed) as error:
        return _fail(str(error), 1)
    except TacitError as error:
        return _fail(str(error), 2)
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return _fail("there is not enough memory for this table.", 2)
    except BaseException as error:
        if type(error).__module__.startswith(("click", "typer")):
            return _usage(error)
        if os.environ.get("TACIT_DEBUG") or not (isinstance(error, Exception) or is_panic(error)):
            raise
        problem = f"{type(error).__name__}: {first_line(error)}"
        return _fail(f"this should not happen: {problem}. Set TACIT_DEBUG=1 to see where.", 2)


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"tacit: {shortened(visible(message))}\n")
    return code


def _interrupted() -> int:
    return _fail("interrupted. What was not finished is not written.", _INTERRUPTED)


def _usage(error: Any) -> int:
    """Write the message of the parser of arguments; its exceptions `Exit` and `Abort` are no errors."""
    if hasattr(error, "exit_code") and not hasattr(error, "format_message"):
        return int(error.exit_code)
    if type(error).__name__ == "Abort":
        return _interrupted()
    text = error.format_message() if hasattr(error, "format_message") else str(error)
    return _fail(f"{text.rstrip('.')}. See `tacit --help`.", 2)


def _print(lines: list[str]) -> None:
    """Write lines; what they quote may hold anything, and a terminal must not obey it."""
    _write("\n".join(visible(line) for line in lines))


def _json(value: Any) -> None:
    _write(visible_json(strict_json.dumps(value, default=str)))


def _write(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress | None]:
    """Show a bar on a terminal, for what takes longer than a second."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from tacit.report.progress import bar

    with bar() as tell:
        yield tell


def _names(given: str) -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()]


def _version(asked: bool) -> None:
    if asked:
        _print([f"tacit {__version__}"])
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Publish tables about people so that nobody in them can be linked to what they would not tell."""


@app.command()
def demo(
    folder: Annotated[Path, typer.Option(help="Where the demonstration publishes.")] = Path("tacit-demo"),
    rows: Annotated[int, typer.Option(min=200, help="How many patients the built-in hospital has.")] = 18_204,
    overwrite: Overwrite = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Attack a naive release of built-in data, protect it, attack again."""
    from tacit.jobs.demo import demo as job
    from tacit.jobs.terminal.demo import demo_lines

    with _progress(quiet or as_json) as tell:
        result = job(folder, rows=rows, overwrite=overwrite, progress=tell)
    if as_json:
        _json(result.as_dict())
    elif not quiet:
        _print(demo_lines(result))


@app.command()
def inspect(
    source: Annotated[str, typer.Argument(help="A csv, Parquet, Arrow, Excel, Stata, SPSS or SAS file.")],
    qi: Annotated[
        str, typer.Option("--qi", help="Quasi-identifiers, separated by commas, and no others; guessed by default.")
    ] = "",
    sensitive: Annotated[str, typer.Option("--sensitive", help="Sensitive columns, and no others.")] = "",
    identifiers: Annotated[str, typer.Option("--identifiers", help="Columns that name a person.")] = "",
    person: Annotated[str | None, typer.Option("--person", help="The column that says whose row a row is.")] = None,
    items: Annotated[str, typer.Option("--items", help="Columns of sets.")] = "",
    nulls: Nulls = "",
    separator: Annotated[str | None, typer.Option("--separator", help="The separator of a csv.")] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="The encoding of a csv: windows-1252.")] = None,
    decimal: Annotated[str | None, typer.Option("--decimal", help="The sign before decimals: , or .")] = None,
    sheet: Annotated[str | None, typer.Option("--sheet", help="The sheet of a spreadsheet, by name or number.")] = None,
    known: Annotated[str, typer.Option("--known", help="How probably columns are known: sex=0.8,age=0.05.")] = "",
    population: Annotated[Path | None, typer.Option(help="People that the table was drawn from, a file.")] = None,
    recipe: Annotated[Path | None, typer.Option("--recipe", help="Write a commented recipe that runs.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing recipe.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Profile a table: roles guessed, uniqueness, l-eligibility: what threatens it."""
    from tacit.jobs.inspect import inspect as job
    from tacit.jobs.terminal.inspect import inspection_lines
    from tacit.knowledge.risk import DisclosureRisk
    from tacit.table import Role

    given = {
        Role.QUASI_IDENTIFIER: qi,
        Role.SENSITIVE: sensitive,
        Role.IDENTIFIER: identifiers,
        Role.ITEMS: items,
    }
    roles = {name: role for role, text in given.items() for name in _names(text)}
    roles |= {} if person is None else {person: Role.PERSON}
    with _progress(quiet or as_json) as tell:
        inspection = job(
            source,
            nulls=("", *_names(nulls)),
            separator=separator,
            encoding=encoding,
            decimal=decimal,
            sheet=int(sheet) if sheet is not None and sheet.isdigit() else sheet,
            roles=roles,
            risk=DisclosureRisk(known=_shares(known)),
            population=population,
            progress=tell,
        )
    if recipe is not None:
        _write_recipe(recipe, inspection.recipe(recipe), overwrite)
    if as_json:
        tried = {} if recipe is None else {"trials": inspection.trials.as_dict(), "shortfall": inspection.shortfall}
        _json({**inspection.as_dict(), **tried})
    elif not quiet:
        _print(inspection_lines(inspection, recipe))


def _shares(text: str) -> dict[str, float | str] | None:
    """Read `name=number,name=number`; what is no number stays text, and `DisclosureRisk` names it."""
    parts = [part.partition("=") for part in _names(text)]
    return {name.strip(): _number(number.strip()) for name, _, number in parts} or None


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _write_recipe(path: Path, text: str, overwrite: bool) -> None:
    from tacit.errors import SourceError

    try:
        with path.open("w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SourceError(f"{path} exists.", hint="Name another file, or say --overwrite.") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from None


@app.command()
def publish(
    recipe: Annotated[Path, typer.Argument(help="The recipe, a TOML file.")],
    folder: Annotated[Path | None, typer.Option(help="Publish here instead of the recipe's folder.")] = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Follow a recipe: protected files, under audit (the main job)."""
    from tacit.jobs.publish import publish as job
    from tacit.jobs.terminal.publish import publication_lines
    from tacit.recipes import Recipe

    with _progress(quiet or as_json) as tell:
        result = job(Recipe.read(recipe), folder=folder, overwrite=overwrite, progress=tell)
    if as_json:
        _json(result.as_dict())
    elif not quiet:
        _print(publication_lines(result))
    if not result.complete:
        refused = [part for part in result.parts if part.refused is not None]
        raise AuditFailed(f"{len(refused)} of {len(result.parts)} batches were not published: {refused[0].refused}")


@app.command()
def audit(
    place: Annotated[Path, typer.Argument(help="A folder written by tacit, or a file that anyone published.")],
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
    report: Annotated[Path | None, typer.Option(help="Write a report here (.html, .md or .json).")] = None,
    nulls: Nulls = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Judge what was published, by this tool or another."""
    from tacit.jobs.audit import run_audit
    from tacit.jobs.terminal.audit import audit_lines
    from tacit.recipes import Recipe
    from tacit.report.terminal import saved_line

    result = run_audit(
        place,
        quasi_identifiers=_names(qi),
        sensitive=_names(sensitive),
        items=_names(items),
        person=person,
        claims=claim or (),
        victims=victims,
        knowledge=knowledge,
        nulls=("", *_names(nulls)),
        hierarchies=hierarchies,
        recipe=None if recipe is None else Recipe.read(recipe),
        table=table,
    )
    if report is not None:
        from tacit.report.documents import save_view
        from tacit.report.public import public_view

        save_view(public_view(result.release, result.audit, place.name, result.linkage), report)
    if as_json:
        _json(result.as_dict())
    elif not quiet:
        _print([*audit_lines(result), *([] if report is None else [saved_line(report)])])
    result.audit.require(str(place), allow_unchecked=allow_unchecked)


@app.command()
def compare(
    recipes: Annotated[list[Path], typer.Argument(help="Recipes; the table is the first one's.")],
    sweep: Annotated[str | None, typer.Option(help="Try a parameter's values: l=2..10 or k=2,5,10.")] = None,
    against: Annotated[str, typer.Option(help="The cost that counts: ncp or query-error.")] = "ncp",
    picture: Annotated[Path | None, typer.Option(help="Draw privacy against utility here (.svg or .png).")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare ways to protect one table: privacy against utility."""
    from tacit.jobs.compare import compare as job
    from tacit.jobs.terminal.compare import comparison_lines
    from tacit.recipes import Recipe

    with _progress(quiet or as_json) as tell:
        cost: Any = against.replace("-", "_")
        choices = job([Recipe.read(path) for path in recipes], sweep=sweep, against=cost, progress=tell)
    if picture is not None:
        from tacit.jobs.compare import COSTS, frontier_points
        from tacit.report.charts import frontier, save

        save(frontier(frontier_points(choices, cost), COSTS[cost]), picture)
    if as_json:
        _json({"choices": [choice.as_dict() for choice in choices]})
    elif not quiet:
        _print(comparison_lines(choices))
    if all(choice.refused for choice in choices):
        raise Infeasible(f"none of the choices can be had: {choices[0].refused}")


@app.command()
def ledger(
    path: Annotated[Path, typer.Argument(help="The ledger, as a recipe names it under [ledger].")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what has been published of a table, and what is still safe to publish."""
    from tacit.jobs.ledger import read_ledger
    from tacit.jobs.terminal.ledger import ledger_lines

    ledger_view = read_ledger(path)
    if as_json:
        _json(ledger_view.as_dict())
    elif not quiet:
        _print(ledger_lines(ledger_view))


@app.command()
def recipe(
    path: Annotated[Path | None, typer.Argument(help="A recipe to check.")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of recipes, for editors.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check a recipe without touching data, or print the schema of recipes."""
    from tacit.recipes import Recipe
    from tacit.recipes import schema as make_schema

    if schema:
        _json(make_schema())
        return
    if path is None:
        raise typer.BadParameter("name a recipe, or say --schema")
    checked = Recipe.read(path)
    if as_json:
        _json({"recipe": str(path), "method": checked.method.describe(), "folder": str(checked.folder)})
    elif not quiet:
        _print([f"{path.name} is a recipe: {checked.place} through {checked.method.name} to {checked.folder.name}/"])


if __name__ == "__main__":
    main()
