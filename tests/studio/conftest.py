"""Browsers and studios for the tests; without a Chromium these tests are skipped with one loud line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.studio.chromium import FLAGS, chromium
from tests.studio.opened import Studio
from tests.studio.visitor import Visitor

MISSING = "NO CHROMIUM: the studio was not tried in a browser; install chromium, or name one in TACIT_CHROMIUM"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return a browser for the tests of a module; while one is open, no other test of the process can run a loop."""
    program = chromium()
    if program is None:
        pytest.skip(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Return one studio for the tests of a module, in a folder of its own."""
    with Studio(tmp_path_factory.mktemp("studio")) as opened:
        yield opened


@pytest.fixture
def visitor(browser: Any, studio: Studio) -> Iterator[Visitor]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    made = Visitor(context, studio)
    yield made
    context.close()
    made.blame()


@pytest.fixture
def hospital_csv(studio: Studio) -> Path:
    """Write a small hospital beside the studio."""
    from tacit.datasets import hospital

    path = studio.folder / "patients.csv"
    if not path.exists():
        frame = hospital(1_500, seed=3).frame
        frame.drop("symptoms").write_csv(path)
    return path
