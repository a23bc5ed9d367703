"""References are what the code says: commands by `--help`, methods and guarantees by their declared parameters.

`python tests/docs/test_reference.py` writes them anew.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import typer.main
from click import Context
from pydantic_core import PydanticUndefined

import tacit
from tacit.adversaries import Adversary
from tacit.cli import app
from tacit.guarantees import Guarantee
from tacit.guarantees.registry import classes as guarantee_classes
from tacit.knowledge.risk import DisclosureRisk
from tacit.methods import Method
from tacit.methods.registry import classes as method_classes

DOCS = Path(__file__).resolve().parents[2] / "docs"


def commands() -> str:
    group: Any = typer.main.get_command(app)
    parts = []
    for name, command in sorted(group.commands.items()):
        text = command.get_help(Context(command, info_name=f"tacit {name}", terminal_width=100, max_content_width=100))
        parts.append(f"### {name}\n\n```text\n{text.strip()}\n```\n\n")
    return "".join(parts)


ROOMS = {
    "table": "Tables",
    "hierarchies": "Hierarchies",
    "methods": "Methods",
    "guarantees": "Guarantees",
    "releases": "Releases",
    "adversaries": "Adversaries",
    "audits": "Audit",
    "measures": "Measures",
    "jobs.in_python": "Jobs",
    "estimators": "Pipelines of models",
    "engines": "Engines",
    "errors": "Errors",
}


def names() -> str:
    """List what `import tacit as tc` offers, by room, with the first sentence of each docstring."""
    parts = []
    for room, public in tacit._PUBLIC.items():
        lines = [f"### {ROOMS[room]}", "", "| name | in recipes and reports | what it is |", "|---|---|---|"]
        for name in public:
            value = getattr(tacit, name)
            key = f"`{value.name}`" if _in_recipes(value) else ""
            sentence = (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")
            lines.append(f"| `tc.{name}` | {key} | {_in_a_cell(sentence)} |")
        parts.append("\n".join(lines) + "\n\n")
    return "".join(parts)


def _in_a_cell(sentence: str) -> str:
    """Write a sentence of a docstring as a cell of a table: asterisks outside code are no emphasis."""
    pieces = sentence.replace("``", "`").replace("|", "\\|").split("`")
    return "`".join(piece if i % 2 else piece.replace("*", "\\*") for i, piece in enumerate(pieces))


def _in_recipes(value: Any) -> bool:
    concrete = isinstance(value, type) and not inspect.isabstract(value)
    return concrete and issubclass(value, Method | Guarantee | Adversary)


def parameters() -> str:
    return (
        f"### Parameters of methods\n\n{_listed(method_classes())}\n"
        f"### Parameters of guarantees\n\n{_listed(guarantee_classes())}\n"
        f"### Parameters of disclosure risk\n\n{_listed({'risk = { ... }': DisclosureRisk})}\n"
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
    ("reference.md", "names", names),
    ("reference.md", "parameters", parameters),
]


def marked(marker: str) -> re.Pattern[str]:
    return re.compile(f"(<!-- {marker}:begin -->\n)(.*?)(<!-- {marker}:end -->)", flags=re.S)


@pytest.mark.parametrize(("page", "marker", "reference"), REFERENCES, ids=[marker for _, marker, _ in REFERENCES])
def test_the_reference_is_up_to_date(page: str, marker: str, reference: Callable[[], str]) -> None:
    found = marked(marker).search((DOCS / page).read_text(encoding="utf-8"))
    assert found is not None
    assert found[2] == reference(), "run `python tests/docs/test_reference.py`"


def test_the_public_names_are_chosen() -> None:
    """Every method, guarantee and adversary is public, and what rooms export for each other is not."""
    assert dir(tacit) == sorted([*tacit.__all__, "__version__"])
    assert set(ROOMS) == set(tacit._PUBLIC)
    assert all(hasattr(tacit, name) for name in tacit.__all__)
    from tacit import adversaries, guarantees, methods

    for room in (adversaries, guarantees, methods):
        for name in room.__all__:
            if _in_recipes(getattr(room, name)):
                assert name in tacit.__all__, f"{name} is missing in src/tacit/__init__.py"
    internal = {"Codes", "Job", "Outcome", "LedgerPage", "Suspicion", "Reading", "Groups", "Evidence", "Histogram"}
    assert not internal & set(dir(tacit))
    with pytest.raises(AttributeError, match="Codes"):
        _ = tacit.Codes


if __name__ == "__main__":
    for page, marker, reference in REFERENCES:
        text = (DOCS / page).read_text(encoding="utf-8")
        made = reference()
        (DOCS / page).write_text(
            marked(marker).sub(lambda match, made=made: match[1] + made + match[3], text), encoding="utf-8"
        )
