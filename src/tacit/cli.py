"""The command line: argv, one job, an exit code.

0: done, and every claim holds or nothing is claimed. 1: a claimed guarantee does not hold, cannot be met or cannot be
checked. 2: bad input or recipe. Everything heavy is imported by the command that needs it, so that help comes at once.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit import __version__
from tacit.borders import first_line, is_panic
from tacit.commands.audit import audit
from tacit.commands.board import Baseline, Models, Outside, Population, Profile, Weights
from tacit.commands.compare import compare
from tacit.commands.ledger import ledger
from tacit.commands.output import Json, Overwrite, Quiet, names, progress, show, show_json
from tacit.commands.reading import Decimal, Encoding, Nulls, Separator, Sheet, reading
from tacit.commands.short_memory import supervised
from tacit.commands.studio import studio
from tacit.commands.verify import verify
from tacit.errors import AuditFailed, Infeasible, TacitError
from tacit.visible import shortened, shown, visible

app = typer.Typer(
    name="tacit",
    help="Publish tables about people so that nobody in them can be linked to what they would not tell.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_SELDOM = (400_000, 50, 50)  # imports make many objects and no garbage: looking for it took a twentieth of a small job
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "1")  # matrices are small: threads waited for each other longer than they worked
_INTERRUPTED = 130  # what shells expect after Ctrl-C; the parser of arguments turns it into this code


def main() -> None:
    """Run the command line; the console script's entry."""
    gc.set_threshold(*_SELDOM)
    os.environ.setdefault(*_ONE_THREAD)
    sys.exit(supervised(run))


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
    except OSError as error:  # a path that no job looked at first: the system says what is wrong with it
        if os.environ.get("TACIT_DEBUG") or error.strerror is None:
            raise
        place = "" if error.filename is None else f"{shown(Path(os.fsdecode(error.filename)))}: "
        return _fail(f"{place}{error.strerror}.", 2)
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


def _version(asked: bool) -> None:
    if asked:
        show([f"tacit {__version__}"])
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

    with progress(quiet or as_json) as tell:
        result = job(folder, rows=rows, overwrite=overwrite, progress=tell)
    if as_json:
        show_json(result.as_dict())
    elif not quiet:
        show(demo_lines(result))


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
    separator: Separator = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    sheet: Sheet = None,
    known: Annotated[str, typer.Option("--known", help="How probably columns are known: sex=0.8,age=0.05.")] = "",
    population: Population = None,
    weights: Weights = None,
    recipe: Annotated[Path | None, typer.Option("--recipe", help="Write a commented recipe that runs.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing recipe.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Profile a table: roles guessed, uniqueness, l-eligibility: what threatens it."""
    from tacit.jobs.inspect import inspect as job
    from tacit.jobs.terminal.inspect import inspection_lines, shares, write_recipe
    from tacit.knowledge.risk import DisclosureRisk
    from tacit.table import Role

    given = {
        Role.QUASI_IDENTIFIER: qi,
        Role.SENSITIVE: sensitive,
        Role.IDENTIFIER: identifiers,
        Role.ITEMS: items,
    }
    roles = {name: role for role, text in given.items() for name in names(text)}
    roles |= {} if person is None else {person: Role.PERSON}
    with progress(quiet or as_json) as tell:
        inspection = job(
            source,
            **reading(nulls, separator, encoding, decimal, sheet),
            roles=roles,
            risk=DisclosureRisk(known=shares(known)),
            population=population,
            weights=weights,
            progress=tell,
        )
    if recipe is not None:
        write_recipe(recipe, inspection.recipe(recipe), overwrite)
    if as_json:
        show_json(inspection.as_dict(tried=recipe is not None))
    elif not quiet:
        show(inspection_lines(inspection, recipe))


@app.command()
def publish(
    recipe: Annotated[Path, typer.Argument(help="The recipe, a TOML file.")],
    folder: Annotated[Path | None, typer.Option(help="Publish here instead of the recipe's folder.")] = None,
    profile: Profile = None,
    baseline: Baseline = None,
    outside: Outside = None,
    population: Population = None,
    weights: Weights = None,
    models: Models = None,
    overwrite: Overwrite = False,
    accept_composition: Annotated[
        bool,
        typer.Option("--accept-composition", help="Publish without the claims that other releases break."),
    ] = False,
    engine: Annotated[str | None, typer.Option(help="Where to run: auto, local, streaming or spark.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Follow a recipe: protected files, under audit (the main job)."""
    from tacit.jobs.board import BoardQuestions
    from tacit.jobs.publish import publish as job
    from tacit.jobs.terminal.publish import publication_lines
    from tacit.recipes import Recipe

    followed = Recipe.read(recipe)
    asked = BoardQuestions.of(
        followed, profile=profile, baseline=baseline, outside=outside, population=population, weights=weights
    )
    with progress(quiet or as_json) as tell:
        result = job(
            followed,
            folder=folder,
            overwrite=overwrite,
            questions=asked,
            models=None if models is None else names(models),
            progress=tell,
            accept_composition=accept_composition,
            engine=engine,
        )
    if as_json:
        show_json(result.as_dict())
    elif not quiet:
        show(publication_lines(result))
    if not result.complete:
        refused = [part for part in result.parts if part.refused is not None]
        raise AuditFailed(f"{len(refused)} of {len(result.parts)} batches were not published: {refused[0].refused}")


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
        show_json(make_schema())
        return
    if path is None:
        raise typer.BadParameter("name a recipe, or say --schema")
    checked = Recipe.read(path)
    if as_json:
        show_json({"recipe": str(path), "method": checked.method.describe(), "folder": str(checked.folder)})
    elif not quiet:
        show([f"{path.name} is a recipe: {checked.place} through {checked.method.name} to {checked.folder.name}/"])


app.command()(audit)
app.command()(ledger)
app.command()(compare)
app.command()(verify)
app.command()(studio)


if __name__ == "__main__":
    main()
