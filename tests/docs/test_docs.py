"""The documentation is run: python blocks, recipes, command lines, links and anchors."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tacit import adversaries
from tacit.cli import app, run
from tacit.guarantees.registry import classes as guarantee_classes
from tacit.jobs.demo.story import ACTS
from tacit.methods.registry import classes as method_classes
from tacit.recipes.sections import RecipeSections

ROOT = Path(__file__).resolve().parents[2]
AT_THE_DOOR = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES = sorted([*AT_THE_DOOR, *(ROOT / "docs").rglob("*.md")])
THREATS = sorted((ROOT / "docs" / "threats").glob("*.md"))
SECTIONS = [
    "The story",
    "The attack, before and after",
    "What is promised",
    "How",
    "Why it holds",
    "Choosing parameters",
    "Python",
    "Recipe",
    "Command line",
    "What it does not promise",
]
SHELLS = ("console", "bash", "sh")


def fenced(text: str) -> list[tuple[str, str]]:
    """Return the blocks of a page in order, each with its language."""
    return re.findall(r"^```([\w-]*)\n(.*?)^```", text, flags=re.S | re.M)


def blocks(page: Path, *languages: str) -> list[str]:
    return [body for language, body in fenced(page.read_text(encoding="utf-8")) if language in languages]


def prose(page: Path) -> str:
    """Return a page without its blocks and without code inside a line: what a link can stand in."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def commands(page: Path) -> list[list[str]]:
    """Return the arguments of every `tacit` line of a page's shell blocks."""
    lines = [line for block in blocks(page, *SHELLS) for line in block.splitlines()]
    if "".join(blocks(page, "console")):  # in a console, lines without a prompt are what the command said
        lines = [line for line in lines if line.startswith("$ ")]
    return [shlex.split(line.removeprefix("$ "))[1:] for line in lines if re.match(r"(\$ )?tacit ", line)]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=named)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {"__name__": "docs"}
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), scope)  # noqa: S102 - running it is the point


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "toml")], ids=named)
def test_recipes_are_recipes(page: Path) -> None:
    for block in blocks(page, "toml"):
        content = tomllib.loads(block)
        if "table" in content:
            RecipeSections.model_validate(content)
        for step in content.get("steps", ()):
            assert step["method"] in method_classes(), f"{page.name}: {step['method']}"
            taken = set(method_classes()[step["method"]].model_fields)
            assert set(step) - {"method"} <= taken, f"{page.name}: {step['method']} takes {sorted(taken)}"


@pytest.mark.parametrize("page", [p for p in PAGES if commands(p)], ids=named)
def test_command_lines_are_understood(page: Path) -> None:
    group: Any = typer.main.get_command(app)
    for arguments in commands(page):
        name, *given = arguments
        assert name in group.commands, f"{page.name}: there is no command {name!r}"
        group.commands[name].make_context(f"tacit {name}", given)  # parses and checks, and does nothing


@pytest.mark.parametrize("page", [p for p in PAGES if "tacit " in p.read_text(encoding="utf-8")], ids=named)
def test_command_lines_are_in_blocks_that_are_checked(page: Path) -> None:
    for language, body in fenced(page.read_text(encoding="utf-8")):
        told = [line for line in body.splitlines() if re.match(r"\$ ?tacit |tacit \w+ ", line)]
        assert not told or language in SHELLS, f"{page.name}: {told[0]!r} stands in a block of {language or 'nothing'}"


def keys_of(command: str) -> set[str]:
    """Return the keys of a command's JSON that the reference names."""
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8").partition("## JSON")[2]
    line = next(line for line in text.splitlines() if line.startswith(f"| `{command}` |"))
    return set(re.findall(r"`(\w+)`", line.split("|")[2]))


