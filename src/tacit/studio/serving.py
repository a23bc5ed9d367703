"""Serving: a web server on this machine with the guard around it, for as long as the studio is open."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tacit.errors import ParameterError, SourceError, nearest, shown
from tacit.jobs.built_in import BUILT_IN
from tacit.sources.extras import extra
from tacit.studio.guard import Guard, is_loopback


def serve(
    place: str | None,
    *,
    port: int = 0,
    host: str = "127.0.0.1",
    i_know: bool = False,
    say: Callable[[str, int], None],
    show: bool = True,
) -> None:
    """Open the studio and serve it until it is interrupted.

    Parameters
    ----------
    place
        A table, a recipe, a folder or the name of a built-in table to begin with; the folder it lies in may be opened
        too.
    port
        Where to listen; 0 takes a free one.
    host
        What to listen on. Everything but this machine is refused unless `i_know` is said.
    i_know
        Whether the user knows that others can then reach the studio.
    say
        Told the address with its token, and the port, as soon as it can be opened.
    show
        Whether to open it in a browser.
    """
    if not host.strip():
        raise ParameterError("--host is empty.", hint="Leave it out, or name what to listen on.")
    if not is_loopback(host) and not i_know:
        raise ParameterError(
            f"--host {host} would let other machines reach the studio and the table in it.",
            hint="Leave --host out, or say --i-know as well.",
        )
    given = _given(place)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    # Whoever ends the studio by a signal ends it in order: otherwise the private folder would stay.
    before = signal.signal(signal.SIGTERM, _end)
    private = Path(tempfile.mkdtemp(prefix="tacit-studio-"))  # for its owner only: mode 0700
    try:
        # Whatever NiceGUI would keep lies here and goes when the studio ends; the studio asks it to keep nothing.
        os.environ["NICEGUI_STORAGE_PATH"] = str(private / "nicegui")
        guard = Guard(_application(place, given, private), token=token, port=port, host=host)
        named = "127.0.0.1" if host in {"localhost", "0.0.0.0"} else host  # noqa: S104  (compared, not listened on)
        address = f"http://{f'[{named}]' if ':' in named else named}:{port}/?token={token}"
        _run(guard, listening, lambda: _opened(address, port, say, show))
    finally:
        signal.signal(signal.SIGTERM, before)
        listening.close()
        shutil.rmtree(private, ignore_errors=True)


def _end(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host.strip("[]"), port))
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"Nothing can listen on {host}, port {port}: {reason}.", hint="Try --port 0.") from None
    return listening


def _given(place: str | None) -> Path | None:
    """Return the path that was named, None for a built-in table; asked first, as loading the pages takes a while."""
    if place is None:
        return None
    try:
        if Path(place).exists():
            return Path(place)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"{shown(place)} cannot be opened: {reason}.", hint="Name a file.") from None
    if place not in BUILT_IN:
        raise SourceError(f"There is no file {place}.", hint=nearest(place, BUILT_IN, what="Built-in tables"))
    return None


def _application(place: str | None, given: Path | None, private: Path) -> Any:
    extra("nicegui", what="The studio", extra_name="studio")
    from tacit.studio.app import application

    return application(None if given is not None and given.is_dir() else place, given, private)


def _opened(address: str, port: int, say: Callable[[str, int], None], show: bool) -> None:
    say(address, port)
    if show:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _run(guard: Guard, listening: socket.socket, ready: Callable[[], None]) -> None:
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    config = uvicorn.Config(
        guard,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_graceful_shutdown=2,
    )
    Server(config).run(sockets=[listening])
