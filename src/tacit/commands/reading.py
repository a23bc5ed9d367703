"""Reading: the options of the command line that say how a file is read, the same for every command."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tacit.commands.output import names

Nulls = Annotated[str, typer.Option("--nulls", help="Texts of a csv that mean null, separated by commas.")]
Separator = Annotated[str | None, typer.Option("--separator", help="The separator of a csv.")]
Encoding = Annotated[str | None, typer.Option("--encoding", help="The encoding of a csv: windows-1252.")]
Decimal = Annotated[str | None, typer.Option("--decimal", help="The sign before decimals: , or .")]
Sheet = Annotated[str | None, typer.Option("--sheet", help="The sheet of a spreadsheet, by name or number.")]


def reading(
    nulls: str = "",
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
) -> dict[str, Any]:
    """Return the options that were given, as `Table.read` takes them.

    Examples
    --------
    >>> reading(nulls="?,NA", sheet="2")
    {'nulls': ('', '?', 'NA'), 'sheet': 2}
    """
    given = {
        "nulls": ("", *names(nulls)) if names(nulls) else None,
        "separator": separator,
        "encoding": encoding,
        "decimal": decimal,
        "sheet": int(sheet) if sheet is not None and sheet.isdigit() else sheet,
    }
    return {name: value for name, value in given.items() if value is not None}
