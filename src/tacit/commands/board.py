"""Options of several commands about what a board asks: a profile, people left out, outside tables, models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Profile = Annotated[
    str | None,
    typer.Option("--profile", help="A profile of thresholds, such as ema-0070 or wp216; see docs/reporting.md."),
]
Baseline = Annotated[
    bool | None,
    typer.Option("--baseline/--no-baseline", help="Attack people left out of a second, never published release too."),
]
Outside = Annotated[Path | None, typer.Option("--outside", help="A table that somebody else has, for linkability.")]
Population = Annotated[Path | None, typer.Option("--population", help="People that the table was drawn from, a file.")]
Models = Annotated[
    str | None,
    typer.Option(
        "--models",
        help="Columns that models are to predict from the release, separated by commas; sensitive: all sensitive ones.",
    ),
]
Weights = Annotated[str | None, typer.Option("--weights", help="The column with the sampling weight of each row.")]