def test_the_methods_can_be_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Do what the page says: make the data, save the recipes under their names, type the commands."""
    page = ROOT / "docs" / "which-threat.md"
    monkeypatch.chdir(tmp_path)
    published = []
    for language, body in fenced(page.read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(body, str(page), "exec"), {"__name__": "docs"})  # noqa: S102
        elif language == "toml":
            name = re.match(r"# (\S+\.toml)\n", body)
            assert name, "a recipe of this page begins with its name"
            (tmp_path / name[1]).write_text(body, encoding="utf-8")
        elif language == "console":
            for command in (shlex.split(line.removeprefix("$ "))[1:] for line in body.splitlines()):
                if command[0] == "demo":
                    continue  # tests/cli plays it
                assert run([*command, "--json"]) == 0, capsys.readouterr().err
                told = json.loads(capsys.readouterr().out)
                assert set(told) <= keys_of(command[0]), "docs/command-line.md, JSON"
                published += [Path(told["folder"]).name] if command[0] == "publish" else []
    assert published == ["linkage", "skew", "risk", "marginals", "distribution", "items"]


def slug(heading: str) -> str:
    """Return the anchor that the site and most forges give to a heading."""
    plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, flags=re.M)}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)", prose(page)):
        if "://" in target:
            continue
        place, _, anchor = target.partition("#")
        other = (page.parent / place) if place else page
        assert other.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(other), f"{page.name} links to {target}: no such heading"


def test_pages_name_no_other_host() -> None:
    """What is read offline must not need a link to be understood; the pages cite by author and year."""
    for page in PAGES:
        assert not re.findall(r"https?://[^\s)>\"]+", page.read_text(encoding="utf-8")), page.name


def test_every_class_has_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    known = [*guarantee_classes(), *method_classes()]
    known += [
        cls.model_fields and re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
        for name, cls in vars(adversaries).items()
        if isinstance(cls, type) and issubclass(cls, adversaries.Adversary) and cls is not adversaries.Adversary
    ]
    missing = [name for name in known if f"`{name}`" not in text]
    assert not missing, f"not in the docs: {missing}"


def test_every_page_is_reached_from_the_index() -> None:
    reached, todo = set(), [ROOT / "docs" / "index.md"]
    while todo:
        page = todo.pop().resolve()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        todo += [page.parent / t for t in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))]
    lost = [p for p in PAGES if p.resolve() not in reached and p not in AT_THE_DOOR]
    assert not lost, f"no way leads to {lost}"


@pytest.mark.parametrize("page", THREATS, ids=named)
def test_pages_of_threats_have_one_order(page: Path) -> None:
    """A reader who knows one page finds her way in all."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    headings = re.findall(r"^## (.*)$", text, flags=re.M)
    assert [heading for heading in headings if heading in SECTIONS] == SECTIONS


def test_every_threat_has_a_page_and_a_picture() -> None:
    assert {page.stem for page in THREATS} == set(ACTS), "a page of docs/threats for each act of the demonstration"
    for page in THREATS:
        assert f"](../pictures/{page.stem}.svg)" in page.read_text(encoding="utf-8"), page.name


def test_the_architecture_names_every_room() -> None:
    """The table of rooms has the rooms of the layer contract, in its order."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    rooms = [room.strip() for layer in layers for room in layer.split("|") if room != "__main__"]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## The rooms")[2]
    assert re.findall(r"^\| `(\w+)` \|", page, flags=re.M) == rooms


UNREADABLE = (
    "a blank does not mean yes",
    "proved for every symmetric prior",
    "with probability not computed",
    "fit one row only",
    "not asked for:",
    '"not asked"',
    "sure of it with",
)


@pytest.mark.parametrize("words", UNREADABLE)
def test_sentences_that_a_steward_cannot_read_are_gone(words: str) -> None:
    texts = [*PAGES, *(ROOT / "src").rglob("*.py")]
    there = [named(path) for path in texts if words in " ".join(path.read_text(encoding="utf-8").lower().split())]
    assert not there, f"{words!r} is in {there}"


def test_limits_promise_no_more_than_was_proved() -> None:
    """The page says of each posterior whose belief it is, and what is open for somebody who knows the algorithm."""
    text = " ".join((ROOT / "docs" / "limits.md").read_text(encoding="utf-8").split())
    assert (
        text.count("what somebody could believe who takes all matchings of people and values for equally likely") == 2
    )
    assert "for every prior that treats values alike" in text
    assert "whoever also knows the algorithm and all other columns may learn more from which cells are blank" in text
    assert 'Where a part was not checked the verdict is "cannot be checked"' in text
