"""The command that compares ways to protect one table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.commands.output import Json, Quiet, progress, show, show_json
from tacit.commands.reading import Decimal, Encoding, Nulls, Separator, Sheet, reading
from tacit.errors import Infeasible


def compare(
    recipes: Annotated[list[Path], typer.Argument(help="Recipes; the table is the first one's.")],
    sweep: Annotated[str | None, typer.Option(help="Try a parameter's values: l=2..10 or k=2,5,10.")] = None,
    against: Annotated[
        str, typer.Option(help="The cost that counts: ncp, query-error, or model:COLUMN (models that predict it).")
    ] = "ncp",
    by: Annotated[str, typer.Option(help="The attack that counts: linkage, learning or distribution.")] = "linkage",
    picture: Annotated[Path | None, typer.Option(help="Draw privacy against utility here (.svg or .png).")] = None,
    report: Annotated[Path | None, typer.Option(help="Write the comparison here (.html, .md or .json).")] = None,
    nulls: Nulls = "",
    separator: Separator = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    sheet: Sheet = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare ways to protect one table, and say which to take: privacy against utility."""
    from tacit.jobs.choice import parse_by, parse_cost
    from tacit.jobs.compare import compare as job
    from tacit.jobs.decision import decide
    from tacit.jobs.terminal.compare import comparison_lines
    from tacit.recipes import Recipe
    from tacit.report.terminal import saved_line

    given = [Recipe.read(path) for path in recipes]
    with progress(quiet or as_json) as tell:
        choices = job(
            given,
            sweep=sweep,
            against=against,
            by=by,
            reading=reading(nulls, separator, encoding, decimal, sheet),
            progress=tell,
        )
    decision = decide(choices, parse_by(by), parse_cost(against))
    if picture is not None:
        from tacit.jobs.choice import ATTACKS
        from tacit.jobs.compare import frontier_points
        from tacit.report.charts import frontier, save

        points = frontier_points(choices, against, by)
        save(frontier(points, decision.against.label, ATTACKS[decision.by][1]), picture)
    if report is not None:
        from tacit.jobs.comparison_page import comparison_view
        from tacit.report.documents import save_view

        save_view(comparison_view(decision, given[0].place), report)
    if as_json:
        chosen = {"by": by, "against": against, "decision": decision.sentence}
        show_json({**chosen, "choices": [choice.as_dict() for choice in decision.choices]})
    elif not quiet:
        show([*comparison_lines(decision), *([] if report is None else [saved_line(report)])])
    if all(choice.refused for choice in decision.choices):
        raise Infeasible(f"none of the choices can be had: {decision.choices[0].refused}")
