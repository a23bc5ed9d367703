"""The documents that lie beside a release: a public report, and an internal one in the private folder."""

from __future__ import annotations

import json

from tacit.audits import Audit
from tacit.measures import Utility
from tacit.report.html import as_html
from tacit.report.markdown import as_markdown
from tacit.report.view import View, internal_view, public_view
from tacit.shapes import Published
from tacit.table import Table


def public_documents(release: Published, audit: Audit) -> dict[str, bytes]:
    """Make the report that everybody may read."""
    return _all(public_view(release, audit))


def private_documents(
    release: Published, audit: Audit, *, place: str, table: Table, cost: Utility, recipe: str | None = None
) -> dict[str, bytes]:
    """Make the report for the data owner."""
    return _all(internal_view(release, audit, place=place, table=table, cost=cost, recipe=recipe))


def _all(view: View) -> dict[str, bytes]:
    return {
        "report.html": as_html(view).encode(),
        "report.md": as_markdown(view).encode(),
        "report.json": (json.dumps(view.as_dict(), indent=2, ensure_ascii=False) + "\n").encode(),
    }
