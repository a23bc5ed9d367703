"""The documents that lie beside a release: a public report, and an internal one in the private folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from tacit.adversaries import Notice
from tacit.audits import Audit
from tacit.errors import ParameterError, SourceError
from tacit.measures import Utility
from tacit.report.figures import ReleaseFigures
from tacit.report.html import as_html
from tacit.report.internal import internal_view
from tacit.report.markdown import as_markdown
from tacit.report.public import public_view
from tacit.report.view import ReportView
from tacit.shapes import Published
from tacit.table import Table


def as_json(view: ReportView) -> str:
    """Write the same words and numbers for programs."""
    return json.dumps(view.as_dict(), indent=2, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[ReportView], str]] = {".html": as_html, ".md": as_markdown, ".json": as_json}


def public_documents(release: Published, audit: Audit, figures: ReleaseFigures | None = None) -> dict[str, bytes]:
    """Make the report that everybody may read."""
    return _all(public_view(release, audit.public(), figures=figures))


def private_documents(
    release: Published,
    audit: Audit,
    *,
    place: str,
    table: Table,
    cost: Utility,
    also_found: Sequence[Notice] = (),
    recipe: str | None = None,
    figures: ReleaseFigures | None = None,
) -> dict[str, bytes]:
    """Make the report for the data owner."""
    return _all(
        internal_view(
            release, audit, place=place, table=table, cost=cost, also_found=also_found, recipe=recipe, figures=figures
        )
    )


def save_view(view: ReportView, path: Path) -> None:
    """Write one report where somebody asked for it, as the file's ending says."""
    write = FORMATS.get(path.suffix.lower())
    if write is None:
        raise ParameterError(f"A report cannot be written as {path.name}.", hint="Name it .html, .md or .json.")
    try:
        path.write_text(write(view), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from None


def _all(view: ReportView) -> dict[str, bytes]:
    return {f"report{ending}": write(view).encode("utf-8", "replace") for ending, write in FORMATS.items()}
