"""The command that says what a ledger knows, and changes what it follows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.commands.output import Json, Quiet, show, show_json


def ledger(
    path: Annotated[Path, typer.Argument(help="The ledger, as a recipe names it under [ledger].")],
    forget: Annotated[
        list[str] | None, typer.Option(help="Refuse this person from now on: her key in the person column.")
    ] = None,
    migrate: Annotated[
        Path | None, typer.Option(help="Follow people from now on: the table so far, or the recipe that reads it.")
    ] = None,
    person: Annotated[str | None, typer.Option(help="With --migrate: the column that says who everybody is.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw counterfeits over time here (.svg or .png).")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what has been published of a table, and what is still safe to publish."""
    from tacit.jobs.ledger import forget_people, migrate_ledger, read_ledger
    from tacit.jobs.terminal.ledger import ledger_lines
    from tacit.report.terminal import saved_line

    said = []
    if migrate is not None:
        if person is None:
            raise typer.BadParameter("--migrate needs --person, the column that says who everybody is")
        said.append(migrate_ledger(path, migrate, person))
    elif person is not None:
        raise typer.BadParameter("--person goes with --migrate")
    if forget:
        said.append(forget_people(path, forget))
    ledger_view = read_ledger(path)
    if picture is not None:
        from tacit.report.charts import save

        save(ledger_view.picture(), picture)
        said.append(saved_line(picture))
    if as_json:
        show_json(ledger_view.as_dict())
    elif not quiet:
        show([*said, *ledger_lines(ledger_view)])
