"""References are what the code says: commands by `--help`, methods and guarantees by their declared parameters.

`python tests/docs/test_reference.py` writes them anew.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import typer.main
from click import Context
from pydantic_core import PydanticUndefined

from tacit.cli import app
from tacit.guarantees.registry import classes as guarantee_classes
from tacit.knowledge.risk import DisclosureRisk
from tacit.methods.registry import classes as method_classes

DOCS = Path(__file__).resolve().parents[2] / "docs"


def commands() -> str:
    group: Any = typer.main.get_command(app)
    parts = []
    for name, command in sorted(group.commands.items()):
        text = command.get_help(Context(command, info_name=f"tacit {name}", terminal_width=100, max_content_width=100))
        parts.append(f"### {name}\n\n```text\n{text.strip()}\n```\n\n")
    return "".join(parts)


def parameters() -> str:
    return (
        f"### Methods\n\n{_listed(method_classes())}\n"
        f"### Guarantees\n\n{_listed(guarantee_classes())}\n"
        f"### Disclosure risk\n\n{_listed({'risk = { ... }': DisclosureRisk})}\n"
    )


def _listed(classes: Mapping[str, Any]) -> str:
    lines = ["| name | key | value | default |", "|---|---|---|---|"]
    for name, cls in sorted(classes.items()):
        shown = f"`{name}`"
        for key, field in cls.model_fields.items():
            lines.append(
                f"| {shown} | `{field.alias or key}` | {field.description or ''} | {_default(field.default)} |"
            )
            shown = ""
    return "\n".join(lines) + "\n"


def _default(value: Any) -> str:
    if value is PydanticUndefined:
        return "must be given"
    if value is None or isinstance(value, DisclosureRisk):
        return ""
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"


REFERENCES: list[tuple[str, str, Callable[[], str]]] = [
    ("command-line.md", "reference", commands),
    ("recipe.md", "parameters", parameters),
]


def marked(marker: str) -> re.Pattern[str]:
    return re.compile(f"(<!-- {marker}:begin -->\n)(.*?)(<!-- {marker}:end -->)", flags=re.S)


@pytest.mark.parametrize(("page", "marker", "reference"), REFERENCES, ids=[marker for _, marker, _ in REFERENCES])
def test_the_reference_is_up_to_date(page: str, marker: str, reference: Callable[[], str]) -> None:
    found = marked(marker).search((DOCS / page).read_text(encoding="utf-8"))
    assert found is not None
    assert found[2] == reference(), "run `python tests/docs/test_reference.py`"


if __name__ == "__main__":
    for page, marker, reference in REFERENCES:
        text = (DOCS / page).read_text(encoding="utf-8")
        made = reference()
        (DOCS / page).write_text(
            marked(marker).sub(lambda match, made=made: match[1] + made + match[3], text), encoding="utf-8"
        )
