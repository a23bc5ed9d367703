"""`python -m benchmarks.figures`: draw the figures of all papers into one page, two processes at a time.

The page is docs/figures.md with its pictures in docs/pictures/figures. A quick run, or one of some papers only, would
be less than that page, and goes to benchmarks/results/figures.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from benchmarks.figures.figure import ADULT, RESULTS
from benchmarks.figures.page import PICTURES, page
from benchmarks.figures.papers import PAPERS
from benchmarks.figures.section import ROOT, Section, drawn_apart

LONGEST_FIRST = ("changing", "distribution", "marginals", "risk", "learning", "quasi_sensitive", "skew")
AT_ONCE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 0 if everything was drawn, 1 if a paper's figures could not be, 2 if the arguments make no sense."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--quick", action="store_true", help="fewer rows, points and repetitions: below two minutes")
    parser.add_argument("--only", nargs="+", choices=LONGEST_FIRST, metavar="NAME", help=", ".join(LONGEST_FIRST))
    parser.add_argument("--folder", type=Path, help="where figures.md and its pictures go")
    given = parser.parse_args(arguments)
    partial = given.quick or given.only
    folder: Path = given.folder or (RESULTS / "figures" if partial else ROOT / "docs")
    begun = time.perf_counter()
    names = [name for name in LONGEST_FIRST if not given.only or name in given.only]
    with tempfile.TemporaryDirectory() as made:
        sections = _draw(names, Path(made), quick=given.quick)
        minutes = (time.perf_counter() - begun) / 60
        _publish(sections, Path(made), folder, quick=given.quick, minutes=minutes)
    failed = [name for name in names if sections[name].failure]
    for name in failed:
        print(f"figures: {name} could not be drawn: {sections[name].failure}", file=sys.stderr)
    held, fallen, open_ = (sum(found.count(v) for found in sections.values()) for v in (True, False, None))
    print(f"{held} claims hold, {fallen} do not, {open_} cannot be compared; {minutes:.1f} minutes")
    print(f"written  {folder.name}/figures.md")
    return 1 if failed else 0


def _draw(names: Sequence[str], pictures: Path, *, quick: bool) -> dict[str, Section]:
    sections: dict[str, Section] = {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        running = {pool.submit(_told, name, pictures, quick): name for name in names}
        for done in as_completed(running):
            found = done.result()
            sections[found.name] = found
            told = found.failure or f"{len(found.figures)} figures, {len(found.claims)} claims"
            spent = f"{found.wall:.0f} s, {found.cpu:.0f} CPU s"
            _say(f"[{len(sections)}/{len(names)}] {found.name}: {told} ({spent})")
    return sections


def _told(name: str, pictures: Path, quick: bool) -> Section:
    _say(f"      {name} ...")
    return drawn_apart(name, pictures, quick=quick)


def _say(line: str) -> None:
    """In one piece: several threads speak."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _publish(sections: dict[str, Section], made: Path, folder: Path, *, quick: bool, minutes: float) -> None:
    """Put the pictures in place of the old ones of the same papers, and write the page."""
    into = folder / PICTURES
    into.mkdir(parents=True, exist_ok=True)
    for name, found in sections.items():
        if not found.failure:
            for old in into.glob(f"{name}-*.svg"):
                old.unlink()
            for figure in found.figures:
                shutil.copyfile(made / f"{figure.name}.svg", into / f"{figure.name}.svg")
    text = page(PAPERS, sections, adult=ADULT.exists(), quick=quick, minutes=minutes)
    (folder / "figures.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
