"""A view as Markdown: the same words and numbers, pictures by their captions."""

from __future__ import annotations

import re

from tacit.report.view import Grid, ReportView
from tacit.visible import visible

_MARKS = re.compile(r"[\\`*_\[\]|~$]|^(?:#+|[-+]|\d+[.)])(?=\s|$)")
_LINKS = re.compile(r"://|\bwww\.|(?<=\w)@(?=\w)", re.IGNORECASE)


def as_markdown(view: ReportView) -> str:
    """Write the report."""
    lines = [f"# {_escaped(view.title)}", "", f"**{_escaped(view.verdict)}**", ""]
    for section in view.sections:
        lines += [f"## {_escaped(section.title)}", ""]
        for paragraph in section.paragraphs:
            lines += [_escaped(paragraph), ""]
        if section.grid is not None:
            lines += [*_table(section.grid), ""]
        lines += [f"- Picture: {_escaped(picture.caption)}" for picture in section.pictures]
        if section.pictures:
            lines.append("")
        if section.code is not None:
            fence = _fence(section.code)
            lines += [f"{fence}toml", visible(section.code.strip(), keep="\n\t"), fence, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(grid: Grid) -> list[str]:
    rows = [grid.head, tuple("---" for _ in grid.head), *grid.rows]
    return ["| " + " | ".join(_escaped(cell) for cell in row) + " |" for row in rows]


def _escaped(text: str) -> str:
    r"""Write text so that it stays text: it marks nothing up, links to nothing, and no browser runs what is in it.

    Examples
    --------
    >>> print(_escaped("*a*_b [c](http://d) <e> `f`"))
    \*a\*\_b \[c\](http:&#47;&#47;d) &lt;e&gt; \`f\`
    """
    plain = visible(text.replace("\n", " ")).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    marked = _MARKS.sub(r"\\\g<0>", plain)
    return _LINKS.sub(lambda found: found[0].replace("/", "&#47;").replace(".", "&#46;").replace("@", "&#64;"), marked)


def _fence(code: str) -> str:
    """Return a fence that is longer than any in the code."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    return "`" * max(3, longest + 1)
