"""A real browser for the tests of the studio: a Chromium that is installed, never one that is downloaded."""

from __future__ import annotations

import os
import shutil

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def chromium() -> str | None:
    """Return the program: what TACIT_CHROMIUM names, then the usual names; None where there is none."""
    named = os.environ.get("TACIT_CHROMIUM")
    if named:
        return named if shutil.which(named) else None
    return next((found for name in _NAMES if (found := shutil.which(name))), None)
