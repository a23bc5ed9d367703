"""What all commands share: options, lines, JSON, and a bar that shows progress."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit import strict_json
from tacit.visible import visible, visible_json

if TYPE_CHECKING:
    from tacit.progress import Progress

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of sentences.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier release in the same place.")]


def show(lines: list[str]) -> None:
    """Write lines; what they quote may hold anything, and a terminal must not obey it."""
    _write("\n".join(visible(line) for line in lines))


def show_json(value: Any) -> None:
    """Write one JSON object."""
    _write(visible_json(strict_json.dumps(value, default=str)))


def _write(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


@contextmanager
def progress(quiet: bool) -> Iterator[Progress | None]:
    """Show a bar on a terminal, for what takes longer than a second."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from tacit.report.progress import bar

    with bar() as tell:
        yield tell


def names(given: str) -> list[str]:
    """Read names that are separated by commas."""
    return [name.strip() for name in given.split(",") if name.strip()]
