"""The documents that lie beside a release: a public report, and an internal one in the private folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from tacit import strict_json
from tacit.adversaries import Notice
from tacit.audits import Audit
from tacit.borders import is_panic
from tacit.errors import ParameterError, SourceError
from tacit.measures import Utility
from tacit.measures.analysts import Usefulness
from tacit.measures.small_counts import SmallCounts
from tacit.report.evidence.gather import BoardOptions
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
    return strict_json.dumps(view.as_dict()) + "\n"


FORMATS: dict[str, Callable[[ReportView], str]] = {".html": as_html, ".md": as_markdown, ".json": as_json}


Keep = Callable[[ReportView], None]
"""Is given a report that was made, for whoever writes it in another form as well."""


def public_documents(
    release: Published,
    audit: Audit,
    figures: ReleaseFigures | None = None,
    *,
    options: BoardOptions | None = None,
    hide: SmallCounts | None = None,
    keep: Keep | None = None,
) -> dict[str, bytes]:
    """Make the report that everybody may read."""
    return in_every_format(
        lambda: public_view(release, audit.public(hide), figures=figures, options=options, hide=hide), keep
    )


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
    options: BoardOptions | None = None,
    useful: Usefulness | None = None,
    keep: Keep | None = None,
) -> dict[str, bytes]:
    """Make the report for the data owner."""
    return in_every_format(
        lambda: internal_view(
            release,
            audit,
            place=place,
            table=table,
            cost=cost,
            also_found=also_found,
            recipe=recipe,
            figures=figures,
            options=options,
            useful=useful,
        ),
        keep,
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


NOT_WRITTEN = "This report could not be written. What was published, promised and checked is in release.json."
"""What a report says that failed. Why it failed is not said: the reason may quote what is not public."""


def in_every_format(make: Callable[[], ReportView], keep: Keep | None = None) -> dict[str, bytes]:
    """Write a view in every format. A report is for looking: a release does not fail for want of one."""
    try:
        view = make()
        written = {f"report{ending}": write(view).encode("utf-8", "replace") for ending, write in FORMATS.items()}
    except BaseException as error:
        if os.environ.get("TACIT_DEBUG") or not (isinstance(error, Exception) or is_panic(error)):
            raise
    else:
        if keep is not None:
            keep(view)
        return written
    failed = ReportView(title="Report", verdict=NOT_WRITTEN)
    return {f"report{ending}": write(failed).encode() for ending, write in FORMATS.items()}
