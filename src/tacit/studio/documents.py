"""Documents of the last publication, to open in the browser: nothing else on disk has an address."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import HTMLResponse, PlainTextResponse, Response

from tacit.studio.workspace import Workspace


def opened(workspace: Workspace, which: str) -> Response:
    """Return a report or the recipe; what was not published is not found."""
    published, draft = workspace.results.published, workspace.draft
    if which == "recipe" and draft is not None:
        return PlainTextResponse(draft.text)
    folders = {"public": "folder", "internal": "private"}
    if published is None or which not in folders or not published.get(folders[which]):
        return PlainTextResponse("There is no such report.", status_code=404)
    try:
        return HTMLResponse((Path(published[folders[which]]) / "report.html").read_text(encoding="utf-8"))
    except (OSError, UnicodeError):
        return PlainTextResponse("The report is no longer there.", status_code=404)
