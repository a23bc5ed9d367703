"""A view as Markdown: the same words and numbers, pictures by their captions."""

from __future__ import annotations

from tacit.report.view import Grid, ReportView


def as_markdown(view: ReportView) -> str:
    """Write the report."""
    lines = [f"# {_escaped(view.title)}", "", f"**{view.verdict}**", ""]
    for section in view.sections:
        lines += [f"## {section.title}", ""]
        for paragraph in section.paragraphs:
            lines += [_escaped(paragraph), ""]
        if section.grid is not None:
            lines += [*_table(section.grid), ""]
        lines += [f"- Picture: {_escaped(picture.caption)}" for picture in section.pictures]
        if section.pictures:
            lines.append("")
        if section.code is not None:
            lines += ["```toml", section.code.strip(), "```", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(grid: Grid) -> list[str]:
    rows = [grid.head, tuple("---" for _ in grid.head), *grid.rows]
    return ["| " + " | ".join(_escaped(cell) for cell in row) + " |" for row in rows]


def _escaped(cell: str) -> str:
    """Write a cell so that it stays one, and no browser runs what is in it."""
    return cell.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("\n", " ")
