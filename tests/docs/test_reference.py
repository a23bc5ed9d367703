"""The reference of the command line is what `--help` says; `python tests/docs/test_reference.py` writes it anew."""

import re
from pathlib import Path

import typer.main
from click import Context

from tacit.cli import app

PAGE = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"
BEGIN, END = "<!-- reference:begin -->\n", "<!-- reference:end -->"


def reference() -> str:
    group = typer.main.get_command(app)
    parts = []
    for name, command in sorted(group.commands.items()):
        text = command.get_help(Context(command, info_name=f"tacit {name}", terminal_width=100, max_content_width=100))
        parts.append(f"### {name}\n\n```text\n{text.strip()}\n```\n\n")
    return "".join(parts)


def test_the_reference_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.split(BEGIN)[1].split(END)[0] == reference(), "run `python tests/docs/test_reference.py`"


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: BEGIN + reference() + END, text, flags=re.S), encoding="utf-8")
