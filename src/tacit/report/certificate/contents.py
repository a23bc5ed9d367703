"""The contents of a certificate as plain values: text that was made visible, tables with widths, pictures as SVG.

What comes from data is only ever text. It is cut where it is very long, so that no name fills pages, and whoever needs
the whole text finds it in the report.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from tacit import strict_json
from tacit.releases.certificates import MARK
from tacit.report.charts import alternative, svg
from tacit.report.view import Grid, Part, Picture, ReportSection, ReportView
from tacit.visible import shortened, visible

PARTS: dict[Part, tuple[str, str]] = {
    "context": ("Context", "Who could attack the release, and with what knowledge."),
    "data": ("Data", "What was published, and what each column is to the people in it."),
    "tests": ("Adversarial tests", "What attacks on the release found. Every figure was computed from it."),
    "mitigation": ("Mitigation", "What was done to the data against these attacks."),
    "governance": ("Governance", "Who answers for the release, and how it is recognised."),
}
"""The title of each part and what it is about, in the order of ISO/IEC 27559."""


@dataclass(frozen=True)
class Limits:
    """How much of a report a certificate holds.

    Attributes
    ----------
    cell, paragraph, code
        Characters at most; longer texts are cut in the middle.
    rows
        Rows of a table at most.
    pictures
        Pictures at most; of others the alternative text stands in their place.
    """

    cell: int
    paragraph: int
    code: int
    rows: int
    pictures: int


LIMITS = (Limits(400, 2_000, 60_000, 120, 24), Limits(200, 800, 6_000, 30, 0), Limits(80, 300, 1_500, 6, 0))
"""From what a usual report needs (a recipe of twenty pages, tables of four) to what always fits into a megabyte. Chosen
by hand."""

_PROMISES = 8
"""Promises on the first page at most: more would not fit. All of them are in the table of promises."""

_PAGE, _LETTER, _PADDING = 166.0, 1.75, 2.8
"""Millimetres: the width of a page between its margins, a letter of a table at most on average, and what is left free
around a cell."""

_WORD = 26
"""Letters of a word that are kept on one line. A longer word may break anywhere after so many. Chosen by hand: a narrow
column holds about as many."""

_LONG_WORD = re.compile(rf"[^\s\u200b]{{{_WORD}}}(?=[^\s\u200b])")


@dataclass(frozen=True)
class FileDigest:
    """A file that a certificate is about."""

    name: str
    bytes: int
    sha256: str


_SHORTENED = "This certificate is shortened, to stay below a megabyte: the report holds all of it."


@dataclass(frozen=True)
class Wording:
    """What a certificate says of itself."""

    kind: str
    running: str
    summary: tuple[str, ...]
    caution: str


PUBLIC = Wording(
    "Public certificate of a release",
    "may be handed out with the files",
    (
        "This certificate says what was published, against whom it is safe, which attacks were tried on it and what "
        "they found. It holds only what can be computed from the published files, verdicts and public parameters.",
    ),
    "A certificate is a record of what was checked, not a promise about what was not. It is not signed by a program: "
    "whoever signs it under Governance answers for it.",
)
INTERNAL = Wording(
    "Internal certificate of a release",
    "internal: must not be published",
    (
        "This certificate is for those who decide on the release. It compares the release with the table that it was "
        "made from and holds figures, values and parameters that must not be published. It then repeats what is "
        "public.",
    ),
    "Keep it with the private part of the release. A certificate is a record of what was checked, not a promise about "
    "what was not.",
)


def certificate_contents(
    view: ReportView,
    folders: Mapping[str, Sequence[FileDigest]],
    versions: Mapping[str, str],
    *,
    promises: Sequence[str],
    internal: bool,
    limits: Limits = LIMITS[0],
) -> dict[str, Any]:
    """Lay a report and the digests of its files out.

    Parameters
    ----------
    view
        The report.
    folders
        The files by what their folder is called; the first file of the first folder is the release's manifest.
    versions
        What made the release, by name.
    promises
        What is claimed and whether it holds, for the first page.
    internal
        Whether it is for the data owner only.
    limits
        How much of the report it holds.
    """
    wording = INTERNAL if internal else PUBLIC
    manifest = next(iter(folders.values()))[0]
    left = limits.pictures
    told = [_text(promise) for promise in promises[:_PROMISES]]
    promised = [("Promise" if len(told) == 1 else f"Promise {at + 1}", each) for at, each in enumerate(told)]
    parts = []
    for part in get_args(Part):
        title, about = PARTS[part]
        sections = []
        for section in (each for each in view.sections if each.part == part):
            sections.append(_section(section, left, limits))
            left = max(0, left - len(section.pictures))
        parts.append({"title": title, "about": about, "sections": sections, "alone": part == "governance"})
    return {
        "kind": wording.kind,
        "running": wording.running,
        "title": _text(view.title),
        "verdict": _text(view.verdict),
        "summary": wording.summary,
        "caution": wording.caution if limits == LIMITS[0] else f"{_SHORTENED} {wording.caution}",
        "fingerprint": f"release {manifest.sha256[:16]}",
        "facts": [
            *promised,
            ("Release", f"the one whose {manifest.name} has the digest {manifest.sha256[:16]}..."),
            ("Files", ", ".join(f"{len(files)} in {name}" for name, files in folders.items())),
            ("Made with", ", ".join(f"{name} {version}" for name, version in list(versions.items())[:1])),
            ("Order of contents", "that of ISO/IEC 27559: " + ", ".join(t.lower() for t, _ in PARTS.values())),
        ],
        "parts": parts,
        "signing": "Whoever signs has read the verdict on the first page, what is not promised, and the limits.",
        "verifying": 'The command "tacit verify FOLDER" computes them again and compares; so does any program for '
        "SHA-256. The list is attached to this document as digests.json.",
        "folders": [
            {"title": _text(name), "files": [_file(each) for each in files]} for name, files in folders.items()
        ],
        "versions": _grid(Grid(("program", "version"), tuple((n, v) for n, v in versions.items())), limits),
        "attached": attachment(folders),
    }


def attachment(folders: Mapping[str, Sequence[FileDigest]]) -> str:
    """Write the digests for programs."""
    files = {place: {each.name: each.sha256 for each in found} for place, found in folders.items()}
    return strict_json.dumps({MARK: 1, "folders": files})


def _section(section: ReportSection, pictures: int, limits: Limits) -> dict[str, Any]:
    drawn = [_picture(each) for each in section.pictures[:pictures]]
    told = [alternative(each.chart, each.caption) for each in section.pictures[pictures:]]
    paragraphs = [*section.paragraphs, *(f"Picture: {words}" for words in told)]
    rows = () if section.grid is None else section.grid.rows
    more = f"{len(rows) - limits.rows:,} further rows are in the report." if len(rows) > limits.rows else None
    return {
        "title": _text(section.title),
        "paragraphs": [_text(paragraph, limits.paragraph) for paragraph in paragraphs],
        "grid": None if section.grid is None else _grid(section.grid, limits),
        "more": more,
        "pictures": drawn,
        "code": None if section.code is None else visible(shortened(section.code.strip(), limits.code), keep="\n\t"),
    }


def _grid(grid: Grid, limits: Limits) -> dict[str, Any]:
    """Cut a table to what is read; each column is as wide as its longest word, and more after its longest cell."""
    rows = [[_text(cell, limits.cell) for cell in row] for row in grid.rows[: limits.rows]]
    head = [_text(cell, limits.cell) for cell in grid.head]
    longest = [max(len(row[c]) for row in [head, *rows]) for c in range(len(head))]
    words = [max(len(word) for row in [head, *rows] for word in (row[c].split() or [""])) for c in range(len(head))]
    needed = [_PADDING + _LETTER * min(word, _WORD) for word in words]
    weights = [min(90, max(7, long)) ** 0.7 for long in longest]
    left = max(0.0, _PAGE - sum(needed)) / sum(weights)
    widths = [round(least + left * weight, 2) for least, weight in zip(needed, weights, strict=True)]
    return {"head": head, "rows": rows, "widths": widths}


def _picture(picture: Picture) -> dict[str, Any]:
    said = alternative(picture.chart, picture.caption)
    drawing = svg(picture.chart).replace("system-ui, sans-serif", "Libertinus Serif")
    width = re.search(r'width="(\d+)"', drawing)
    return {
        "svg": drawing,
        "alternative": visible(said),
        "caption": _text(picture.caption),
        "width": int(width[1]) if width else 640,
    }


def _file(file: FileDigest) -> dict[str, str]:
    return {"name": _text(file.name, 400), "bytes": f"{file.bytes:,}", "sha256": file.sha256}


def _text(text: str, most: int = LIMITS[0].paragraph) -> str:
    """Write text that a page can hold: visible, not too long, and with places to break long words."""
    return _LONG_WORD.sub("\\g<0>\u200b", shortened(visible(text.replace("\n", " ")), most))
