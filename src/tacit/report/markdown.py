"""A view as Markdown: the same words and numbers, pictures by their captions."""

from __future__ import annotations

from tacit.report.view import Grid, View


def as_markdown(view: View) -> str:
    """Write the report."""
    lines = [f"# {view.title}", "", f"**{view.verdict}**", ""]
    for section in view.sections:
        lines += [f"## {section.title}", ""]
        for paragraph in section.paragraphs:
            lines += [paragraph, ""]
        if section.grid is not None:
            lines += [*_table(section.grid), ""]
        lines += [f"- Picture: {picture.caption}" for picture in section.pictures]
        if section.pictures:
            lines.append("")
        if section.code is not None:
            lines += ["```toml", section.code.strip(), "```", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _table(grid: Grid) -> list[str]:
    rows = [grid.head, tuple("---" for _ in grid.head), *grid.rows]
    return ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
