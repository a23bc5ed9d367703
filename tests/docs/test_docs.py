"""The documentation is run: python blocks, recipes, links, and the reference of the command line."""

import re
import tomllib
from pathlib import Path

import pytest

from tacit import adversaries, guarantees, methods
from tacit.guarantees.making import classes as guarantee_classes
from tacit.methods.making import classes as method_classes
from tacit.recipes.sections import RecipeSections

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.S | re.M)


@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {"__name__": "docs"}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), scope)  # noqa: S102 - running it is the point


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "toml")], ids=lambda p: p.relative_to(ROOT).as_posix())
def test_recipes_are_recipes(page: Path) -> None:
    for block in blocks(page, "toml"):
        content = tomllib.loads(block)
        if "table" in content:
            RecipeSections.model_validate(content)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_class_has_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    known = [*guarantee_classes(), *method_classes()]
    missing = [name for name in known if f"`{name}`" not in text]
    assert not missing, f"not in the docs: {missing}"
    assert adversaries.__all__
    assert guarantees.__all__
    assert methods.__all__


def test_every_page_is_reached_from_the_index() -> None:
    reached, todo = set(), [ROOT / "docs" / "index.md"]
    while todo:
        page = todo.pop().resolve()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        todo += [page.parent / t for t in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))]
    lost = [p for p in PAGES if p.resolve() not in reached and p.name != "README.md"]
    assert not lost, f"no way leads to {lost}"
