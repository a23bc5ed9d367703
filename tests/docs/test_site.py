"""`mkdocs build --strict` makes a site that is whole, and needs no other host to be read."""

import os
import re
import resource
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = re.compile(r"^\s*(https?:)?//", re.I)
LOADS = {"src", "srcset", "data", "poster", "background", "action", "formaction"}

# The theme's script names hosts in comments and in branches that no page of ours takes. What could be fetched is listed
# with what would have to be true.
DORMANT = {
    "https://unpkg.com/mermaid@": 'class="mermaid"',  # a diagram on the page
    "https://unpkg.com/resize-observer-polyfill": None,  # a browser from before 2020
    "https://api.github.com/": 'data-md-component="source"',  # a link to a repository in the header
    "https://${e}/api/v4/projects/": 'data-md-component="source"',
}


class Loads(HTMLParser):
    """Collects what a browser fetches by itself; links that a reader may follow are not among it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.found += [value for name, value in given.items() if name in LOADS]
        if tag == "link" and given.get("rel") not in {"canonical", "prev", "next"}:
            self.found.append(given.get("href", ""))
        if tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
            self.found.append(given.get("content", "").partition("url=")[2])
        self.found += re.findall(r"url\(([^)]*)\)", given.get("style", ""))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 20
    return folder


def test_every_page_is_built(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT / "docs")).with_suffix(".html").exists(), page.name
    assert not [*site.rglob("*.py"), *site.rglob("*.pyc")], "scripts are not for readers"


def test_no_page_loads_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.found
        away = [target for target in loads.found if ELSEWHERE.match(target.strip("'\""))]
        assert not away, f"{page.name} loads {away}"


def test_no_style_and_no_picture_loads_from_elsewhere(site: Path) -> None:
    for path in [*site.rglob("*.css"), *site.rglob("*.svg")]:
        text = path.read_text(encoding="utf-8")
        targets = re.findall(r"url\(\s*[\"']?([^\"')]*)", text) + re.findall(r"@import\s+[\"']([^\"']*)", text)
        if path.suffix == ".svg":
            targets += re.findall(r"href=[\"']([^\"']*)", text)
            assert "<script" not in text, path.name
        away = [target for target in targets if ELSEWHERE.match(target)]
        assert not away, f"{path.name} loads {away}"


def test_scripts_fetch_nothing_from_elsewhere(site: Path) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in site.rglob("*.html"))
    for script in site.rglob("*.js"):
        code = re.sub(r"/\*.*?\*/", "", script.read_text(encoding="utf-8"), flags=re.S)
        code = re.sub(r"^\s*//.*$", "", code, flags=re.M)
        for target in re.findall(r"[\"'`](https?://[^\"'`\s]+)", code):
            if target.startswith("http://www.w3.org/"):
                continue  # the name of a namespace
            reasons = [needs for start, needs in DORMANT.items() if target.startswith(start)]
            assert reasons, f"{script.name} names {target}"
            assert reasons[0] is None or reasons[0] not in pages, f"{script.name} would fetch {target}"


def test_pages_show_what_was_written(site: Path) -> None:
    """Lists, tables and pictures of Markdown are those of the site: readers of Markdown differ in blank lines."""
    for page in (ROOT / "docs").rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
        html = (site / page.relative_to(ROOT / "docs")).with_suffix(".html").read_text(encoding="utf-8")
        body = html.partition("<article")[2].partition("</article>")[0]
        body = re.sub(r"<div class=\"highlight\">.*?</div>", "", body, flags=re.S)
        assert body.count("<table>") == len(re.findall(r"^\|[-|: ]+\|$", text, flags=re.M)), page.name
        assert body.count("<li>") == len(re.findall(r"^ *(?:- |\d+\. )", text, flags=re.M)), page.name
        assert not re.search(r"<em>[\s,.;:)]", body), f"{page.name}: an asterisk of a formula was read as emphasis"
        assert body.count("<img") == len(re.findall(r"!\[", text)), page.name
