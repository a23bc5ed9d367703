"""The pictures of the docs are those that docs/pictures/make.py draws, and the pages quote its numbers."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
AGAIN = "run `python docs/pictures/make.py`"
BY_HAND = {
    "architecture",
    "which-threat",
    "frontier",
}  # two drawings; and what `tacit compare --picture` wrote for the README


@pytest.fixture(scope="module")
def make() -> ModuleType:
    spec = spec_from_file_location("pictures_make", PICTURES / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_script_draws_what_is_there(make: ModuleType) -> None:
    assert {path.stem for path in PICTURES.glob("*.svg")} == set(make.PICTURES) | BY_HAND


@pytest.mark.parametrize("path", sorted(PICTURES.glob("*.svg")), ids=lambda path: path.stem)
def test_pictures_are_small_and_stand_alone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text) < 100_000
    assert not re.search(r"<script|<foreignObject|href=[\"']?http|url\([\"']?http|@import", text)
    assert re.search(r"<rect[^>]*fill=\"(#fff|white)\"", text), "readable on a dark page: it brings its own ground"


@pytest.mark.parametrize("name", sorted({path.stem for path in PICTURES.glob("*.svg")} - BY_HAND))
def test_the_page_quotes_the_numbers_of_its_picture(make: ModuleType, name: str) -> None:
    page = (make.PAGES / f"{make.PAGE_OF.get(name, name)}.md").read_text(encoding="utf-8")
    assert make.shown(name, make.PICTURES[name]().caption) in page, AGAIN


def test_pages_show_the_tables(make: ModuleType) -> None:
    for name, (page, table) in make.TABLES.items():
        text = (make.PAGES / f"{page}.md").read_text(encoding="utf-8")
        assert f"<!-- table:{name} -->\n\n{table()}\n" in text, AGAIN
