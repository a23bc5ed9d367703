"""The command that checks the files of a release against their digests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.commands.output import Json, Quiet, show, show_json
from tacit.errors import AuditFailed


def verify(
    folder: Annotated[Path, typer.Argument(help="The public folder of a release.")],
    certificate: Annotated[
        Path | None, typer.Option(help="A certificate that was kept elsewhere, to compare with as well.")
    ] = None,
    allow_unchecked: Annotated[
        bool, typer.Option("--allow-unchecked", help="Exit with 0 also if a file is there that nothing says of.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check that the files of a release are as published: against release.json and its certificates."""
    from tacit.jobs.terminal.verify import verdict, verification_lines
    from tacit.releases.verification import verify as job

    found = job(folder, certificate=certificate)
    if as_json:
        show_json(found.as_dict())
    elif not quiet:
        show(verification_lines(found))
    if found.holds is False or (found.holds is None and not allow_unchecked):
        raise AuditFailed(verdict(found))
