"""The command that opens the studio: words for the terminal around the server."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tacit.commands.output import Json, Quiet, show, show_json


def studio(
    place: Annotated[
        str | None, typer.Argument(help="A table, a recipe, a folder, or a built-in table such as hospital.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 takes a free port.")] = 0,
    host: Annotated[str, typer.Option(help="What to listen on; another machine's reach needs --i-know.")] = "127.0.0.1",
    i_know: Annotated[bool, typer.Option("--i-know", help="Let other machines reach the studio.")] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Print the address, and open no browser.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """All of it in a browser on this machine, for a table or a recipe."""
    from tacit.studio.serving import serve

    words = "stop it with Ctrl-C; " + (
        "others can reach it, and whoever has the address can read the table"
        if i_know
        else "nothing leaves this machine"
    )

    def say(address: str, port: int) -> None:
        if as_json:
            show_json({"address": address, "port": port})
        elif not quiet:
            show([f"studio   {address}", words])
        sys.stdout.flush()

    serve(place, port=port, host=host, i_know=i_know, say=say, show=not no_open)
