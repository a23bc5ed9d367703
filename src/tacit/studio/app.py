"""The application: pages over one workspace, as an ASGI application without the guard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import core, ui
from starlette.responses import Response

from tacit.studio.documents import opened
from tacit.studio.folders import Folders
from tacit.studio.screens import SCREENS
from tacit.studio.shell import Shell
from tacit.studio.workspace import Workspace

_STYLE = Path(__file__).with_name("style.css")
_OFTEN = 0.1
"""Seconds between two looks at the job that runs."""


def application(place: str | None, given: Path | None, private: Path) -> Any:
    """Make the application.

    Parameters
    ----------
    place
        A table, a recipe or the name of a built-in table to open at once.
    given
        A path of the command line, whose folder may be opened too.
    private
        A folder for this studio alone.
    """
    workspace = Workspace(Folders.around(*([] if given is None else [given])), private)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        ticking = asyncio.create_task(_tick(workspace))
        opening = asyncio.create_task(workspace.open(place)) if place is not None else None
        yield
        ticking.cancel()
        if opening is not None:
            opening.cancel()
        workspace.close()

    outer = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    nicegui_app.config.socket_io_js_transports = ["websocket"]
    core.sio.eio.cors_allowed_origins = []  # the guard judges origins; nothing else is let in either
    ui.add_head_html(f"<style>{_STYLE.read_text(encoding='utf-8')}</style>", shared=True)
    logging.getLogger("nicegui").setLevel(logging.ERROR)

    @outer.get("/report/{which}")
    def report(which: str) -> Response:
        return opened(workspace, which)

    def root() -> None:
        Shell(workspace).build(SCREENS)

    ui.run_with(
        outer,
        root=root,
        title="tacit studio",
        language="en-US",
        dark=None,
        reconnect_timeout=30.0,
        message_history_length=0,
        tailwind=False,
        gzip_middleware_factory=None,
        show_welcome_message=False,
        binding_refresh_interval=None,
    )
    return outer


async def _tick(workspace: Workspace) -> None:
    while True:
        workspace.tick()
        await asyncio.sleep(_OFTEN)
